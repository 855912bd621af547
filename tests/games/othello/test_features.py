"""What a learned evaluation sees of othello: patterns read square by square, as somebody would by hand."""

from collections import defaultdict

import numpy as np
import pytest

import zermelo
from tests.games.small_games import random_states
from zermelo.compile.dispatch import features, perspective
from zermelo.compile.kernel import kernel
from zermelo.games.othello.features import MOST_MOVES, PHASES, images, lay_out, patterns

SIZES = (4, 6, 8)


@kernel
def seen_compiled(states, index, value):  # type: ignore[no-untyped-def]
    return features(states[0], index, value)


def seen(s, plain=False):
    """The features of a state, in the order they were written."""
    count, most = s.game.variant.num_features, s.game.variant.max_active_features
    index, value = np.full(most + 1, -1), np.zeros(most + 1, np.float32)
    game = s.game.interpreted if plain else s.game
    n = game.run(seen_compiled, s.record, index, value)
    assert n <= most
    assert index[n] == -1  # nothing behind them was touched
    assert (value[:n] == 1).all()
    assert (index[:n] >= 0).all()
    assert (index[:n] < count).all()
    return index[:n].tolist()


def positions(size, games=3):
    """States of random games and where they ended, one of them early, with no disc of one side left."""
    game = zermelo.load("othello", size=size)
    found = [s for seed in range(games) for s in random_states(game, seed)]
    return [*found, game.parse("e6f4e3f6g5d6e7f5c5")] if size == 8 else found


def mirrored(s, square_map):
    """The same position with its squares carried elsewhere."""
    signs = s.game.format(s)
    board = "".join(signs[square_map[q]] for q in range(len(square_map)))
    return s.game.parse(f"{board} {signs[-1]}")


def test_plain_python_sees_the_same():
    for size in SIZES:
        for s in positions(size)[::7]:
            assert seen(s, plain=True) == seen(s)


@pytest.mark.parametrize("size", SIZES)
def test_the_board_may_be_turned_and_the_colours_changed(size):
    squares = [(x, y) for y in range(size) for x in range(size)]
    for s in positions(size)[::5]:
        own = sorted(seen(s))
        for square_map in images(size, squares):
            assert sorted(seen(mirrored(s, square_map))) == own
        other = s.game.parse(s.game.format(s).translate(str.maketrans("XO", "OX")))
        assert seen(other) == seen(s)
        assert {int(perspective(s.record[0])), int(perspective(other.record[0]))} == {0, 1}


@pytest.mark.parametrize("size", SIZES)
def test_a_feature_is_a_pattern_read_from_either_end(size):
    """The same word in the same phase is the same feature in all places of a pattern, and another word another."""
    places = [frozenset(place.squares) for place in lay_out(size)[0]]
    orders = defaultdict(list)  # by place: (pattern, squares in an order it can be read in)
    for number, pattern in enumerate(patterns(size)):
        for image in images(size, pattern):
            orders[frozenset(image)].append((number, image))
    assert set(orders) == set(places)
    feature_of, word_of = {}, {}
    for s in positions(size):
        signs, me = s.game.format(s), "XO"[s.turn]
        digits = ["-" if sign == "-" else "mt"[sign != me] for sign in signs[:-2]]
        phase = sum(len(digits) - digits.count("-") >= part * size * size for part in PHASES)
        for k, feature in enumerate(seen(s)[: len(places)]):
            pattern = orders[places[k]][0][0]
            word = phase, pattern, min("".join(digits[q] for q in order) for _, order in orders[places[k]])
            assert feature_of.setdefault(word, feature) == feature
            assert word_of.setdefault(feature, word) == word


def test_moves_and_discs_are_seen():
    by_hand = defaultdict(set)
    for s in positions(8):
        *_, mine, theirs, discs = seen(s)
        count = s.game.format(s).count("X") + s.game.format(s)[:-1].count("O") - (s.turn == 0)
        moves = len([a for a in s.game.actions(s) if a < 64]) if not s.over else 0
        by_hand["mine", mine].add(min(moves, MOST_MOVES))
        by_hand["discs", discs].add(count)
        assert mine != theirs
    assert all(len(values) == 1 for values in by_hand.values())
    assert len(by_hand) > 60


def test_how_many_there_are():
    game = zermelo.load("othello")
    assert (game.variant.num_features, game.variant.max_active_features) == (341_822, 49)
    assert game.variant.utility_values is None  # one output: the result expected, a draw half a win
    for size in SIZES:
        places = {frozenset(image) for pattern in patterns(size) for image in images(size, pattern)}
        assert zermelo.load("othello", size=size).variant.max_active_features == len(places) + 3
        assert set().union(*places) == set(range(size * size))  # no square is overlooked
