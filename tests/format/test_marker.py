from __future__ import annotations

import pytest
from hypothesis import given
from texts import file_bytes

from remember.errors import FormatError
from remember.format import marker


def test_what_is_written_is_read() -> None:
    assert marker.NAME == "pi-remember.json"
    assert marker.render() == b'{"version": 1}\n'
    assert marker.read(marker.render()) == marker.VERSION == 1


@pytest.mark.parametrize(
    ("data", "version"),
    [(b'{"version":0}', 0), (b'\xef\xbb\xbf{"version": 7}', 7), (b'{\r\n  "version": 1\r\n}', 1), (b'{"version": 1, "x": []}', 1)],
)
def test_other_spellings(data: bytes, version: int) -> None:
    assert marker.read(data) == version


@pytest.mark.parametrize(
    "data",
    [b"", b"1", b"[]", b"{}", b'{"version": -1}', b'{"version": 1.0}', b'{"version": true}', b'{"version": "1"}', b'{"version": null}',
     b"\xff", b'{"version": 1', b"[" * 100_000, b'{"version": ' + b"9" * 10_000 + b"}"],
)  # fmt: skip
def test_anything_else_is_a_format_error(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"pi-remember\.json"):
        marker.read(data)


@given(file_bytes)
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    try:
        assert marker.read(data) >= 0
    except FormatError as error:
        assert error.problems
