"""Makes a foreign memo fit for a native store: cleaned, its tags written into its text, too long a fact a note; or says why not."""

from __future__ import annotations

from remember.errors import RefusedInput
from remember.exchange.item import REFUSED, SKIPPED, Broken, Item
from remember.format import secrets
from remember.format.links import tag_key, tags
from remember.format.text import FACT_LIMIT, check_body, clean, clean_description, clean_fact, cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["fit"]

_SHORT = 120


def fit(item: Item, allow_secret: bool = False) -> Item | Broken:
    """The item as it can be stored; Broken for what looks like a credential, is empty or breaks the format. Never raises for text."""
    if not item.title.strip() and not item.body.strip():
        return Broken(item.source, SKIPPED, "it is empty")
    if not allow_secret:
        found = _secret(item)
        if found is not None:
            return Broken(secrets.mask(item.source), REFUSED, found)
    try:
        fitted = _own(item) if item.own else _fact(item) if item.kind == "fact" else _note(item)
        fitted.title.encode("utf-8")
        fitted.body.encode("utf-8")
    except RefusedInput as error:
        return Broken(item.source, REFUSED, error.message)
    except UnicodeEncodeError:
        return Broken(item.source, REFUSED, "it is not valid UTF-8")
    return _dated(fitted)


def _secret(item: Item) -> str | None:
    """Why it is refused as a credential; the text itself is no part of it."""
    for text, first in ((item.title, item.line if item.kind == "fact" else 0), (item.body, item.line)):
        for kind, line in secrets.find(text):
            return f"{f'line {first + line - 1}' if first else 'the description'} looks like {kind}"
    for what, text in (("a tag", "\n".join(item.tags)), ("its name", f"{item.hint}\n{item.path}\n{item.source}")):
        for kind, _ in secrets.find(text):
            return f"{what} looks like {kind}"
    return None


def _dated(item: Item) -> Item:
    """A memo that was changed before it was made was made when it was changed."""
    created, modified = item.created_ms, item.modified_ms
    if item.kind == "note" and created is None:
        created = modified
    if item.kind == "note" and created is not None and (modified is None or modified < created):
        modified = created
    return item._replace(created_ms=created, modified_ms=modified)


def _own(item: Item) -> Item:
    """What was ours stays as it is, as far as the format allows."""
    title = item.title.strip()
    if not title.isprintable() or title != " ".join(title.split(" ")):
        title = clean(title)
    if item.kind == "fact" and len(title) > FACT_LIMIT:
        return _as_note(item, title)
    clean_description(title)  # one line, not too long, no comment
    if item.kind == "note" and item.body.strip():
        check_body(item.body)
    return item._replace(title=title)


def _unmarked(text: str) -> str:
    """A fact's text without any list marker at its beginning, so that storing it once more leaves it as it is."""
    while (bare := clean_fact(text)) != text:
        text = bare
    return text


def _fact(item: Item) -> Item:
    text = clean(item.title)
    if len(text) > FACT_LIMIT + 4 or "\n" in item.title.strip():
        return _as_note(item, item.title)
    text = _unmarked(text)
    whole = " ".join([text, *_words(item.tags, text)])
    return _as_note(item, text) if len(whole) > FACT_LIMIT else item._replace(title=_unmarked(whole))


def _as_note(item: Item, text: str) -> Item:
    """A fact that is too long for one line, as a note that begins with its first words."""
    return _note(item._replace(kind="note", title=cut(clean(text), _SHORT) + "…", body=text.strip() + "\n", own=False))


def _note(item: Item) -> Item:
    title = clean(item.title) or clean(item.hint) or "Untitled"
    body = "\n".join(line.rstrip("\r") for line in item.body.lstrip("\ufeff").split("\n")).strip("\n")
    if not body.strip():
        return _fact(item._replace(kind="fact", title=title))
    if len(title) > FACT_LIMIT:
        body = f"{title}\n\n{body}"
        title = cut(title, FACT_LIMIT - 1) + "…"
    if body.lstrip().split("\n", 1)[0].rstrip() == "---":
        body = f"# {title}\n\n{body}"
    missing = _words(item.tags, f"{title}\n\n{body}")
    if missing:
        body = f"{body}\n\n{' '.join(missing)}"
    return item._replace(title=clean_description(title), body=check_body(body) + "\n")


def _words(wanted: Sequence[str], text: str) -> list[str]:
    """Tags that a text lacks as they are written in it; what can be no tag of ours is kept as a plain word."""
    have = {tag_key(tag) for tag in tags(text)} if wanted else set()
    words: dict[str, None] = {}
    for tag in wanted:
        bare = "-".join(clean(tag).lstrip("#").split())
        if tags("#" + bare) == (bare,):
            if tag_key(bare) not in have:
                words["#" + bare] = None
        elif any(map(str.isalnum, bare)) and bare not in text:
            words[bare] = None
    return list(words)
