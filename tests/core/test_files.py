"""Files written whole or not at all; names that mean no file; users without a home."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from zermelo import GameError
from zermelo.core import files
from zermelo.core.files import given_path, read_plain, user_folder, write_atomically


def test_a_link_keeps_pointing_where_it_does(tmp_path):
    (tmp_path / "real").write_bytes(b"one")
    (tmp_path / "real").chmod(0o640)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_atomically(tmp_path / "link", b"two")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"two"
    assert (tmp_path / "real").stat().st_mode & 0o777 == 0o640
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("name", ["a\0b", "x" * 300, "/dev/full", ".", "nowhere/x"])
def test_names_that_cannot_be_written(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(GameError):
        write_atomically(name, b"x")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a\0b", "x" * 300, "/dev/full", ".", "nowhere"])
def test_names_that_cannot_be_read(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(GameError):
        read_plain(name)


def test_what_is_too_large_is_not_read(tmp_path):
    (tmp_path / "x").write_bytes(b"12345")
    assert read_plain(tmp_path / "x", 5) == b"12345"
    with pytest.raises(GameError, match="more than 4 bytes"):
        read_plain(tmp_path / "x", 4)


@pytest.fixture
def homeless(monkeypatch, tmp_path):
    """As in a container that runs under a number nobody has given a name to."""

    def no_home():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", no_home)
    monkeypatch.setattr(files.tempfile, "tempdir", str(tmp_path))
    monkeypatch.delenv("XDG_TEST_HOME", raising=False)
    files._own_temporary_folder.cache_clear()
    yield tmp_path
    files._own_temporary_folder.cache_clear()


def test_without_a_home_there_is_a_temporary_folder_of_ones_own(homeless):
    folder = homeless / f"zermelo-{os.getuid()}"
    assert user_folder("XDG_TEST_HOME", ".cache") == folder / ".cache"
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_others_can_write_to_is_not_used(homeless):
    """Machine code is kept there and run again."""
    folder = homeless / f"zermelo-{os.getuid()}"
    folder.mkdir()
    folder.chmod(0o777)
    found = user_folder("XDG_TEST_HOME", ".cache").parent
    assert found != folder
    assert found.stat().st_mode & 0o777 == 0o700


def test_a_user_without_a_home_can_name_files():
    assert given_path("~nobody-of-this-name/x") == Path("~nobody-of-this-name/x")


@pytest.mark.parametrize("command", ["explain three-bins", "doctor", "play tic-tac-toe -P random,random", "games"])
def test_commands_of_a_user_without_a_name(tmp_path, command):
    """No HOME, and no entry among the users; `env -i` alone would leave the latter."""
    script = (
        "import pwd, sys\n"
        "def nobody(number): raise KeyError(number)\n"
        "pwd.getpwuid = nobody\n"
        "from zermelo.interfaces.cli import main\n"
        f"sys.exit(main({command.split()!r}))"
    )
    environment = {"TMPDIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path), "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
