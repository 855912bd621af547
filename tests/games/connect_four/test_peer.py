"""Connect four against OpenSpiel's, move by move over random games.

The rules are the same: columns are counted from 0 there too, x is player 0, a full board is a draw. Boards of other
sizes are compared where the installed OpenSpiel has them.
"""

import random

import pytest

import zermelo

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")


def compare_game(game, peer, chance):
    """Play one random game in both; how many plies it had, and how it ended for x."""
    s, state, plies = game.start(), peer.new_initial_state(), 0
    while not state.is_terminal():
        assert game.player(s) == state.current_player()
        assert list(game.actions(s)) == state.legal_actions(), game.format(s)
        a = chance.choice(game.actions(s))
        s, plies = game.succ(s, a), plies + 1
        state.apply_action(a)
        assert game.format(s).split("/") == str(state).split()
    assert game.is_end(s)
    assert [game.utility(s, 0), game.utility(s, 1)] == state.returns()
    return plies, state.returns()[0]


def compare_games(games, seed, width=7, height=6):
    game, chance = zermelo.load("connect-four", width=width, height=height), random.Random(seed)
    size = "" if (width, height) == (7, 6) else f"(columns={width},rows={height})"
    try:
        peer = pyspiel.load_game(f"connect_four{size}")
    except pyspiel.SpielError:
        pytest.skip("this open_spiel has only boards of 7 × 6")
    results = [compare_game(game, peer, chance) for _ in range(games)]
    assert {result for _, result in results} >= {1.0, -1.0}
    assert sum(plies for plies, _ in results) > 7 * games


def test_300_random_games_agree_with_open_spiel():
    compare_games(300, seed=1)


@pytest.mark.parametrize(("width", "height"), [(4, 5), (8, 7)])
def test_random_games_on_other_boards_agree_with_open_spiel(width, height):
    compare_games(100, seed=3, width=width, height=height)


@pytest.mark.slow
def test_5000_random_games_agree_with_open_spiel():
    compare_games(5000, seed=2)
