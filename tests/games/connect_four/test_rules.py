import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from tests.games.small_games import check_interpreted, check_presentation, drawn_cells, payoffs, random_states, refusal
from zermelo.compile.dispatch import noisy
from zermelo.core.game import Marks
from zermelo.search.exhaustive import exhaustive, positions, positions_by_ply
from zermelo.search.plain_alphabeta import plain_alphabeta

BY_PLY = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186, 1662623, 4568683]

game = zermelo.load("connect-four")
boards = st.sampled_from([(7, 6), (4, 4), (9, 6), (16, 3), (1, 8)])


def test_positions_by_ply():
    assert positions_by_ply(game, 8) == BY_PLY[:9]


@pytest.mark.slow
def test_positions_by_ply_deeper():
    assert positions_by_ply(game, 11) == BY_PLY


def test_positions_of_a_small_board_are_those_plain_python_finds():
    board = zermelo.load("connect-four", width=4, height=3)
    seen, queue = {board.start()}, [board.start()]
    for s in queue:
        after = {board.succ(s, a) for a in board.actions(s)} - seen
        seen |= after
        queue += after
    assert positions(board) == len(seen) == len({board.key(s) for s in seen})
    assert positions(zermelo.load("connect-four", width=4, height=4)) == 161_029


# -- the rules, worked out apart ---------------------------------------------------------------------------------------


def has_four(rows, sign):
    """Four of `sign` in a row, looked for place by place."""
    places = {(x, y) for y, row in enumerate(rows) for x, found in enumerate(row) if found == sign}
    directions = ((1, 0), (0, 1), (1, 1), (1, -1))
    return any({(x + i * dx, y + i * dy) for i in range(4)} <= places for x, y in places for dx, dy in directions)


@given(boards, st.integers(0, 10_000))
@settings(max_examples=40)
def test_the_end_and_the_winner_are_those_found_place_by_place(size, seed):
    game = zermelo.load("connect-four", width=size[0], height=size[1])
    for ply, s in enumerate(random_states(game, seed)):
        rows = game.format(s).split("/")
        wins = [has_four(rows, sign) for sign in "xo"]
        full = ply == size[0] * size[1]
        assert game.is_end(s) == (any(wins) or full)
        if game.is_end(s):
            assert payoffs(game, s) == [wins[0] - wins[1], wins[1] - wins[0]]
        else:
            assert game.player(s) == ply % 2
            assert list(game.actions(s)) == [x for x in range(size[0]) if rows[0][x] == "."]


@pytest.mark.parametrize(("width", "height", "value"), [(4, 4, 0), (4, 5, 0), (5, 4, 0)])
def test_the_value_of_small_boards(width, height, value):
    board = zermelo.load("connect-four", width=width, height=height)
    assert plain_alphabeta(board, depth=width * height, window=(-1, 1)).value == value


def test_three_rows_hold_no_upright_four():
    board = zermelo.load("connect-four", width=3, height=3)
    tree = exhaustive(board)
    assert (tree.value, tree.ends, tree.even) == (0, 1680, 1680)  # 9! / (3! 3! 3!) games, all drawn


@given(st.integers(0, 10_000))
@settings(max_examples=25)
def test_noisy_moves_complete_a_four_for_one_side_or_the_other(seed):
    out = np.zeros(game.variant.width, np.int64)
    for s in random_states(game, seed)[:-1]:
        rows = game.format(s).split("/")
        wanted = []
        for a in game.actions(s):
            y = max(y for y in range(6) if rows[y][a] == ".")
            filled = [[row[:a] + sign + row[a + 1 :] if i == y else row for i, row in enumerate(rows)] for sign in "xo"]
            wanted += [a] if has_four(filled[0], "x") or has_four(filled[1], "o") else []
        assert out[: noisy(s.record[0], out)].tolist() == wanted


@given(boards, st.integers(0, 10_000))
@settings(max_examples=25)
def test_the_evaluation_is_a_fraction_and_sees_a_mirrored_board_alike(size, seed):
    game = zermelo.load("connect-four", width=size[0], height=size[1])
    for s in random_states(game, seed):
        mirrored = game.parse("/".join(row[::-1] for row in game.format(s).split("/")))
        assert game.evaluate(s) == game.evaluate(mirrored)
        assert -1 < game.evaluate(s) < 1


def test_the_evaluation_is_from_the_first_players_side():
    assert game.evaluate(game.parse("41424")) > 0.1
    assert game.evaluate(game.parse("142474")) < -0.1
    assert game.evaluate(game.start()) == 0


# -- notation and drawing ----------------------------------------------------------------------------------------------


@given(boards, st.integers(0, 10_000))
@settings(max_examples=15)
def test_presentation_and_plain_python(size, seed):
    game = zermelo.load("connect-four", width=size[0], height=size[1])
    check_presentation(game, seed)
    check_interpreted(game, seed)


def test_a_position_is_a_string_of_moves():
    s = game.parse("4453")
    assert game.format(s) == "......./......./......./......./...o.../..oxx.."
    assert s == game.parse("......./......./......./......./...O.../..OXX..")
    assert game.parse("") == game.start()
    for text in ("45461667", "35333571", "13333111"):
        assert game.player(game.parse(text)) == 0


def test_the_drawing_for_a_terminal():
    assert game.text(game.parse("445355")).splitlines() == [
        "· · · · · · ·",
        "· · · · · · ·",
        "· · · · · · ·",
        "· · · · ○ · ·",
        "· · · ○ ● · ·",
        "· · ○ ● ● · ·",
        "1 2 3 4 5 6 7",
    ]


def test_the_drawing_has_every_place_and_is_never_upside_down():
    s = game.parse("4453")
    assert drawn_cells(game, s) == {f"{column}{row}" for column in "abcdefg" for row in "123456"}
    assert game.svg(s, Marks(flip=True)) == game.svg(s)
    assert game.clicks(s, 3) == ("d3",)
    assert game.clicks(s, 0) == ("a1",)
    marked = game.svg(s, Marks(last=("c1",), targets=("a1", "d3"), arrows=(("a1", "b1"),)))
    assert marked.count('class="target"') == 2
    assert marked.count('class="arrow"') == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("8", "move 1 of '8' is not a column from 1 to 7"),
        ("4444444", "column 4 is full at move 7"),
        ("12121212", "is over before move 8"),
        ("x", "a position is a string of columns such as '4453'"),
        ("......./......./......./......./......./...z...", "6 rows of 7 signs x, o and dot"),
        ("......./......./......./......./...x.../.......", "hangs in the air in column 4"),
        ("......./......./......./......./......./xx.....", "as many x as o, or one more"),
        ("......./......./......./......./......./o......", "as many x as o, or one more"),
        ("......./......./......./......./ooo..../xxxx..o", "side to move has four"),
        ("......./x....../x....../xo...../xo...../xoo....", "over before the last move"),
    ],
)
def test_bad_positions(text, words):
    assert words in refusal(game.parse, text)


def test_a_four_without_a_disc_on_top_is_older_than_the_last_move():
    text = "......./......./......./......./ooxo.../xxxx..o"  # the last x can only be c2, and there was a four before
    assert "over before the last move" in refusal(game.parse, text)


def test_bad_moves():
    s = game.parse("444444")
    assert refusal(game.parse_action, s, "4") == "column 4 is full"
    assert refusal(game.parse_action, s, "8") == "'8' is not a column from 1 to 7"
    assert refusal(game.parse_action, s, "d") == "'d' is not a column from 1 to 7"
    assert refusal(game.parse_action, game.parse("1212121"), "5") == "the game is over"
    assert game.parse_action(s, " 7 ") == 6


def test_bad_variants_and_fields():
    assert "9 × 7 does not fit" in refusal(lambda: zermelo.load("connect-four", width=9, height=7))
    assert "0 × 6 does not fit" in refusal(lambda: zermelo.load("connect-four", width=0))
    assert "off the board" in refusal(lambda: zermelo.load("connect-four", mask=1 << 6).start())
    assert "off the board" in refusal(lambda: zermelo.load("connect-four", mine=1).start())
    assert "hangs in the air" in refusal(lambda: zermelo.load("connect-four", mask=2).start())
    assert "x moves first" in refusal(lambda: zermelo.load("connect-four", turn=1).start())
