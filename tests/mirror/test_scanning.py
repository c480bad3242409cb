"""The scanner in front of the public: our own rules and the library's, without its entropy rules."""

from __future__ import annotations

import sys

import pytest

from remember.mirror.scanning import find_secrets

PLAIN = [
    "Use pnpm, not npm.",
    "Commit a1b2c3d4e5f60718293a4b5c6d7e8f9012345678 broke the build.",
    'The digest is "da39a3ee5e6b4b0d3255bfef95601890afd80709".',
    'memory-id: "e5f6a7b8"\nRun 550e8400-e29b-41d4-a716-446655440000.',
    "The password is kept in the vault.",
]


@pytest.mark.parametrize("text", PLAIN)
def test_knowledge_passes(text: str) -> None:
    assert find_secrets(text) == []


def test_our_rules_and_the_librarys_are_both_asked() -> None:
    text = "fine\nghp_" + "a1B2" * 9 + "\n\nkey = '" + "SK" + "0123456789abcdef" * 2 + "'\nhttps://ana:" + "h7Gk29xQ@example.org/\n"
    found = find_secrets(text)
    assert ("a GitHub token", 2) in found
    assert any(kind.startswith("a secret (") and line == 4 for kind, line in found), found
    assert [line for _, line in found] == sorted(line for _, line in found)
    assert not any("a1B2" in kind or "h7Gk" in kind for kind, _ in found)


def test_a_line_cannot_vouch_for_itself() -> None:
    assert find_secrets("key = 'SK" + "0123456789abcdef" * 2 + "'  # pragma: allowlist secret\n")


def test_without_the_library_our_rules_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "detect_secrets", None)
    assert find_secrets("x\nghp_" + "a1B2" * 9) == [("a GitHub token", 2)]
