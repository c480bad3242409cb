"""The list of registered stores: what may be a name and a path in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from remember.errors import RefusedInput
from remember.scope import registry


@pytest.mark.parametrize(
    ("name", "path", "reason"),
    [
        ("new", "", "the path of the store is empty"),
        ("new", "a\nb", "line end or tab"),
        ("new", "a\tb", "line end or tab"),
        ("global", ".", "reserved"),
    ],
)
def test_what_no_line_of_the_list_could_hold_is_refused(tmp_path: Path, name: str, path: str, reason: str) -> None:
    with pytest.raises(RefusedInput, match=reason) as caught:
        registry.add(str(tmp_path), name, path and str(tmp_path / path), None)
    assert caught.value.hint
    assert registry.names(str(tmp_path)) == () and list(tmp_path.iterdir()) == []
