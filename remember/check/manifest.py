"""The manifest: SHA-256 of every memory file in the format of `sha256sum`, so that an audit needs no trust in this program."""

from __future__ import annotations

import os

from remember._named import NamedTuple
from remember.errors import FormatError, IOFailure
from remember.format import facts, notes
from remember.format.ids import is_id
from remember.format.spans import decode
from remember.store.scan import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from remember.layouts import Rules

__all__ = ["Difference", "manifest_text", "verify"]

_CHUNK = 1 << 20
_LIMIT = 64 << 20
_FACTS = "MEMORY.md"


class Difference(NamedTuple):
    """What became of a memo or file: `kind` is added, changed, removed, renamed or unreadable; `old` the path before."""

    kind: str
    path: str
    id: str | None
    old: str | None = None


class _Listed(NamedTuple):
    """A file as a manifest has it: digest in hex, and the revisions of its memos by ID."""

    digest: str
    memos: Mapping[str, str]


def _listed(store: str, path: str, rules: Rules) -> _Listed:
    """A file as it is now, read in pieces; memos are looked for in its first 64 MiB. Raises OSError."""
    from hashlib import sha256

    digest = sha256()
    parts: list[bytes] = []
    size = 0
    beside = rules.public and path.startswith(rules.public_prefix)
    whole = os.path.join(os.path.dirname(rules.public) if beside else store, path)
    descriptor = os.open(whole, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0))
    try:
        while part := os.read(descriptor, _CHUNK):
            digest.update(part)
            if size < _LIMIT and (path == _FACTS or not parts):
                parts.append(part)
                size += len(part)
    finally:
        os.close(descriptor)
    return _Listed(digest.hexdigest(), _memos(path, b"".join(parts), digest.hexdigest()))


def _memos(path: str, data: bytes, digest: str) -> Mapping[str, str]:
    text = decode(data)
    if path == _FACTS:
        return {fact.id: facts.revision(text, fact) for fact in facts.parse(text).facts if fact.id is not None}
    memo = notes.parse(text).id if path.startswith("notes/") else None
    return {} if memo is None else {memo: digest[:12]}


def _escape(name: str) -> tuple[str, str]:
    """The mark before a line and the name in it, as GNU coreutils escapes backslash, line feed and carriage return."""
    if any(char in name for char in "\\\n\r"):
        return "\\", name.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
    return "", name


def _unescape(name: str) -> str:
    parts = name.split("\\\\")
    return "\\".join(part.replace("\\n", "\n").replace("\\r", "\r") for part in parts)


def manifest_text(store: str, rules: Rules) -> tuple[bytes, int]:
    """The manifest of a store, and the number of files: `sha256sum -c` verifies it in the store's directory.

    Before each file stand its memos, as comments that sha256sum passes over: `# ID REVISION`. Raises IOFailure where a file
    cannot be read.
    """
    lines: list[str] = []
    paths = sorted(path for path, _ in scan(store, rules).files())
    for path in paths:
        try:
            listed = _listed(store, path, rules)
        except OSError as error:
            raise IOFailure(os.path.join(store, path), error, "a manifest without it would be no proof") from error
        mark, name = _escape(path)
        lines += [f"# {memo} {revision}\n" for memo, revision in listed.memos.items()]
        lines.append(f"{mark}{listed.digest}  {name}\n")
    return "".join(lines).encode("utf-8", "surrogateescape"), len(paths)


def _read(data: bytes) -> dict[str, _Listed]:
    """The files of a manifest by path. Raises FormatError naming every line that is none."""
    bad = []
    memos: dict[str, str] = {}
    found: dict[str, _Listed] = {}
    for number, line in enumerate(decode(data).replace("\r\n", "\n").split("\n"), 1):
        if not line or line.startswith("#"):
            words = line[1:].split()
            if len(words) == 2 and is_id(words[0]):
                memos[words[0]] = words[1]
            continue
        at = int(line.startswith("\\"))
        digest, mark, name = line[at : 64 + at].lower(), line[64 + at : 66 + at], line[66 + at :]
        if mark not in ("  ", " *") or not name or any(char not in "0123456789abcdef" for char in digest):
            bad.append((number, "it is no line of sha256sum"))
            continue
        found[(_unescape(name) if at else name).removeprefix("./")] = _Listed(digest, memos)
        memos = {}
    if bad:
        raise FormatError(bad[:10], "manifest")
    return found


def verify(data: bytes, store: str, rules: Rules) -> list[Difference]:
    """How the store differs from a manifest of it, memo by memo; [] for not at all. Raises FormatError, IOFailure.

    A note is renamed where its ID, or a file where its digest, has another path.
    """
    wanted = _read(data)
    there: dict[str, _Listed] = {}
    found: list[Difference] = []
    walk = scan(store, rules)
    for path, _ in walk.files():
        try:
            there[path] = _listed(store, path, rules)
        except OSError:
            found.append(Difference("unreadable", path, None))
            wanted.pop(path, None)
    for place, _ in walk.unreadable:
        found.append(Difference("unreadable", place, None))
        wanted = {path: value for path, value in wanted.items() if not path.startswith(place + "/")}
    return sorted([*found, *_compared(wanted, there)], key=lambda d: (d.path, d.kind, d.id or ""))


def _compared(wanted: Mapping[str, _Listed], there: Mapping[str, _Listed]) -> Iterator[Difference]:
    new = {path: value for path, value in there.items() if path not in wanted}
    for path in sorted(wanted.keys() & there.keys()):
        if wanted[path].digest != there[path].digest:
            yield from _changed(path, wanted[path].memos, there[path].memos)
    for path in sorted(wanted.keys() - there.keys()):
        before = wanted[path]
        to = next((p for p, now in sorted(new.items()) if now.digest == before.digest or now.memos.keys() & before.memos.keys()), None)
        if to is None:
            yield from (Difference("removed", path, memo) for memo in before.memos or [None])
            continue
        now = new.pop(to)
        yield Difference("renamed", to, next(iter(now.memos), None), path)
        if now.digest != before.digest:
            yield from _changed(to, before.memos, now.memos)
    for path, now in sorted(new.items()):
        yield from (Difference("added", path, memo) for memo in now.memos or [None])


def _changed(path: str, before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[Difference]:
    """What changed in a file, by its memos; the file itself where none of them did."""
    if path != _FACTS:
        yield Difference("changed", path, next(iter(now), None) or next(iter(before), None))
        return
    found = [Difference("removed", path, memo) for memo in before.keys() - now.keys()]
    found += [Difference("added", path, memo) for memo in now.keys() - before.keys()]
    found += [Difference("changed", path, memo) for memo in before.keys() & now.keys() if before[memo] != now[memo]]
    yield from found or [Difference("changed", path, None)]
