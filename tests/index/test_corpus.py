"""What is known about words: stems of words that are none for FTS5, expansions that are too many, averages that are unreadable."""

from __future__ import annotations

import sqlite3
import threading

import pytest
from stocking import note

from remember.index import corpus as corpora
from remember.index.corpus import Corpus, varints
from remember.index.session import with_indexes
from remember.model import StoreRef


def stems(words: list[str]) -> dict[str, str]:
    learned = Corpus([]).stems(words)
    return {word: learned[word] for word in words}


def test_a_word_that_is_no_single_token_stands_for_itself() -> None:
    assert stems(["running", "\u0301", "a b", "", "configured"]) == {
        "running": "run",
        "\u0301": "\u0301",
        "a b": "a b",
        "": "",
        "configured": "configur",
    }


def test_what_was_learned_is_dropped_when_it_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpora, "_MOST_STEMS", 3)
    assert stems([f"word{n}ing" for n in range(9)]) == {f"word{n}ing": f"word{n}" for n in range(9)}
    assert stems(["walking"]) == {"walking": "walk"}


def test_several_threads_learn_at_once() -> None:
    found: list[dict[str, str]] = []
    threads = [threading.Thread(target=lambda n=n: found.append(stems([f"thread{n}ing", "shared"]))) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 and all(one["shared"] == "share" for one in found)


def test_a_prefix_of_too_many_words_expands_to_none(store: StoreRef, cache: str) -> None:
    note(store, "a.md", " ".join(f"prefix{chr(97 + n // 26)}{chr(97 + n % 26)}q" for n in range(80)), "00000001")
    note(store, "b.md", "presence presents", "00000002")

    def ask(indexes: list) -> tuple[int, int]:
        corpus = Corpus([index.connection for index in indexes])
        return len(corpus.expansions("prefix")), len(corpus.expansions("presen"))

    assert with_indexes([store], cache, ask) == (0, 2)


def test_averages_of_an_unknown_form_are_damage(store: StoreRef, cache: str) -> None:
    note(store, "a.md", "words", "00000001")

    def ask(indexes: list) -> None:
        copy = sqlite3.connect(":memory:", isolation_level=None)
        indexes[0].connection.backup(copy)
        copy.execute("UPDATE words_data SET block = X'0102' WHERE id = 1")
        with pytest.raises(sqlite3.DatabaseError, match="averages"):
            Corpus([copy])
        copy.close()

    with_indexes([store], cache, ask)


@pytest.mark.parametrize(("data", "values"), [(b"", []), (b"\x05", [5]), (b"\x81\x00", [128]), (b"\x05\xff", [5])])
def test_varints(data: bytes, values: list[int]) -> None:
    assert varints(data) == values
