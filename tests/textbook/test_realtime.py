from random import Random

import pytest

from tests.textbook.textbook_games import Bins, CoinBins, TicTacToe
from zermelo.core.game import CHANCE, GameError
from zermelo.textbook import alphabeta_search, minimax_policy, play, uniform


def test_best_play_of_the_bins():
    policy = minimax_policy(Bins())
    turns = list(play(Bins(), {0: policy, 1: policy}, Random(1)))
    assert turns == [((), 0, "B", ("B",)), (("B",), 1, 1, ("B", 1))]


def test_chance_comes_from_the_generator():
    game = CoinBins(-1)
    policy = minimax_policy(game)

    def coin(seed):
        return next(t.action for t in play(game, {0: policy, 1: policy}, Random(seed)) if t.player == CHANCE)

    coins = [coin(seed) for seed in range(20)]
    assert set(coins) == {"heads", "tails"}
    assert coins == [coin(seed) for seed in range(20)]


def test_the_searcher_searches_again_from_each_new_state_and_never_loses():
    game = TicTacToe()
    asked = []

    def searcher(s):
        asked.append(s)
        return alphabeta_search(game, s, depth=6).action

    for seed in range(3):
        asked.clear()
        turns = list(play(game, {0: uniform(game), 1: searcher}, Random(seed)))
        assert asked == [t.before for t in turns if t.player == 1]
        assert game.utility(turns[-1].after, 1) >= 0


def test_a_policy_is_not_asked_before_its_turn():
    def absent(s):
        raise GameError("nobody there")

    turns = play(Bins(), {0: lambda s: "A", 1: absent}, Random(1))
    assert next(turns).action == "A"
    with pytest.raises(GameError, match="nobody there"):
        next(turns)


def test_play_may_begin_anywhere():
    assert [t.action for t in play(Bins(), {1: lambda s: 3}, Random(1), ("B",))] == [3]
