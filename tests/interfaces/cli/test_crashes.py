"""Rules that reach far beyond their memory end a command with a sentence, not with a signal."""

import subprocess
import sys

import pytest

WILD = """
from zermelo import OVER, rules


@rules(name="wild", players=2, max_actions=2)
class Wild:
    '''Writes far away at its fourth ply.'''

    state = {"at": ("i1", (2,)), "plies": "i1"}

    def start(s):
        s.plies = 0

    def player(s):
        return OVER if s.plies == 6 else s.plies & 1

    def actions(s, out):
        out[0], out[1] = 0, 1
        return 2

    def apply(s, action):
        s.plies += 1
        if s.plies == 4:
            s.at[1_000_000_000_000 + action] = 1

    def utility(s, out):
        out[0], out[1] = 1, -1
"""


@pytest.mark.jit
@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
def test_a_wild_write_is_told_of(tmp_path):
    (tmp_path / "wild.py").write_text(WILD)
    command = [sys.executable, "-m", "zermelo", "perft", "wild.py:Wild", "5"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 2
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("zermelo: wild.py:Wild: compiled rules reached beyond their memory")
    assert "zermelo check wild.py:Wild" in last
