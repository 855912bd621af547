"""The command line as a whole: help, exit codes, interruptions, and how fast it starts."""

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import zermelo

COMMANDS = (
    *("games", "play", "search", "solve", "match", "tournament", "replay", "train", "plan", "weights"),
    *("explain", "check", "new", "perft", "doctor", "experiment"),
)
CALL = [sys.executable, "-c", "import sys; from zermelo.interfaces.cli import main; sys.exit(main())"]


def test_help_names_every_command(zermelo_cli):
    outcome = zermelo_cli("--help")
    assert outcome.code == 0
    assert all(command in outcome.out for command in COMMANDS)


@pytest.mark.parametrize(
    "command",
    [*([name] for name in COMMANDS), *(["experiment", name] for name in ("ordering", "monotone", "equity-lost"))],
)
def test_every_command_has_help(zermelo_cli, command):
    for flag in ("--help", "-h"):
        outcome = zermelo_cli(*command, flag)
        assert outcome.code == 0
        assert "Usage:" in outcome.out
        assert outcome.err == ""


def test_the_version(zermelo_cli):
    assert zermelo_cli("--version").out == f"zermelo {zermelo.__version__}\n"


def test_nothing_at_all_shows_the_help(zermelo_cli):
    outcome = zermelo_cli()
    assert "Usage:" in outcome.out + outcome.err
    assert "explain" in outcome.out + outcome.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["frobnicate"],
        ["perft"],
        ["perft", "nim"],
        ["perft", "nim", "x"],
        ["perft", "nim", "2", "--nonsense"],
        ["check", "nim", "--games", "-3"],
        ["explain", "nim", "--algorithm", "guess"],
        ["explain", "nim", "--option", "x"],
        ["explain", "nim", "--option", "=3"],
        ["explain", "pursuit", "--option", "rows=3", "--option", "rows=4"],
    ],
)
def test_wrong_command_lines(refused, arguments):
    assert len(refused(*arguments)) < 300


@pytest.mark.parametrize("command", [["check"], ["explain"], ["perft"]])
def test_an_unknown_game_and_what_was_meant(refused, command):
    depth = ["2"] if command == ["perft"] else []
    assert "did you mean tic-tac-toe?" in refused(*command, "tictactoe", *depth)
    assert "there is no file 'nowhere.py'" in refused(*command, "nowhere.py:Game", *depth)


def test_a_game_file_that_raises_is_told_by_line(refused, tmp_path):
    path = tmp_path / "raising.py"
    path.write_text(
        "from zermelo import Game\n"
        "class Raising(Game):\n"
        "    name = 'raising'\n"
        "    def start(self): return 0\n"
        "    def player(self, s): return {}[s]\n"
        "    def actions(self, s): return []\n"
        "    def succ(self, s, a): return s\n"
        "    def utility(self, s, player=0): return 0\n"
    )
    assert "KeyError: 0, line 5 of raising.py" in refused("explain", path)


def test_a_traceback_can_be_asked_for(zermelo_cli, monkeypatch):
    monkeypatch.setenv("ZERMELO_TRACEBACK", "1")
    with pytest.raises(zermelo.GameError):
        zermelo_cli("explain", "nowhere")


def test_options_are_read_as_what_they_look_like():
    from zermelo.interfaces.cli.common.loading import read_options

    texts = ["a=5", "b=-2.5", "c=word", "d=1,2,x", "e=true", "f=False", "g=1e3", "h=", "long-name=1", "tree=[[1,2],3]"]
    assert read_options(texts) == {
        "a": 5, "b": -2.5, "c": "word", "d": (1, 2, "x"), "e": True, "f": False, "g": "1e3", "h": "", "long_name": 1,
        "tree": "[[1,2],3]",
    }  # fmt: skip


# -- in a process of its own -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["--help", "games", "perft --help", "new --help"])
def test_what_is_light_starts_without_the_compiler(command):
    program = (
        "import sys; from zermelo.interfaces.cli import main; code = main(); "
        "assert not [m for m in sys.modules if m.split('.')[0] in ('numba', 'llvmlite', 'numpy')]; sys.exit(code)"
    )
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", program, *command.split()], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    print(f"zermelo {command}: {time.perf_counter() - began:.2f} s")


def test_a_reader_who_has_read_enough():
    command = f"{' '.join(map(repr, CALL[:2]))} '{CALL[2]}' games | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.startswith("game")
    assert done.stderr == ""


def test_a_terminal_without_signs():
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [*CALL, "explain", "--tree", "[1, 2]"], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "?" in done.stdout


def test_no_colour_without_a_terminal(zermelo_cli):
    assert "\x1b" not in zermelo_cli("games").out


@pytest.mark.jit
@pytest.mark.skipif(not hasattr(signal, "SIGINT") or os.name == "nt", reason="needs signals")
@pytest.mark.parametrize("arguments", [["perft", "connect-four", "20"], ["check", "chess", "--seconds", "100"]])
def test_ctrl_c_ends_it_with_one_word(arguments):
    # a test run started in the background ignores Ctrl-C, and its children would inherit that
    hears = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); " + CALL[-1]
    command = [*CALL[:-1], hears, *arguments]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(4)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert out == ""
    assert [line for line in err.splitlines() if not line.startswith("compiling")] == ["interrupted"]


def shell(command):
    """A command line as a shell runs it, with `zermelo` in it."""
    line = command.replace("zermelo", f"{shlex.quote(sys.executable)} -m zermelo", 1)
    return subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs devices")
@pytest.mark.parametrize("command", ["games", "--help", "--version", "explain three-bins", "explain three-bins --json"])
def test_a_full_disk_is_told(command):
    done = shell(f"zermelo {command} > /dev/full")
    assert (done.returncode, done.stderr) == (2, "zermelo: the output cannot be written: No space left on device\n")


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
@pytest.mark.parametrize(("closed", "code"), [(">&-", 0), ("2>&-", 0), (">&- 2>&-", 0), ("--nothing 2>&-", 2)])
def test_closed_streams_are_no_fault(closed, code):
    done = shell(f"zermelo explain three-bins {closed}")
    assert (done.returncode, done.stderr) == (code, "")


def test_more_memory_than_there_is(refused, monkeypatch):
    def no_memory(*_, **__):
        raise MemoryError("Unable to allocate 1.00 TiB for an array with shape (137438953470,)")

    monkeypatch.setattr("zermelo.textbook.registry.run_traced", no_memory)
    assert refused("explain", "three-bins") == (
        "zermelo: there is not enough memory for this: unable to allocate 1.00 TiB\n"
    )
