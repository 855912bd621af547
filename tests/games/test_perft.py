"""Perft tables as data: one file a game, tests/data/perft/NAME.json, from published counts or a second implementation.

A case is {"options": the variant, "position": as text, or null for the start, "count_ended": whether a game that is
over early counts as a line, "depths": the counts for 1, 2, 3 … plies}.
"""

import json
from pathlib import Path

import pytest

import zermelo
from zermelo.search.perft import perft

FAST = 5_000_000  # lines that take a fraction of a second
TABLES = sorted((Path(__file__).parents[1] / "data" / "perft").glob("*.json"))


def cases():
    for path in TABLES:
        for i, case in enumerate(json.loads(path.read_text())):
            for depth, lines in enumerate(case["depths"], 1):
                marks = [pytest.mark.slow] if lines > FAST else []
                yield pytest.param(path.stem, case, depth, lines, id=f"{path.stem}-{i}-{depth}", marks=marks)


@pytest.mark.jit
@pytest.mark.parametrize(("name", "case", "depth", "lines"), list(cases()))
def test_lines_of_play(name, case, depth, lines):
    game = zermelo.load(name, **case["options"])
    start = game.parse(case["position"]) if case["position"] else None
    assert perft(game, depth, start, case["count_ended"]) == lines


@pytest.mark.jit
@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_interpreted_rules_count_the_same(path):
    for case in json.loads(path.read_text()):
        game = zermelo.load(path.stem, **case["options"]).interpreted
        start = game.parse(case["position"]) if case["position"] else None
        for depth, lines in enumerate(case["depths"], 1):
            if lines <= 500:
                assert perft(game, depth, start, case["count_ended"]) == lines
