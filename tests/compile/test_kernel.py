"""Machine code is kept on disk, found by the next process, and never stale."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

pytestmark = pytest.mark.jit

GAME = """
from zermelo import OVER, helper, rules
from cached_helper import step

GOAL = 3


@rules(name="cached", players=1, max_actions=1, zero_sum=False)
class Cached:
    state = {"at": "i4"}

    def start(s):
        pass

    def player(s):
        return OVER if s.at >= GOAL else 0

    def actions(s, out):
        out[0] = 1
        return 1

    def apply(s, action):
        s.at += step(action)

    def utility(s, out):
        out[0] = s.at
"""
HELPER = """
from zermelo import helper


@helper
def step(action):
    return action * 2
"""
PROGRAM = """
import json, sys, time
began = time.perf_counter()
import zermelo
from zermelo.compile.kernel import set_on_compile
compiled = []
set_on_compile(lambda kernel, game: compiled.append(kernel))
game = zermelo.load(sys.argv[1])
s = game.start()
plies = 0
while not game.is_end(s):
    s = game.succ(s, 1)
    plies += 1
print(json.dumps({"compiled": compiled, "value": game.utility(s), "plies": plies, "time": time.perf_counter() - began}))
"""


class Place:
    """A game file, a helper beside it and a cache of their own; each `run` is a new process."""

    def __init__(self, folder):
        self.cache = folder / "cache"
        self.game = folder / "cached_game.py"
        self.helper = folder / "cached_helper.py"
        self.game.write_text(GAME)
        self.helper.write_text(HELPER)

    def run(self):
        environment = {**os.environ, "ZERMELO_CACHE": str(self.cache)}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(self.game)],
            check=False,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def files(self):
        return {path.name: path.read_bytes() for path in self.cache.iterdir()}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return Place(tmp_path_factory.mktemp("cached"))


def test_a_new_process_compiles_nothing(place):
    first = place.run()
    assert sorted(first["compiled"]) == ["look", "set_up", "step"]
    assert (first["value"], first["plies"]) == (4, 2)
    kept = place.files()
    assert len(kept) == 3
    assert all(name.endswith(".nbc") for name in kept)
    place.game.write_text("# a comment, which moves everything down by a line, is no change\n" + GAME)
    second = place.run()
    assert second["compiled"] == []
    assert second["value"] == 4
    assert place.files() == kept
    print(f"found in the cache: {second['time']:.2f} s, compiled: {first['time']:.2f} s")


@pytest.mark.parametrize(
    ("name", "before", "after", "value"),
    [
        ("game", "GOAL = 3", "GOAL = 5", 6),
        ("helper", "action * 2", "action * 7", 7),
        ("game", "out[0] = s.at", "out[0] = s.at + 100", 104),
    ],
    ids=["constant", "helper", "rule"],
)
def test_a_change_is_seen_at_once(place, name, before, after, value):
    file = getattr(place, name)
    text = file.read_text()
    file.write_text(text.replace(before, after))
    changed = place.run()
    assert changed["value"] == value
    assert changed["compiled"]
    file.write_text(text)


def test_a_damaged_file_is_replaced(place):
    place.run()
    damaged = len(place.files())
    for path in place.cache.iterdir():
        path.write_bytes(b"nonsense")
    again = place.run()
    assert again["value"] == 4
    assert len(again["compiled"]) == 3
    assert list(place.files().values()).count(b"nonsense") == damaged - 3  # the others belong to other rules


def test_many_processes_with_one_empty_cache(tmp_path):
    place = Place(tmp_path)
    with ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(lambda _: place.run(), range(3)))
    assert [a["value"] for a in answers] == [4, 4, 4]
    assert sorted(kernel for a in answers for kernel in a["compiled"]) == [
        "look",
        "set_up",
        "step",
    ]  # each by one of them
    assert len(place.files()) == 3  # nothing half written is left, and no lock


@pytest.mark.timed
def test_whoever_dies_compiling_is_not_waited_for(tmp_path):
    place = Place(tmp_path)
    hold = "import sys, time, pathlib; from zermelo.compile.turns import take_turn; "
    place.run()
    files = sorted(place.cache.iterdir())
    for file in files:
        file.unlink()
    hold += (
        f"[take_turn(pathlib.Path(f)) for f in {[str(f) for f in files]}]; print('held', flush=True); time.sleep(60)"
    )
    holder = subprocess.Popen([sys.executable, "-c", hold], stdout=subprocess.PIPE, text=True)
    assert holder.stdout.readline() == "held\n"
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(place.run)
        with pytest.raises(TimeoutError):
            answer.result(timeout=4)  # it waits for its turn
        holder.kill()
        holder.wait()
        assert len(answer.result(timeout=60)["compiled"]) == 3


def test_a_cache_that_cannot_be_written_costs_time_and_nothing_else(tmp_path):
    place = Place(tmp_path)
    place.cache.write_text("a file where a folder should be")
    answer = place.run()
    assert answer["value"] == 4


def test_a_folder_that_anybody_can_write_to_is_not_read(tmp_path):
    place = Place(tmp_path)
    place.run()
    place.cache.chmod(0o777)
    assert len(place.run()["compiled"]) == 3
    place.cache.chmod(0o755)
    assert place.run()["compiled"] == []


VARIANTS = """
import sys
from zermelo import OVER, helper, rules


@rules(name="variants")
def variants(stride=1):
    @helper
    def far(x):
        # large, and called twice: left as a function of its own instead of being compiled into its callers
        way = x
WORK        return x * stride + (way & 0)

    class Variants:
        players, max_actions, zero_sum = 1, 1, False
        state = {"at": "i4"}

        def start(s):
            pass

        def player(s):
            return OVER if s.at > 0 else 0

        def actions(s, out):
            out[0] = 1
            return 1

        def apply(s, action):
            s.at = far(action) + far(action + 1) - far(action + 1)

        def utility(s, out):
            out[0] = s.at

    return Variants


if __name__ == "__main__":
    for stride in map(int, sys.argv[1:]):
        game = variants(stride=stride)
        print(game.utility(game.succ(game.start(), 1)), end=" ")
"""


def test_variants_compiled_by_different_processes_are_not_mixed_up(tmp_path):
    """Closures of one function once had the same name in every process, and one of them answered for both."""
    work = "".join(
        f"        for i in range(way % {n + 3}):\n            way += (i ^ {n}) * {n + 7}\n" for n in range(60)
    )
    (tmp_path / "variants.py").write_text(VARIANTS.replace("WORK", work.lstrip("\n")))

    def run(*strides):
        command = [sys.executable, str(tmp_path / "variants.py"), *map(str, strides)]
        environment = {**os.environ, "ZERMELO_CACHE": str(tmp_path / "cache")}
        return subprocess.run(command, check=True, env=environment, capture_output=True, text=True, timeout=120).stdout

    assert run(3) == "3.0 "
    assert run(5) == "5.0 "
    assert run(3, 5) == "3.0 5.0 "


PRINTING = """
import faulthandler
from zermelo import OVER, helper, rules
from zermelo.search.perft import perft_nodes

faulthandler.dump_traceback_later(100, exit=True)

@helper
def say(n):
    print(n)

@rules(name="talkative", players=1, max_actions=1, zero_sum=False, max_plies=3)
class Talkative:
    state = {"at": "i1"}
    def start(s): pass
    def player(s): return OVER if s.at == 3 else 0
    def actions(s, out):
        say(s.at)
        out[0] = 1
        return 1
    def apply(s, action): s.at += 1
    def utility(s, out): out[0] = 0

print("nodes", *perft_nodes(Talkative(), 2))
"""


def test_rules_may_print_while_they_are_looked_into(tmp_path):
    file = tmp_path / "talkative.py"
    file.write_text(PRINTING)
    for _ in ("compiled", "loaded from disk"):
        environment = {**os.environ, "ZERMELO_CACHE": str(tmp_path / "cache")}
        command = [sys.executable, str(file)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        assert done.stdout.split() == ["0", "1", "nodes", "1", "3"]
