from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember.errors import RefusedInput
from remember.format import times

NOW = times.parse("2026-10-18T16:10:33.123Z") or 0


def offset_in(name: str):  # type: ignore[no-untyped-def]
    """Offset of a zone for a local time, as the program's top hands it down."""

    def offset_of(local_ms: int) -> int:
        naive = datetime(1970, 1, 1) + timedelta(milliseconds=local_ms)
        offset = naive.replace(tzinfo=ZoneInfo(name)).utcoffset()
        assert offset is not None
        return int(offset.total_seconds() * 1000)

    return offset_of


@given(st.integers(-62_135_596_800_000, 253_402_300_799_999))
def test_what_is_shown_is_parsed_again(ms: int) -> None:
    assert times.parse(times.show(ms)) == ms
    assert times.parse(times.fact_stamp(ms)) == ms // 1000 * 1000
    assert times.date_of(ms) == times.show(ms)[:10]


@given(st.integers())
def test_no_instant_breaks_the_showing(ms: int) -> None:
    assert len(times.show(ms)) == 24


@given(st.one_of(st.text(max_size=40), st.from_regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.]{0,12}[Z+\-0-9:]{0,6}")))
def test_any_text_is_a_time_or_none(text: str) -> None:
    assert isinstance(times.parse(text), int | None)


@pytest.mark.parametrize(
    "text",
    [
        "2026-10-18T16:10:33Z",
        "2026-10-18T18:10:33+02:00",
        "2026-10-18T18:10:33+0200",
        "2026-10-18T18:10:33+02",
        "2026-10-18t16:10:33z",
        "2026-10-18 16:10:33Z",
        "2026-10-18T16:10:33.000Z",
        "2026-10-18T16:10:33,0Z",
        "2026-10-18T16:10:33.0000009Z",
    ],
)
def test_times_with_a_zone_are_read(text: str) -> None:
    assert times.parse(text) == 1_792_339_833_000


@pytest.mark.parametrize(
    "text", ["", "2026-10-18", "2026-10-18T16:10:33", "2026-13-18T16:10:33Z", "2026-02-30T00:00:00Z", "now", "٢٠٢٦-10-18T16:10:33Z"]
)
def test_times_without_a_zone_are_none(text: str) -> None:
    assert times.parse(text) is None


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Auckland", "America/Los_Angeles", "Asia/Kolkata"])
@pytest.mark.parametrize("day", ["2026-01-17", "2026-03-08", "2026-03-29", "2026-04-05", "2026-09-27", "2026-11-01"])
def test_a_day_is_local_and_whole(zone: str, day: str) -> None:
    offset_of = offset_in(zone)
    start = datetime.fromisoformat(day).replace(tzinfo=ZoneInfo(zone))
    end = (datetime.fromisoformat(day) + timedelta(days=1)).replace(tzinfo=ZoneInfo(zone))
    assert times.since(day, NOW, offset_of) == start.timestamp() * 1000
    assert times.until(day, NOW, offset_of) == end.timestamp() * 1000


@pytest.mark.parametrize(
    ("age", "when"),
    [
        ("7d", "2026-10-11T16:10:33.123Z"),
        ("0d", "2026-10-18T16:10:33.123Z"),
        ("2w", "2026-10-04T16:10:33.123Z"),
        ("3mo", "2026-07-18T16:10:33.123Z"),
        ("1y", "2025-10-18T16:10:33.123Z"),
        ("2026-10-01T00:00:00+02:00", "2026-09-30T22:00:00.000Z"),
    ],
)
def test_ages(age: str, when: str) -> None:
    assert times.show(times.since(age, NOW, lambda _: 0)) == when


def test_a_month_ago_ends_with_the_shorter_month_in_local_time() -> None:
    now = times.parse("2026-03-30T20:00:00Z") or 0  # in Auckland already the 31st, nine in the morning
    found = times.since("1mo", now, offset_in("Pacific/Auckland"))
    assert datetime.fromtimestamp(found / 1000, UTC).astimezone(ZoneInfo("Pacific/Auckland")).isoformat() == "2026-02-28T09:00:00+13:00"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "7",
        "7x",
        "-7d",
        "+7d",
        "٧d",
        "7 d",
        "99999999999999999999y",
        "9999y",
        "2026-13-01",
        "2026-1-1",
        "20261018T1",
        "2026-10-18T16:10:33",
    ],
)
def test_anything_else_is_refused_with_the_forms(text: str) -> None:
    for ask in (times.since, times.until):
        with pytest.raises(RefusedInput) as caught:
            ask(text, NOW, lambda _: 0)
        assert "7d" in caught.value.hint and "2026-10-18" in caught.value.hint


@given(st.text(max_size=12))
def test_no_date_raises_anything_else(text: str) -> None:
    for ask in (times.since, times.until):
        try:
            found: object = ask(text, NOW, lambda _: 0)
        except RefusedInput as error:
            found = len(error.hint)
        assert isinstance(found, int)


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Auckland", "America/Los_Angeles", "Pacific/Honolulu", "Asia/Kolkata"])
@pytest.mark.parametrize("day", ["2026-01-17", "2026-03-08", "2026-03-29", "2026-04-05", "2026-09-27", "2026-11-01"])
def test_a_date_alone_lies_on_its_day_everywhere(zone: str, day: str) -> None:
    offset_of = offset_in(zone)
    at = times.parse_day(day)
    assert at is not None
    assert times.since(day, NOW, offset_of) <= at < times.until(day, NOW, offset_of)


def test_other_texts_are_no_days() -> None:
    assert [times.parse_day(text) for text in ("", "2026-13-01", "2026-1-1", "20261018T1", "2026-W42-1", "2026-10-18 ")] == [None] * 6


def test_the_last_day_there_is_has_no_end() -> None:
    with pytest.raises(RefusedInput):
        times.until("9999-12-31", NOW, lambda _: 0)
