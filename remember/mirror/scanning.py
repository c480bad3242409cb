"""Looks for credentials in what is to be published: our own rules, and those of bc-detect-secrets where the extra is installed.

What is found is told by type and line, never by the text itself. The library's entropy rules stay off (they take words, hashes and
IDs for secrets), so does its pragma that lets a line vouch for itself; it verifies nothing over the network here.
"""

from __future__ import annotations

import os

from remember.format import secrets

__all__ = ["find_secrets"]

_ENTROPY = ("Base64HighEntropyString", "HexHighEntropyString")
_PRAGMA = "detect_secrets.filters.allowlist.is_line_allowlisted"


def find_secrets(text: str) -> list[tuple[str, int]]:
    """Each likely credential as (what it looks like, 1-based line), in order of lines; the library's word where ours is silent."""
    ours = secrets.find(text)
    known = {line for _, line in ours}
    theirs = [one for one in _library(text) if one[1] not in known]
    return sorted(dict.fromkeys([*ours, *theirs]), key=lambda one: one[1])


def _library(text: str) -> list[tuple[str, int]]:
    """What the library finds; nothing where it is not installed."""
    try:
        from detect_secrets.core.secrets_collection import SecretsCollection
        from detect_secrets.settings import default_settings
    except ImportError:
        return []
    import tempfile

    # It reads files only: its rules for single lines take every word for a secret.
    with tempfile.TemporaryDirectory(prefix="remember-") as folder, default_settings() as settings:
        path = os.path.join(folder, "memo.md")
        with open(path, "wb") as file:
            file.write(text.encode("utf-8", "replace"))
        settings.disable_plugins(*_ENTROPY)
        settings.disable_filters(_PRAGMA)
        collection = SecretsCollection()
        collection.scan_file(path)
        return [(f"a secret ({secret.type})", secret.line_number) for _, secret in collection]
