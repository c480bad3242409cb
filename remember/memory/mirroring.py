"""The public mirror of a workspace: name memos, copy them, say what became of the copies; the door for every face."""

from __future__ import annotations

import os

from remember.change import address
from remember.memory.changing import with_targets, with_terms
from remember.mirror.mirror import Mirroring
from remember.mirror.rows import LEFT, SAME
from remember.scope.discover import not_initialised
from remember.scope.select import choose_one

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from remember.change.target import Target
    from remember.memory.context import Surroundings

    Document = dict[str, object]

__all__ = ["mirror_add", "mirror_remove", "mirror_status", "mirror_sync", "to_look_at"]


def _with_mirror(around: Surroundings, timeout_s: float, act: Callable[[Mirroring, Target], None] | None = None) -> Document:
    """What `act` did to the mirror of the workspace that is meant, and how everything stands afterwards."""
    ref = choose_one(around.config, around.cwd, around.root, "local")
    around.ready(ref, "change" if act else "")  # only looking migrates nothing
    if ref.root is None or not os.path.lexists(os.path.join(ref.path, "MEMORY.md")):
        raise not_initialised(ref.root or around.cwd, around.config.local_dir)
    root = ref.root

    def ask(targets: list[Target]) -> Document:
        with Mirroring(targets[0], root, with_terms(timeout_s)) as mirror:
            if act is not None:
                act(mirror, targets[0])
            rows = mirror.rows()
            foreign = [name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace") for name in mirror.foreign()]
            return {
                "directory": mirror.directory,
                "written": mirror.written,
                "withdrawn": mirror.withdrawn,
                "memos": [row._asdict() for row in rows],
                "foreign": foreign,
                "warnings": [
                    *(f"{row.id} {row.file}: {row.reason}" for row in rows if row.state in LEFT),
                    *(f"{file} was edited outside and stays; delete it yourself if nobody needs it" for file in mirror.left),
                ],
            }

    return with_targets(around, [ref], ask)


def mirror_add(around: Surroundings, named: Sequence[str], timeout_s: float = 10.0) -> Document:
    """Name memos and copy them. Raises NotFound, Ambiguous, RefusedInput, SecretRefused; then none of them is published."""

    def act(mirror: Mirroring, target: Target) -> None:
        memos = [address.find([target.index], name)[1] for name in named]
        mirror.name(memos)
        mirror.sync([str(memo.id) for memo in memos])

    return _with_mirror(around, timeout_s, act)


def mirror_remove(around: Surroundings, named: Sequence[str], timeout_s: float = 10.0) -> Document:
    """Take memos off the list, and their copies away where these are as they were written. Raises NotFound, Ambiguous."""

    def act(mirror: Mirroring, target: Target) -> None:
        mirror.drop([name if name in mirror.memos else str(address.find([target.index], name)[1].id) for name in named])

    return _with_mirror(around, timeout_s, act)


def mirror_sync(around: Surroundings, overwrite: Sequence[str] = (), timeout_s: float = 10.0) -> Document:
    """Bring the copies up to the private memos; `overwrite` names those whose outside edits are to be given up."""

    def act(mirror: Mirroring, target: Target) -> None:
        forced = [name if name in mirror.memos else str(address.find([target.index], name)[1].id) for name in overwrite]
        mirror.sync(None, forced)

    return _with_mirror(around, timeout_s, act)


def mirror_status(around: Surroundings) -> Document:
    """How every copy stands; changes nothing."""
    return _with_mirror(around, 10.0)


def to_look_at(document: Document, all_of_it: bool) -> bool:
    """Whether something is left for a person, or, with `all_of_it`, anything at all that is not in step."""
    states = [row["state"] for row in document["memos"]]  # type: ignore[attr-defined]
    return any(state in LEFT or (all_of_it and state != SAME) for state in states)
