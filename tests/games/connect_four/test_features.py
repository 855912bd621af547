"""What a learned evaluation sees of connect four: columns and lines read place by place, as somebody would by hand."""

import numpy as np
import pytest

import zermelo
from tests.games.small_games import random_states
from zermelo.compile.dispatch import features, perspective
from zermelo.compile.kernel import kernel
from zermelo.games.connect_four.features import gather, lines

SIZES = ((7, 6), (4, 4), (9, 6), (16, 3), (8, 7), (1, 5))


@kernel
def seen_compiled(states, index, value):  # type: ignore[no-untyped-def]
    return features(states[0], index, value)


def seen(s, plain=False):
    """The features of a state, in the order they were written."""
    count, most = s.game.variant.num_features, s.game.variant.max_active_features
    index, value = np.full(most + 1, -1), np.zeros(most + 1, np.float32)
    game = s.game.interpreted if plain else s.game
    n = game.run(seen_compiled, s.record, index, value)
    assert 1 <= n <= most
    assert index[n] == -1  # nothing behind them was touched
    assert (value[:n] == 1).all()
    assert (index[:n] >= 0).all()
    assert (index[:n] < count).all()
    return index[:n].tolist()


def positions(width, height, games=8):
    """States of random games in which it is still somebody's turn."""
    game = zermelo.load("connect-four", width=width, height=height)
    return [s for seed in range(games) for s in random_states(game, seed) if not game.is_end(s)]


def board(s):
    """x, o, and '.' for empty; '+' for the next place to be filled, by (column, row) from the bottom left."""
    rows = s.game.format(s).split("/")[::-1]
    signs = {(x, y): sign for y, row in enumerate(rows) for x, sign in enumerate(row)}
    for x in range(len(rows[0])):
        free = [y for y in range(len(rows)) if signs[x, y] == "."]
        if free:
            signs[x, free[0]] = "+"
    return signs


def mirrored(s):
    return s.game.parse("/".join(row[::-1] for row in s.game.format(s).split("/")))


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_plain_python_sees_the_same_and_so_does_the_mirror(width, height):
    for s in positions(width, height)[::3]:
        own = seen(s)
        assert seen(s, plain=True) == own
        assert sorted(seen(mirrored(s))) == sorted(own)
        assert perspective(s.record[0]) == 0


def winning_moves(s):
    after = [(a, s.game.succ(s, a)) for a in s.game.actions(s)]
    return [a for a, t in after if s.game.is_end(t) and s.game.utility(t, int(s.turn)) > 0]


def is_lost_at_once(s):
    """The other side completes a four next move, whatever is played now."""
    after = [s.game.succ(s, a) for a in s.game.actions(s)]
    return all(not s.game.is_end(t) and winning_moves(t) for t in after)


def test_a_result_in_sight_is_the_only_feature():
    found = set()
    for s in positions(7, 6, games=40):
        own = seen(s)
        if winning_moves(s):
            assert own == [2 * s.turn + 1]
        elif is_lost_at_once(s):
            assert own == [2 * s.turn]
        else:
            assert len(own) == s.game.variant.max_active_features
            assert min(own) >= 4
        found.add(own[0] if len(own) == 1 else None)
    assert found == {0, 1, 2, 3, None}


@pytest.mark.parametrize(("width", "height"), [(7, 6), (9, 6), (8, 7), (16, 3)])
def test_a_feature_is_what_stands_on_a_line_and_whose_turn_it_is(width, height):
    """The same content for the same turn is the same feature in both places of a kind, another content another."""
    count = len(lines(width, height))
    kinds = [kind for kind, _ in lines(width, height)]
    feature_of, word_of = {}, {}
    for s in positions(width, height):
        own, signs = seen(s), board(s)
        if len(own) == 1:
            continue
        words = []
        for kind, places in lines(width, height):
            text = "".join(signs[place] for place in places)
            alone = kind[0] == "row" and kinds.count(kind) == 1  # its mirror image is itself
            words.append((int(s.turn), kind, min(text, text[::-1]) if alone else text))
        words.sort(key=lambda word: not (word[1][0] == "row" and kinds.count(word[1]) == 1))
        for word, feature in zip(words, own[-count:], strict=True):
            assert feature_of.setdefault(word, feature) == feature
            assert word_of.setdefault(feature, word) == word
    assert len(word_of) > 300


def four(discs):
    directions = ((1, 0), (0, 1), (1, 1), (1, -1))
    return any({(x + i * dx, y + i * dy) for i in range(4)} <= discs for x, y in discs for dx, dy in directions)


def test_columns_show_discs_in_pairs_and_threats_above_them():
    width, height = 7, 6
    feature_of, word_of = {}, {}
    for s in positions(width, height, games=20):
        own, signs = seen(s), board(s)
        if len(own) == 1:
            continue
        sides = [{place for place, sign in signs.items() if sign == mark} for mark in "xo"]
        words = []
        for x in range(width):
            empty = [(x, y) for y in range(height) if signs[x, y] in ".+"]
            threats = tuple(tuple(four(discs | {place}) for discs in sides) for place in empty)
            words.append((int(s.turn), "column", min(x, width - 1 - x), threats))
        columns = ["".join(signs[x, y] for y in range(height)) for x in range(width)]
        for x in range(width - 1):
            outer, inner = (x, x + 1) if x < width // 2 else (x + 1, x)
            words.append((int(s.turn), "pair", min(outer, width - 1 - outer), columns[outer], columns[inner]))
        for word, feature in zip(words, own, strict=False):
            assert feature_of.setdefault(word, feature) == feature
            assert word_of.setdefault(feature, word) == word
    assert len({word for word in feature_of if word[1] == "column" and any(map(any, word[3]))}) > 30


def test_lines_cover_every_four():
    for width, height in SIZES:
        windows = [set(places) for _, places in lines(width, height)]
        for dx, dy in ((1, 0), (1, 1), (1, -1)):
            for x in range(width - 3):
                for y in range(height):
                    places = {(x + i * dx, y + i * dy) for i in range(4)}
                    if all(0 <= b < height for _, b in places):
                        assert any(places <= window for window in windows)


def test_a_multiplication_brings_the_places_of_a_line_together():
    random = np.random.default_rng(4)
    for width, height in SIZES:
        for _, places in lines(width, height):
            bits = [(height + 1) * x + y for x, y in places]
            read = gather(bits)
            for word in random.integers(0, 1 << 63, 20):
                together = ((int(word) >> read.shift & read.mask) * read.magic & (1 << 64) - 1) >> read.top & read.ones
                assert together == sum((int(word) >> bit & 1) << i for i, bit in enumerate(bits))


def test_how_many_there_are():
    game = zermelo.load("connect-four")
    columns, pairs, rows, diagonals = 4 * 5461, 3 * 16384, 6 * 8320, 2 * (4**4 + 4**5 + 4**6)
    assert (game.variant.num_features, game.variant.max_active_features) == (
        4 + 2 * (columns + pairs + rows + diagonals),
        7 + 6 + 6 + 12,
    )
    assert game.variant.utility_values is None  # one output: the result expected, a draw half a win
    tall = zermelo.load("connect-four", width=1, height=8)
    assert tall.variant.num_features is None
    assert "features" not in tall.variant.functions
