"""Kalah against OpenSpiel's mancala, move by move over random games.

Mancala has six pits with four seeds, another turn for a last seed in the store, and captures only where there is
something opposite, as here. It numbers the places from the first player's left: 1 to 6, the store 7, 8 to 13, the other
store 0. It leaves the seeds that remain at the end where they are and counts them with their owner's store, which is
compared by the result.
"""

import random

import pytest

import zermelo
from zermelo import OVER
from zermelo.search.perft import perft

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")


def peer_places(state):
    """Its seeds in the order used here."""
    top, middle, bottom = (line for line in str(state).split("\n")[:3])
    south, north = ([int(n) for n in row.strip("-").split("-")] for row in (bottom, top))
    left, right = (int(n) for n in middle.split("-") if n)
    return [*south, right, *north[::-1], left]


def compare_game(game, peer, chance):
    s, state = game.start(), peer.new_initial_state()
    while game.player(s) != OVER:
        assert game.player(s) == state.current_player()
        assert [a + (8 if s.turn else 1) for a in game.actions(s)] == state.legal_actions(), game.format(s)
        a = chance.choice(game.actions(s))
        state.apply_action(a + (8 if s.turn else 1))
        s = game.succ(s, a)
        if not state.is_terminal():
            assert list(s.board) == peer_places(state)
    assert state.is_terminal()
    assert [game.utility(s, 0), game.utility(s, 1)] == state.returns()
    return game.utility(s)


def compare_games(games, seed):
    game, peer, chance = zermelo.load("kalah"), pyspiel.load_game("mancala"), random.Random(seed)
    assert {compare_game(game, peer, chance) for _ in range(games)} == {1.0, 0.0, -1.0}


@pytest.mark.jit
def test_200_random_games_agree_with_open_spiel():
    compare_games(200, seed=1)


@pytest.mark.slow
@pytest.mark.jit
def test_5000_random_games_agree_with_open_spiel():
    compare_games(5000, seed=2)


def peer_perft(state, depth):
    if depth == 0:
        return 1
    return 0 if state.is_terminal() else sum(peer_perft(state.child(a), depth - 1) for a in state.legal_actions())


@pytest.mark.jit
def test_perft_agrees_with_open_spiel():
    peer = pyspiel.load_game("mancala")
    assert perft(zermelo.load("kalah"), 7) == peer_perft(peer.new_initial_state(), 7)
