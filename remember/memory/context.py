"""What a call stands in: configuration, working directory, clock and chance, read once and handed down."""

from __future__ import annotations

import os
import time

from remember.errors import DamagedStore, FutureFormat, NoSuchRoot
from remember.format import marker
from remember.scope import registry
from remember.scope.config import load, user_file
from remember.scope.discover import local_store
from remember.scope.select import Selection, choose, choose_one

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from remember.model import StoreRef
    from remember.scope.config import Config

__all__ = ["Surroundings", "check_format", "format_version", "local_offset", "now_ms", "random_bits", "recovery_dir", "user_color"]

CHECKED_LAYOUT = "remember"


class Surroundings:
    """Where a person or program calls from, and which stores they mean.

    `migrates` says when a legacy store is brought to the present format on its own: `reads` (before list, show and search of a
    person, and before changes), `changes`, `trusted` (before changes, of trusted roots only) or `never`.
    """

    def __init__(
        self,
        root: str | None = None,
        scope: str | None = None,
        stores: Sequence[str] = (),
        everything: bool = False,
        environ: Mapping[str, str] | None = None,
        cwd: str | None = None,
    ) -> None:
        self.environ = dict(os.environ) if environ is None else environ
        if cwd is None:
            try:
                cwd = os.getcwd()
            except OSError as error:
                raise NoSuchRoot(".", "the working directory is gone") from error
        self.cwd = cwd
        self.home = self.environ.get("HOME") or os.path.expanduser("~")
        self.root, self.scope, self.stores, self.everything = root, scope, tuple(stores), everything
        self._config: Config | None = None
        self.migrates = "changes"

    @property
    def config(self) -> Config:
        """The configuration; a project's file counts only where its root is trusted."""
        if self._config is None:
            config = load(self.environ, self.home)
            trusted = registry.trusted(config.config_dir)
            if trusted:
                local = local_store(self.root, self.cwd, config, trusted)
                project = os.path.join(str(local.root), ".pi", "remember.toml")
                if local.trusted and os.path.exists(project):
                    config = load(self.environ, self.home, project)
            self._config = config
        return self._config

    def selection(self, purpose: str = "") -> Selection:
        """The stores of a call, each of a format that this program knows.

        `purpose` is `read` or `change` where a legacy store may be migrated first; a warning says what was done.
        """
        selection = choose(self.config, self.cwd, self.root, self.scope, self.stores, self.everything)
        warnings = [*self.config.warnings, *selection.warnings]
        for ref in selection.refs:
            warnings += self.ready(ref, purpose)
        return selection._replace(warnings=tuple(warnings))

    def ready(self, ref: StoreRef, purpose: str) -> Sequence[str]:
        """Make a store ready for a call; what there is to say. Raises what `check_format` and, for a change, migrating raises."""
        version = check_format(ref)
        if version == marker.VERSION:
            return ()
        from remember.memory.ready import make_ready

        changing = purpose == "change"
        may = self.migrates == "reads" or (changing and (self.migrates == "changes" or (self.migrates == "trusted" and ref.trusted)))
        return make_ready(ref, version, may and purpose != "", changing, now_ms(), random_bits)

    def one(self) -> StoreRef:
        """The store of a write. Raises what `choose_one` raises, FutureFormat, DamagedStore."""
        ref = choose_one(self.config, self.cwd, self.root, self.scope, self.stores)
        self.ready(ref, "change")
        return ref


def format_version(ref: StoreRef) -> int | None:
    """The version in a native store's marker; None without a marker. Raises FormatError, DamagedStore."""
    path = os.path.join(ref.path, marker.NAME)
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise DamagedStore(path, error.strerror or "cannot be read") from error
    try:
        data = os.read(descriptor, 4096)
    except OSError as error:
        raise DamagedStore(path, error.strerror or "cannot be read") from error
    finally:
        os.close(descriptor)
    return 1 if data == b'{"version": 1}\n' else marker.read(data)


def check_format(ref: StoreRef) -> int | None:
    """The format version of a store: the present one for other layouts, None without a marker. Raises FutureFormat, FormatError."""
    if ref.layout != CHECKED_LAYOUT:
        return marker.VERSION
    version = format_version(ref)
    if version is not None and version > marker.VERSION:
        raise FutureFormat(ref.path, version, marker.VERSION)
    return version


def recovery_dir(config: Config, ref: StoreRef) -> str:
    """Where a store's recovery records lie: in a native one, else in the user's data directory."""
    if ref.layout == CHECKED_LAYOUT:
        return os.path.join(ref.path, "recovery")
    from hashlib import sha256

    key = sha256(os.fsencode(ref.place)).hexdigest()[:32]
    return os.path.join(config.data_dir, "recovery", key)


def user_color(environ: Mapping[str, str]) -> str:
    """The user's choice of colours, `auto` where there is none; no module is loaded where there is no file."""
    home = environ.get("HOME") or os.path.expanduser("~")
    if not os.path.exists(user_file(environ, home)):
        return "auto"
    return load(environ, home).text("color") or "auto"


def now_ms() -> int:
    """The clock, in milliseconds since 1970 UTC."""
    return time.time_ns() // 1_000_000


def random_bits(count: int) -> int:
    """A random number of so many bits."""
    return int.from_bytes(os.urandom((count + 7) // 8), "big") >> (-count % 8)


def local_offset(naive_ms: int) -> int:
    """The local zone's offset from UTC in milliseconds at a local time given in milliseconds."""
    from datetime import datetime, timedelta

    try:
        offset = (datetime(1970, 1, 1) + timedelta(milliseconds=naive_ms)).astimezone().utcoffset()
    except (OverflowError, ValueError, OSError):
        return 0
    return int(offset / timedelta(milliseconds=1)) if offset is not None else 0
