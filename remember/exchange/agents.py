"""Finds the memory that other programs keep of a workspace and its user; it only looks, and reads their settings."""

from __future__ import annotations

import os

from remember._named import NamedTuple
from remember.exchange import settings
from remember.exchange.places import claude_slug, harness_name, zcode_hash, zcode_name, zcode_slug
from remember.format import marker
from remember.scope.discover import main_worktree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Found", "Workspace", "find_memories", "workspace"]


class Found(NamedTuple):
    """Memory of another program: `layout` is how it can be registered ("": only imported), `format` what `import` calls it.

    `theirs` says that files of the workspace name it, so that whoever wrote the repository chose it; `vouched` is false for that
    where the workspace is not trusted, and for a place that was guessed.
    """

    agent: str
    path: str
    layout: str
    format: str
    name: str
    warnings: tuple[str, ...] = ()
    vouched: bool = True
    theirs: bool = False


class Workspace(NamedTuple):
    """A workspace as other programs see it: `root`, and `top`, the main working tree of its repository (else the root).

    `roots` are the directories that a program which goes by its own working directory may have meant, the likeliest first.
    """

    root: str
    top: str
    roots: tuple[str, ...]
    home: str
    environ: Mapping[str, str]
    trusted: bool = False

    @property
    def agent_dir(self) -> str:
        """pi's directory."""
        return self.environ.get("PI_CODING_AGENT_DIR") or os.path.join(self.home, ".pi", "agent")

    @property
    def claude_dir(self) -> str:
        """Claude Code's directory."""
        return self.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(self.home, ".claude")


def workspace(here: str, root: str, home: str, environ: Mapping[str, str], trusted: bool = False) -> Workspace:
    """The workspace with that root for somebody who is in `here`; both are canonical."""
    folder = root
    while not os.path.lexists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return Workspace(root, root, tuple(dict.fromkeys((root, here))), home, environ, trusted)
        folder = above
    top = main_worktree(folder) or folder
    return Workspace(root, top, tuple(dict.fromkeys((root, here, folder, top))), home, environ, trusted)


def find_memories(space: Workspace) -> tuple[Found, ...]:
    """Everything that is there, each place once; nothing is made, and what cannot be read is passed over."""
    found: dict[str, Found] = {}
    for search in (_claude, _zcode, _bullets, _harness, _basic_memory, _graphs, _codex):
        for one in search(space):
            path = os.path.realpath(one.path)
            if not os.path.lexists(os.path.join(path, marker.NAME)):  # a store of ours that they were told to share
                found.setdefault(path, _judged(one, path, space))
    return tuple(found.values())


def _judged(one: Found, path: str, space: Workspace) -> Found:
    """The place, doubted where a workspace that is not trusted holds or names it."""
    inside = any(path.startswith(root + os.sep) for root in (space.root, space.top))
    if space.trusted or not (one.theirs or inside):
        return one
    warning = f"the workspace {'holds' if inside else 'names'} it and is not trusted; look at it before you register it"
    return one._replace(vouched=False, warnings=(*one.warnings, warning))


def _claude(space: Workspace) -> Iterator[Found]:
    name = _word("claude", space.top)
    exact = space.environ.get("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE")
    chosen, users = settings.auto_memory_directory(space.claude_dir, space.top, space.home)
    for path, theirs in ((exact, False), (chosen, not users)):
        if path:
            if os.path.isdir(path):
                yield Found("Claude Code", path, "zcode", "zcode", name, theirs=theirs)
            return
    folder = os.path.join(space.claude_dir, "projects", claude_slug(space.top))
    path = os.path.join(folder, "memory")
    if os.path.isdir(path):
        strangers = settings.other_workspaces(folder, space.top)
        warnings = tuple(f"sessions of {other} share this folder, whose name stands for both; its memories may too" for other in strangers)
        yield Found("Claude Code", path, "zcode", "zcode", name, warnings, not strangers)


def _zcode(space: Workspace) -> Iterator[Found]:
    name = _word("zcode", space.root)
    for file, theirs in (
        (os.path.join(space.root, ".pi", "zcode-memory.json"), True),
        (os.path.join(space.agent_dir, "extensions", "zcode-memory.json"), False),
    ):
        chosen = settings.text_of(file, "dir")
        if chosen:
            path = os.path.normpath(os.path.join(space.root, chosen))
            if os.path.isdir(path):
                yield Found("ZCode", path, "zcode", "zcode", name, theirs=theirs)
            return
    projects = os.path.join(space.home, ".zcode", "cli", "memories", "projects")
    try:
        present = sorted(os.listdir(projects))
    except OSError:
        return
    exact = [one for path in space.roots for one in present if one.endswith("-" + zcode_hash(path))]
    alike = [one for one in present if one.startswith(zcode_slug(space.root) + "-")]
    for one in exact[:1] or (alike if len(alike) == 1 else []):
        path = os.path.join(projects, one, "memory")
        warnings: tuple[str, ...] = () if exact else (f"its name is that of another path ({zcode_name(space.root)} was looked for)",)
        if one.startswith("project-") and not exact:
            warnings += ("it may belong to a workspace identity, whose name says nothing of a path",)
        if os.path.isdir(path):
            yield Found("ZCode", path, "zcode", "zcode", name, warnings, bool(exact))


def _bullets(space: Workspace) -> Iterator[Found]:
    for path, name in (
        (os.path.join(space.top, ".pi", "memory.md"), _word("pi-memory", space.top)),
        (os.path.join(space.agent_dir, "memory.md"), "pi-memory-global"),
    ):
        if os.path.isfile(path):
            yield Found("pi memory tool", path, "bullets", "bullets", name)


def _harness(space: Workspace) -> Iterator[Found]:
    name = _word("harness", space.root)
    for root in space.roots:
        private = os.path.join(space.agent_dir, "memory", harness_name(root))
        public = os.path.join(root, ".memory")
        if os.path.isdir(private):
            yield Found("pi-memory harness", private, "harness", "harness", name)
        elif os.path.isdir(public) and not os.path.islink(public):
            yield Found("pi-memory harness", public, "harness", "harness", name, ("it is the public half alone",))


def _basic_memory(space: Workspace) -> Iterator[Found]:
    for project, path in settings.basic_memory_projects(space.home, space.environ):
        if os.path.isdir(path):
            yield Found("basic-memory", path, "vault", "basic-memory", _word("basic", project))


def _graphs(space: Workspace) -> Iterator[Found]:
    given = space.environ.get("MEMORY_FILE_PATH")
    places = [(given, True)] if given and os.path.isabs(given) else []
    places += settings.memory_file_paths(space.root, space.home, space.claude_dir, space.agent_dir)
    for path, users in places:
        if os.path.isfile(path):
            yield Found("MCP memory server", path, "", "mcp-memory", "mcp-memory", theirs=not users)


def _codex(space: Workspace) -> Iterator[Found]:
    home = space.environ.get("CODEX_HOME") or os.path.join(space.home, ".codex")
    path = os.path.join(home, "memories", "MEMORY.md")
    if os.path.isfile(path):
        yield Found("Codex", path, "", "codex", "codex", ("Codex writes it anew in the background, so it is only imported",))


def _word(prefix: str, path: str) -> str:
    """A store's name from a path's last part."""
    base = os.path.basename(path.rstrip("/"))
    word = "".join(char if char.isalnum() or char in "-_." else "-" for char in base).strip("-.")
    return f"{prefix}-{word}" if word else prefix
