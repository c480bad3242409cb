"""Settings: each from the first place that has it, invalid ones named, the project's file kept to what can do no harm."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from remember.errors import RefusedInput
from remember.scope.config import Config, check, default_dirs, load, parse, user_file
from remember.scope.keys import KEYS, KEYS_BY_NAME
from remember.scope.settings import key_of, set_value, unset_value


@pytest.fixture
def at(tmp_path: Path) -> Any:
    """A function that loads the configuration with a user's file, a project's, and an environment."""

    def loaded(user: str | None = None, project: str | None = None, given: dict[str, object] | None = None, **environ: str) -> Config:
        path = Path(user_file(environ, str(tmp_path)))
        path.parent.mkdir(parents=True, exist_ok=True)
        if user is not None:
            path.write_text(user)
        project_file = tmp_path / "remember.toml"
        if project is not None:
            project_file.write_text(project)
        return load(environ, str(tmp_path), str(project_file) if project is not None else None, given)

    return loaded


def test_defaults(at: Any, tmp_path: Path) -> None:
    config = at()
    assert config.global_dir == str(tmp_path / ".pi/agent/memory")
    assert config.local_dir == ".pi/memory"
    assert config.number("inject_chars_local") == 3000 and config.switch("inject") and not config.switch("exit_summary")
    assert {value.source for value in config.values.values()} == {"default"}
    assert (config.warnings, set(config.values)) == ((), {key.name for key in KEYS})


def test_the_order_of_places(at: Any) -> None:
    user, project = "inject_chars_local = 1\n", "inject_chars_local = 2\n"
    name = "inject_chars_local"
    assert at(user).number(name) == 1
    assert at(user, project).number(name) == 2
    assert at(user, project, PI_REMEMBER_INJECT_CHARS_LOCAL="3").number(name) == 3
    assert at(user, project, PI_REMEMBER_INJECT_CHARS_LOCAL="3", REMEMBER_INJECT_CHARS_LOCAL="4").number(name) == 4
    found = at(user, project, {"inject_chars_local": 5}, REMEMBER_INJECT_CHARS_LOCAL="4")
    assert found.values[name] == (5, "command line")
    assert at(user, project, REMEMBER_INJECT_CHARS_LOCAL="").number(name) == 2


def test_the_names_of_the_global_directory(at: Any) -> None:
    assert at(PI_REMEMBER_DIR="/c").global_dir == "/c"
    assert at(PI_REMEMBER_DIR="/c", REMEMBER_GLOBAL_DIR="/b").global_dir == "/b"
    assert at(PI_REMEMBER_DIR="/c", REMEMBER_GLOBAL_DIR="/b", REMEMBER_DIR="/a").global_dir == "/a"
    assert at(REMEMBER_DIR="~/x/../y").global_dir.endswith("/y")


@pytest.mark.parametrize("key", [key.name for key in KEYS if not key.project])
def test_a_project_sets_nothing_that_could_do_harm(at: Any, tmp_path: Path, key: str) -> None:
    config = at(project=f'{key} = "/etc"\n')
    assert config.values[key].source == "default" and config.warnings == ()
    assert check(config, str(tmp_path / "remember.toml")) == [f"{tmp_path / 'remember.toml'}: {key} may not be set by a project"]


@pytest.mark.parametrize(
    ("key", "bad"),
    [
        ("inject", "perhaps"),
        ("inject_chars_local", "0"),
        ("inject_chars_local", "-1"),
        ("inject_chars_local", "3.5"),
        ("color", "pink"),
        ("exit_summary_scope", "both"),
        ("local_dir", "/abs"),
        ("local_dir", "../up"),
        ("local_dir", "a//b"),
        ("local_dir", ".git/memory"),
        ("local_dir", "."),
        ("local_dir", "~/x"),
    ],
)
def test_an_invalid_value_is_named_and_the_default_used(at: Any, key: str, bad: str) -> None:
    config = at(**{f"REMEMBER_{key.upper()}": bad})
    assert config.values[key].source == "default"
    assert len(config.warnings) == 1 and f"REMEMBER_{key.upper()}" in config.warnings[0] and bad in config.warnings[0]


@given(
    st.sampled_from(KEYS),
    st.one_of(st.text(), st.integers(), st.floats(), st.booleans(), st.lists(st.text(max_size=3), max_size=2), st.none()),
)
@example(KEYS_BY_NAME["inject_chars_local"], "²")
@example(KEYS_BY_NAME["inject_chars_local"], "9" * 5000)
def test_any_value_is_taken_or_refused(key: Any, raw: object) -> None:
    try:
        value = parse(key, raw, "/home/you")
    except ValueError as error:
        assert str(error).startswith("is ")
        return
    if key.kind == "path":
        assert os.path.isabs(str(value))
    if key.kind == "relative":
        assert not os.path.isabs(str(value)) and os.path.normpath("/r/" + str(value)).startswith("/r/")


def test_files_that_are_no_toml_are_said_and_not_read(at: Any) -> None:
    for text in ("= 1", "[", "inject = ", "\ud800".encode("utf-8", "surrogatepass").decode("latin-1") + "="):
        config = at(text)
        assert len(config.warnings) == 1 and "it is not read" in config.warnings[0]
    assert at("\ufeffinject = false\n").switch("inject") is False


def test_unknown_keys_are_named_with_the_nearest(at: Any) -> None:
    assert check(at("injekt = true\nwhat = 1\n[check]\nR501 = 'off'\n"))[0].endswith("unknown key injekt (did you mean inject?)")


def test_severities_of_findings(at: Any) -> None:
    config = at("[check]\nR501 = 'info'\nR504 = 'off'\n", "[check]\nR504 = 'error'\n")
    assert config.severities == {"R501": "info", "R504": "error"}
    assert at("[check.severity]\nR501 = 'info'\n").severities == {"R501": "info"}


def test_places_on_each_platform() -> None:
    assert default_dirs({}, "/h", "linux") == ("/h/.config/remember", "/h/.cache/remember", "/h/.local/share/remember")
    xdg = {"XDG_CONFIG_HOME": "/c", "XDG_CACHE_HOME": "relative", "XDG_DATA_HOME": ""}
    assert default_dirs(xdg, "/h", "linux") == ("/c/remember", "/h/.cache/remember", "/h/.local/share/remember")
    assert default_dirs({}, "/h", "darwin")[1] == "/h/Library/Caches/remember"


# Setting one key.


def written(tmp_path: Path, before: str, key: str, raw: str) -> str:
    path = tmp_path / "config.toml"
    path.write_text(before, newline="")
    set_value(str(path), key_of(key), raw, "/home/you", lambda place, data: Path(place).write_bytes(data) and None)
    return path.read_bytes().decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "inject = false\n"),
        ("# mine\n", "# mine\ninject = false\n"),
        ("# mine", "# mine\ninject = false\n"),
        ("inject = true # why\ncolor = 'never'\n", "inject = false # why\ncolor = 'never'\n"),
        ("'inject'  = true\n", "'inject'  = false\n"),
        ("color = 'auto'\n\n[check]\nR501 = 'off'\n", "color = 'auto'\n\ninject = false\n[check]\nR501 = 'off'\n"),
        ("inject = 'a # b' # why\n", "inject = false # why\n"),
        ('inject = "a # \'b" #why\n', "inject = false #why\n"),
        ("color = 'auto'\r\n", "color = 'auto'\r\ninject = false\r\n"),
        ("\ufeffcolor = 'auto'\n", "\ufeffcolor = 'auto'\ninject = false\n"),
    ],
)
def test_a_key_is_set_by_its_span(tmp_path: Path, before: str, after: str) -> None:
    assert written(tmp_path, before, "inject", "no") == after


@pytest.mark.parametrize("before", ['color = """\ninject = true\n"""\n', "inject = [\n1]\n", "= 1\n", "a = '''\n[x]\n'''\n"])
def test_what_cannot_be_set_without_touching_more_is_refused(tmp_path: Path, before: str) -> None:
    try:
        after = written(tmp_path, before, "inject", "no")
    except RefusedInput:
        assert (tmp_path / "config.toml").read_text() == before
        return
    import tomllib

    assert tomllib.loads(after) == {**tomllib.loads(before), "inject": False}


def test_unknown_and_invalid_settings_are_refused(tmp_path: Path) -> None:
    for key, raw in (("nothing", "1"), ("inject", "perhaps"), ("local_dir", "../x"), ("inject_chars_local", "")):
        with pytest.raises(RefusedInput):
            written(tmp_path, "", key, raw)


def unset(tmp_path: Path, before: str, key: str) -> tuple[str, bool]:
    path = tmp_path / "config.toml"
    path.write_text(before, newline="")
    was_there = unset_value(str(path), key, lambda place, data: Path(place).write_bytes(data) and None)
    return path.read_bytes().decode(), was_there


@pytest.mark.parametrize(
    ("before", "after", "was_there"),
    [
        ("", "", False),
        ("inject = false\n", "", True),
        ("# mine\ncolor = 'never' # why\r\ninject = false\r\n# end", "# mine\ncolor = 'never' # why\r\n# end", True),
        ("color = 'never'\n[check]\ninject = 'off'\n", "color = 'never'\n[check]\ninject = 'off'\n", False),
        ("\ufeffcolor = 'never'\n'inject' = true", "\ufeffcolor = 'never'\n", True),
    ],
)
def test_a_key_is_taken_out_by_its_line(tmp_path: Path, before: str, after: str, was_there: bool) -> None:
    assert unset(tmp_path, before, "inject") == (after, was_there)


@pytest.mark.parametrize("before", ["inject = [\n1]\n", "= 1\n", 'color = """\ninject = true\n"""\n'])
def test_what_cannot_be_taken_out_alone_stays(tmp_path: Path, before: str) -> None:
    with pytest.raises(RefusedInput):
        unset(tmp_path, before, "inject")
    assert (tmp_path / "config.toml").read_text() == before


def test_a_project_sets_what_is_a_projects() -> None:
    assert key_of("color", project=True).name == "color"
    with pytest.raises(RefusedInput, match="may not be set by a project") as caught:
        key_of("cache_dir", project=True)
    assert "inject_chars_local" in caught.value.hint


@given(st.sampled_from(["summary_command", "exit_summary_model"]), st.text(min_size=1, max_size=30))
def test_any_text_comes_back(tmp_path_factory: pytest.TempPathFactory, key: str, raw: str) -> None:
    folder = tmp_path_factory.mktemp("set")
    try:
        after = written(folder, "", key, raw)
    except RefusedInput:
        return
    import tomllib

    assert tomllib.loads(after) == {key: raw}
