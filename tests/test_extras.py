"""What to type for a missing extra: from where this program was installed, else by its name."""

from __future__ import annotations

from importlib import metadata

import pytest

from remember.extras import installing


class Installed:
    def __init__(self, record: str | None) -> None:
        self.record = record

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return self.record


@pytest.mark.parametrize(
    ("record", "command"),
    [
        (None, "pip install 'remember-md[tui]'"),
        ("no JSON", "pip install 'remember-md[tui]'"),
        ('{"url": "https://example.org/remember.git", "vcs_info": {"vcs": "git"}}', "pip install 'remember-md[tui]'"),
        ('{"url": "file:///home/you/remember", "dir_info": {}}', "pip install '/home/you/remember[tui]'"),
        ('{"url": "file:///home/you/my%20code", "dir_info": {"editable": true}}', "pip install '/home/you/my code[tui]'"),
    ],
)
def test_the_command_fetches_it_from_where_we_came(monkeypatch: pytest.MonkeyPatch, record: str | None, command: str) -> None:
    monkeypatch.setattr(metadata, "distribution", lambda name: Installed(record))
    assert installing("tui") == command


def test_a_bare_checkout_has_a_name_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", missing)
    assert installing("mcp") == "pip install 'remember-md[mcp]'"
