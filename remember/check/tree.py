"""Everything that lies in a store, looked at once: what belongs to it, and the links, special and hidden files that do not."""

from __future__ import annotations

import os
from operator import itemgetter

from remember._named import NamedTuple
from remember.store.scan import MODULUS, file_mark, folder_mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.layouts import Rules

__all__ = ["Node", "Tree", "look"]

_path = itemgetter(0)
_KINDS = {0o100000: "file", 0o120000: "link", 0o040000: "folder"}


class Node(NamedTuple):
    """One name: `kind` is file, link, folder or other; `memory` says that the layout reads it; `stat` is its own (of the link)."""

    path: str
    kind: str
    memory: bool
    stat: os.stat_result

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition("/")[2]

    @property
    def signature(self) -> tuple[int, int, int, int]:
        """As the index records it: inode, mtime, ctime (ns), size."""
        return (self.stat.st_ino, self.stat.st_mtime_ns, self.stat.st_ctime_ns, self.stat.st_size)


class Tree(NamedTuple):
    """A walk: the store's own stat, every name by path, what could not be looked at as (path, reason).

    `digest` is that of a `scan`, so that an index can be proved current without another walk; "" where it was not asked for,
    and for a store whose memory is not simply all of the directory.
    """

    stat: os.stat_result
    nodes: list[Node]
    unreadable: list[tuple[str, str]]
    digest: str = ""

    def memory(self) -> list[Node]:
        """The files that the layout reads, by path."""
        return sorted([node for node in self.nodes if node.memory and node.kind == "file"], key=_path)


def look(store: str, rules: Rules, sums: bool = False) -> Tree:
    """Walk without recursion and without following links; hidden folders, and those the layout skips, are not entered.

    The digest is only summed up where `sums` asks for it. Raises OSError when the store itself cannot be listed.
    """
    nodes: list[Node] = []
    unreadable: list[tuple[str, str]] = []
    own = os.stat(store)
    digest = 0
    pending = [rules.public_prefix, ""] if rules.public else [""]
    while pending:
        prefix = pending.pop()
        beside = prefix and prefix == rules.public_prefix
        try:
            digest += _enter(rules.public if beside else os.path.join(store, prefix), prefix, rules, nodes, pending, unreadable, sums)
        except FileNotFoundError:
            if not prefix:
                raise
        except OSError as error:
            if not prefix:
                raise
            unreadable.append((prefix[:-1], error.strerror or "cannot be listed"))
    if rules.public:
        shadowed = {rules.public_prefix + node.path for node in nodes if node.memory and node.kind == "file"}
        nodes = [node for node in nodes if node.path not in shadowed]
    simple = sums and not (rules.public or rules.only or rules.most_files)
    return Tree(own, nodes, unreadable, str(digest % MODULUS) if simple else "")


def _enter(
    path: str, prefix: str, rules: Rules, nodes: list[Node], pending: list[str], unreadable: list[tuple[str, str]], sums: bool
) -> int:
    """Add what one directory holds; what it adds to the digest. Raises OSError where it cannot be listed."""
    own = os.stat(path)
    with os.scandir(path) as listing:
        items = list(listing)
    marks = folder_mark(own, prefix)
    suffix, plain, new = rules.suffix, not rules.only, tuple.__new__
    for item in items:
        name = item.name
        try:
            found = item.stat(follow_symlinks=False)
        except FileNotFoundError:
            continue
        except OSError as error:
            unreadable.append((prefix + name, error.strerror or "cannot be looked at"))
            continue
        mode = found.st_mode & 0o170000
        if plain and mode == 0o100000 and name[0] != "." and name.endswith(suffix):
            # Nearly all names; the tuple is made directly, at half the cost of the class's own constructor.
            nodes.append(new(Node, (prefix + name, "file", True, found)))
            if sums:
                marks += file_mark(found)
            continue
        if rules.only and name not in rules.only:
            continue  # the directory is not the store's
        kind = _KINDS.get(mode, "other")
        skipped = name[0] == "." or name in rules.skip or (not prefix and rules.skips_top(name))
        if kind == "folder" and not skipped and not rules.flat:
            pending.append(f"{prefix}{name}/")
        nodes.append(Node(prefix + name, kind, name[0] != "." and name.endswith(suffix), found))
    return marks
