"""What a store has already, by the key under which duplicates are compared, for many new memos at once."""

from __future__ import annotations

from remember.change.duplicates import key_of
from remember.exchange.relinking import without_targets
from remember.format import notes
from remember.format.spans import decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from remember.model import Memo
    from remember.store.view import View

__all__ = ["Known", "plain"]


def plain(body: str) -> str:
    """A body as it is compared: ends, line ends and the targets of links aside, since an import may give those other names."""
    return without_targets(body.replace("\r\n", "\n").strip())


class Known:
    """The memos of a store; bodies are read, once, only of notes whose description is that of a new one."""

    def __init__(self, memos: Iterable[Memo], view: View | None) -> None:
        self.view = view
        self.by_key: dict[str, list[Memo]] = {}
        self.by_id: dict[str, Memo] = {}
        self._bodies: dict[str, str] = {}
        for memo in memos:
            line = memo.text if memo.kind == "fact" else memo.description
            if memo.kind != "text" and line:
                self.by_key.setdefault(key_of(line), []).append(memo)
            if memo.id:
                self.by_id.setdefault(memo.id, memo)

    def alike(self, title: str) -> list[Memo]:
        """Facts and notes whose line is the same under the key."""
        return self.by_key.get(key_of(title), [])

    def same_note(self, title: str, body: str) -> Memo | None:
        """The note with that description and that body."""
        notes_alike = [memo for memo in self.alike(title) if memo.kind == "note"]
        wanted = plain(body) if notes_alike else ""
        return next((memo for memo in notes_alike if self.body(memo) == wanted), None)

    def is_same(self, memo: Memo, kind: str, title: str, body: str) -> bool:
        """Whether a memo says just that."""
        if memo.kind != kind or (memo.text if kind == "fact" else memo.description) != title:
            return False
        return kind == "fact" or self.body(memo) == plain(body)

    def body(self, memo: Memo) -> str:
        """A note's body as it is compared."""
        if memo.path not in self._bodies:
            data = self.view.read(memo.path) if self.view is not None else None
            text = decode(data or b"")
            self._bodies[memo.path] = plain(text[notes.parse(text).body_start :])
        return self._bodies[memo.path]
