"""Tic-tac-toe against OpenSpiel's: every position there is. Cells are numbered alike, x is player 0."""

import pytest

import zermelo

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")


def test_every_position_agrees_with_open_spiel():
    game, seen = zermelo.load("tic-tac-toe"), set()
    queue = [(game.start(), pyspiel.load_game("tic_tac_toe").new_initial_state())]
    for s, state in queue:
        assert game.format(s).split() == str(state).split()
        assert game.is_end(s) == state.is_terminal()
        assert list(game.actions(s)) == state.legal_actions()
        if state.is_terminal():
            assert [game.utility(s, 0), game.utility(s, 1)] == state.returns()
        else:
            assert game.player(s) == state.current_player()
        for a in game.actions(s):
            after = game.succ(s, a)
            if after not in seen:
                seen.add(after)
                queue.append((after, state.child(a)))
    assert len(queue) == 5478
