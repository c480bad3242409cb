"""The best passage of a memo: one to three lines by summed term weights, with the places to highlight."""

from __future__ import annotations

from bisect import bisect_right

from remember._named import NamedTuple
from remember.format.graphemes import boundary
from remember.format.tokens import fold_char
from remember.index.query import inverse_frequency
from remember.index.rank import look_for, occurrences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from remember.index.query import Plan

__all__ = ["Passage", "SnippetMaker", "missing_words"]

_WIDTH = 240
_ASCII = {i: chr(i).lower() if chr(i).isalnum() else " " for i in range(128)}
_MOST_LINES = 3
_folded: dict[str, str] = {}


class Passage(NamedTuple):
    """A snippet, the number of its first line in the body (0-based), highlights as offsets into it, further matching lines."""

    text: str
    line: int
    highlights: tuple[tuple[int, int], ...]
    more_lines: int


class SnippetMaker:
    """Finds passages for one question in as many bodies as asked."""

    def __init__(self, plan: Plan, learn: Callable[[Iterable[str]], Mapping[str, str]]) -> None:
        self.learn = learn
        self.keys = look_for(plan)
        self.weights = {t.stem: inverse_frequency(plan.total, t.frequency) for t in plan.terms if t.frequency}
        for expansion in plan.expansions:
            for stem, count in expansion.stems.items():
                self.weights.setdefault(stem, 0.4 * expansion.factor * inverse_frequency(plan.total, count))
        self.unspaced = [t.stem for t in plan.terms if t.frequency and t.unspaced]
        self.pairs = set(zip(plan.stems, plan.stems[1:], strict=False))
        self.whole = {s for i in plan.identifiers for s in (i.joined, *i.parts)} | {j.joined for j in plan.joins}

    def passage(self, body: str) -> Passage:
        """The best one to three lines of the body; its first line with words where nothing matches."""
        found = self._matches(body)
        if not found:
            return self._plain(body)
        starts = _line_starts(body)
        lines: dict[int, list[tuple[int, int, str]]] = {}
        for hit in found:
            lines.setdefault(bisect_right(starts, hit[0]) - 1, []).append(hit)
        scores = {line: self._weigh(hits) for line, hits in lines.items()}
        best = max(scores, key=lambda line: (scores[line], -line))
        first, last = self._widen(best, scores)
        return self._cut(body, starts, first, last, best, lines)

    def _weigh(self, hits: Sequence[tuple[int, int, str]]) -> float:
        stems = [stem for _, _, stem in hits]
        total = sum(self.weights.get(stem, 0.0) for stem in set(stems))
        for a, b in set(zip(stems, stems[1:], strict=False)) & self.pairs:
            total += 0.5 * min(self.weights.get(a, 0.0), self.weights.get(b, 0.0))
        return total

    def _widen(self, best: int, scores: Mapping[int, float]) -> tuple[int, int]:
        """Neighbouring lines that match too belong to the passage, three lines at most."""
        first = last = best
        while last - first + 1 < _MOST_LINES:
            before, after = scores.get(first - 1, 0.0), scores.get(last + 1, 0.0)
            if not before and not after:
                break
            if after >= before:
                last += 1
            else:
                first -= 1
        return first, last

    def _matches(self, body: str) -> list[tuple[int, int, str]]:
        """Every matching word as (start, end, stem), character offsets into the body."""
        folded, offsets = _fold(body)
        hits = occurrences(f" {folded} ".encode("utf-8", "surrogatepass"), self.keys) if folded.isascii() else self._find(f" {folded} ")
        words = {word for _, _, word in hits}
        text = {word: word.decode() if isinstance(word, bytes) else word for word in words}
        stems = self.learn(text.values())
        found = []
        for start, end, word in hits:
            stem = stems[text[word]]
            if stem in self.weights or text[word] in self.whole:
                found.append((start - 1, end - 1, stem))
        found += [(at, at + len(gram), gram) for gram in self.unspaced for at in _find_all(folded, gram)]
        if offsets is not None:
            found = [(offsets[start], offsets[end - 1] + 1, stem) for start, end, stem in found if end > start]
        found.sort()
        return found

    def _find(self, folded: str) -> list[tuple[int, int, str]]:
        """`occurrences` over characters, for texts beyond ASCII."""
        found = []
        for key in (key.decode("utf-8", "replace") for key in self.keys):
            at = folded.find(key)
            while at >= 0:
                end = folded.find(" ", at + 1)
                found.append((at + 1, end, folded[at + 1 : end]))
                at = folded.find(key, end)
        found.sort()
        return found

    def _cut(
        self, body: str, starts: Sequence[int], first: int, last: int, best: int, lines: Mapping[int, Sequence[tuple[int, int, str]]]
    ) -> Passage:
        begin = starts[first]
        end = (starts[last + 1] if last + 1 < len(starts) else len(body) + 1) - 1
        if end - begin > _WIDTH and first != last:
            first = last = best  # three long lines are no snippet; the best one is
            begin = starts[best]
            end = (starts[best + 1] if best + 1 < len(starts) else len(body) + 1) - 1
        before = after = ""
        if end - begin > _WIDTH:
            middle = _densest(lines[best], begin, self.weights)
            left = max(begin, middle - _WIDTH // 3)
            right = min(end, left + _WIDTH)
            before, after = ("…" if left > begin else ""), ("…" if right < end else "")
            begin, end = boundary(body, left, -1), boundary(body, right, 1)
        text = body[begin:end]
        stripped = text.lstrip()
        begin += len(text) - len(stripped)
        text = stripped.rstrip()
        shift = len(before) - begin
        shown = [h for line in range(first, last + 1) for h in lines.get(line, ())]
        marks = _merge([(s + shift, e + shift) for s, e, _ in shown if s >= begin and e <= begin + len(text)])
        more = sum(1 for line in lines if not first <= line <= last)
        return Passage(before + text + after, first, marks, more)

    def _plain(self, body: str) -> Passage:
        for number, line in enumerate(body.split("\n")):
            if line.strip():
                text = line.strip()
                if len(text) > _WIDTH:
                    text = text[: boundary(text, _WIDTH, -1)] + "…"
                return Passage(text, number, (), 0)
        return Passage("", 0, (), 0)


def missing_words(words: Sequence[tuple[str, bool]], found: frozenset[str]) -> tuple[str, ...]:
    """The words of the question that are not among those found; of a run of bigrams what none of those found covers."""
    missing: dict[str, None] = {}
    at = 0
    while at < len(words):
        word, unspaced = words[at]
        at += 1
        if not unspaced:
            if word not in found:
                missing[word] = None
            continue
        run, covered = word, [word in found] * len(word)
        while at < len(words) and words[at][1] and len(words[at][0]) == 2 and words[at][0][0] == run[-1]:
            here = words[at][0] in found
            run, covered = run + words[at][0][1], [*covered[:-1], covered[-1] or here, here]
            at += 1
        missing.update(dict.fromkeys("".join(c if not has else " " for c, has in zip(run, covered, strict=True)).split()))
    return tuple(missing)


def _line_starts(body: str) -> list[int]:
    starts = [0]
    at = body.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = body.find("\n", at + 1)
    return starts


def _fold(body: str) -> tuple[str, list[int] | None]:
    """The body as folded words between blanks, and where each of its characters came from (None: the same places)."""
    if body.isascii():
        return body.translate(_ASCII), None
    table = {ord(char): _fold_one(char) for char in set(body) if char > "\x7f"}
    if all(len(folded) == 1 for folded in table.values()):
        return body.translate({**_ASCII, **table}), None
    chars: list[str] = []
    offsets: list[int] = []
    for at, char in enumerate(body):
        folded = table[ord(char)] if char > "\x7f" else char.translate(_ASCII)
        chars.append(folded)
        offsets += [at] * len(folded)
    return "".join(chars), offsets


def _fold_one(char: str) -> str:
    known = _folded.get(char)
    if known is None:
        from unicodedata import normalize

        chars = normalize("NFKC", char)
        folded = "".join(c.lower() if c.isascii() and c.isalnum() else " " if c.isascii() else fold_char(c) for c in chars)
        known = _folded[char] = folded if folded.strip() or not folded else " "
    return known


def _find_all(text: str, part: str) -> Iterable[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def _densest(hits: Sequence[tuple[int, int, str]], begin: int, weights: Mapping[str, float]) -> int:
    """The place in a long line around which most weight lies within the width of a snippet."""
    best, best_weight = begin, -1.0
    ahead = 0
    for n, (start, _, _) in enumerate(hits):
        ahead = max(ahead, n)
        seen: set[str] = set()
        for _, end, stem in hits[n : n + 40]:
            if end - start > _WIDTH * 2 // 3:
                break
            seen.add(stem)
        weight = sum(weights.get(stem, 0.1) for stem in seen)
        if weight > best_weight:
            best, best_weight = start, weight
    return best


def _merge(marks: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Overlapping and touching highlights as one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(marks):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)
