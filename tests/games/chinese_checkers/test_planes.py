"""What a network sees of Chinese checkers: everybody's home is at the bottom."""

import numpy as np
import pytest

import zermelo
from zermelo.compile.record_game import State


def seen_at_the_start(players, size=4):
    """The planes of the start, as if it were each player's turn."""
    game = zermelo.load("chinese-checkers", players=players, size=size, compiled=False)
    for p in range(players):
        records = game.start().record
        records["turn"] = p
        yield game.planes(State(game, records))


@pytest.mark.parametrize("players", [2, 3, 6])
def test_everybody_sees_the_same_start(players):
    first, *others = seen_at_the_start(players)
    assert len(first) == players
    assert np.argwhere(first[0])[:, 0].min() == 13  # my ten pieces fill the last four rows
    assert (first.sum(axis=(1, 2)) == 10).all()
    assert all((first == other).all() for other in others)


def test_four_players_sit_in_two_ways():
    first, second, third, fourth = seen_at_the_start(4)
    assert (first == third).all()
    assert (second == fourth).all()
    assert not first[4].any()
    assert second[4].all()
    assert (first[0] == second[0]).all()


@pytest.mark.parametrize("players", [2, 3])
def test_moves_are_numbered_as_they_are_seen(players):
    """Everybody's first moves have the same numbers, as long as nobody has come near."""
    game = zermelo.load("chinese-checkers", players=players, compiled=False)
    s = game.start()
    numbers = []
    for _ in range(players):
        numbers.append({game.policy_index(s, a) for a in game.actions(s)})
        s = game.succ(s, game.actions(s)[0])
    assert all(one == numbers[0] for one in numbers)
    assert max(numbers[0]) < game.variant.policy_size == 121 * 121


def test_two_players_have_a_mirror():
    images = {n: len(zermelo.load("chinese-checkers", players=n, compiled=False).hook("symmetries")()) for n in (2, 3)}
    assert images == {2: 2, 3: 1}
