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

# Kind, what must stand in a text before the expression is even made, expression. None can take more than linear time:
# each begins with a literal, and no two unbounded repetitions meet.
_RULES: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("a private key", ("PRIVATE KEY",), r"-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----"),
    ("a private key", ("PuTTY-User-Key-File",), r"PuTTY-User-Key-File-\d"),
    ("an AWS access key", ("AKIA", "ASIA", "ABIA", "ACCA"), r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b"),
    (
        "an AWS secret key",
        ("ecret", "ECRET"),
        r"(?i:aws_?secret_?(?:access_?)?key)[\"']?[ \t]*[:=][ \t]*[\"']?(?P<value>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])",
    ),
    ("a GitHub token", ("gh", "github_pat_"), r"\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})\b"),
    ("a GitLab token", ("gl", "GR1348941"), r"\b(?:gl(?:pat|dt|rt|soat|cbt|ptt|ft|imt|agent)-|GR1348941)[A-Za-z0-9_\-.]{20,}"),
    (
        "a Slack token",
        ("xox", "xapp-", "hooks.slack.com"),
        r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Za-z0-9-]{20,}|hooks\.slack\.com/services/T\w{6,}/B\w{6,}/\w{16,}",
    ),
    ("a Stripe key", ("k_live_", "k_test_", "whsec_"), r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|\bwhsec_[A-Za-z0-9+/=]{24,}"),
    ("an Anthropic key", ("sk-ant-",), r"\bsk-ant-[A-Za-z0-9_-]{20,}"),
    ("an OpenAI key", ("sk-",), r"\bsk-(?:proj|svcacct|admin|None|or-v1)-[A-Za-z0-9_-]{20,}|\bsk-(?P<plain>[A-Za-z0-9]{20,})\b"),
    (
        "a Google key",
        ("AIza", "ya29.", "GOCSPX-"),
        r"\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])|\bya29\.[A-Za-z0-9_-]{30,}|\bGOCSPX-[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])",
    ),
    ("an npm token", ("npm_",), r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("a PyPI token", ("pypi-",), r"\bpypi-AgE[A-Za-z0-9_-]{50,}"),
    ("a Hugging Face token", ("hf_",), r"\bhf_[A-Za-z0-9]{34,}\b"),
    ("a DigitalOcean token", ("_v1_",), r"\bdo[por]_v1_[a-f0-9]{64}\b"),
    ("a SendGrid key", ("SG.",), r"\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])"),
    ("a Telegram bot token", (":AA",), r"\b\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])"),
    ("a Docker token", ("dckr_pat_",), r"\bdckr_pat_[A-Za-z0-9_-]{20,}"),
    ("a Vault token", ("hvs.",), r"\bhvs\.[A-Za-z0-9_-]{24,}"),
    ("a JSON web token", ("eyJ",), r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
    (
        "an Azure key",
        ("AccountKey=", "SharedAccessKey=", "sig=", "Q~"),
        r"\b(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,}={0,2}|[?&]sig=[A-Za-z0-9%+/]{40,}|\b[A-Za-z0-9]{3}\dQ~[A-Za-z0-9_~.-]{31,34}",
    ),
    ("an age key", ("AGE-SECRET-KEY-1",), r"\bAGE-SECRET-KEY-1[A-Z0-9]{50,}"),
    (
        "a password in an address",
        ("://",),
        r"://[^\s/:@]{0,100}:(?P<value>(?!\*+@|<|\$|\{|x+@|(?:pass(?:word|wd)?|pwd|secret)[^A-Za-z0-9])[^\s/:@]{6,200})@[\w.-]",
    ),
)
_ASSIGNED = (
    r"(?i)(?<![^\W_])(?:password|passwd|passphrase|pwd|secret(?:[_-]?key)?|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|token)"
    r"[\"']?[ \t]*(?::=|=>?|:|\bis\b)[ \t]*[\"'`]?(?P<assigned>[^\s\"'`<>{}$,;]{8,})"
)
_ASSIGNED_HINTS = ("passw", "passphrase", "pwd", "secret", "api", "access", "token")
_KEY_CHARS = 20_000
_compiled: dict[str, Pattern[str]] = {}


def _pattern(source: str) -> Pattern[str]:
    found = _compiled.get(source)
    if found is None:
        import re

        found = _compiled[source] = re.compile(source)
    return found


def _random_looking(value: str) -> bool:
    """Whether an assigned value looks drawn rather than written: characters mixed, no words, hash, UUID, path or call."""
    bare = value.rstrip(".!?)]")
    if len(bare) < 10 or "/" in bare or "(" in bare:
        return False
    if all(char in "0123456789abcdefABCDEF-" for char in bare):
        return False  # hashes, UUIDs, our own IDs
    if not any(map(str.isdigit, bare)):
        return False
    classes = (any(map(str.islower, bare)), any(map(str.isupper, bare)), not bare.isalnum())
    if sum(classes) < 2:
        return False
    return not all(map(_of_words, _pattern(r"[\W_]+").split(bare)))


def _of_words(piece: str) -> bool:
    """Whether letters and digits come as in a name (`getAccess2Tokens`): words of some length, numbers between them only."""
    if not _pattern(r"(?:[a-z]{2,}\d{0,4})?(?:[A-Z]+[a-z]+\d{0,4})*(?:[A-Z]{2,})?\d{0,4}").fullmatch(piece):
        return False
    capitals = sum(map(str.isupper, piece))
    return piece.isupper() or len(piece) >= 3 * capitals


def _plausible(kind: str, named: dict[str, str | None]) -> bool:
    plain = named.get("plain")
    if plain is not None:
        return len(plain) >= 32 or any(map(str.isdigit, plain))
    assigned = named.get("assigned")
    return assigned is None or _random_looking(assigned)


def _spans(text: str) -> Iterator[tuple[int, int, str]]:
    if ";base64," in text:  # pictures inside Markdown
        text = _pattern(r";base64,[A-Za-z0-9+/=]+").sub(lambda match: " " * len(match[0]), text)
    lowered = text.lower()
    rules = [(kind, source) for kind, hints, source in _RULES if any(hint in text for hint in hints)]
    if any(hint in lowered for hint in _ASSIGNED_HINTS):
        rules.append(("a password or token", _ASSIGNED))
    for kind, source in rules:
        after = 0
        for match in _pattern(source).finditer(text):
            start, end = match.span()
            if start < after or not _plausible(kind, match.groupdict()):
                continue
            for group in ("value", "assigned"):
                if group in match.groupdict():
                    start, end = match.span(group)
            if kind == "a private key":
                end = after = _key_end(text, end)
            yield start, end, kind


def _key_end(text: str, at: int) -> int:
    """Where a key that begins before `at` ends: after its closing line, else after what may still be key."""
    closing = _pattern(r"-----(?:END [A-Z0-9 ]{0,60}-----|BEGIN )").search(text, at, at + _KEY_CHARS)
    if closing and closing[0][5] == "E":
        return closing.end()
    rest = _pattern(r"(?:\s*(?:[A-Za-z0-9+/=_-]{16,}|[A-Z][A-Za-z-]+: [^\n]*))*").match(text, at, at + _KEY_CHARS)
    return rest.end() if rest else at


def find(text: str) -> list[tuple[str, int]]:
    """Each likely credential as (what it looks like, 1-based line), in order of lines."""
    places = sorted({(start, kind) for start, _, kind in _spans(text)})
    found: dict[tuple[str, int], None] = {}
    at, line = 0, 1
    for start, kind in places:
        line += text.count("\n", at, start)
        at = start
        found[kind, line] = None
    return list(found)


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
