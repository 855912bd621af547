"""Rules that never come back are named, in plain Python and in machine code, whatever command runs them."""

import os
import subprocess
import sys
import threading

import pytest

from zermelo.compile import watchdog
from zermelo.compile.watchdog import RulesWatchdog
from zermelo.core.interruptible import interruptibly

pytestmark = pytest.mark.timed

GAME = """
from zermelo import OVER, rules


@rules(name="endless", players=1, max_actions=1, zero_sum=False, max_plies=6)
class Endless:
    state = {{"at": "i4"}}

    def start(s):
        while s.at == {start}:
            pass

    def player(s):
        return OVER if s.at > 5 else 0

    def actions(s, out):
        out[0] = 1
        return 1

    def apply(s, action):
        s.at += 1
        while s.at == {apply}:
            pass

    def utility(s, out):
        out[0] = s.at
"""
HURRIED = """
import sys
from zermelo.check import states
from zermelo.compile import watchdog
from zermelo.search import limits
watchdog.LOOKS, watchdog.STILL, watchdog.PAUSE, limits.HANGS, states.PATIENCE = 3, 15, 0.2, 1, 0.3
from zermelo.interfaces.cli import main
sys.exit(main(sys.argv[1:]))
"""


def hurried(tmp_path, *arguments, start=-1, apply=-1):
    file = tmp_path / "endless.py"
    file.write_text(GAME.format(start=start, apply=apply))
    command = [sys.executable, "-c", HURRIED, *arguments]
    command[4:4] = [str(file)]
    environment = {**os.environ, "ZERMELO_CACHE": str(tmp_path / "cache")}
    return subprocess.run(command, check=False, env=environment, capture_output=True, text=True, timeout=100)


def test_a_function_of_somebodys_own_is_named_when_it_is_seen_again_and_again(monkeypatch):
    barked, leave = [], threading.Event()
    monkeypatch.setattr(watchdog, "PAUSE", 1000.0)
    dog = RulesWatchdog(barked.append)

    def never_comes_back():
        while not leave.is_set():
            pass

    thread = threading.Thread(target=interruptibly, args=(never_comes_back,))  # as the package calls rules
    thread.start()
    try:
        for _ in range(watchdog.LOOKS + 2):
            dog.look()
    finally:
        leave.set()
        thread.join()
        dog.close()
    (mine,) = barked  # and this function, which has been running as long, is nobody's rules
    assert mine.sentence.startswith("never_comes_back, line ")
    assert "of test_watchdog.py" in mine.sentence


@pytest.mark.jit
def test_compiled_rules_that_never_come_back_end_a_command_with_a_sentence(tmp_path):
    done = hurried(tmp_path, "search", "--seconds", "1", start=0)
    assert done.returncode == 2, done.stderr
    last = done.stderr.splitlines()[-1]
    assert last.startswith("zermelo: endless: start, compiled, has not returned after")
    assert "start, line 1" in last


@pytest.mark.jit
def test_a_search_that_does_not_stop_says_which_function_it_is(tmp_path):
    done = hurried(tmp_path, "search", "--seconds", "0.5", "--algorithm", "montecarlo", apply=4)
    assert done.returncode == 2, done.stderr
    last = done.stderr.splitlines()[-1]
    assert last.startswith("zermelo: endless: the search does not end")
    assert "apply, line 2" in last
    assert "after 1 1 1 1; position: at=3" in last


def test_every_kernel_that_asks_a_question_is_known_and_no_other_of_that_name():
    from zermelo.batch import cores
    from zermelo.compile import questions

    asking = {name for name, op in vars(questions).items() if getattr(op, "__module__", "") == questions.__name__}
    assert asking == set(watchdog.ASKING)
    assert questions.__name__ == watchdog.QUESTIONS
    assert cores.kernel_of("step").__name__ == "step"  # of many games: it may take its time
    assert cores.kernel_of("step").__module__ != watchdog.QUESTIONS


def asked_through(*files):
    """The file of the call taken for somebody's rules, where functions of these files call one another."""
    call = lambda: watchdog._asked(sys._getframe(1))  # noqa: E731
    for file in reversed(files):
        space = {"inner": call}
        exec(compile("def outer():\n    return inner()", file, "exec"), space)
        call = space["outer"]
    found = call()
    return found and found.f_code.co_filename


def test_libraries_and_the_compiler_are_nobodys_rules():
    package, compiler = f"{watchdog._PACKAGE}/core/game.py", f"{watchdog._COMPILER}/core/compiler.py"
    assert asked_through("/home/me/script.py", package, "/home/me/game.py", "/home/me/help.py") == "/home/me/game.py"
    assert asked_through("/home/me/script.py", package) is None
    assert asked_through(package, "/usr/lib/python3/dist-packages/llvmlite/binding.py") is None
    assert asked_through(package, "/home/me/.local/lib/python3.11/site-packages/jax/api.py") is None
    assert asked_through(package, f"{next(iter(watchdog._LIBRARIES))}/typer/main.py", package) is None
    assert asked_through(package, compiler) is None
    assert asked_through(package, compiler, "/home/me/tools/instrument.py") is None


@pytest.mark.jit
def test_a_kernel_that_stands_still_is_told_of(tmp_path):
    """Perft and learning may take as long as they like: they change something all the time."""
    done = hurried(tmp_path, "perft", "4", apply=3)
    assert done.returncode == 2
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("zermelo: ")]
    assert "some function of the rules never comes back; zermelo check" in line
    assert hurried(tmp_path, "perft", "4").returncode == 0
