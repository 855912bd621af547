"""Random games a second, beside OpenSpiel's C++ rollouts of the same game, one core each."""

from __future__ import annotations

from collections.abc import Iterator

import zermelo
from benchmarks.report import Row, best_rate, in_turn
from zermelo.search.playout import playouts

# game, options, OpenSpiel's name for it, games in one of our runs and in one of theirs, what is asked
GAMES = [
    ("connect-four", {}, "connect_four", 200_000, 10_000, "≥ 2,000,000"),
    ("othello", {}, "othello", 20_000, 300, "≥ 200,000"),
    ("checkers", {}, "checkers", 20_000, 500, "≥ 100,000"),
    ("chess", {}, "chess", 1_000, 60, "≥ 8,000"),
    ("backgammon", {}, "backgammon", 1_000, 80, "≥ 8,000"),
    ("go", {}, "go(board_size=9,komi=7.0)", 3_000, 800, "≥ 20,000"),
]


def run() -> Iterator[Row]:
    for name, options, peer, many, few, bar in GAMES:
        game = zermelo.load(name, **options)
        playouts(game, 1)  # compiles

        def ours(game=game, many=many) -> float:  # type: ignore[no-untyped-def]
            return best_rate(lambda: playouts(game, many).games, 3)

        what = f"random games, {name}"
        rollouts = open_spiel_rollouts(peer)
        if rollouts is None:
            yield Row(what, "games/s", ours(), peer="open_spiel is not installed", bar=bar)
            continue

        def theirs(rollouts=rollouts, few=few) -> float:  # type: ignore[no-untyped-def]
            return best_rate(lambda: rollouts(few), 2)

        yield Row(what, "games/s", *in_turn(ours, theirs), "OpenSpiel's C++ rollouts", bar)


def open_spiel_rollouts(name: str):  # type: ignore[no-untyped-def]
    """A function that plays n random games inside OpenSpiel's C++, or None.

    Its rollouts are reached through its search: two simulations, each of n / 2 rollouts and next to nothing else.
    """
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    while state.is_chance_node():  # its search wants a decision to start from
        state.apply_action(state.chance_outcomes()[0][0])

    def rollouts(n: int) -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(n // 2, 1)
        pyspiel.MCTSBot(game, evaluator, 2.0, 2, 100, False, 1, False).mcts_search(state)
        return n

    return rollouts
