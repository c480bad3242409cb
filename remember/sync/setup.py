"""Puts the merge driver into a repository, and takes it out: attributes that travel with the store, configuration that does not."""

from __future__ import annotations

import os

from remember._named import NamedTuple
from remember.errors import IOFailure, RefusedInput
from remember.files.lines import read_small, replace_file
from remember.format.counts import counted
from remember.layouts import layout_of
from remember.sync.git import Git, Repository, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from remember.layouts import Rules
    from remember.model import StoreRef

__all__ = ["KINDS", "Done", "Place", "attributes_of", "chosen_driver", "driver_line", "install", "place_of", "settings", "uninstall"]

KINDS = ("facts", "note", "bullets", "index")
"""What a merge driver is made for."""

_BY_LAYOUT = {
    "remember": (("*.md", "note"), ("/MEMORY.md", "facts")),
    "zcode": (("*.md", "note"), ("/MEMORY.md", "index")),
    "bullets": (("", "bullets"),),
}
_IGNORED = ("recovery/", "migrations/", ".remember-*")


class Place(NamedTuple):
    """A store in its repository: `git` runs in `folder`, the store's directory; `attributes` is the file that names the drivers.

    `file` is the file that most is in, and all of a store of bullets; `rules` say what is memory. For a native store the
    attributes are its own `.gitattributes`; nothing of ours is put into a directory of another program, so for
    others it is `info/attributes` in git's directory, whose patterns begin at the top.
    """

    git: Git
    folder: str
    layout: str
    repository: Repository
    attributes: str
    file: str
    rules: Rules

    @property
    def native(self) -> bool:
        """Whether the store is of our own layout."""
        return self.layout == "remember"

    @property
    def whole(self) -> bool:
        """Whether the repository is the store's own: a single file shares its directory with others."""
        return self.repository.whole and not self.rules.only


class Done(NamedTuple):
    """What was changed, or would be in a dry run, and what there is to know and to do."""

    repository: str
    store: str
    changes: tuple[str, ...]
    notes: tuple[str, ...]


def place_of(ref: StoreRef, environ: Mapping[str, str]) -> Place:
    """Where a store lies in git. Raises RefusedInput where it does not, or is of a layout that is not merged by memo."""
    if ref.layout not in _BY_LAYOUT:
        raise RefusedInput(f"{ref.path}: a store of the layout {ref.layout} is not merged by memo", "git's own merge serves there")
    folder = ref.path
    git = Git(folder, environ)
    repository = find(git)
    if repository is None:
        raise RefusedInput(f"{folder} lies in no git repository", f"make one with `git init {folder}`, or keep the store in a project's")
    native = ref.layout == "remember"
    attributes = os.path.join(folder, ".gitattributes") if native else os.path.join(repository.common, "info", "attributes")
    return Place(git, folder, ref.layout, repository, attributes, ref.file or "MEMORY.md", layout_of(ref).rules)


def attributes_of(place: Place) -> tuple[str, ...]:
    """The lines that name a merge driver for each kind of file of a store."""
    prefix = "" if place.native else place.repository.prefix
    return tuple(
        f"{_pattern(pattern or '/' + _escaped(place.file), prefix)} merge=remember-{kind}" for pattern, kind in _BY_LAYOUT[place.layout]
    )


def _pattern(pattern: str, prefix: str) -> str:
    """A pattern below a directory; in double quotes where a name holds what ends a pattern (gitattributes(5))."""
    if not prefix and " " not in pattern:
        return pattern
    start = f"/{_escaped(prefix)}/{'**/' if pattern[0] == '*' else ''}" if prefix else "/"
    whole = start + pattern.lstrip("/")
    return '"' + whole.replace("\\", "\\\\").replace('"', '\\"') + '"' if " " in whole or "\t" in whole or '"' in whole else whole


def _escaped(name: str) -> str:
    return "".join("\\" + char if char in "*?[\\" else char for char in name)


def driver_line(command: Sequence[str], kind: str) -> str:
    """The shell command that git runs: ours, and where that cannot be run at all (126, 127, a crash) git's merge by lines.

    Without the second half a missing program would leave our side in the file, without a marker, to be committed by mistake.
    """
    from shlex import quote

    program = " ".join(quote(word).replace("%", "%%") for word in command)
    ours = f"{program} git merge-driver --color never {kind} %O %A %B %L %P"  # a given colour keeps the configuration shut
    plain = "git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B"
    return f"{ours}; s=$?; test $s -lt 2 || {{ {plain}; test $? -eq 0; s=$?; }}; exit $s"


def settings(command: Sequence[str]) -> dict[str, str]:
    """git's configuration by key."""
    found = {}
    for kind in KINDS:
        found[f"merge.remember-{kind}.name"] = f"remember: {kind} merged by memo"
        found[f"merge.remember-{kind}.driver"] = driver_line(command, kind)
    return found


def install(place: Place, command: Sequence[str], dry_run: bool = False) -> Done:
    """Put attributes and configuration where they are missing, try the driver, and say what each clone must run.

    Doing it again changes nothing. Raises IOFailure, RefusedInput where git ignores the store.
    """
    git = place.git
    _refuse_ignored(place)
    changes: list[str] = []
    for key, value in settings(command).items():
        if git.run("config", "--local", "--get", key).out.decode("utf-8", "replace") != value + "\n":
            changes.append(f"git config {key}")
            if not dry_run:
                git.text("config", "--local", key, value)
    changes += _add_lines(place.attributes, attributes_of(place), dry_run)
    if place.native:
        missing = [name for name in _IGNORED if not git.ignores(name.replace("*", "") + "x")]
        changes += _add_lines(os.path.join(place.folder, ".gitignore"), missing, dry_run)
    return Done(place.repository.top, place.folder, tuple(changes), tuple(_notes(place, dry_run)))


def uninstall(place: Place, dry_run: bool = False) -> Done:
    """Take out exactly the configuration and the attributes' lines that `install` puts in; `.gitignore` stays."""
    git = place.git
    changes: list[str] = []
    for kind in KINDS:
        if git.run("config", "--local", "--get-regexp", f"^merge\\.remember-{kind}\\.").status == 0:
            changes.append(f"git config --remove-section merge.remember-{kind}")
            if not dry_run:
                git.text("config", "--local", "--remove-section", f"merge.remember-{kind}")
    changes += _take_lines(place.attributes, attributes_of(place), dry_run)
    notes = ["commit the changed .gitattributes"] if place.native and any(".gitattributes" in change for change in changes) else []
    if place.native:
        notes.append(".gitignore stays: without it removed memos would be published")
    return Done(place.repository.top, place.folder, tuple(changes), tuple(notes))


def _refuse_ignored(place: Place) -> None:
    name = place.file
    rule = place.git.ignores(name)
    if rule and place.git.run("ls-files", "--error-unmatch", "--", name).status:
        raise RefusedInput(f"{place.folder}: git ignores this store ({rule})", "take the rule out, or keep the store elsewhere")


def _read(path: str) -> str:
    try:
        return (read_small(path) or b"").decode("utf-8", "surrogateescape")
    except OSError as error:
        raise IOFailure(path, error) from error


def _write(path: str, text: str) -> None:
    try:
        if text:
            replace_file(path, text.encode("utf-8", "surrogateescape"))
        else:
            os.unlink(path)
    except OSError as error:
        raise IOFailure(path, error) from error


def _add_lines(path: str, wanted: Sequence[str], dry_run: bool) -> list[str]:
    """Append the lines that a file has not yet; a sentence for each file that changes."""
    text = _read(path)
    there = {line.strip() for line in text.split("\n")}
    missing = [line for line in wanted if line not in there]
    if not missing:
        return []
    if not dry_run:
        newline = "\r\n" if "\r\n" in text else "\n"
        text += newline if text and not text.endswith("\n") else ""
        _write(path, text + "".join(line + newline for line in missing))
    return [f"{path}: {', '.join(missing)}"]


def _take_lines(path: str, unwanted: Sequence[str], dry_run: bool) -> list[str]:
    text = _read(path)
    lines = text.splitlines(keepends=True)
    kept = [line for line in lines if line.strip() not in unwanted]
    if len(kept) == len(lines):
        return []
    if not dry_run:
        _write(path, "".join(kept))
    return [f"{path}: without {', '.join(line.strip() for line in lines if line.strip() in unwanted)}"]


def _notes(place: Place, dry_run: bool) -> list[str]:
    """What there is to know, and what is left to do."""
    git = place.git
    notes = [] if dry_run else _checked(place)
    if place.native:
        tracked = git.paths("ls-files", "-z", "--", "recovery", "migrations")
        if tracked:
            notes.append(
                f"git carries {counted(len(tracked), 'file')} of removed memos: "
                f"`git rm -r --cached recovery migrations` in {place.folder} ends that"
            )
        if git.text("status", "--porcelain", "--", ".gitattributes", ".gitignore") or dry_run:
            notes.append("commit .gitattributes and .gitignore, so that other clones know how to merge")
    return [*notes, "in every other clone run `remember git setup` once: git does not carry configuration"]


def _checked(place: Place) -> list[str]:
    """What is wrong with what was put in: another attribute that wins, a driver that does not run."""
    name, kind = place.file, _BY_LAYOUT[place.layout][-1][1]
    chosen = chosen_driver(place)
    found = [] if chosen == f"remember-{kind}" else [f"another attribute wins: git merges {name} with {chosen}"]
    return found + _tried(place, kind)


_SAMPLES = {
    "facts": ("<!-- 2026-10-18T16:10:33Z [a1b2c3d4] -->\none\n", "<!-- 2026-10-18T16:10:34Z [e5f6a7b8] -->\nother\n"),
    "bullets": ("- one\n", "- other\n"),
    "index": ("- [one](one.md)\n", "- [other](other.md)\n"),
}
"""Two sides that only a merge by memo can put together."""


def chosen_driver(place: Place) -> str:
    """What git merges the store's main file with (`unspecified` where nothing is asked for)."""
    return place.git.text("check-attr", "-z", "merge", "--", place.file).split("\0")[2]


def _tried(place: Place, kind: str) -> list[str]:
    """Merge three small files as git would; [] where that gives what it must."""
    import subprocess
    import tempfile

    line = place.git.text("config", "--get", f"merge.remember-{kind}.driver")
    ours, theirs = _SAMPLES[kind]
    with tempfile.TemporaryDirectory(prefix="remember-") as folder:
        for name, text in (("O", ""), ("A", ours), ("B", theirs)):
            line = line.replace(f"%{name}", name)
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        line = line.replace("%L", "7").replace("%P", "try.md").replace("%%", "%")
        try:
            done = subprocess.run(["sh", "-c", line], cwd=folder, env=place.git.environ, capture_output=True, check=False)
        except OSError as error:
            raise IOFailure("sh", error, "git needs a shell to run a merge driver") from error
        with open(os.path.join(folder, "A"), encoding="utf-8", errors="replace") as file:
            merged = file.read()
    if done.returncode == 0 and merged == ours + theirs:
        return []
    said = done.stderr.decode("utf-8", "replace").strip().split("\n")[-1]
    return [f"the driver does not run: {said or f'exit status {done.returncode}'}"]
