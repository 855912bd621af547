"""Dots and boxes against OpenSpiel's: same lines, same turns, same boxes.

The peer numbers lines in the same order (across first, then down, row by row). It pays 1, 0 or −1 for more, as many or
fewer boxes, where this game pays the difference.
"""

from random import Random

import pytest

import zermelo

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (2, 2), (2, 3), (4, 3)])
def test_random_games(rows, cols):
    game = zermelo.load("dots-and-boxes", rows=rows, cols=cols)
    peer = pyspiel.load_game(f"dots_and_boxes(num_rows={rows},num_cols={cols})")
    for seed in range(40):
        rng, s, theirs = Random(seed), game.start(), peer.new_initial_state()
        while not game.is_end(s):
            assert game.player(s) == theirs.current_player()
            assert list(game.actions(s)) == theirs.legal_actions()
            a = rng.choice(game.actions(s))
            s = game.succ(s, a)
            theirs.apply_action(a)
        assert theirs.is_terminal()
        margin = game.utility(s)
        assert theirs.returns()[0] == (margin > 0) - (margin < 0)
