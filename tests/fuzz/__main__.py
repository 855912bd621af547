"""`python -m tests.fuzz`: see the package."""

import argparse
import sys
from pathlib import Path

from tests.fuzz.doors import DOORS
from tests.fuzz.runner import Run


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Rules mutated at random, at every door.")
    parser.add_argument("--count", type=int, default=10_000, help="mutants")
    parser.add_argument("--first", type=int, default=0, help="number of the first: machines can share them")
    parser.add_argument("--seconds", type=float, default=480.0, help="begin nothing new after so long")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=Path("build/fuzz"), help="of the log and of what must not be")
    parser.add_argument("--doors", default=",".join(DOORS), help="some of them, with commas between")
    wanted = parser.parse_args()
    doors = wanted.doors.split(",")
    run = Run(wanted.folder, wanted.seed, wanted.count, wanted.seconds, wanted.jobs, doors, wanted.first)
    run.go()
    print(run.summary())
    return 0 if run.is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
