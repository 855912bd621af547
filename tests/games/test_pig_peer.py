"""Pig against OpenSpiel's, over random games.

OpenSpiel lets a player stop before the first roll, and roll on with enough to win; neither is legal here, so such moves
are left out. Its outcomes are the die less one.
"""

import random
import re

import pytest

import zermelo

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
HOLD, ROLL = 0, 1


def shown(peer):
    first, second, total = map(int, re.search(r"Scores: (\d+) (\d+), Turn total: (\d+)", str(peer)).groups())
    player = int(re.search(r"Current player: (-?\d)", str(peer))[1])
    return [first, second], total, player


@pytest.mark.parametrize("goal", [20, 100])
def test_random_games_go_the_same_way(goal):
    game, chance = zermelo.load("pig", goal=goal), random.Random(1)
    peer_game = pyspiel.load_game(f"pig(winscore={goal},horizon=100000)")
    for _ in range(30):
        s, peer = game.start(), peer_game.new_initial_state()
        while not game.is_end(s):
            assert peer.is_chance_node() == bool(s.rolling)
            assert shown(peer) == (s.scores.tolist(), s.total, s.turn)
            a = chance.choice(game.actions(s))
            peer.apply_action(a - 1 if s.rolling else 1 - a)
            s = game.succ(s, a)
        assert peer.is_terminal()
        assert peer.returns() == [game.utility(s, p) for p in (0, 1)]
