from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from tests.games.small_games import check_interpreted, check_presentation, drawn_cells, payoffs, random_states, refusal
from zermelo.core.game import Marks
from zermelo.search.exhaustive import exhaustive, positions
from zermelo.search.plain_alphabeta import plain_alphabeta
from zermelo.textbook import minimax


def dots(rows, cols):
    return zermelo.load("dots-and-boxes", rows=rows, cols=cols)


game = dots(2, 2)


@cache
def lead(rows, cols, drawn=frozenset()):
    """What the player to move will be ahead by from here on, with lines as pairs of dots: worked out apart."""
    best = None
    for r in range(rows + 1):
        for c in range(cols + 1):
            for line in (((r, c), (r, c + 1)), ((r, c), (r + 1, c))):
                if line[1][0] > rows or line[1][1] > cols or line in drawn:
                    continue
                after = drawn | {line}
                closed = sum(line in box and box <= after for box in boxes(rows, cols))
                rest = lead(rows, cols, after)
                best = max(closed + rest if closed else -rest, -99 if best is None else best)
    return best or 0


@cache
def boxes(rows, cols):
    return [
        frozenset(
            {
                ((r, c), (r, c + 1)),
                ((r + 1, c), (r + 1, c + 1)),
                ((r, c), (r + 1, c)),
                ((r, c + 1), (r + 1, c + 1)),
            }
        )
        for r in range(rows)
        for c in range(cols)
    ]


@pytest.mark.parametrize(("rows", "cols", "value"), [(1, 1, -1), (1, 2, 0), (2, 2, 2)])
def test_the_value_of_small_grids(rows, cols, value):
    game = dots(rows, cols)
    assert minimax(game, game.start(), memo={}) == value == lead(rows, cols)


@pytest.mark.jit
def test_alphabeta_finds_the_same():
    assert plain_alphabeta(game, depth=12).value == 2


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols", "value"), [(2, 1, 0), (1, 3, -1), (3, 1, -1), (1, 4, 0)])
def test_the_value_of_other_small_grids(rows, cols, value):
    game = dots(rows, cols)
    assert minimax(game, game.start(), memo={}) == value == lead(rows, cols)


def test_every_game_on_one_box_and_on_two():
    one, two = exhaustive(dots(1, 1)), exhaustive(dots(1, 2))
    assert (one.value, one.ends, one.second) == (-1, 24, 24)
    assert (two.value, two.ends, two.first, two.second, two.even) == (0, 5040, 720, 3168, 1152)


@pytest.mark.slow
def test_every_game_on_four_boxes():
    tree = exhaustive(game)
    assert (tree.value, tree.ends, tree.nodes) == (2, 479_001_600, 1_302_061_345)


def test_positions_are_told_apart_by_lines_lead_and_turn():
    assert positions(dots(1, 1)) == 16
    lines = "-- |{}|{}| -- ..... .. 0"
    assert game.key(game.parse(lines.format(0, 1))) == game.key(game.parse(lines.format(1, 0)))
    assert game.key(game.parse(lines.format(0, 0))) != game.key(game.parse(lines.format(1, 0)))


def test_closing_a_box_earns_another_move():
    s = game.parse("-. |.|.. .. ..... .. 1")
    after = game.succ(s, game.parse_action(s, "a2b2"))
    assert game.player(after) == 1
    assert game.format(after) == "-. |1|.. -. ..... .. 1"
    quiet = game.succ(s, game.parse_action(s, "b1c1"))
    assert game.player(quiet) == 0
    two_at_once = game.succ(game.parse("-- |...| -- ..... .. 0"), 7)
    assert game.format(two_at_once) == "-- |0|0| -- ..... .. 0"
    assert game.evaluate(two_at_once) == 2


@given(st.integers(0, 999))
@settings(max_examples=50)
def test_all_boxes_are_owned_in_the_end(seed):
    game = dots(3, 4)
    s = random_states(game, seed)[-1]
    owned = [bin(int(bits)).count("1") for bits in s.taken]
    assert sum(owned) == 12
    assert payoffs(game, s) == [owned[0] - owned[1], owned[1] - owned[0]]


@given(st.sampled_from([(1, 1), (2, 2), (3, 4)]), st.integers(0, 99))
@settings(max_examples=20)
def test_presentation_and_plain_python(shape, seed):
    check_presentation(dots(*shape), seed)
    check_interpreted(dots(*shape), seed)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "take 5 lines"),
        (".. ..... .. ..... ..", "take 5 lines"),
        (".. ..... .. ..... .. 2", "not with '2'"),
        (".. .... .. ..... .. 0", "line 2, '....', must have 5 signs"),
        (".. ..... |. ..... .. 0", "line 3, '|.': '|' should be one of - ."),
        (".. .0... .. ..... .. 0", "box 1 has an owner and is not closed"),
        ("-. |.|.. -. ..... .. 0", "box 1 is closed and nobody owns it"),
    ],
)
def test_bad_positions(text, why):
    assert why in refusal(game.parse, text)


def test_moves_are_read_as_people_write_them():
    s = game.start()
    for text in ("a3b3", "b3a3", "A3-B3", " a3 - b3 "):
        assert game.parse_action(s, text) == 0
    assert "two neighbouring dots" in refusal(game.parse_action, s, "a3c3")
    assert "not a legal move" in refusal(game.parse_action, game.succ(s, 0), "a3b3")


def test_sizes():
    assert "1 × 1 to 5 × 5" in refusal(lambda: dots(6, 5))
    assert "1 × 1 to 5 × 5" in refusal(lambda: dots(0, 3))


def test_the_drawings():
    s = game.parse("-- |0|1| -- ..|.. -. 0")
    assert game.text(s) == "•───•───•\n│ 0 │ 1 │\n•───•───•\n    │\n•───•   •"
    assert len(drawn_cells(game, s)) == 12
    assert "last" in game.svg(s, Marks(last=("a3b3",), targets=("b1c1",), flip=True))
