"""Filters what a model answered: lines that may become facts, and the others counted by the reason why not.

What the other side controls: the answer, and through the conversation whoever wrote a page that the agent read. A fact is shown to
agents later, so what reads like an instruction to one is dropped; that is a sieve, no proof.
"""

from __future__ import annotations

import json
import re

from remember._named import NamedTuple
from remember.errors import RefusedInput
from remember.format import secrets
from remember.format.text import clean, clean_fact, duplicate_key
from remember.harvest.prompt import FACTS_MOST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Kept", "keep"]

_LEAST_CHARS, _MOST_CHARS = 10, 300
_TODO = re.compile(
    r"(?i)^\W{0,3}(?:to-?dos?\b|fixme\b|xxx\b|next steps?\b|action items?\b|follow[- ]?ups?\b|remaining\b|pending\b|"
    r"(?:(?:we|i|you) )?(?:still )?(?:need|needs|have|has) to\b|"
    r"(?:still|remember|don'?t forget) to\b|should still\b|must still\b|later[:,])|\[ \]|\b(?:is|are) still to be done\b|\bTODO\b|"
    r"(?<!\bor )\b(?:later|tomorrow|next (?:week|time))[.!]?$"
)
_PROMPT = re.compile(
    r"(?i)\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:previous|prior|above|earlier|instructions|your (?:rules|orders))\b|"
    r"^\W{0,3}(?:system|assistant|user|human|developer)\s*:|</?(?:system|instructions?|conversation|assistant|user|tool)\b|"
    r"^\W{0,3}(?:you are|act as|pretend|from now on|you must|you should|always (?:obey|follow|answer|reply|respond)|as an ai)\b|"
    r"\b(?:system prompt|jailbreak|developer mode)\b"
)
_CHATTER = re.compile(
    r"(?i)^\W{0,3}(?:here (?:is|are)\b|sure\b|certainly\b|of course\b|okay\b|durable facts?\b|facts?\b.{0,20}:$|summary\b.{0,20}:$)"
)


class Kept(NamedTuple):
    """Facts that may be stored, in the order of the answer, and how many lines were dropped for which reason."""

    facts: tuple[str, ...]
    dropped: Mapping[str, int]


def keep(answer: str) -> Kept:
    """The lines of an answer that may become facts, six at most; NONE and an empty answer are none. Any text has an answer."""
    facts: list[str] = []
    dropped: dict[str, int] = {}
    seen: set[str] = set()
    for line in _listed(answer) or answer.splitlines():
        bare = clean(line).strip("`*_ ")
        if not bare or bare.rstrip(".!").upper() == "NONE" or not any(map(str.isalnum, bare)):
            continue
        reason, fact = _judged(line)
        if not reason and duplicate_key(fact) in seen:
            reason = "said twice"
        if not reason and len(facts) == FACTS_MOST:
            reason = f"more than {FACTS_MOST}"
        if reason:
            dropped[reason] = dropped.get(reason, 0) + 1
        else:
            seen.add(duplicate_key(fact))
            facts.append(fact)
    return Kept(tuple(facts), dropped)


def _listed(answer: str) -> list[str]:
    """The lines of an answer that is a JSON list of strings, as some models write one; [] for any other."""
    bare = answer.strip().removeprefix("```json").strip("`").strip()
    if not bare.startswith("["):
        return []
    try:
        found = json.loads(bare)
    except (ValueError, RecursionError):
        return []
    return [line for text in found for line in text.splitlines()] if all(isinstance(text, str) for text in found) else []


def _judged(line: str) -> tuple[str, str]:
    """Why a line is no fact ("" where it is one), and the fact."""
    try:
        fact = clean_fact(line)
    except RefusedInput:
        return "length", ""
    if not _LEAST_CHARS <= len(fact) <= _MOST_CHARS:
        return "length", ""
    if secrets.find(fact) or "[secret removed]" in fact:
        return "secret", ""
    if _PROMPT.search(fact):
        return "prompt", ""
    if _TODO.search(fact):
        return "to-do", ""
    if line.lstrip().startswith(("#", ">", "|", "```", "<", "{", '["', "[{")) and not re.match(r"\s*#[\w/-]", line):
        return "no fact", ""
    if fact.endswith(("?", ":", "？", "：")) or _CHATTER.search(fact):
        return "no fact", ""
    return "", fact
