"""The JSON documents of what makes a store usable: init, registered stores, configuration, trust."""

from __future__ import annotations

from remember.wire.shapes import DocumentBase

__all__ = [
    "ConfigEdited",
    "ConfigPath",
    "ConfigProblems",
    "ConfigSet",
    "ConfigShow",
    "ConfigUnset",
    "Initialised",
    "Registered",
    "RegisteredStores",
    "TrustChanged",
    "Trusted",
]


class Initialised(DocumentBase):
    """The answer of `init --json`."""

    root: str
    store: str
    made: bool
    """Whether it is new."""
    trusted: bool


class Registered(DocumentBase):
    """The answer of `store add` and `store remove` with --json."""

    name: str
    path: str
    """Its directory, or the file of a store of bullets."""
    layout: str
    public: str
    """The second directory of a harness store, else empty."""


class RegisteredStores(DocumentBase):
    """The answer of `store list --json`."""

    stores: list[Registered]


class Setting(DocumentBase):
    """A setting with its value and where that came from."""

    key: str
    value: str | int | bool | None
    source: str
    meaning: str


class ConfigShow(DocumentBase):
    """The answer of `config show --json`."""

    settings: list[Setting]


class ConfigPath(DocumentBase):
    """The answer of `config path --json`."""

    path: str


class ConfigSet(DocumentBase):
    """The answer of `config set --json`."""

    key: str
    value: str
    path: str


class ConfigUnset(DocumentBase):
    """The answer of `config unset --json`; exit status 1 where there was nothing to take out."""

    key: str
    path: str
    changed: bool


class ConfigEdited(DocumentBase):
    """The answer of `config edit --json`."""

    path: str
    changed: bool


class ConfigProblems(DocumentBase):
    """The answer of `config check --json`; exit status 1 where there is a problem."""

    problems: list[str]


class TrustChanged(DocumentBase):
    """The answer of `trust add` and `trust remove` with --json."""

    root: str
    changed: bool


class Trusted(DocumentBase):
    """The answer of `trust list --json`."""

    roots: list[str]
