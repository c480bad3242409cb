"""Scores candidates by looking for the question's words in their bytes: BM25F with shares for exact forms, identifiers, phrases.

For each stem t of the question:  idf(t) (k1+1) (.75 f/(f+k1) + .25 x/(x+k1)) (1 + ln times),  f the sum over the fields of
W (occurrences) / (1 - b + b length/average), x the same for the exact form only; identifiers add .3, expansions .4 of such a
term. The sum is raised by coverage (.3 of the idf-weighted share of terms found) and by phrases (.4 of the share of neighbouring
pairs found side by side, .6 of the share of quoted phrases found whole). The constants were chosen on development sets.
"""

from __future__ import annotations

from math import log

from remember._named import NamedTuple
from remember.format.tokens import SEPARATORS, STOPWORDS, fold
from remember.index.query import inverse_frequency

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from remember.index.query import Identifier, Plan

__all__ = ["Candidate", "Scored", "length_correction", "look_for", "occurrences", "rank"]

K1 = 1.2
WEIGHTS = (2.0, 2.0, 1.0)
"""Description, labels (tags, links, names, path), body."""
LENGTH_SHARE = (0.3, 0.3, 0.55)
EXACT_SHARE = 0.25
IDENTIFIER = 0.3 * (K1 + 1)
PREFIX = 0.4
COVERAGE = 0.3
PHRASE = 0.4
QUOTED = 0.6

_STOP_BYTES = frozenset(word.encode() for word in STOPWORDS)
_LONGEST_GAP = 30


class Candidate(NamedTuple):
    """A row to be scored: `texts` are description, labels and body as indexed, `lengths` their tokens; `key` names the row."""

    key: tuple[int, int]
    texts: tuple[str, str, str]
    parts: str
    lengths: tuple[int, int, int]


class Scored(NamedTuple):
    """A scored candidate; `found` are the words of the question it has, `why` the parts of the score as (name, amount)."""

    key: tuple[int, int]
    score: float
    found: frozenset[str]
    why: tuple[tuple[str, float], ...]


def length_correction(tokens: int, average: float) -> float:
    """What bm25() must be multiplied by, since its b is fixed at .75 and hides long notes: ((1.3+.9r)/(1.48+.72r))**2."""
    r = tokens / max(average, 1e-9)
    return ((1.3 + 0.9 * r) / (1.48 + 0.72 * r)) ** 2


def look_for(plan: Plan) -> list[bytes]:
    """Beginnings of words, each after a blank, that lead to every occurrence of the plan's stems and expansions."""
    keys = set()
    for term in plan.terms:
        if term.frequency and not term.unspaced:
            stem = term.stem
            # Porter may have changed the last letter: happy -> happi, make -> make, controlled -> control.
            keys.add(b" " + (stem[:-1] if len(stem) > 2 and stem[-1] in "iley" else stem).encode("utf-8", "replace"))
    keys.update(b" " + expansion.prefix.encode("utf-8", "replace") for expansion in plan.expansions)
    ordered = sorted(keys)
    return [key for n, key in enumerate(ordered) if not any(key.startswith(other) for other in ordered[:n])]


def occurrences(folded: bytes, keys: Sequence[bytes]) -> list[tuple[int, int, bytes]]:
    """Every word that begins with one of the keys as (start, end, word), in order; `folded` begins and ends with a blank."""
    found = []
    find = folded.find
    for key in keys:
        at = find(key)
        while at >= 0:
            end = find(b" ", at + 1)
            found.append((at + 1, end, folded[at + 1 : end]))
            at = find(key, end)
    if len(keys) > 1:
        found.sort()
    return found


class _Field(NamedTuple):
    raw: bytes
    folded: bytes
    hits: list[tuple[int, int, bytes]]


class _Ranker:
    """What is the same for all candidates of one question."""

    def __init__(self, plan: Plan, averages: Sequence[float]) -> None:
        self.plan = plan
        self.averages = [max(average, 1e-9) for average in averages]
        self.keys = look_for(plan)
        self.idf = {t.stem: inverse_frequency(plan.total, t.frequency) for t in plan.terms}
        self.live = [t for t in plan.terms if t.frequency]
        self.by_stem = {t.stem: t for t in self.live}
        self.whole = sum(self.idf[t.stem] for t in self.live) or 1.0
        self.unspaced = [(t, b" " + t.stem.encode("utf-8", "replace")) for t in self.live if t.unspaced]
        self.exact = {w.encode("utf-8", "replace") for t in self.live for w in t.words}
        self.pairs = {
            (a, b)
            for a, b, (_, ua), (_, ub) in zip(plan.stems, plan.stems[1:], plan.words, plan.words[1:], strict=False)
            if not ua and not ub
        }
        self.joins = [(j.joined.encode("utf-8", "replace"), j) for j in plan.joins]
        self.identifiers = [(_spellings(i), inverse_frequency(plan.total, i.frequency) if i.frequency else 0.0) for i in plan.identifiers]
        self.quoted = [_quoted_key(p, plan) for p in plan.phrases]
        self.expanded = [{s: inverse_frequency(plan.total, n) for s, n in e.stems.items()} for e in plan.expansions]
        self.any_expanded = {s for e in self.expanded for s in e}

    def fields(self, candidate: Candidate) -> list[_Field]:
        made = []
        for text in candidate.texts:
            if not text:
                made.append(_Field(b"", b"  ", []))
                continue
            raw, folded = fold(text)
            folded = b" " + folded + b" "
            made.append(_Field(raw, folded, occurrences(folded, self.keys)))
        return made

    def score(self, candidate: Candidate, fields: list[_Field], stem: Mapping[bytes, str], explain: bool) -> Scored:
        norms = [
            w / (1 - b + b * length / average)
            for w, b, length, average in zip(WEIGHTS, LENGTH_SHARE, candidate.lengths, self.averages, strict=True)
        ]
        tally = _Tally()
        for field, norm in zip(fields, norms, strict=True):
            self._count(field, norm, stem, tally)
        why: list[tuple[str, float]] = []
        total = covered = 0.0
        for t, f in tally.stems.items():
            x = tally.exact.get(t, 0.0)
            times = self.by_stem[t].times
            amount = (1 + log(times)) * self.idf[t] * (K1 + 1) * ((1 - EXACT_SHARE) * f / (f + K1) + EXACT_SHARE * x / (x + K1))
            total += amount
            covered += self.idf[t]
            if explain:
                why.append((self.by_stem[t].words[0], amount))
        for name, amount in self._identifier_amounts(candidate, fields, tally):
            total += amount
            if explain:
                why.append((name, amount))
        for n, amount in tally.prefixes.items():
            expansion = self.plan.expansions[n]
            total += PREFIX * amount * expansion.factor
            if explain:
                why.append((expansion.prefix + "*", PREFIX * amount * expansion.factor))
        coverage = 1 + COVERAGE * covered / self.whole
        phrase = 1 + (PHRASE * len(tally.pairs) / len(self.pairs) if self.pairs and tally.stems else 0.0)
        if self.quoted:
            whole = sum(1 for key in self.quoted if any(self._has_phrase(f, key, stem) for f in fields))
            phrase += QUOTED * whole / len(self.quoted)
        if explain:
            why += [("coverage", coverage), ("phrase", phrase)]
        found = {w for t in tally.stems for w in self.by_stem[t].words} | {self.plan.expansions[n].word for n in tally.prefixes}
        if candidate.parts:
            found |= {word for term in self.live for word in term.words} & set(candidate.parts.split())
        return Scored(candidate.key, round(total * coverage * phrase, 6), frozenset(found), tuple(why))

    def _count(self, field: _Field, norm: float, stem: Mapping[bytes, str], tally: _Tally) -> None:
        before, before_end, before_word = "", 0, b""
        for start, end, word in field.hits:
            t = stem[word]
            if t in self.by_stem:
                tally.stems[t] = tally.stems.get(t, 0.0) + norm
                if word in self.exact:
                    tally.exact[t] = tally.exact.get(t, 0.0) + norm
                if before and (before, t) in self.pairs and _adjacent(field.folded[before_end:start]):
                    tally.pairs.add((before, t))
                    if start - before_end == 1 and field.raw[before_end - 1] in SEPARATORS:
                        tally.compounds[before_word + word] = tally.compounds.get(before_word + word, 0) + 1
                before, before_end, before_word = t, end, word
            if t in self.any_expanded:
                for n, weights in enumerate(self.expanded):
                    if t in weights:
                        tally.prefixes[n] = max(tally.prefixes.get(n, 0.0), norm / (norm + K1) * (K1 + 1) * weights[t])
        for term, key in self.unspaced:
            count = field.folded.count(key)
            if count:
                tally.stems[term.stem] = tally.stems.get(term.stem, 0.0) + count * norm
                tally.exact[term.stem] = tally.exact.get(term.stem, 0.0) + count * norm

    def _identifier_amounts(self, candidate: Candidate, fields: list[_Field], tally: _Tally) -> Iterable[tuple[str, float]]:
        if candidate.parts:
            parts = candidate.parts.split()
            for term in self.live:
                for word in term.words:
                    count = parts.count(word)
                    if count:
                        yield f"part {word}", IDENTIFIER * self.idf[term.stem] * count / (count + K1)
        for joined, join in self.joins:
            count = tally.compounds.get(joined, 0)
            if join.indexed:
                count += sum(field.folded.count(b" " + joined + b" ") for field in fields)
            if count:
                yield f"joined {join.joined}", IDENTIFIER * join.weight * count / (count + K1)
        for (spellings, weight), identifier in zip(self.identifiers, self.plan.identifiers, strict=True):
            count = sum(field.folded.count(s) for field in fields for s in spellings)
            if count:
                yield f"identifier {identifier.joined}", IDENTIFIER * weight * count / (count + K1)

    def _has_phrase(self, field: _Field, key: tuple[tuple[str, ...], bytes], stem: Mapping[bytes, str]) -> bool:
        stems, exact = key
        if exact in field.folded:
            return True
        hits = field.hits
        return any(
            all(
                stem[hits[at + n][2]] == wanted and (n == 0 or hits[at + n][0] - hits[at + n - 1][1] == 1) for n, wanted in enumerate(stems)
            )
            for at in range(len(hits) - len(stems) + 1)
        )


class _Tally:
    """What was counted in one candidate."""

    def __init__(self) -> None:
        self.stems: dict[str, float] = {}
        self.exact: dict[str, float] = {}
        self.pairs: set[tuple[str, str]] = set()
        self.compounds: dict[bytes, int] = {}
        self.prefixes: dict[int, float] = {}


def _adjacent(gap: bytes) -> bool:
    """Whether nothing but blanks or stopwords stands between two words."""
    return len(gap) == 1 or gap.isspace() or (len(gap) < _LONGEST_GAP and all(w in _STOP_BYTES or len(w) < 2 for w in gap.split()))


def _spellings(identifier: Identifier) -> tuple[bytes, ...]:
    """How a compound may stand in folded text: its parts apart or run together, a version's `v` in front or not."""
    parts = [p.encode() for p in identifier.parts]
    if parts[0].isdigit():
        forms = {b" ".join(parts)}
    elif len(parts) > 4:
        forms = {b" ".join(parts), b"".join(parts), b" ".join(s.encode() for s in identifier.segments)}
    else:
        forms = {parts[0]}
        for part in parts[1:]:
            forms = {form + gap + part for form in forms for gap in (b"", b" ")}
    return tuple(b" " + v + form + b" " for form in sorted(forms) for v in (b"", b"v"))


def _quoted_key(words: tuple[str, ...], plan: Plan) -> tuple[tuple[str, ...], bytes]:
    """A quoted phrase as its stems and as the folded bytes of its exact form."""
    stem_of = {w: s for (w, _), s in zip(plan.words, plan.stems, strict=True)}
    return tuple(stem_of.get(w, w) for w in words), (" " + " ".join(words) + " ").encode("utf-8", "replace")


def rank(
    plan: Plan,
    candidates: Sequence[Candidate],
    averages: Sequence[float],
    learn: Callable[[Iterable[str]], Mapping[str, str]],
    explain: bool = False,
) -> list[Scored]:
    """Score the candidates (given best first by bm25) and return them best first; ties keep the candidates' order.

    `averages` are mean token counts of description, labels and body over the corpus; `learn` gives the stems of words.
    """
    ranker = _Ranker(plan, averages)
    fields = [ranker.fields(candidate) for candidate in candidates]
    words = {word for found in fields for field in found for _, _, word in field.hits}
    text = {word: word.decode("utf-8", "replace") for word in words}
    stems = learn(text.values())
    stem = {word: stems[decoded] for word, decoded in text.items()}
    scored = [ranker.score(candidate, found, stem, explain) for candidate, found in zip(candidates, fields, strict=True)]
    scored.sort(key=lambda s: -s.score)
    return scored
