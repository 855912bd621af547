import inspect
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from tests.games.small_games import check_interpreted, check_presentation, drawn_cells, payoffs, random_states, refusal
from zermelo.compile.dispatch import noisy
from zermelo.core.game import Marks
from zermelo.search.exhaustive import exhaustive, positions
from zermelo.search.plain_alphabeta import plain_alphabeta

game = zermelo.load("othello")
small = zermelo.load("othello", size=4)
START = "---------------------------OX------XO--------------------------- X"
WIPE_OUT = "e6f4e3f6g5d6e7f5c5"  # nine plies, and white has no disc left
sizes = st.sampled_from((4, 6, 8))


# -- the rules, worked out apart ---------------------------------------------------------------------------------------


def lines_turned(board, size, x, y, sign):
    """The squares that turn over when `sign` is put on (x, y), by walking the eight directions."""
    other, turned = "XO"[sign == "X"], []
    for dx, dy in [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]:
        line, i, j = [], x + dx, y + dy
        while 0 <= i < size and 0 <= j < size and board[j * size + i] == other:
            line.append(j * size + i)
            i, j = i + dx, j + dy
        if 0 <= i < size and 0 <= j < size and board[j * size + i] == sign:
            turned += line
    return turned


def legal(board, size, sign):
    """{square: squares turned} of every legal move."""
    found = {q: lines_turned(board, size, q % size, q // size, sign) for q in range(size * size) if board[q] == "-"}
    return {q: turned for q, turned in found.items() if turned}


@given(sizes, st.integers(0, 10_000))
@settings(max_examples=25)
def test_moves_and_discs_turned_are_those_found_by_walking(size, seed):
    game = zermelo.load("othello", size=size)
    s, board, sign, rng = game.start(), list(game.format(game.start())[: size * size]), "X", Random(seed)
    while not game.is_end(s):
        moves = legal(board, size, sign)
        assert game.player(s) == "XO".index(sign)
        assert list(game.actions(s)) == (sorted(moves) or [size * size])
        a = rng.choice(game.actions(s))
        for q in [a, *moves[a]] if moves else []:
            board[q] = sign
        s, sign = game.succ(s, a), "XO"[sign == "X"]
        assert game.format(s) == f"{''.join(board)} {sign}"
    assert not legal(board, size, "X")
    assert not legal(board, size, "O")
    lead = board.count("X") - board.count("O")
    assert payoffs(game, s) == [(lead > 0) - (lead < 0), (lead < 0) - (lead > 0)]


def test_the_first_moves():
    s = game.start()
    assert game.format(s) == START
    assert [game.format_action(s, a) for a in game.actions(s)] == ["d3", "c4", "f5", "e6"]
    assert game.player(s) == 0


def test_a_pass_is_a_ply_and_the_only_action_where_it_is_legal():
    passes = 0
    for seed in range(60):
        states = random_states(game, seed)
        for s, after in pairwise(states):
            if 64 in game.actions(s):
                passes += 1
                assert game.actions(s) == (64,)
                assert game.clicks(s, 64) == ("pass",)
                assert game.format(after)[:-1] == game.format(s)[:-1]
                assert game.player(after) == 1 - game.player(s)
                assert 64 not in game.actions(after)
    assert passes > 20


def test_a_side_may_lose_every_disc():
    s = game.parse(WIPE_OUT)
    assert game.is_end(s)
    assert payoffs(game, s) == [1, -1]
    score = zermelo.load("othello", score=True)
    assert payoffs(score, score.parse(WIPE_OUT)) == [13, -13]  # 13 : 0, and the empty squares count for nobody


def test_the_second_player_wins_on_16_squares_by_11_to_3():
    by_discs = zermelo.load("othello", size=4, score=True)
    tree = exhaustive(by_discs)
    assert tree.value == plain_alphabeta(by_discs, depth=24).value == -8
    assert tree.ends == 60_060
    assert exhaustive(small).value == -1


def test_keys_tell_positions_apart():
    seen, queue = {small.start()}, [small.start()]
    for s in queue:
        after = {small.succ(s, a) for a in small.actions(s)} - seen
        seen |= after
        queue += after
    assert len({small.key(s) for s in seen}) == len(seen) == positions(small)


# -- the evaluation ----------------------------------------------------------------------------------------------------


@given(st.sampled_from([(4, False), (6, False), (8, False), (8, True)]), st.integers(0, 10_000))
@settings(max_examples=25)
def test_the_evaluation_has_no_favourite(variant, seed):
    size, score = variant
    game = zermelo.load("othello", size=size, score=score)
    for s in random_states(game, seed):
        other = game.parse(game.format(s).translate(str.maketrans("XO", "OX")))
        assert game.evaluate(other) == -game.evaluate(s)
        assert abs(game.evaluate(s)) < (size * size if score else 1)


@given(sizes, st.integers(0, 10_000))
@settings(max_examples=25)
def test_what_is_called_stable_never_turns(size, seed):
    game = zermelo.load("othello", size=size)
    stable = inspect.getclosurevars(game.variant.functions["evaluate"]).nonlocals["stable"]
    kept = [0, 0]
    for s in random_states(game, seed):
        for side, discs in ((s.turn, s.mine), (1 - s.turn, s.theirs)):
            assert kept[side] & int(stable(discs)) == kept[side]
            kept[side] = int(stable(discs))


def test_corners_are_noisy():
    found, out = set(), np.zeros(game.variant.width, np.int64)
    for seed in range(30):
        for s in random_states(game, seed):
            listed = out[: noisy(s.record[0], out)].tolist()
            assert listed == [a for a in game.actions(s) if a in (0, 7, 56, 63)]
            found |= set(listed)
    assert found == {0, 7, 56, 63}


# -- notation and drawing ----------------------------------------------------------------------------------------------


@given(sizes, st.integers(0, 10_000))
@settings(max_examples=12)
def test_presentation_and_plain_python(size, seed):
    game = zermelo.load("othello", size=size)
    check_presentation(game, seed)
    check_interpreted(game, seed)


@given(sizes, st.integers(0, 10_000))
@settings(max_examples=25)
def test_whole_games_are_read_with_and_without_passes(size, seed):
    game = zermelo.load("othello", size=size)
    states = random_states(game, seed)
    pairs = list(pairwise(states))
    moves = [game.format_action(s, next(a for a in game.actions(s) if game.succ(s, a) == t)) for s, t in pairs]
    assert game.parse("".join(moves)) == states[-1]
    assert game.parse(" ".join(m for m in moves if m != "pass").upper()) == states[-1]


def test_positions_are_read_as_others_write_them():
    s = game.parse("f5 d6 c3")
    line = game.format(s)
    assert line == "------------------X--------XX------OXX-----O-------------------- O"
    rows = [line[i : i + 8] for i in range(0, 64, 8)]
    assert game.parse("/".join(rows) + " w") == s
    assert game.parse("\n".join(rows).replace("-", ".").lower() + "\nO") == s
    assert game.parse("") == game.start() == game.parse(START)


def test_the_drawing_for_a_terminal():
    assert game.text(game.parse("f5d6c3d3c4")).splitlines() == [
        "1 · · · · · · · ·",
        "2 · · · · · · · ·",
        "3 · · ● ○ · · · ·",
        "4 · · ● ● ● · · ·",
        "5 · · · ○ ● ● · ·",
        "6 · · · ○ · · · ·",
        "7 · · · · · · · ·",
        "8 · · · · · · · ·",
        "  a b c d e f g h",
    ]


def test_the_drawing_has_every_square_and_a_pass_where_one_is_due():
    cells = {f"{column}{row}" for column in "abcd" for row in "1234"}
    must_pass = next(s for seed in range(99) for s in random_states(small, seed) if 16 in small.actions(s))
    assert drawn_cells(small, small.start()) == cells
    assert drawn_cells(small, must_pass) == cells | {"pass"}
    assert len(drawn_cells(game, game.start())) == 64
    marked = game.svg(game.start(), Marks(last=("d4",), targets=("d3", "pass"), arrows=(("a1", "h8"),), flip=True))
    assert marked.count('class="last"') == marked.count('class="target"') == marked.count('class="arrow"') == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("f5f5", "move 2: f5 is taken"),
        ("f5a1", "move 2: a1 outflanks nothing for white"),
        ("f5pass", "move 2: white can move and may not pass"),
        ("f5i9", "'i9' is neither a square from a1 to h8 nor pass"),
        ("f5 ?? d6", "move 2 of the game is not to be read: '?? d6'"),
        (WIPE_OUT + "a1", "over before move 10, a1"),
        ("XO X", "65 signs, not 3"),
        (START[:-1], "65 signs, not 64"),
        ("?" + START[1:], "'?' on a1 is none of X, O and -"),
        (START[:-1] + "-", "side to move, X or O, not '-'"),
        (START.replace("OX", "--"), "never empty"),
    ],
)
def test_bad_positions(text, words):
    assert words in refusal(game.parse, text)


def test_bad_moves():
    s = game.start()
    assert "is taken" in refusal(game.parse_action, s, "d4")
    assert "a1 outflanks nothing for black" in refusal(game.parse_action, s, "a1")
    assert "black can move and may not pass" in refusal(game.parse_action, s, "pass")
    assert "nor pass" in refusal(game.parse_action, s, "z9")
    assert "over" in refusal(game.parse_action, game.parse(WIPE_OUT), "a1")
    must_pass = next(s for seed in range(99) for s in random_states(small, seed) if 16 in small.actions(s))
    assert "must pass" in refusal(small.parse_action, must_pass, "a1" if must_pass.mine & 1 == 0 else "d4")
    assert small.parse_action(must_pass, " PA ") == small.parse_action(must_pass, "--") == 16


def test_bad_variants_and_fields():
    assert "4, 6 or 8, not 5" in refusal(lambda: zermelo.load("othello", size=5))
    assert "true or false" in refusal(lambda: zermelo.load("othello", score=2))
    assert "do not follow" in refusal(lambda: zermelo.load("othello", moves=1).start())
    assert "share a square" in refusal(lambda: zermelo.load("othello", mine=1 << 27).start())
    assert "off the board" in refusal(lambda: zermelo.load("othello", size=4, mine=1 << 40).start())
    assert "not 2" in refusal(lambda: zermelo.load("othello", turn=2).start())
