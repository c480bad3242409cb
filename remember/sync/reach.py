"""Why git could not talk to a remote: told by what git and ssh say in the C locale, since both end with the same status."""

from __future__ import annotations

from remember.errors import IOFailure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.sync.git import Done

__all__ = ["failure", "is_offline", "said"]

# Words of curl (libcurl's strerror.c), ssh and the C library.
_NO_NETWORK = (
    *("could not resolve host", "could not resolve proxy", "temporary failure in name resolution", "name or service not known"),
    *("connection refused", "connection timed out", "operation timed out", "connection timeout", "timeout was reached"),
    *("network is unreachable", "network is down", "no route to host", "host is down", "failed to connect to", "couldn't connect to"),
    *("unable to look up", "connection reset", "unable to connect to", "could not connect to"),
)
_REFUSED = (
    *("authentication failed", "could not read username", "could not read password", "permission denied", "access denied"),
    *(
        "host key verification failed",
        "returned error: 401",
        "returned error: 403",
        "dubious ownership",
        "certificate",
        "invalid credentials",
        "too many authentication",
    ),
)
_NOWHERE = ("does not appear to be a git repository", "repository not found", "returned error: 404", "' not found", "does not exist")


def is_offline(done: Done) -> bool:
    """Whether a git command failed since no network led to the remote."""
    return _says(done, _NO_NETWORK)


def failure(done: Done, command: str) -> IOFailure:
    """The error for a command that failed for another reason, with what to do about it; what was committed stays."""
    if _says(done, _REFUSED):
        hint = (
            "the remote does not let you in: mend the key, the password, the certificate or the address (`git remote -v`), then sync again"
        )
    elif _says(done, _NOWHERE):
        hint = "there is no such repository: make it, or mend the address (`git remote -v`, `git remote set-url`), then sync again"
    else:
        hint = "mend what git says, then sync again"
    return IOFailure(command, said(done), f"{hint}; what was committed stays")


def _says(done: Done, words: tuple[str, ...]) -> bool:
    text = done.said.casefold()
    return any(word in text for word in words)


def said(done: Done) -> str:
    """What git said; where that is only that ssh failed, what ssh said."""
    if not done.reason.startswith("Could not read from remote"):
        return done.reason
    lines = [line.strip() for line in done.said.splitlines() if _says(done._replace(said=line), (*_REFUSED, *_NOWHERE, *_NO_NETWORK))]
    return lines[0] if lines else done.reason
