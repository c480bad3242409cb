"""What makes a store usable: init, registered stores, configuration and trust, without a terminal."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from remember.errors import NoSuchRoot, RefusedInput, RememberError, UnsafePath
from remember.memory.context import user_color
from remember.setup import Setup


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    (tmp_path / "work").mkdir()
    return Setup({"HOME": str(tmp_path)}, str(tmp_path / "work"))


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_init_makes_a_private_store_and_trusts_it(setup: Setup, tmp_path: Path) -> None:
    done = setup.init()
    store = tmp_path / "work" / ".pi" / "memory"
    assert done == (str(tmp_path / "work"), str(store), True, True)
    assert (mode(store), mode(store / "MEMORY.md"), mode(store / "pi-remember.json")) == (0o700, 0o600, 0o600)
    assert sorted(path.name for path in store.iterdir()) == ["MEMORY.md", "pi-remember.json"]
    assert setup.trust_list() == (str(tmp_path / "work"),)
    (store / "MEMORY.md").write_text("kept\n")
    assert setup.init().made is False
    assert (store / "MEMORY.md").read_text() == "kept\n"


def test_init_keeps_removed_knowledge_out_of_a_repository(setup: Setup, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path / "work")], check=True)
    setup.init()
    ignore = tmp_path / "work/.pi/memory/.gitignore"
    assert ignore.read_text() == "recovery/\nmigrations/\n.remember-*\n"


def test_a_store_that_was_there_is_trusted_on_request_only(setup: Setup, tmp_path: Path) -> None:
    store = tmp_path / "work/.pi/memory"
    store.mkdir(parents=True)
    (store / "MEMORY.md").touch()
    assert setup.init()[2:] == (False, False)
    assert setup.init(trust=True)[2:] == (False, True)


def test_files_that_were_there_before_the_store_are_not_believed(setup: Setup, tmp_path: Path) -> None:
    store = tmp_path / "work/.pi/memory"
    store.mkdir(parents=True)
    (store / "topic.md").write_text("obey\n")
    assert setup.init()[2:] == (True, False)


def test_init_makes_no_workspace_and_follows_no_link(setup: Setup, tmp_path: Path) -> None:
    with pytest.raises(NoSuchRoot):
        setup.init("nowhere")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "work" / ".pi").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnsafePath):
        setup.init()
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_another_local_directory(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    setup = Setup({"HOME": str(tmp_path), "REMEMBER_LOCAL_DIR": ".remember/x"}, str(tmp_path / "work"))
    assert setup.init().store == str(tmp_path / "work/.remember/x")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_init_where_nothing_can_be_written_is_an_io_failure(setup: Setup, tmp_path: Path) -> None:
    os.chmod(tmp_path / "work", 0o500)
    with pytest.raises(RememberError):
        setup.init()
    os.chmod(tmp_path / "work", 0o700)


def test_registered_stores(setup: Setup, tmp_path: Path) -> None:
    (tmp_path / "work" / "docs").mkdir()
    assert setup.store_add("docs", "docs")[:3] == ("docs", str(tmp_path / "work/docs"), "vault")
    assert setup.store_add("home", "~").path == str(tmp_path)
    assert [store.name for store in setup.store_list()] == ["docs", "home"]
    setup.store_remove("docs")
    assert [store.name for store in setup.store_list()] == ["home"]


def test_configuration(setup: Setup, tmp_path: Path) -> None:
    assert setup.config_text() == "" and setup.config_check() == []
    setup.config_set("inject", "false")
    assert setup.config_text() == "inject = false\n" and mode(Path(setup.config_path())) == 0o600
    again = Setup({"HOME": str(tmp_path)}, str(tmp_path / "work"))
    assert {s.key: s.value for s in again.config_show()}["inject"] is False
    setup.config_write("nonsense = 1\n")
    assert "unknown key nonsense" in Setup({"HOME": str(tmp_path)}, str(tmp_path)).config_check()[0]


def test_a_projects_file_counts_only_where_its_root_is_trusted(setup: Setup, tmp_path: Path) -> None:
    setup.init()
    (tmp_path / "work/.pi/remember.toml").write_text("inject = false\n")
    values = {s.key: s for s in setup.config_show()}
    assert (values["inject"].value, values["inject"].source) == (False, str(tmp_path / "work/.pi/remember.toml"))
    setup.trust_remove(None)
    assert {s.key: s.value for s in setup.config_show()}["inject"] is True


def test_settings_of_a_project_are_set_and_taken_out(setup: Setup, tmp_path: Path) -> None:
    setup.init()
    project = tmp_path / "work/.pi/remember.toml"
    assert setup.config_set("inject", "false", project=True) == str(project)
    assert (project.read_text(), setup.config_text()) == ("inject = false\n", "")
    (shown,) = setup.config_show(["inject"])
    assert (shown.value, shown.source) == (False, str(project))
    assert setup.config_unset("inject") == (setup.config_path(), False)
    assert setup.config_unset("inject", project=True) == (str(project), True)
    with pytest.raises(RefusedInput, match="no setting injekt"):
        setup.config_show(["injekt"])


def test_trust(setup: Setup, tmp_path: Path) -> None:
    assert setup.trust_add(None) == (str(tmp_path / "work"), True)
    assert setup.trust_add(".") == (str(tmp_path / "work"), False)
    os.rename(tmp_path / "work", tmp_path / "gone")
    assert setup.trust_remove(str(tmp_path / "work")) == (str(tmp_path / "work"), True)
    with pytest.raises(NoSuchRoot):
        setup.trust_add("../nowhere")
    with pytest.raises(RefusedInput):
        setup.trust_add("")


def test_colours_of_the_users_file(tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path)}
    assert user_color(environ) == "auto"
    Setup(environ, str(tmp_path)).config_set("color", "never")
    assert user_color(environ) == "never"
