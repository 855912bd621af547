"""2048 against OpenSpiel's, over random games: boards, legal moves, chances and scores.

Where OpenSpiel differs, and what is done about it:
- it leaves out moves that do nothing but merge tiles of which one was made by the move before (in about one position of
  sixteen): moves that it does not list must make points, and are not played;
- it ends a game when a tile of 2048 is made, which random games never reach.
"""

import random

import pytest

import zermelo

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")


def test_random_games_go_the_same_way():
    game, chance = zermelo.load("game-2048"), random.Random(1)
    peer_game = pyspiel.load_game("2048")
    asked = missing = 0
    for _ in range(20):
        s, peer = game.start(), peer_game.new_initial_state()
        while not peer.is_terminal():
            assert [1 << t if t else 0 for t in s.tiles.tolist()] == [int(n) for n in str(peer).split()]
            assert peer.is_chance_node() == bool(s.fresh)
            if s.fresh:
                assert dict(peer.chance_outcomes()) == pytest.approx(dict(game.chances(s)))
            left_out = set(game.actions(s)) - set(peer.legal_actions())
            assert set(peer.legal_actions()) <= set(game.actions(s))
            assert all(game.succ(s, a).score > s.score for a in left_out)
            asked, missing = asked + 1, missing + bool(left_out)
            a = chance.choice(peer.legal_actions())
            peer.apply_action(a)
            s = game.succ(s, a)
        assert game.is_end(s)
        assert peer.returns() == [game.utility(s)]
    assert missing < asked / 20
