"""Othello against OpenSpiel's, move by move over random games.

The rules are the same: squares are numbered alike, 64 is the pass there too, a pass is a ply, black is player 0.
OpenSpiel has the 8 × 8 board only and pays 1, 0 or -1; the difference in discs is compared with its last board.
"""

import random

import pytest

import zermelo

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")


def peer_board(state):
    """Its board in the signs used here, from a1."""
    return "".join("".join(row.split()[1:9]) for row in str(state).split("\n")[2:10]).upper()


def compare_game(game, peer, chance):
    """Play one random game in both; how many plies and passes it had, and how it ended for black."""
    s, state, plies, passes = game.start(), peer.new_initial_state(), 0, 0
    while not state.is_terminal():
        assert game.player(s) == state.current_player()
        assert list(game.actions(s)) == state.legal_actions(), game.format(s)
        a = chance.choice(game.actions(s))
        assert game.format_action(s, a) == state.action_to_string(a)
        s = game.succ(s, a)
        state.apply_action(a)
        assert game.format(s)[:64] == peer_board(state)
        plies, passes = plies + 1, passes + (a == 64)
    assert game.is_end(s)
    board = peer_board(state)
    lead = board.count("X") - board.count("O")
    assert [game.utility(s, 0), game.utility(s, 1)] == [lead, -lead]
    assert state.returns()[0] == (lead > 0) - (lead < 0)
    return plies, passes, state.returns()[0]


def compare_games(games, seed):
    game, peer = zermelo.load("othello", score=True), pyspiel.load_game("othello")
    chance = random.Random(seed)
    plies, passes, results = zip(*(compare_game(game, peer, chance) for _ in range(games)), strict=True)
    assert sum(plies) > 55 * games
    assert sum(passes) > games / 4
    assert {1.0, -1.0} <= set(results)


def test_60_random_games_agree_with_open_spiel():
    compare_games(60, seed=1)


@pytest.mark.slow
def test_5000_random_games_agree_with_open_spiel():
    compare_games(5000, seed=2)
