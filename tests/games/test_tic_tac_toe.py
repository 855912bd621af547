from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from tests.games.small_games import check_interpreted, check_presentation, drawn_cells, payoffs, random_states, refusal
from zermelo.core.game import Marks
from zermelo.games.tic_tac_toe import LINES
from zermelo.search.exhaustive import exhaustive, positions, positions_by_ply
from zermelo.search.perft import perft
from zermelo.search.plain_alphabeta import plain_alphabeta
from zermelo.textbook import minimax

game = zermelo.load("tic-tac-toe")


def reachable():
    seen, queue = {game.start()}, [game.start()]
    for s in queue:
        after = {game.succ(s, a) for a in game.actions(s)} - seen
        seen |= after
        queue += after
    return seen


def test_every_game_is_counted():
    tree = exhaustive(game)
    assert (tree.value, tree.nodes, tree.ends) == (0, 549_946, 255_168)
    assert (tree.first, tree.second, tree.even) == (131_184, 77_904, 46_080)
    assert plain_alphabeta(game, depth=9).value == minimax(game, game.start(), memo={}) == 0


def test_games_by_length():
    """The lines of n plies are fewer by the games that were over before."""
    ended = [perft(game, n, count_ended=True) - perft(game, n) for n in range(6, 10)]
    assert [b - a for a, b in zip([0, *ended], [*ended, 255_168], strict=True)] == [1440, 5328, 47_952, 72_576, 127_872]
    assert [perft(game, n) for n in range(6)] == [1, 9, 72, 504, 3024, 15_120]


def test_positions():
    states = reachable()
    ends = Counter(game.utility(s) for s in states if game.is_end(s))
    assert len(states) == positions(game) == sum(positions_by_ply(game, 9)) == 5478
    assert (ends[1], ends[-1], ends[0]) == (626, 316, 16)
    assert len({game.key(s) for s in states}) == 5478
    assert len({least_image(game.format(s)) for s in states}) == 765


def least_image(text):
    """The least of a position's eight images, turned and mirrored."""
    rows, images = text.split(), []
    for _ in range(4):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
        images += ["".join(rows), "".join(row[::-1] for row in rows)]
    return min(images)


def test_the_evaluation_is_from_the_side_of_crosses():
    for s in reachable():
        assert -1 < game.evaluate(s) < 1
    assert game.evaluate(game.start()) == 0
    assert game.evaluate(game.parse("... .x. ...")) == pytest.approx(4 / 9)
    assert game.evaluate(game.parse("x.. .o. ...")) == pytest.approx(-1 / 9)


@given(st.integers(0, 10_000))
@settings(max_examples=25)
def test_presentation_and_plain_python(seed):
    check_presentation(game, seed)
    check_interpreted(game, seed)
    last = random_states(game, seed)[-1]
    assert sum(payoffs(game, last)) == 0


def test_names_of_cells():
    assert [game.format_action(game.start(), a) for a in game.actions(game.start())] == [
        *("a3", "b3", "c3"),
        *("a2", "b2", "c2"),
        *("a1", "b1", "c1"),
    ]
    assert game.format(game.succ(game.start(), 1)) == ".x. ... ..."
    assert game.parse("X...O...x") == game.parse("x..\n.o.\n..x") == game.parse("x.. .o. ..x")


def test_the_drawing_for_a_terminal():
    assert game.text(game.parse("x.. .o. ..x")) == "3 x . .\n2 . o .\n1 . . x\n  a b c"


def test_the_drawing_has_every_cell():
    s = game.parse("x.. .o. ...")
    assert drawn_cells(game, s) == {f"{column}{row}" for column in "abc" for row in "123"}
    marked = game.svg(s, Marks(last=("b2",), targets=("a1", "c1"), arrows=(("a1", "a3"),), flip=True))
    assert marked.count('class="target"') == 2
    assert marked.count('class="last"') == marked.count('class="arrow"') == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "nine of x, o and dot"),
        ("x.. .o. ..", "nine of x, o and dot"),
        ("x.. .z. ...", "nine of x, o and dot"),
        ("xx. ... ...", "2 crosses and 0 noughts cannot be"),
        ("o.. ... ...", "0 crosses and 1 noughts cannot be"),
        ("xxx ooo ...", "over before the last move"),
        ("xxx oo. o..", "over before the last move"),
        ("ooo xx. x.x", "over before the last move"),
    ],
)
def test_bad_positions(text, words):
    assert words in refusal(game.parse, text)


def test_bad_moves_and_fields():
    assert "legal are: b3" in refusal(game.parse_action, game.parse("x.. ... ..."), "a3")
    assert refusal(game.parse_action, game.parse("xxx oo. ..."), "c1") == "the game is over"
    assert "do not agree" in refusal(lambda: zermelo.load("tic-tac-toe", turn=1).start())
    assert "do not agree" in refusal(lambda: zermelo.load("tic-tac-toe", board=[5, 0, 0, 0, 0, 0, 0, 0, 0]).start())
    assert "do not agree" in refusal(lambda: zermelo.load("tic-tac-toe", moves=1).start())


def test_a_network_sees_mine_and_theirs():
    mine, theirs = game.planes(game.parse("x.. .o. x.."))  # o to move
    assert mine.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert theirs.tolist() == [[1, 0, 0], [0, 0, 0], [1, 0, 0]]


def test_the_eight_symmetries_are_those_of_the_lines():
    images = game.hook("symmetries")()
    assert len(images) == 8
    for cells, policy in images:
        assert (cells == policy).all()
        assert {frozenset(cells[list(line)].tolist()) for line in LINES} == {frozenset(line) for line in LINES}
