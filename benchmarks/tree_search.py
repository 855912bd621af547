"""Monte Carlo tree search, one random rollout a simulation, beside OpenSpiel's C++ MCTSBot; one core each."""

from __future__ import annotations

from collections.abc import Iterator

import zermelo
from benchmarks.report import Row, best_rate, in_turn
from zermelo.core.game import CHANCE
from zermelo.search.limits import Limits
from zermelo.search.mcts.searcher import MCTS
from zermelo.search.searcher import answer

# game, OpenSpiel's name for it, simulations of one search, how much faster is asked
GAMES = [
    ("connect-four", "connect_four", 20_000, "≥ 6×"),
    ("othello", "othello", 2_000, "≥ 50×"),
    ("go", "go(board_size=9,komi=7.0)", 2_000, "≥ 3×"),
    ("chess", "chess", 300, "≥ 10×"),
    ("backgammon", "backgammon", 300, "≥ 10×"),
]


def run() -> Iterator[Row]:
    for name, peer, simulations, bar in GAMES:
        game = zermelo.load(name)
        state = game.start()
        while game.player(state) == CHANCE:
            state = game.succ(state, game.actions(state)[0])
        search = MCTS(game, solver=False)  # theirs does not prove anything here either
        answer(search, state, Limits(nodes=1))  # compiles

        def ours(search=search, state=state, n=simulations) -> float:  # type: ignore[no-untyped-def]
            def work() -> int:
                search.clear()
                return answer(search, state, Limits(nodes=n)).nodes

            return best_rate(work, 5)

        what = f"tree search, {name}"
        bot = open_spiel_search(peer)
        if bot is None:
            yield Row(what, "simulations/s", ours(), peer="open_spiel is not installed", bar=bar)
            continue

        def theirs(bot=bot, n=simulations) -> float:  # type: ignore[no-untyped-def]
            return best_rate(lambda: bot(n), 2)

        yield Row(what, "simulations/s", *in_turn(ours, theirs), "OpenSpiel's MCTSBot", bar)


def open_spiel_search(name: str):  # type: ignore[no-untyped-def]
    """A function that runs n simulations of OpenSpiel's C++ search from a game's first decision, or None."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])

    def search(n: int) -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        pyspiel.MCTSBot(game, evaluator, 2.0, n, 100, False, 1, False).mcts_search(state)
        return n

    return search
