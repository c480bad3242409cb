"""What to type for an extra that is missing, as this installation can fetch it."""

from __future__ import annotations

__all__ = ["installing"]

_NAME = "remember-md"


def installing(extra: str) -> str:
    """The command that installs an extra: from the directory that this program was installed from, else by name."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from shlex import quote
    from urllib.parse import unquote, urlsplit

    try:
        # PEP 610: where a direct installation came from.
        url = json.loads(distribution(_NAME).read_text("direct_url.json") or "{}").get("url", "")
    except (PackageNotFoundError, ValueError):
        url = ""
    source = unquote(urlsplit(url).path) if url.startswith("file:") else _NAME
    return f"pip install {quote(f'{source}[{extra}]')}"
