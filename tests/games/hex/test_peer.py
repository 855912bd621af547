"""Hex against OpenSpiel's, move by move over random games.

The rules are the same: cells are numbered alike, player 0 joins top and bottom, there is no swap.
"""

import random

import pytest

import zermelo
from zermelo import OVER
from zermelo.search.perft import perft

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")


def peer_board(state, size):
    """Its board in the signs used here: stones joined to a side have letters of their own there."""
    first, second = "xyzX", "opqO"
    cells = ["x" if c in first else "o" if c in second else c for c in str(state) if not c.isspace()]
    return "/".join("".join(cells[i : i + size]) for i in range(0, size * size, size))


def compare_game(game, peer, size, chance):
    s, state = game.start(), peer.new_initial_state()
    while game.player(s) != OVER:
        assert game.player(s) == state.current_player()
        assert list(game.actions(s)) == state.legal_actions(), game.format(s)
        a = chance.choice(game.actions(s))
        assert game.format_action(s, a) == state.action_to_string(a)
        s = game.succ(s, a)
        state.apply_action(a)
        assert game.format(s) == peer_board(state, size)
    assert state.is_terminal()
    assert [game.utility(s, 0), game.utility(s, 1)] == state.returns()
    return game.utility(s)


def compare_games(size, games, seed):
    game, peer, chance = (
        zermelo.load("hex", size=size),
        pyspiel.load_game(f"hex(board_size={size})"),
        random.Random(seed),
    )
    assert {compare_game(game, peer, size, chance) for _ in range(games)} == {1.0, -1.0}


@pytest.mark.jit
@pytest.mark.parametrize(("size", "games"), [(11, 60), (3, 300)])
def test_random_games_agree_with_open_spiel(size, games):
    compare_games(size, games, seed=1)


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.parametrize(("size", "games"), [(11, 2000), (14, 500)])
def test_many_random_games_agree_with_open_spiel(size, games):
    compare_games(size, games, seed=2)


def peer_perft(state, depth):
    if depth == 0:
        return 1
    return 0 if state.is_terminal() else sum(peer_perft(state.child(a), depth - 1) for a in state.legal_actions())


@pytest.mark.jit
def test_perft_agrees_with_open_spiel():
    peer = pyspiel.load_game("hex(board_size=3)")
    assert perft(zermelo.load("hex", size=3), 7) == peer_perft(peer.new_initial_state(), 7)
