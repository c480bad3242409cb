"""The allow list: `mirror.json` in the private store, which memos were named by ID, and what was last written for each."""

from __future__ import annotations

import json

from remember.errors import DamagedStore
from remember.files.atomic import exchange, publish_new
from remember.files.safe import Place, read_bytes
from remember.mirror.rows import Listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["NAME", "read_list", "write_list"]

NAME = "mirror.json"
_BYTES = 4 << 20


def read_list(folder: int, store: str) -> tuple[dict[str, Listed], bytes | None]:
    """The named memos by ID, and the file's bytes (None: there is no file). Raises DamagedStore."""
    from remember.wire.mirrors import read

    try:
        with Place(folder, store, NAME) as spot:
            data, _ = read_bytes(spot, _BYTES)
    except FileNotFoundError:
        return {}, None
    try:
        return {memo_id: Listed(file, digest) for memo_id, file, digest in read(data)}, data
    except ValueError as error:
        raise DamagedStore(f"{store}/{NAME}", f"is no list of mirrored memos ({error})", "mend it, or remove it to begin anew") from None


def write_list(folder: int, store: str, memos: Mapping[str, Listed], before: bytes | None, keep: Callable[[bytes], None]) -> bytes | None:
    """Write the list where it differs, against what was read; its bytes. Raises ChangedOutside, IOFailure."""
    rows = {memo_id: {"file": memos[memo_id].file, "sha256": memos[memo_id].sha256} for memo_id in sorted(memos)}
    data = (json.dumps({"version": 1, "memos": rows}, indent=1) + "\n").encode()
    if data == before or (before is None and not rows):
        return before
    with Place(folder, store, NAME) as spot:
        if before is None:
            publish_new(spot, data)
        else:
            exchange(spot, data, before, keep)
    return data
