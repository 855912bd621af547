"""2048: slides and merges against a plain second implementation, chance, the end, notation, drawings."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo import CHANCE, OVER, GameError, Marks
from zermelo.search.playout import playouts

GAME = zermelo.load("game-2048")
UP, RIGHT, DOWN, LEFT = range(4)


# -- a second implementation: rows of numbers, turned around until the move is to the left -----------------------------


def reference_slide(rows, direction):
    """(rows after the move, points) for rows of numbers, 0 where a cell is empty."""
    if direction == LEFT:
        slid = [slide_row(row) for row in rows]
        return [row for row, _ in slid], sum(points for _, points in slid)
    if direction == RIGHT:
        after, points = reference_slide([row[::-1] for row in rows], LEFT)
        return [row[::-1] for row in after], points
    columns = [list(column) for column in zip(*rows, strict=True)]
    after, points = reference_slide(columns, LEFT if direction == UP else RIGHT)
    return [list(column) for column in zip(*after, strict=True)], points


def slide_row(row):
    """To the left."""
    tiles, after, points = [n for n in row if n], [], 0
    while tiles:
        n = tiles.pop(0)
        if tiles and tiles[0] == n:
            tiles.pop(0)
            n *= 2
            points += n
        after.append(n)
    return after + [0] * (4 - len(after)), points


def rows_of(s):
    numbers = [1 << tile if tile else 0 for tile in s.tiles.tolist()]
    return [numbers[i : i + 4] for i in range(0, 16, 4)]


def check_against_reference(s):
    legal = {d: reference_slide(rows_of(s), d) for d in range(4) if reference_slide(rows_of(s), d)[0] != rows_of(s)}
    assert set(GAME.actions(s)) == set(legal)
    assert GAME.is_end(s) == (not legal)
    for direction, (after, points) in legal.items():
        t = GAME.succ(s, direction)
        assert (rows_of(t), t.score, t.fresh) == (after, s.score + points, 1)


boards = st.lists(st.sampled_from([0, 0, 0, 1, 1, 2, 2, 3, 4, 10, 11, 16]), min_size=16, max_size=16)


@settings(max_examples=200)
@given(boards)
def test_slides_agree_with_the_reference(tiles):
    s = zermelo.load("game-2048", tiles=tiles, fresh=0, score=8).start()
    check_against_reference(s)
    assert GAME.interpreted.actions(s) == GAME.actions(s)
    assert GAME.interpreted.evaluate(s) == pytest.approx(GAME.evaluate(s))


def test_random_games_agree_with_the_reference():
    random = np.random.default_rng(3)
    for _ in range(3):
        s = GAME.start()
        while not GAME.is_end(s):
            if GAME.player(s) != CHANCE:
                check_against_reference(s)
            s = GAME.succ(s, int(random.choice(GAME.actions(s))))
        check_against_reference(s)
        assert GAME.utility(s) == s.score


@pytest.mark.parametrize(
    ("row", "left", "points"),
    [
        ("2,2,2,2", "4,4,.,.", 8),
        ("2,2,2,.", "4,2,.,.", 4),
        ("4,2,2,.", "4,4,.,.", 4),
        (".,2,.,2", "4,.,.,.", 4),
        ("2,4,2,4", None, 0),
        ("8,8,16,.", "16,16,.,.", 16),
    ],
)
def test_merges(row, left, points):
    s = GAME.parse(f"{row}/.,.,.,./.,.,.,./.,.,.,. 0 0")
    if left is None:
        assert LEFT not in GAME.actions(s)
    else:
        after = GAME.succ(s, LEFT)
        assert GAME.format(after) == f"{left}/.,.,.,./.,.,.,./.,.,.,. {points} 1"


# -- chance and the end ------------------------------------------------------------------------------------------------


def test_chance_places_two_tiles_at_the_start():
    s = GAME.start()
    chances = GAME.chances(s)
    assert len(chances) == 32
    assert sum(p for _, p in chances) == pytest.approx(1)
    assert chances[0] == (0, pytest.approx(0.9 / 16))
    assert chances[31] == (31, pytest.approx(0.1 / 16))
    t = GAME.succ(s, 5)
    assert (GAME.player(t), t.tiles.tolist()[2], len(GAME.chances(t))) == (CHANCE, 2, 30)
    assert GAME.player(GAME.succ(t, 30)) == 0


def test_a_full_board_without_a_move_ends_the_game():
    s = GAME.parse("2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2 600 0")
    assert GAME.player(s) == OVER
    assert GAME.utility(s) == 600
    assert GAME.actions(GAME.parse("2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,4 600 0")) == (UP, RIGHT, DOWN, LEFT)


@pytest.mark.jit
def test_random_games_score_eleven_hundred():
    result = playouts(GAME, 5000, seed=1)
    assert result.unfinished == 0
    assert 1050 < result.mean[0] < 1150


def test_choosing_by_evaluation_scores_more():
    scores = []
    for seed in range(8):
        random, s = np.random.default_rng(seed), GAME.start()
        while not GAME.is_end(s):
            if GAME.player(s) == CHANCE:
                outcomes = GAME.chances(s)
                a = random.choice([o for o, _ in outcomes], p=[p for _, p in outcomes])
            else:
                a = max(GAME.actions(s), key=lambda a: GAME.evaluate(GAME.succ(s, a)))
            s = GAME.succ(s, int(a))
        scores.append(GAME.utility(s))
    assert np.mean(scores) > 2500


# -- notation and drawings ---------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(0, 150))
def test_round_trips(seed, plies):
    random, s = np.random.default_rng(seed), GAME.start()
    for _ in range(plies):
        if GAME.is_end(s):
            break
        s = GAME.succ(s, int(random.choice(GAME.actions(s))))
    assert GAME.parse(GAME.format(s)) == s
    for a in GAME.actions(s):
        assert GAME.parse_action(s, GAME.format_action(s, a)) == a


def test_ways_to_write_moves():
    s = GAME.parse(".,.,.,./.,2,.,./.,.,.,./.,.,.,. 0 0")
    for a, words in enumerate([("up", "u", "↑", "UP"), ("right", "r", "→"), ("down", "d", "↓"), ("left", "l", "←")]):
        assert {GAME.parse_action(s, word) for word in words} == {a}
    assert GAME.format_action(GAME.succ(s, UP), 31) == "4@d1"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2,4",
        "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,3 0 0",
        "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2 0 1",
        "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2",
        "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2 0 3",
    ],
)
def test_bad_positions_get_one_sentence(text):
    with pytest.raises(GameError) as caught:
        GAME.parse(text)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("text", ["", "north", "up", "2@a1"])
def test_bad_moves_get_one_sentence(text):
    with pytest.raises(GameError) as caught:
        GAME.parse_action(GAME.parse("2,4,2,4/.,.,.,./.,.,.,./.,.,.,. 0 0"), text)
    assert len(str(caught.value).splitlines()) == 1


def test_text():
    assert GAME.text(GAME.parse("2,.,.,1024/.,.,.,./.,.,8,./131072,.,.,. 12 0")) == (
        "┌──────┬──────┬──────┬──────┐\n"
        "│  2   │      │      │ 1024 │\n"
        "├──────┼──────┼──────┼──────┤\n"
        "│      │      │      │      │\n"
        "├──────┼──────┼──────┼──────┤\n"
        "│      │      │  8   │      │\n"
        "├──────┼──────┼──────┼──────┤\n"
        "│131072│      │      │      │\n"
        "└──────┴──────┴──────┴──────┘\n"
        "score 12"
    )


def test_svg():
    cells = {f"{c}{r}" for c in "abcd" for r in "1234"} | {"up", "right", "down", "left"}
    s = GAME.parse("2,.,.,1024/.,.,.,./.,.,8,./131072,.,.,. 12 0")
    for marks in (Marks(), Marks(flip=True, last=("up",), targets=("left", "a1"))):
        root = ElementTree.fromstring(GAME.svg(s, marks))
        assert {e.get("data-at") for e in root.iter()} - {None} == cells
    assert GAME.clicks(s, LEFT) == ("left",)
    assert GAME.clicks(GAME.start(), 31) == ("d1",)


def test_a_network_sees_every_tile_in_its_plane():
    planes = GAME.planes(GAME.parse("2,.,.,4/.,.,.,./.,.,131072,./.,.,.,. 12 0"))
    assert planes.shape == (17, 4, 4)
    assert np.argwhere(planes).tolist() == [[0, 0, 0], [1, 0, 3], [16, 2, 2]]


def test_directions_turn_with_the_board():
    images = GAME.hook("symmetries")()
    assert len(images) == 8
    quarter = next(policy for cells, policy in images if cells[0] == 12 and cells[1] == 8)
    assert quarter.tolist() == [3, 0, 1, 2]  # what slid left slides up
