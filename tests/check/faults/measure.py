"""How many of the seeded faults `check` finds, and how short its counter-examples are.

python -m tests.check.faults.measure [--seconds 4] [--jobs 2] [--only placement]
"""

import argparse
import multiprocessing
import statistics
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from unittest import mock

from tests.check.faults import Seeded, catalogue
from zermelo import GameError
from zermelo.check import check_game, states

EFFORT = {"games": 40, "positions": 400}


@dataclass(frozen=True)
class Verdict:
    """What became of one fault: the kinds found, the fewest moves that show one; no kinds: it was missed."""

    name: str
    kinds: tuple[str, ...]
    moves: int
    sentence: str


def examine(fault: Seeded, seconds: float = 4.0) -> Verdict:
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(states, "PATIENCE", 2.0):
        try:
            faults = check_game(fault.make(Path(folder)), seconds=seconds, **EFFORT).faults
        except GameError as refused:  # the rules are not even taken
            return Verdict(fault.name, ("refused",), 0, str(refused))
    if not faults:
        return Verdict(fault.name, (), 0, "")
    first = min(faults, key=lambda f: len(f.moves))
    return Verdict(fault.name, tuple(f.kind for f in faults), len(first.moves), first.sentence)


def examine_all(faults: list[Seeded], seconds: float, jobs: int) -> Iterator[Verdict]:
    with multiprocessing.get_context("spawn").Pool(jobs, maxtasksperchild=20) as pool:
        yield from pool.imap(partial(examine, seconds=seconds), faults)


def summary(verdicts: list[Verdict]) -> str:
    found = [v for v in verdicts if v.kinds]
    lengths = sorted(v.moves for v in found) or [0]
    missed = [v.name for v in verdicts if not v.kinds]
    return "\n".join(
        [
            f"{len(found)} of {len(verdicts)} seeded faults found ({len(found) / len(verdicts):.1%})",
            f"counter-examples: median {statistics.median(lengths):g} moves, "
            f"nine of ten within {lengths[int(0.9 * (len(lengths) - 1))]}, longest {lengths[-1]}",
            f"missed: {', '.join(missed) or 'none'}",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4.0, help="for each fault")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="faults whose name begins so")
    wanted = parser.parse_args()
    verdicts = []
    for v in examine_all([f for f in catalogue() if f.name.startswith(wanted.only)], wanted.seconds, wanted.jobs):
        print(f"{v.name:60} {v.moves:4}  {v.sentence or 'MISSED'}", flush=True)
        verdicts.append(v)
    print(summary(verdicts))


if __name__ == "__main__":
    main()
