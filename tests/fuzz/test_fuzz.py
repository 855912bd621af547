"""Rules mutated at random, at every door. FUZZ_COUNT and FUZZ_SECONDS make it longer: see the package."""

import os

import pytest

from tests.fuzz.doors import DOORS, FIRST
from tests.fuzz.mutants import mutant
from tests.fuzz.runner import BAD, Run, judge

DEFAULTS = {"COUNT": "300", "SECONDS": "240", "SEED": "0"}


def test_a_number_is_a_mutant():
    assert mutant(1, 7) == mutant(1, 7)
    assert len({mutant(1, n).text for n in range(50)}) >= 45
    for n in range(300):
        compile(mutant(2, n).file(), f"mutant {n}", "exec")


@pytest.mark.parametrize(
    ("code", "said", "outcome"),
    [
        (0, "fuzzed: no fault", "ok"),
        (1, "fuzzed: 1 fault\n1. …", "faults"),
        (2, "compiling fuzzed\nzermelo: fuzzed: max_actions must be a whole number\n", "sentence"),
        (2, "zermelo: ValueError: no, line 7 of game.py (ZERMELO_TRACEBACK=1 shows where)\n", "sentence"),
        (2, "zermelo: KeyError: 'x' (ZERMELO_TRACEBACK=1 shows where)\n", "internal"),
        (2, "zermelo: one thing\nzermelo: another\n", "babble"),
        (2, "zermelo: -1\n", "babble"),
        (2, "", "babble"),
        (1, "Traceback (most recent call last):\n", "babble"),
        (-11, "", "crash"),
        (-1000, "", "hang"),
    ],
)
def test_what_came_of_it(code, said, outcome):
    assert judge(code, said, DOORS[FIRST]) == outcome


def test_what_was_done_is_not_done_again(tmp_path):
    run = Run(tmp_path, 1, 3, 1.0, 1, ["plain", "perft"])
    run.log.write_text('{"number": 1, "door": "plain", "outcome": "ok", "seconds": 1.0, "said": ""}\n')
    run.read_log()
    assert sorted(run.pending()) == [(0, "perft"), (0, "plain"), (1, "perft"), (2, "perft"), (2, "plain")]


@pytest.mark.slow
@pytest.mark.jit
def test_no_rules_crash_hang_or_babble(tmp_path):
    count, seconds, seed = (int(os.environ.get(f"FUZZ_{word}", n)) for word, n in DEFAULTS.items())
    run = Run(tmp_path, seed, count, seconds, jobs=os.cpu_count() or 1)
    run.go()
    print(run.summary())
    assert run.is_clean, "\n".join([run.summary(), *(path.name for path in tmp_path.glob("*.py"))])
    assert len(run.done) >= min(count, 50)
    assert not set(BAD) & {outcome for _, outcome in run.outcomes}
