"""Instants: ISO 8601 with a zone in files, milliseconds since 1970 UTC inside, RFC 3339 outside."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from remember.errors import RefusedInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["date_of", "fact_stamp", "parse", "parse_day", "show", "since", "until"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NAIVE_EPOCH = datetime(1970, 1, 1)
_DAY_MS = 86_400_000
_FIRST_MS = -62_135_596_800_000
_LAST_MS = 253_402_300_799_999


def parse(text: str) -> int | None:
    """Milliseconds of an ISO 8601 date and time with a zone; None for anything else (a date alone, no zone)."""
    if not (len(text) >= 16 and text[4:5] == "-" and text[10:11] in "Tt "):
        return None
    try:
        value = datetime.fromisoformat(text[:-1] + "Z" if text[-1] == "z" else text)
        if value.tzinfo is None:
            return None
        since = value - _EPOCH
        return (since.days * 86_400 + since.seconds) * 1000 + since.microseconds // 1000
    except (ValueError, OverflowError):
        return None


def parse_day(text: str) -> int | None:
    """The instant that stands for a date without a time (`2026-01-17`); None for anything else.

    It is half past ten in UTC, which lies on that very day in every zone from UTC-10 to UTC+13: a filter by local day finds
    what people dated by day, wherever they are.
    """
    return parse(text + "T10:30:00Z") if len(text) == 10 and text[7] == "-" else None


def _utc(ms: int) -> datetime:
    """The instant; what lies outside the years 1 to 9999 (a broken clock, a damaged file system) becomes their end."""
    return _EPOCH + timedelta(milliseconds=max(_FIRST_MS, min(_LAST_MS, ms)))


def show(ms: int) -> str:
    """RFC 3339 in UTC with milliseconds: `2026-10-18T16:10:33.000Z`."""
    value = _utc(ms)
    return f"{value.isoformat()[:19]}.{value.microsecond // 1000:03d}Z"


def fact_stamp(ms: int) -> str:
    """The time in a fact's comment, UTC to the second: `2026-10-18T16:10:33Z`."""
    return _utc(ms).isoformat()[:19] + "Z"


def date_of(ms: int) -> str:
    """The UTC date: `2026-10-18`."""
    return _utc(ms).isoformat()[:10]


def _refuse(text: str) -> RefusedInput:
    return RefusedInput(f"{text!r} is no date", "give a day as 2026-10-18, or an age as 7d, 2w, 3mo, 1y")


def _back(text: str, now_ms: int, offset_of: Callable[[int], int]) -> int | None:
    """The instant so long ago; months and years go by the local calendar."""
    for unit in ("mo", "d", "w", "y"):
        number = text.removesuffix(unit)
        if number != text and number.isascii() and number.isdigit() and len(number) <= 5:
            count = int(number)
            if unit in ("d", "w"):
                return now_ms - count * _DAY_MS * (7 if unit == "w" else 1)
            return _months_back(text, now_ms + offset_of(now_ms), count * (12 if unit == "y" else 1), offset_of)
    return None


def _months_back(text: str, local_ms: int, count: int, offset_of: Callable[[int], int]) -> int:
    """The same local time so many months ago, on the month's last day where it is too short."""
    now = _utc(local_ms).replace(tzinfo=None)
    months = now.year * 12 + now.month - 1 - count
    if months < 12:
        raise _refuse(text)
    year, month = divmod(months, 12)
    for day in range(now.day, now.day - 4, -1):
        try:
            return _local(now.replace(year=year, month=month + 1, day=day), offset_of)
        except ValueError:
            continue
    raise _refuse(text)


def _midnight(text: str) -> datetime | None:
    if len(text) != 10 or text[4] != "-" or text[7] != "-":
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _local(value: datetime, offset_of: Callable[[int], int]) -> int:
    naive_ms = int((value - _NAIVE_EPOCH) / timedelta(milliseconds=1))
    return naive_ms - offset_of(naive_ms)


def since(text: str, now_ms: int, offset_of: Callable[[int], int]) -> int:
    """The instant at which a day begins in local time, or so long ago (`7d`, `2w`, `3mo`, `1y`), or a full ISO time.

    `offset_of` gives the local zone's offset from UTC, in ms, for a local time in ms. Raises RefusedInput.
    """
    found = _back(text, now_ms, offset_of)
    if found is not None:
        return found
    day = _midnight(text)
    if day is not None:
        return _local(day, offset_of)
    exact = parse(text)
    if exact is None:
        raise _refuse(text)
    return exact


def until(text: str, now_ms: int, offset_of: Callable[[int], int]) -> int:
    """The instant before which something must lie: a day is included whole. Raises RefusedInput."""
    day = _midnight(text)
    if day is None:
        return since(text, now_ms, offset_of) + 1
    try:
        return _local(day + timedelta(days=1), offset_of)
    except OverflowError:
        raise _refuse(text) from None
