"""Ctrl-C becomes a stop() in the command line, and nowhere else is it known."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import zermelo
from zermelo.interfaces.cli.common.interrupts import patiently, stopping

pytestmark = pytest.mark.timed

SOURCE = Path(zermelo.__file__).parent


@pytest.fixture
def press():
    """Presses Ctrl-C after so many seconds; a test run in the background ignores it otherwise."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield lambda seconds: threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()
    signal.signal(signal.SIGINT, before)


def test_only_the_command_line_knows_of_ctrl_c():
    knowing = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if "KeyboardInterrupt" in path.read_text(encoding="utf-8")
    }
    assert knowing
    assert all(path.startswith("interfaces/cli/") for path in knowing), knowing


def test_the_first_ctrl_c_stops_and_the_second_interrupts(press):
    stopped = threading.Event()
    with stopping(stopped.set):
        press(0.1)
        assert stopped.wait(20)
        press(0.1)
        with pytest.raises(KeyboardInterrupt):
            time.sleep(20)


def test_afterwards_ctrl_c_is_what_it_was(press):
    with stopping(lambda: None):
        pass
    press(0.1)
    with pytest.raises(KeyboardInterrupt):
        time.sleep(20)


def test_in_another_thread_it_does_nothing():
    ran = []

    def work():
        with stopping(lambda: None):
            ran.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ran


def test_work_is_told_to_stop_and_then_interrupted(press):
    leave = threading.Event()
    press(0.2)
    with pytest.raises(KeyboardInterrupt):
        patiently(lambda: leave.wait(60), leave.set)
    assert leave.is_set()


def test_what_goes_wrong_in_the_work_is_raised():
    assert patiently(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        patiently(lambda: 1 / 0)


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_ctrl_c_in_an_import_that_swallows_it(tmp_path):
    """As in the middle of a large library, which then says that it cannot be imported, or hangs."""
    (tmp_path / "large.py").write_text(
        "import os, signal, time\n"
        "try:\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    time.sleep(1)\n"
        "except BaseException:\n"
        "    raise ImportError('large failed to import')\n"
    )
    (tmp_path / "mine.py").write_text("import large\n")
    program = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    program += f"from zermelo.interfaces.cli import main; sys.exit(main(['perft', {str(tmp_path / 'mine.py')!r}, '1']))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")
