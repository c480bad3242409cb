"""`Setup`: the verbs about stores, configuration and trust; what makes a store usable rather than what is in it."""

from __future__ import annotations

import os

from remember._named import NamedTuple
from remember.errors import IOFailure, NoSuchRoot, RefusedInput, UnsafePath
from remember.scope import registry
from remember.scope.config import Config, check, check_tables, load, user_file
from remember.scope.discover import canonical_root, find_root, is_store, local_store
from remember.scope.keys import KEYS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from remember.exchange.agents import Found
    from remember.scope.registry import Registered

__all__ = ["Discovery", "Initialised", "Setting", "Setup"]

_IGNORE = "recovery/\nmigrations/\n.remember-*\n"


class Initialised(NamedTuple):
    """What `init` found or made: the root and its store, whether the store is new, and whether it is trusted now."""

    root: str
    store: str
    made: bool
    trusted: bool


class Setting(NamedTuple):
    """One key of the configuration with its value, where that came from, and what it means."""

    key: str
    value: object
    source: str
    meaning: str


class Discovery(NamedTuple):
    """Memory of another program with a free name for it, or the name by which it is registered already."""

    found: Found
    registered: str | None

    @property
    def command(self) -> str:
        """The command line that registers it, or imports it where it can only be imported."""
        from shlex import quote

        path = quote(self.found.path)
        if not self.found.layout:
            return f"remember import {self.found.format} {path}"
        return f"remember store add {quote(self.found.name)} {path} --layout {self.found.layout}"

    @property
    def can_register(self) -> bool:
        """Whether a yes registers it: not what is registered, can only be imported, or was named by files of the workspace."""
        return self.registered is None and bool(self.found.layout) and self.found.vouched


class Setup:
    """Stores, configuration and trust of one user."""

    def __init__(self, environ: Mapping[str, str] | None = None, cwd: str | None = None) -> None:
        self.environ = dict(os.environ) if environ is None else environ
        self.cwd = _working_directory() if cwd is None else cwd
        self.home = self.environ.get("HOME") or os.path.expanduser("~")
        self.config: Config = load(self.environ, self.home)

    def init(self, root: str | None = None, trust: bool = False) -> Initialised:
        """Make the local store of a workspace, and trust it; one that is there already is trusted only on request.

        Raises NoSuchRoot, IOFailure, DamagedStore, UnsafePath.
        """
        from remember.store.create import create_store
        from remember.sync.findings import in_git

        folder = canonical_root(root if root is not None else self.cwd, self.cwd, self.home)
        path = os.path.join(folder, *self.config.local_dir.split("/"))
        registry.check_root(folder)
        if os.path.realpath(path) != path:
            raise UnsafePath(path, "it leads through a link")
        # Whatever lay there before came from somebody else, even where it was no whole store yet.
        empty = not os.path.isdir(path) or not os.listdir(path)
        made = False
        if not is_store(path):
            made = create_store(path)
            if made and in_git(folder):
                self._ignore(path)
        trusted = folder in registry.trusted(self.config.config_dir)
        if ((made and empty) or trust) and not trusted:
            registry.trust(self.config.config_dir, folder)
            trusted = True
        return Initialised(folder, path, made, trusted)

    def _ignore(self, store: str) -> None:
        """Keep removed knowledge out of the repository that the store lies in."""
        path = os.path.join(store, ".gitignore")
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return
        except OSError as error:
            raise IOFailure(path, error) from error
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(_IGNORE)

    def store_add(self, name: str, path: str, layout: str | None = None, near: str | None = None) -> Registered:
        """Register a store by name; a harness's public directory is looked for from `near` upwards, else from the working directory.

        Raises RefusedInput, UnknownStore.
        """
        if path == "~" or path.startswith("~/"):
            path = self.home + path[1:]
        return registry.add(self.config.config_dir, name, os.path.join(self.cwd, path), layout, near or self.cwd)

    def store_discover(self, root: str | None = None) -> tuple[str, tuple[Discovery, ...]]:
        """The workspace looked at, and memory of other programs for it and its user. Raises NoSuchRoot."""
        from remember.exchange.agents import find_memories, workspace

        folder = self._root(root)
        here = folder if root is not None else os.path.realpath(self.cwd)
        known = {os.path.realpath(store.path): store.name for store in self.store_list()}
        names = set(known.values()) | registry.RESERVED
        space = workspace(here, folder, self.home, self.environ, folder in registry.trusted(self.config.config_dir))
        found = []
        for one in find_memories(space):
            registered = known.get(os.path.realpath(one.path))
            name, number = registered or one.name, 1
            while not registered and name in names:
                number += 1
                name = f"{one.name}-{number}"
            names.add(name)
            found.append(Discovery(one._replace(name=name), registered))
        return folder, tuple(found)

    def store_list(self) -> tuple[Registered, ...]:
        """All registered stores."""
        return registry.stores(self.config.config_dir)

    def store_remove(self, name: str) -> Registered:
        """Forget a registration; the store stays. Raises UnknownStore."""
        return registry.remove(self.config.config_dir, name)

    def _trusted_config(self) -> tuple[Config, str | None]:
        """The configuration as it holds in the working directory, with the project's file where its root is trusted."""
        trusted = registry.trusted(self.config.config_dir)
        local = local_store(None, self.cwd, self.config, trusted)
        project = os.path.join(str(local.root), ".pi", "remember.toml")
        if not local.trusted or not os.path.exists(project):
            return self.config, None
        return load(self.environ, self.home, project), project

    def config_show(self, names: Sequence[str] = ()) -> tuple[Setting, ...]:
        """Every setting with its source, or those of these names. Raises RefusedInput for a name that is none."""
        from remember.scope.settings import key_of

        config, _ = self._trusted_config()
        keys = [key_of(name) for name in names] or KEYS
        return tuple(Setting(key.name, config.values[key.name].value, config.values[key.name].source, key.meaning) for key in keys)

    def config_path(self) -> str:
        """The user's configuration file, there or not."""
        return user_file(self.environ, self.home)

    def config_check(self) -> list[str]:
        """Every problem of the configuration, [] for none."""
        from remember.check.severities import problems

        config, project = self._trusted_config()
        return check(config, project) + [f"{path}: {what}" for path, table in check_tables(config, project) for what in problems(table)]

    def config_set(self, key: str, value: str, project: bool = False) -> str:
        """Set one key of the user's file, or of the project's; all its other bytes stay. The file's path.

        Raises RefusedInput, IOFailure.
        """
        from remember.scope.settings import key_of, set_value

        known = key_of(key, project)
        path = self._project_file() if project else self.config_path()
        set_value(path, known, value, self.home, _put)
        return path

    def config_unset(self, key: str, project: bool = False) -> tuple[str, bool]:
        """Take one key out of the user's file, or of the project's: the file's path, and whether it was there."""
        from remember.scope.settings import key_of, unset_value

        name = key_of(key).name
        path = self._project_file() if project else self.config_path()
        return path, unset_value(path, name, _put)

    def _project_file(self) -> str:
        """The settings of the workspace, there or not."""
        return os.path.join(self._root(None), ".pi", "remember.toml")

    def config_text(self) -> str:
        """The user's configuration file, "" where there is none."""
        try:
            with open(self.config_path(), encoding="utf-8", errors="surrogateescape", newline="") as file:
                return file.read()
        except FileNotFoundError:
            return ""
        except OSError as error:
            raise IOFailure(self.config_path(), error) from error

    def config_write(self, text: str) -> None:
        """Replace the user's configuration file. Raises IOFailure."""
        _put(self.config_path(), text.encode("utf-8", "surrogateescape"))

    def trust_add(self, root: str | None) -> tuple[str, bool]:
        """Trust a root; (canonical root, whether that is new). Raises NoSuchRoot."""
        folder = self._root(root)
        return folder, registry.trust(self.config.config_dir, folder)

    def trust_remove(self, root: str | None) -> tuple[str, bool]:
        """Trust a root no longer; (root, whether it was trusted). A root that has vanished can be taken out by its path."""
        folder = os.path.realpath(os.path.join(self.cwd, root)) if root else self._root(None)
        return folder, registry.untrust(self.config.config_dir, folder)

    def trust_list(self) -> tuple[str, ...]:
        """All trusted roots, sorted."""
        return tuple(sorted(registry.trusted(self.config.config_dir)))

    def _root(self, root: str | None) -> str:
        if root is None:
            return find_root(self.cwd, self.home, self.config.local_dir)[0]
        if not root:
            raise RefusedInput("the root is empty", "name a directory")
        return canonical_root(root, self.cwd, self.home)


def _put(path: str, data: bytes) -> None:
    from remember.files.lines import replace_file

    try:
        replace_file(path, data)
    except OSError as error:
        raise IOFailure(path, error) from error


def _working_directory() -> str:
    """The directory that the call is made in. Raises NoSuchRoot where it was deleted."""
    try:
        return os.getcwd()
    except OSError as error:
        raise NoSuchRoot(".", "the working directory is gone") from error
