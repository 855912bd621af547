"""Ctrl-C while something is compiled, or runs for ever: heard at once, and nothing is lost."""

import os
import subprocess
import sys
import time

import pytest

pytestmark = [pytest.mark.timed, pytest.mark.jit]

GAME = """
from zermelo import OVER, rules


@rules(name="interrupted", players=1, max_actions=1, zero_sum=False, max_plies=3)
class Interrupted:
    state = {{"at": "i4"}}

    def start(s):
        while s.at == {endless}:
            s.at = {endless}

    def player(s):
        return OVER if s.at >= 3 else 0

    def actions(s, out):
        out[0] = 1
        return 1

    def apply(s, action):
        s.at += action

    def utility(s, out):
        out[0] = s.at
"""
PRESS = """
import os, signal, sys, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)

def press():
    print("pressed", time.monotonic(), file=sys.stderr, flush=True)
    os.kill(os.getpid(), signal.SIGINT)
"""
SCRIPT = """
import zermelo
from zermelo.compile.kernel import set_on_compile
from zermelo.search.perft import count_lines, perft

compiling = []
set_on_compile(lambda kernel, game: (compiling.append(kernel), kernel == "count_lines" and press()), compiling.clear)
game = zermelo.load(sys.argv[1])
game.start()
try:
    perft(game, 3)
except KeyboardInterrupt:
    assert compiling == ["count_lines"], compiling  # and has not ended
    assert perft(game, 3) == 1  # waits for its turn, and finds what was compiled
    assert len(count_lines.signatures) == 1
    print("heard")
"""
COMMAND = """
from zermelo.compile import kernel
if sys.argv[1] == "compiling":
    def say(name, game):
        if name == "search_root":
            press()
    kernel.on_compile = say
else:
    kernel.on_compiled = lambda: threading.Timer(0.3, press).start()  # `start` runs then, and never ends
from zermelo.interfaces.cli import main
sys.exit(main(["search", *sys.argv[2:]]))
"""


def run(program, tmp_path, *arguments, endless=-1):
    file = tmp_path / "interrupted.py"
    file.write_text(GAME.format(endless=endless))
    environment = {**os.environ, "ZERMELO_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, "-c", PRESS + program, *arguments, str(file)]
    done = subprocess.run(command, check=False, env=environment, capture_output=True, text=True, timeout=120)
    return done, time.monotonic()


def test_in_a_script_it_is_raised_at_once_and_what_is_compiled_is_not_lost(tmp_path):
    done, _ = run(SCRIPT, tmp_path)
    assert done.stdout == "heard\n", done.stderr
    assert not list((tmp_path / "cache").glob("*.tmp"))
    assert not list((tmp_path / "cache").glob("*.lock"))
    assert len(list((tmp_path / "cache").glob("perft.count_lines-*.nbc"))) == 1


@pytest.mark.parametrize(("when", "endless"), [("compiling", -1), ("running", 0)])
def test_the_command_line_leaves_at_once(tmp_path, when, endless):
    done, ended = run(COMMAND, tmp_path, when, endless=endless)
    assert done.returncode == 130
    lines = done.stderr.splitlines()
    assert lines[-1] == "interrupted"
    pressed = float(next(line for line in lines if line.startswith("pressed")).split()[1])
    assert ended - pressed < 1.5  # half of it for Python to end


def test_compiling_is_said_in_a_pipe_too(tmp_path):
    program = "import zermelo; zermelo.load(sys.argv[1]).start(); zermelo.load(sys.argv[1]).start()"
    done, _ = run(program, tmp_path)
    assert done.stderr == "compiling interrupted (only the first time) …\n"
