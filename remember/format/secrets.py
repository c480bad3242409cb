"""Recognises text that looks like a credential, by the published shapes of well-known tokens; it never repeats one.

What the other side controls: the text. A rule that is too wide refuses knowledge, one that is too narrow keeps a secret;
so each rule needs a prefix that nothing else has, or an assignment with a value that looks random.
"""

from __future__ import annotations

from remember.errors import SecretRefused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from re import Pattern

__all__ = ["check", "find", "mask"]

_RULES = (
    ("a private key", r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:.*?-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----)?"),
    ("an AWS access key", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b"),
    ("a GitHub token", r"\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,255})\b"),
    ("a GitLab token", r"\bgl(?:pat|dt|rt|soat|cbt|ptt|ft|imt|agent)-[A-Za-z0-9_\-.]{20,}"),
    (
        "a Slack token",
        r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Za-z0-9-]{20,}|https://hooks\.slack\.com/services/T\w{6,}/B\w{6,}/\w{16,}",
    ),
    ("a Stripe key", r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|\bwhsec_[A-Za-z0-9+/=]{24,}"),
    ("an Anthropic key", r"\bsk-ant-[A-Za-z0-9_-]{20,}"),
    ("an API key", r"\bsk-(?:proj-|svcacct-|admin-|or-v1-)?(?=[A-Za-z0-9_-]*\d)[A-Za-z0-9_-]{20,}"),
    ("a Google API key", r"\bAIza[A-Za-z0-9_-]{35}\b|\bya29\.[A-Za-z0-9_-]{30,}|\bGOCSPX-[A-Za-z0-9_-]{28}\b"),
    ("an npm token", r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("a PyPI token", r"\bpypi-AgE[A-Za-z0-9_-]{50,}"),
    ("a Hugging Face token", r"\bhf_[A-Za-z0-9]{34,}\b"),
    ("a DigitalOcean token", r"\bdo[por]_v1_[a-f0-9]{64}\b"),
    ("a SendGrid key", r"\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b"),
    ("a Telegram bot token", r"\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b"),
    ("a JSON web token", r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
    ("an Azure key", r"\bAccountKey=[A-Za-z0-9+/]{60,}={0,2}"),
    ("an age key", r"\bAGE-SECRET-KEY-1[A-Z0-9]{50,}"),
    ("a password in an address", r"\b[a-z][a-z0-9+.-]*://[^\s/:@]+:(?!\*+@|<|\$|\{|x+@|pass(?:word)?@|secret@)[^\s/:@]{6,}@[\w.-]+"),
)
_ASSIGNED = (
    r"(?i)\b(?:password|passwd|passphrase|pwd|secret|secret[_-]?key|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|token)"
    r"[\"']?\s*(?::=|=|:|\bis\b)\s*[\"'`]?(?P<value>[^\s\"'`<>{}$,;]{8,})"
)
_compiled: list[tuple[str, Pattern[str]]] = []


def _rules() -> list[tuple[str, Pattern[str]]]:
    if not _compiled:
        import re

        _compiled.extend((kind, re.compile(pattern, re.S)) for kind, pattern in _RULES)
        _compiled.append(("a password or token", re.compile(_ASSIGNED)))
    return _compiled


def _random_looking(value: str) -> bool:
    """Whether an assigned value looks drawn rather than written: letters and digits mixed, and no hash, UUID, path or address."""
    bare = value.rstrip(".!?)]")
    if len(bare) < 10 or "/" in bare or "://" in bare or "(" in bare:
        return False
    if all(char in "0123456789abcdefABCDEF-" for char in bare):
        return False  # hashes, UUIDs, our own IDs
    if bare.isupper() and "_" in bare:
        return False  # the name of a variable
    classes = [any(map(test, bare)) for test in (str.isdigit, str.islower, str.isupper)] + [any(not c.isalnum() for c in bare)]
    return classes[0] and sum(classes) >= 3 and bare.count("-") + bare.count("_") + bare.count(".") <= 3


def _spans(text: str) -> Iterator[tuple[int, int, str]]:
    for kind, pattern in _rules():
        for match in pattern.finditer(text):
            if "value" in pattern.groupindex:
                if _random_looking(match["value"]):
                    yield (*match.span("value"), kind)
            else:
                yield (*match.span(), kind)


def find(text: str) -> list[tuple[str, int]]:
    """Each likely credential as (what it looks like, 1-based line), in order of lines."""
    return sorted({(kind, text.count("\n", 0, start) + 1) for start, _, kind in _spans(text)}, key=lambda f: (f[1], f[0]))


def mask(text: str) -> str:
    """The text with each likely credential replaced by `[secret removed]`."""
    parts: list[str] = []
    at = 0
    for start, end, _ in sorted(_spans(text)):
        if start >= at:
            parts += (text[at:start], "[secret removed]")
        at = max(at, end)
    parts.append(text[at:])
    return "".join(parts)


def check(text: str) -> None:
    """Raises SecretRefused for the first likely credential, naming its kind and line only."""
    found = find(text)
    if found:
        raise SecretRefused(*found[0])
