"""Searches as they were: node counts, values, and whole trees, kept as data. A change of behaviour is one visible diff.

`make golden` (`python -m tests.search.test_golden`) writes the data anew, for a change that is meant; with `--full` the
benchmark's signature too, which takes minutes.
"""

import json
import sys
from pathlib import Path

import pytest
from benchmarks.signature import SEARCHES, evaluators, searched

import zermelo
from tests.search.cyclic_games import circles
from tests.search.golden import alphabeta_tree, forest_tree, mcts_tree, summary
from tests.search.kernel_oracles import tree
from tests.search.multiplayer.oracles import ring_walk
from zermelo.search.alphabeta.workspace import Options
from zermelo.search.forest import Settings
from zermelo.search.limits import Limits
from zermelo.search.mcts.evaluator import HandcraftedEvaluator
from zermelo.search.multiplayer.searcher import KINDS, Multiplayer
from zermelo.search.searcher import answer

pytestmark = pytest.mark.jit  # plain Python in any case: with the compiler switched off there is nothing new to see

GOLDEN = Path(__file__).parents[1] / "data" / "golden"
# how deep plain Python searches, and which of the benchmark's positions: not those with many captures
SMALL = {
    "chess": (2, (0, 3, 4)),
    "connect-four": (4, (0, 1, 2)),
    "othello": (3, (0, 1)),
    "checkers": (4, (0,)),
    "backgammon": (1, (0,)),
}
RULES = ("draw", "loss", "forbidden")  # what a repetition means
ROUNDING = 0.02  # of the nodes, where vector sums add in another order on another processor


def played(game, *moves):
    history = zermelo.History(game)
    for move in moves:
        history.play(move)
    return history


def four(**options):
    return zermelo.load("connect-four", width=4, height=4, compiled=False, **options)


def puct(simulations):
    game = four()
    return mcts_tree(game, game.start(), simulations, evaluator=HandcraftedEvaluator(game), batch=4)


def cycles(rule):
    """A game of circles in progress: two moves have been played."""
    game = circles(rule=rule, seed=3, compiled=False)
    history = zermelo.History(game)
    for _ in range(2):
        history.play(history.actions()[0])
    return game, history


def small(name, position="", **options):
    game = zermelo.load(name, compiled=False, **options)
    return game, game.parse(position) if position else game.start()


def chance_tree():
    game = tree(branching=3, depth=4, seed=11, chance=40, extra=20).interpreted
    return game, game.start()


TREES = {
    "alphabeta-tic-tac-toe": lambda: alphabeta_tree(*small("tic-tac-toe", "x.. .o. ..x"), 4),
    "alphabeta-connect-four": lambda: alphabeta_tree(four(), played(four(), 1, 1, 2), 4),
    "alphabeta-chess": lambda: alphabeta_tree(*small("chess", "8/8/1p1k4/2p5/1P1K4/8/8/8 w - - 0 1"), 3),
    "alphabeta-chance": lambda: alphabeta_tree(*chance_tree(), 3),
    "alphabeta-plain": lambda: alphabeta_tree(*chance_tree(), 3, options=Options.plain()),
    **{f"alphabeta-repetition-{rule}": lambda rule=rule: alphabeta_tree(*cycles(rule), 4) for rule in RULES},
    "mcts-tic-tac-toe": lambda: mcts_tree(*small("tic-tac-toe", "x.. .o. ..x"), 150),
    "mcts-chance": lambda: mcts_tree(*chance_tree(), 60),
    "mcts-rave-hex": lambda: mcts_tree(*small("hex", size=3), 60, rave=20.0),
    "mcts-puct-connect-four": lambda: puct(60),
    "forest-puct": lambda: forest_tree(
        *small("tic-tac-toe", "x.. .o. ..x"), 60, Settings("puct", noise=(0.5, 0.25), sees="states", seed=1)
    ),
    "forest-gumbel": lambda: forest_tree(four(), four().start(), 60, Settings("gumbel", 3, sees="states", seed=2)),
    "forest-chance": lambda: forest_tree(*chance_tree(), 60, Settings("gumbel", seed=3)),
    "forest-repetition": lambda: forest_tree(*small("go", size=2), 60, Settings("puct", sees="states")),
    **{
        f"mcts-repetition-{rule}": lambda rule=rule: mcts_tree(*cycles(rule), 80, max_rollout_plies=8) for rule in RULES
    },
}


def multiplayer_searches():
    """Ring walks of every rule of repetition, with dice or without, by every kind of search."""
    told = {}
    for rule in RULES:
        for luck in (False, True):
            game = ring_walk(rule=rule, times=2, luck=luck, compiled=False)
            for kind in KINDS:
                report = answer(Multiplayer(game, kind), game.start(), Limits(depth=5))
                told[f"{kind}, {rule}{', dice' if luck else ''}"] = summary(report)
    return told


def small_signature(name, positions):
    """As the benchmark's signature, less deep and in plain Python."""
    game, (depth, places) = zermelo.load(name, compiled=False), SMALL[name]
    chosen = tuple(positions[i] for i in places)
    return {
        kind: [summary(report) for report in searched(game, depth, chosen, evaluator)]
        for kind, evaluator in evaluators(game).items()
    }


def full_signature(name, depth, positions):
    game = zermelo.load(name)
    return {
        kind: [report.nodes for report in searched(game, depth, positions, evaluator)]
        for kind, evaluator in evaluators(game).items()
    }


def kept(file):
    return json.loads((GOLDEN / file).read_text())


# -- as it was ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TREES)
def test_whole_trees(name):
    assert TREES[name]() == (GOLDEN / f"{name}.txt").read_text().splitlines()


def test_multiplayer_searches():
    assert multiplayer_searches() == kept("multiplayer.json")


@pytest.mark.parametrize(("name", "positions"), [(name, positions) for name, _, positions in SEARCHES])
def test_the_small_signature(name, positions):
    assert small_signature(name, positions) == kept("signature-small.json")[name]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "depth", "positions"), SEARCHES)
def test_the_full_signature(name, depth, positions):
    now, before = full_signature(name, depth, positions), kept("signature.json")[name]
    assert now["handcrafted"] == before["handcrafted"]
    assert now.keys() == before.keys()
    if "shipped" in now:
        assert now["shipped"] == pytest.approx(before["shipped"], rel=ROUNDING)


# -- as it is now ------------------------------------------------------------------------------------------------------


def write(file, told):
    (GOLDEN / file).write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n")
    print(GOLDEN / file)


def rewrite(full):
    GOLDEN.mkdir(exist_ok=True)
    for name, make in TREES.items():
        (GOLDEN / f"{name}.txt").write_text("\n".join(make()) + "\n")
    write("multiplayer.json", multiplayer_searches())
    write("signature-small.json", {name: small_signature(name, positions) for name, _, positions in SEARCHES})
    if full:
        write("signature.json", {name: full_signature(name, depth, places) for name, depth, places in SEARCHES})


if __name__ == "__main__":
    rewrite("--full" in sys.argv)
