"""Compiled plain alpha-beta beside recursive C++ -O3 (connect_four.cpp): same nodes, same value."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import zermelo
from benchmarks.report import Row, best_rate, in_turn
from zermelo.compile.evaluator import Constant
from zermelo.search.plain_alphabeta import plain_alphabeta

DEPTH = 12
SOURCE = Path(__file__).with_name("connect_four.cpp")


def run() -> Iterator[Row]:
    game = zermelo.load("connect-four")

    def ours() -> float:
        return best_rate(lambda: plain_alphabeta(game, depth=DEPTH, evaluator=Constant()).nodes, 10)

    what = f"plain alpha-beta, connect four to depth {DEPTH}"
    found = plain_alphabeta(game, depth=DEPTH, evaluator=Constant())  # compiles
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        yield Row(what, "nodes/s", ours(), peer="no C++ compiler here")
        return
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "connect_four"
        subprocess.run([compiler, "-O3", "-o", program, SOURCE], check=True)

        for mode, peer, bar in (("rules", "C++ -O3 over rules", "≥ 0.8×"), ("fused", "C++ -O3 for this game", "")):

            def theirs(mode: str = mode) -> float:
                command = [program, mode, str(DEPTH), "10"]
                output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
                value, nodes, seconds = output.split()
                if (float(value), int(nodes)) != (found.value, found.nodes):
                    raise SystemExit(f"not the same search: C++ {value}, {nodes} nodes; zermelo {found}")
                return int(nodes) / float(seconds)

            yield Row(what, "nodes/s", *in_turn(ours, theirs, 5), peer, bar)
