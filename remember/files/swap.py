"""Renames that exchange two names or never overwrite one, asked of the kernel directly where Python has no name for them."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["can_exchange", "exchange_names", "rename_new"]

# renameat2(2): RENAME_NOREPLACE 1, RENAME_EXCHANGE 2. renameatx_np(2) of macOS: RENAME_SWAP 2, RENAME_EXCL 4.
_LINUX, _MACOS = (1, 2), (4, 2)

_calls: list[tuple[Callable[..., int], int, int] | None] = []


def _system() -> tuple[Callable[..., int], int, int] | None:
    """The system's call with its two flags (not replacing, exchanging), or None where there is none; looked up once."""
    if not _calls:
        import ctypes
        import sys

        name, (new, swap) = ("renameatx_np", _MACOS) if sys.platform == "darwin" else ("renameat2", _LINUX)
        try:
            call = getattr(ctypes.CDLL(None, use_errno=True), name)
        except (OSError, AttributeError, TypeError):
            _calls.append(None)
        else:
            call.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
            _calls.append((call, new, swap))
    return _calls[0]


def _rename(folder: int, old: str, new: str, to_folder: int, exchange: bool) -> bool:
    """Whether the system could do it; False where it or the file system does not know how. OSError for what it refuses."""
    system = _system()
    if system is None:
        return False
    import ctypes
    from errno import EINTR, EINVAL, ENOSYS, ENOTSUP

    call, flag_new, flag_swap = system
    arguments = (folder, os.fsencode(old), to_folder, os.fsencode(new), flag_swap if exchange else flag_new)
    while call(*arguments) != 0:
        code = ctypes.get_errno()
        if code in (ENOSYS, EINVAL, ENOTSUP):
            return False
        if code != EINTR:
            raise OSError(code, os.strerror(code), new)
    return True


def can_exchange() -> bool:
    """Whether this system has the call; a file system may still refuse it."""
    return _system() is not None


def exchange_names(folder: int, one: str, other: str) -> bool:
    """Let two names of a folder change what they stand for, at once; False where that is not to be had. Raises OSError."""
    return _rename(folder, one, other, folder, True)


def rename_new(folder: int, old: str, new: str, to_folder: int = -1) -> None:
    """Rename where nothing has the new name yet. Raises FileExistsError where something has, OSError otherwise.

    Without such a rename a hard link is made and the old name removed: the same, but for two names between the calls.
    """
    to_folder = folder if to_folder < 0 else to_folder
    if _rename(folder, old, new, to_folder, False):
        return
    os.link(old, new, src_dir_fd=folder, dst_dir_fd=to_folder, follow_symlinks=False)
    os.unlink(old, dir_fd=folder)
