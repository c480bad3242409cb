"""Begins a run: the frozen copy of a store with its manifest, and the context or the word that there is none."""

from __future__ import annotations

import json

from remember._named import NamedTuple
from remember.consolidate.picture import digest_of, hex_digest, memos_of
from remember.consolidate.rundirs import ABORTED, APPLYING, FAILED, OPEN, RunState
from remember.errors import Conflict
from remember.format import secrets
from remember.format.times import show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from remember.consolidate.picture import PictureMemo
    from remember.consolidate.rundirs import RunDirs

__all__ = ["Begun", "Context", "abort", "begin", "settle"]


class Context(NamedTuple):
    """What was going on: a text, or None with the reason why there is none."""

    text: str | None
    reason: str = ""


class Begun(NamedTuple):
    """A run that has begun: the memos that its worker is told of, and the digest of every memory file by its path."""

    state: RunState
    memos: Mapping[str, PictureMemo]
    digests: Mapping[str, str]


def settle(dirs: RunDirs, take_back: Callable[[RunState], str]) -> list[str]:
    """Close what dead processes left open, since nobody else holds the runs now; what was done, for people.

    `take_back` undoes a change that was cut short and says how that went. Raises Conflict for a run that a person has open.
    """
    notices = []
    for state in dirs.states():
        if state.state == APPLYING:
            how = take_back(state)
            dirs.finish(state, FAILED, f"its process ended while it applied; {how}")
            notices.append(f"the run {state.run} was cut short while it applied; {how}")
        elif state.state == OPEN and state.by == "run":
            dirs.finish(state, FAILED, "its process ended")
            notices.append(f"the run {state.run} was left by a process that has ended; it is closed")
        elif state.state == OPEN:
            raise Conflict(f"the run {state.run} is open", f"apply it, or `remember consolidate abort {state.run}`")
    dirs.prune()
    return notices


def begin(dirs: RunDirs, picture: Mapping[str, bytes], context: Context, run: str, scope: str, by: str, now_ms: int, schema: str) -> Begun:
    """Make the run's directory and state; `schema` is the text of the plan's JSON Schema."""
    memos = memos_of(picture)
    digests = {path: hex_digest(data) for path, data in picture.items()}
    text = None if context.text is None else secrets.mask(context.text)
    files = {f"store/{path}": data for path, data in picture.items()}
    if text is None:
        about: dict[str, object] = {"state": "none", "reason": context.reason}
        files["context.json"] = _json({"context": None, "reason": context.reason})
    else:
        data = text.encode("utf-8", "replace")
        about = {"state": "given", "path": "context.md", "sha256": hex_digest(data), "bytes": len(data)}
        files["context.md"] = data
    files["plan.schema.json"] = schema.encode()
    files["memos.jsonl"] = b"".join(_json(_shown(memo)) for memo in memos.values())
    files["manifest.json"] = _json(
        {
            "version": 1,
            "run": run,
            "scope": scope,
            "created": show(now_ms),
            "context": about,
            "files": [{"path": _printable(path), "sha256": digests[path], "bytes": len(picture[path])} for path in sorted(picture)],
            "store_sha256": digest_of(picture),
        }
    )
    work_sha256 = dirs.make(run, files)
    context_sha256 = str(about["sha256"]) if text is not None else None
    state = RunState(run, dirs.store, scope, by, show(now_ms), OPEN, work_sha256, digest_of(picture), context_sha256)
    return Begun(dirs.save(state), memos, digests)


def _shown(memo: PictureMemo) -> dict[str, object]:
    """A memo as a worker is told of it, without what looks like a credential."""
    described = None if memo.description is None else secrets.mask(memo.description)
    return memo._asdict() | {"path": _printable(memo.path), "description": described, "content": secrets.mask(memo.content)}


def _json(document: object) -> bytes:
    return (json.dumps(document) + "\n").encode()


def _printable(path: str) -> str:
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def abort(dirs: RunDirs, state: RunState, take_back: Callable[[RunState], str]) -> RunState:
    """Close a run without applying it; one that was cut short while it applied is taken back. Raises Conflict for a finished one."""
    if state.state == APPLYING:
        return dirs.finish(state, ABORTED, take_back(state))
    if state.state != OPEN:
        raise Conflict(f"the run {state.run} is {state.state} already", "`remember undo` takes back what an applied run did")
    return dirs.finish(state, ABORTED)
