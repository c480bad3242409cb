"""Small programs in the agents' own language, where an agent has no hooks that call a command."""

from __future__ import annotations

__all__ = ["SCRIPTS"]

_PI = """\
// Made by `remember hooks install pi`; `remember hooks uninstall pi` takes it out again.
const [PROGRAM, ...FIRST] = @COMMAND@;

export default function (pi) {
  let sent = false;
  const forget = () => { sent = false; };
  for (const event of ["session_start", "session_compact", "session_tree"]) pi.on(event, forget);

  const remember = (words, ctx) => pi.exec(PROGRAM, [...FIRST, ...words], { cwd: ctx.cwd, timeout: 8000 });

  pi.on("before_agent_start", async (event, ctx) => {
    if (sent || event.messageType === "custom") return;
    try {
      const scope = ctx.isProjectTrusted() ? [] : ["--scope", "global"];
      const found = await remember(["context", "--client", "pi", ...scope], ctx);
      if (found.code !== 0) return;
      sent = true;
      if (!found.stdout.trim()) return;
      return { message: { customType: "remember", content: found.stdout, display: false } };
    } catch {
      return; // a session goes on without its memory
    }
  });

  pi.registerCommand("memory", {
    description: "What is remembered; `update` asks for a review of it",
    handler: async (args, ctx) => {
      const update = String(args ?? "").trim() === "update";
      const found = await remember(update ? ["context", "--review"] : ["status"], ctx);
      const text = found.code === 0 ? found.stdout : found.stderr;
      if (update && found.code === 0) await pi.sendUserMessage(text, { deliverAs: "followUp" });
      else if (ctx.hasUI) ctx.ui.notify(text.trim(), found.code === 0 ? "info" : "error");
    },
  });
}
"""

_OPENCODE = """\
// Made by `remember hooks install opencode`; `remember hooks uninstall opencode` takes it out again.
import { execFile } from "node:child_process";

const [PROGRAM, ...FIRST] = @COMMAND@;

const context = (directory) => new Promise((done) => {
  const words = [...FIRST, "context", "--client", "opencode"];
  execFile(PROGRAM, words, { cwd: directory, timeout: 8000 }, (error, stdout) => done(error ? "" : String(stdout)));
});

export const Remember = async ({ directory }) => {
  const known = new Map();
  return {
    "experimental.chat.system.transform": async (input, output) => {
      const session = (input && input.sessionID) || "";
      if (!known.has(session)) known.set(session, await context(directory));
      const text = known.get(session);
      if (text) output.system.push(text);
    },
  };
};
"""

SCRIPTS = {"pi": _PI, "opencode": _OPENCODE}
"""By agent; `@COMMAND@` stands for the program and its first words, as a JSON list."""
