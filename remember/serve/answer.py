"""What a tool gives back: a document and the same as text, or an error with its code and hint."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.serve.bounds import brief, clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from remember.errors import RememberError

    Document = dict[str, object]

__all__ = ["Answer", "answer_of", "error_answer"]


class Answer(NamedTuple):
    """A tool's result before it is put on the wire; a `document` of None is an answer of text alone."""

    text: str
    document: Document | None
    failed: bool = False


def answer_of(document: Document, text: Callable[[Mapping[str, object]], str]) -> Answer:
    """An answer, masked and without control characters; its text is made of the cleaned document."""
    cleaned = clean(document)
    assert isinstance(cleaned, dict)
    return Answer(text(cleaned), cleaned)


def error_answer(error: RememberError) -> Answer:
    """An error that the model can read and act upon."""
    document = clean({"error": {"code": error.code, "message": brief(error.message), "hint": brief(error.hint)}})
    assert isinstance(document, dict)
    inner = document["error"]
    hint = f"\nhint: {inner['hint']}" if inner["hint"] else ""
    return Answer(f"{inner['code']}: {inner['message']}{hint}", document, True)
