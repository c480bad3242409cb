"""From a question to a plan: its words, identifiers and phrases, and an FTS5 expression whose work is bounded.

Any text is a valid question, since every word goes to FTS5 in double quotes.
"""

from __future__ import annotations

from math import log

from remember._named import NamedTuple
from remember.format.tokens import STOPWORDS, identifiers, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Protocol

    class Statistics(Protocol):
        """What a plan asks of the corpus: `total` memos, how many match an expression, which stems begin with a prefix."""

        total: int

        def frequency(self, match: str) -> int:
            """Memos that match the expression, estimated above 2,000."""
            ...

        def expansions(self, prefix: str) -> dict[str, int]:
            """Stems that begin with the prefix and in how many memos each is; empty when there are more than 64."""
            ...


__all__ = ["Expansion", "Identifier", "Join", "Plan", "Question", "Term", "inverse_frequency", "make_plan", "match_of", "read"]

_SHORT_WORDS = 4
"""Queries of at most so many words keep their stopwords and expand prefixes."""

_MOST_TERMS = 32
_SCORING_TERMS = 8
_ENOUGH_ROWS = 300
_ENOUGH_COMMON = 400
_PREFIX_LETTERS = 4
_INFLECTED_LETTERS = 6


class Term(NamedTuple):
    """A distinct stem of the question: the words it came from, how often, its FTS5 string and in how many memos it is."""

    stem: str
    words: tuple[str, ...]
    times: int
    unspaced: bool
    match: str
    frequency: int


class Identifier(NamedTuple):
    """A compound of the question (`max_body_size`): its joined form, parts, segments, FTS5 strings, and frequency."""

    joined: str
    parts: tuple[str, ...]
    segments: tuple[str, ...]
    matches: tuple[str, ...]
    frequency: int


class Join(NamedTuple):
    """Two neighbouring words that may be written as one (`max body` -> `maxbody`); `weight` is the rarer word's idf."""

    joined: str
    weight: float
    indexed: bool


class Expansion(NamedTuple):
    """Indexed stems that begin as a word of the question does; `factor` is small where the word itself is indexed."""

    word: str
    prefix: str
    stems: Mapping[str, int]
    factor: float


class Question(NamedTuple):
    """The text of a query taken apart; `words` in order as (word, unspaced script?), `phrases` what stood in quotes."""

    text: str
    words: tuple[tuple[str, bool], ...]
    phrases: tuple[tuple[str, ...], ...]
    identifiers: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    length: int
    stopwords: int


class Plan(NamedTuple):
    """Everything that matching and ranking need to know about a question."""

    total: int
    terms: tuple[Term, ...]
    stems: tuple[str, ...]
    words: tuple[tuple[str, bool], ...]
    phrases: tuple[tuple[str, ...], ...]
    identifiers: tuple[Identifier, ...]
    joins: tuple[Join, ...]
    expansions: tuple[Expansion, ...]


def _quote_word(word: str, unspaced: bool) -> str:
    # One character of an unspaced script is looked for as the beginning of a bigram; the last of a run is indexed alone.
    return f'"{word}"*' if unspaced and len(word) == 1 else f'"{word}"'


def inverse_frequency(total: int, frequency: int) -> float:
    """BM25's idf as Lucene has it, never negative: ln(1 + (N - n + 0.5) / (n + 0.5))."""
    return log(1 + (max(total, frequency) - frequency + 0.5) / (frequency + 0.5))


def read(text: str) -> Question:
    """Take a query apart; stopwords stay in queries of at most four words, or when nothing else is left."""
    if not text.isascii():
        from unicodedata import normalize

        text = normalize("NFKC", text.encode("utf-8", "replace").decode("utf-8")).replace("\u2019", "'")
    text = text.replace("\0", " ")
    everything = words_of(text)
    length = len(everything) if text.isascii() else _length(everything)
    short = length <= _SHORT_WORDS
    stopwords = sum(1 for word, _ in everything if word in STOPWORDS)
    words = [(w, u) for w, u in everything if u or (len(w) >= 2 and (short or w not in STOPWORDS))]
    phrases = tuple(tuple(w for w, _ in words_of(part)) for part in _quoted(text))
    return Question(
        text,
        tuple(words or everything),
        tuple(p for p in phrases if p),
        tuple(dict.fromkeys(identifiers(text))),
        length,
        stopwords,
    )


def _length(words: list[tuple[str, bool]]) -> int:
    """Words of the query, a run of bigrams counting once."""
    count, before = 0, False
    for _, unspaced in words:
        count += not (unspaced and before)
        before = unspaced
    return count


def _quoted(text: str) -> list[str]:
    """The parts between straight or curly double quotes."""
    parts = text.replace("\u201c", '"').replace("\u201d", '"').split('"')
    return parts[1 : len(parts) - 1 + len(parts) % 2 : 2]


def make_plan(question: Question, stem_of: Mapping[str, str], corpus: Statistics) -> Plan:
    """Look the question's words up in the corpus; `stem_of` gives the index's own stem of each spaced word."""
    stems = [word if unspaced else stem_of[word] for word, unspaced in question.words]
    gathered: dict[str, list[tuple[str, bool]]] = {}
    for stem, word in zip(stems, question.words, strict=True):
        gathered.setdefault(stem, []).append(word)
    terms = []
    for stem, forms in gathered.items():
        first, unspaced = forms[0]
        match = _quote_word(first, unspaced)
        terms.append(Term(stem, tuple(dict.fromkeys(w for w, _ in forms)), len(forms), unspaced, match, corpus.frequency(match)))
    frequency = {term.stem: term.frequency for term in terms}
    compounds = _identifiers(question, corpus)
    known = {c.joined for c in compounds}
    return Plan(
        corpus.total,
        tuple(terms),
        tuple(stems),
        question.words,
        question.phrases,
        compounds,
        tuple(j for j in _joins(question, stems, frequency, corpus) if j.joined not in known),
        tuple(_expansions(question, stems, frequency, corpus)),
    )


def _identifiers(question: Question, corpus: Statistics) -> tuple[Identifier, ...]:
    found: dict[str, Identifier] = {}
    for parts, segments in question.identifiers:
        joined = "".join(segments)
        matches = ['"' + " ".join(parts) + '"']
        if not joined.isdigit():  # 1.0.21 is not 1021
            matches.append(f'"{joined}"')
        if parts[0].isdigit():  # a version stands with a `v` in front as often as without
            matches.append('"v' + " ".join(parts) + '"')
        total = sum(corpus.frequency(match) for match in matches)
        if len(segments) > 1 and segments != parts:
            matches.append('"' + " ".join(segments) + '"')
        live = tuple(match for match in matches if corpus.frequency(match))
        found.setdefault(joined, Identifier(joined, parts, segments, live, min(total, corpus.total)))
    return tuple(found.values())


def _joins(question: Question, stems: Sequence[str], frequency: Mapping[str, int], corpus: Statistics) -> Iterable[Join]:
    plain = [(w, s) for (w, unspaced), s in zip(question.words, stems, strict=True) if not unspaced and w.isascii()]
    seen = set()
    for (first, first_stem), (second, second_stem) in zip(plain, plain[1:], strict=False):
        joined = first + second
        if joined not in seen:
            seen.add(joined)
            weight = inverse_frequency(corpus.total, min(frequency[first_stem], frequency[second_stem]))
            yield Join(joined, weight, corpus.frequency(f'"{joined}"') > 0)


def _expansions(question: Question, stems: Sequence[str], frequency: Mapping[str, int], corpus: Statistics) -> Iterable[Expansion]:
    """Prefixes of short queries (half-remembered words), and stems of inflected words that Porter does not know."""
    few = len(frequency) <= _SHORT_WORDS
    english = question.stopwords / max(1, question.length)
    seen = set()
    for (word, unspaced), stem in zip(question.words, stems, strict=True):
        if unspaced or word in seen:
            continue
        seen.add(word)
        n = frequency[stem]
        prefix = ""
        foreign = not word.isascii() or not n or (question.length > _SHORT_WORDS and english < 0.15)
        if foreign and word.isalpha() and len(word) >= _INFLECTED_LETTERS:
            prefix = word[: max(5, len(word) - 3)]
        elif few and len(word) >= _PREFIX_LETTERS and n <= max(50, 0.05 * corpus.total):
            prefix = word
        if prefix:
            found = {s: count for s, count in corpus.expansions(prefix).items() if s != stem}
            if found:
                yield Expansion(word, prefix, found, 0.3 if n else 1.0)


def match_of(plan: Plan, frequency: Callable[[str], int]) -> str:
    """The FTS5 expression that fetches candidates, or "" where nothing can match.

    At most about 3000 + N/6 rows of one word are ranked, fewer where more words score them: rare words choose the rows, common
    ones only score them. What is left out here still counts when the candidates are ranked.
    """
    terms = sorted((t for t in plan.terms if t.frequency), key=lambda t: t.frequency)[:_MOST_TERMS]
    # Measured: each further word that scores makes a row dearer by a quarter or more of what the first one costs.
    budget = (3000 + plan.total / 6) / (0.75 + 0.25 * max(1, min(len(terms), _SCORING_TERMS)))
    if not terms or sum(t.frequency for t in terms) <= budget:
        return _any([t.match for t in terms] + _extras(plan, budget))
    essential, rows = _essential(terms, budget)
    rest = terms[len(essential) :]
    extras = _extras(plan, max(budget - rows, 0) if rows >= _ENOUGH_ROWS else budget)
    if not rest:
        return _any([t.match for t in terms] + extras)
    scoring = _any([t.match for t in terms[: max(_SCORING_TERMS, len(essential) + 2)]])
    if rows >= _ENOUGH_ROWS:
        return f"({_any([t.match for t in essential] + extras)}) AND ({_any([scoring, *extras])})"
    return _any([t.match for t in essential] + extras + [f"(({_together(rest, frequency)}) AND ({scoring}))"])


def _essential(terms: list[Term], budget: float) -> tuple[list[Term], int]:
    chosen: list[Term] = []
    rows = 0
    for at, term in enumerate(terms):
        over = rows + term.frequency > budget
        if over and ((chosen and rows >= _ENOUGH_ROWS) or len(terms) - at >= 2):
            break
        chosen.append(term)
        rows += term.frequency
    return chosen, rows


def _together(rest: list[Term], frequency: Callable[[str], int]) -> str:
    """Rows that have several of the common words, where the rare ones bring too few."""
    rarest = [t.match for t in rest[:3]]
    together = " AND ".join(rarest)
    if len(rarest) == 3 and frequency(together) < _ENOUGH_COMMON:
        pairs = [f"({a} AND {b})" for n, a in enumerate(rarest) for b in rarest[n + 1 :]]
        return " OR ".join(pairs)
    return rarest[0] if len(rarest) == 2 else together


def _extras(plan: Plan, budget: float) -> list[str]:
    """Identifiers, joined words and the rarest expansions, as far as the budget goes."""
    stems = {t.stem for t in plan.terms}
    extras = [m for i in plan.identifiers for m in i.matches if m != f'"{i.joined}"' or i.joined not in stems]
    extras += [f'"{j.joined}"' for j in plan.joins if j.indexed]
    room = budget
    alone = not any(term.frequency for term in plan.terms)
    for count, stem in sorted({(n, s) for e in plan.expansions for s, n in e.stems.items()}):
        if room < count and not (alone and room == budget):
            break  # the rarest is looked for at any price only where nothing else can match
        room -= count
        extras.append(f'"{stem}"')
    return list(dict.fromkeys(extras))


def _any(parts: list[str]) -> str:
    return " OR ".join(part for part in parts if part)
