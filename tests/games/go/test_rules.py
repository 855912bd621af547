"""Go: liberties against a plain search, captures, ko and superko, scores, small boards solved, notation, drawings."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from tests.games.small_games import check_presentation, drawn_cells, random_states, refusal
from zermelo import OVER, History, Marks
from zermelo.games._shared.cell_sets import cells_of, neighbours
from zermelo.games.go import from_sgf, sgf
from zermelo.search.playout import playouts


@pytest.fixture(scope="module")
def small():
    return zermelo.load("go", size=5, komi=0.0)


def play(game, text, *moves):
    """The position after moves from a position."""
    s = game.parse(text)
    for move in moves:
        s = game.succ(s, game.parse_action(s, move))
    return s


def rows(game, s):
    return game.format(s).split()[0]


def legal(game, s):
    return {game.format_action(s, a) for a in game.actions(s)}


# -- rules -------------------------------------------------------------------------------------------------------------


def plain_chain(board, near, point):
    """The chain at a point and its liberties, on a list of signs."""
    chain, liberties, todo = {point}, set(), [point]
    while todo:
        for q in near[todo.pop()]:
            if board[q] == ".":
                liberties.add(q)
            elif board[q] == board[point] and q not in chain:
                chain.add(q)
                todo.append(q)
    return chain, liberties


def plain_move(board, near, point, sign):
    """The board after a stone, or None where that would be suicide."""
    after = list(board)
    after[point] = sign
    for q in near[point]:
        if after[q] not in (".", sign):
            chain, liberties = plain_chain(after, near, q)
            for stone in () if liberties else chain:
                after[stone] = "."
    return after if plain_chain(after, near, point)[1] else None


@pytest.mark.jit
@pytest.mark.parametrize(
    ("width", "height", "games"),
    [(9, 8, 6), (4, 7, 20), (13, 10, 3), (6, 1, 30), (19, 19, 1)],
)
def test_liberties_captures_and_legal_moves_are_those_of_a_plain_search(width, height, games):
    game, near = zermelo.load("go", size=width, height=height, komi=0.0), neighbours(width, height)
    chance = random.Random(width)
    for _ in range(games):
        s, before = game.start(), None
        while game.player(s) != OVER:
            board = list(rows(game, s).replace("/", ""))
            if s.plies % (1 + width * height // 64) == 0:  # a plain search of a large board takes its time
                check_position(game, s, board, before, near)
            a = chance.choice(game.actions(s))
            after = board if a == width * height else plain_move(board, near, a, "XO"[s.turn])
            s, before = game.succ(s, a), board
            assert list(rows(game, s).replace("/", "")) == after


def check_position(game, s, board, before, near):
    """`before` is the board before the last move, which may not come again at once."""
    in_atari = [p for p, sign in enumerate(board) if sign != "." and len(plain_chain(board, near, p)[1]) == 1]
    assert sorted(cells_of(s.atari[0]) + cells_of(s.atari[1])) == in_atari
    assert not s.chain.any()
    after = {p: plain_move(board, near, p, "XO"[s.turn]) for p, sign in enumerate(board) if sign == "."}
    assert list(game.actions(s)) == [*(p for p, b in after.items() if b not in (None, before)), len(board)]


def test_a_chain_without_liberties_comes_off(small):
    s = play(small, "..X../.XOX./.XO../..X../..... X", "D3")
    assert rows(small, s) == "..X../.X.X./.X.X./..X../....."
    assert s.ko == -1  # two stones: no ko
    assert "C4" in legal(small, s)  # white may play there: C3 is a liberty


def test_several_chains_are_taken_by_one_stone(small):
    s = play(small, ".OX../O.OX./XOX../.X.../..... X", "B4")
    assert rows(small, s) == ".OX../OX.X./X.X../.X.../....."
    assert not legal(small, s) & {"A5", "B3", "C4"}  # each would be suicide


def test_suicide_is_forbidden_unless_it_captures(small):
    eye = small.parse(".X.../X..../...../...../..... O")
    assert "A5" not in legal(small, eye)
    chain = small.parse(".OX../OOX../XX.../...../..... O")  # A5 would fill the last liberty of the own chain
    assert "A5" not in legal(small, chain)
    assert "A5" in legal(small, small.parse(".OX../OOX../XX.../...../..... X"))  # black takes three stones there
    taking = play(small, ".XO../XXO../OO.../...../..... O", "A5")
    assert rows(small, taking) == "O.O../..O../OO.../...../....."


def test_two_eyes_live_and_one_does_not(small):
    two = small.parse(".X.XO/XXXXO/OOOOO/...../..... O")
    assert not {"A5", "C5"} & legal(small, two)
    assert "A5" in legal(small, small.parse(".XXXO/XXXXO/OOOOO/...../..... O"))


def test_ko(small):
    s = play(small, ".XO../X.XO./.XO../...../..... O", "B4")
    assert rows(small, s) == ".XO../XO.O./.XO../...../....."
    assert small.format_action(s, s.ko) == "C4"
    assert "C4" not in legal(small, s)
    history = History(small, small.parse(".XO../X.XO./.XO../...../..... O"))
    for move in ("B4", "A1", "E1"):
        history.play(small.parse_action(history.state, move))
    assert "C4" in {small.format_action(history.state, a) for a in history.actions()}  # after a threat and its answer
    history.play(small.parse_action(history.state, "C4"))
    assert rows(small, history.state) == ".XO../X.XO./.XO../...../X...O"
    assert "B4" not in legal(small, history.state)


def test_snapback_is_no_ko(small):
    # white takes the stone thrown in at B5 and has five stones in atari, which black takes at once
    s = play(small, "..OX./OOOX./XXX../...../..... X", "B5", "A5")
    assert rows(small, s) == "O.OX./OOOX./XXX../...../....."
    assert s.ko == -1
    assert rows(small, play(small, small.format(s), "B5")) == ".X.X./...X./XXX../...../....."


def test_no_board_comes_twice_in_a_history():
    game = zermelo.load("go", size=3, compiled=False)
    chance, history, forbidden = random.Random(3), History(game), 0
    for _ in range(300):
        if history.is_over:
            history = History(game)
        forbidden += len(game.actions(history.state)) - len(history.actions())
        history.play(chance.choice(history.actions()[:-1] or history.actions()))
        boards = [rows(game, s) for s in history.states]
        changes = [b for b, before in zip(boards[1:], boards[:-1], strict=True) if b != before]
        assert len(changes) == len(set(changes))
    assert forbidden > 5  # beyond the simple ko, which the state knows


# -- the end -----------------------------------------------------------------------------------------------------------


def test_two_passes_end_the_game(small):
    s = play(small, "...../...../..X../...../..... O", "pass")
    assert small.player(s) == 0
    s = play(small, small.format(s), "pass")
    assert small.player(s) == OVER
    assert [small.utility(s, 0), small.utility(s, 1)] == [1.0, -1.0]
    s = play(small, "...../...../..X../...../..... O", "pass", "A1", "pass")
    assert small.player(s) == 0  # the passes were not in a row


@pytest.mark.parametrize(
    ("position", "score"),
    [
        ("...../...../...../...../.....", 0),
        ("...../...../..X../...../.....", 25),
        (".XO../.XO../.XO../.XO../.XO..", -5),
        (".X.O./.X.O./.X.O./.X.O./.X.O.", 0),  # the middle file is nobody's
        (".XOOO/XXOO./OOO.O/...../.....", 4 - 21),
    ],
)
def test_the_score_is_by_area(position, score):
    for komi in (0.0, 0.5, 7.0):
        game = zermelo.load("go", size=5, komi=komi, score=True, compiled=False)
        s = game.parse(f"{position} X - 2 20")
        assert game.utility(s) == score - komi
        assert game.evaluate(s) == score - komi
        assert game.owners(s).sum() == score
        plain = zermelo.load("go", size=5, komi=komi, compiled=False)
        s = plain.parse(f"{position} X - 2 20")
        assert plain.utility(s) == (score > komi) - (score < komi)
        assert -1 < plain.evaluate(s) < 1


@pytest.mark.jit
def test_random_games_end_by_themselves(small):
    result = playouts(small, 2000, seed=1)
    assert result.unfinished == 0
    assert 20 < result.moves / 2000 < 100
    assert zermelo.load("go").variant.max_plies == 243


def value(history, alpha, beta):
    """Alpha-beta over the moves superko allows, passes first."""
    if history.is_over:
        return history.utility()
    is_max = history.player() == 0
    best = -99 if is_max else 99
    for a in sorted(history.actions(), reverse=True):
        history.play(a)
        v = value(history, alpha, beta)
        history.undo()
        best = max(best, v) if is_max else min(best, v)
        alpha, beta = (max(alpha, v), beta) if is_max else (alpha, min(beta, v))
        if alpha >= beta:
            break
    return best


@pytest.mark.parametrize(
    ("width", "height", "score"), [(1, 1, 0), (2, 1, 0), (3, 1, 3), (4, 1, 4), (5, 1, 0), (1, 4, 4), (2, 2, 1)]
)
def test_the_smallest_boards_have_the_values_known(width, height, score):
    """Under area scoring and positional superko, with best play on both sides."""
    game = zermelo.load("go", size=width, height=height, komi=0.0, score=True, compiled=False)
    assert value(History(game), score - 0.5, score + 0.5) == score


# -- notation and drawing ----------------------------------------------------------------------------------------------


@settings(max_examples=8)
@given(st.integers(0, 10_000), st.sampled_from([{"size": 5}, {"size": 4, "height": 7}]))
def test_positions_and_moves_survive_as_text(seed, board):
    check_presentation(zermelo.load("go", **board, komi=0.0), seed)


@pytest.mark.jit
@pytest.mark.parametrize(("width", "height"), [(4, 7), (9, 8)])
def test_interpreted_as_compiled(width, height):
    game = zermelo.load("go", size=width, height=height, komi=0.0)
    plain = game.interpreted
    for s in random_states(game, 7)[::6]:
        twin = plain.parse(game.format(s))
        assert plain.actions(twin) == game.actions(s)
        assert plain.evaluate(twin) == game.evaluate(s)
        assert (plain.key(twin), plain.repetition_key(twin)) == (game.key(s), game.repetition_key(s))
        assert all(plain.succ(twin, a) == game.succ(s, a) for a in game.actions(s)[::5])


def test_keys(small):
    one, other = (
        small.parse(".X.../...../...../...../..... O - 0 1"),
        small.parse(".X.../...../...../...../..... X - 0 9"),
    )
    passed = small.parse(".X.../...../...../...../..... O - 1 7")
    assert small.repetition_key(one) == small.repetition_key(other) == small.repetition_key(passed)
    assert len({small.key(one), small.key(other), small.key(passed)}) == 3
    assert small.key(one) == small.key(small.parse(".X.../...../...../...../..... O - 0 99"))


def test_keys_tell_all_early_positions_apart(small):
    seen, states = {}, [small.start()]
    for s in states:
        said = (*s.stones.ravel().tolist(), s.turn, s.ko, s.passes)
        assert seen.setdefault(small.key(s), said) == said  # a pass and a stone once had the same bit
        if s.plies < 2:
            states += [small.succ(s, a) for a in small.actions(s)]
    assert len(states) == 1 + 26 + 651


def test_positions_may_be_short(small):
    assert small.format(small.parse("..x../...../...o./...../.....")) == "..X../...../...O./...../..... X - 0 2"
    assert small.parse("...../...../...../...../..... w").turn == 1


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "rows"),
        ("...../.....", "5 rows"),
        ("...../...../...../...../...", "row 5"),
        ("...../...../..Z../...../.....", "row 3"),
        ("...../...../...../...../..... R", "whose turn"),
        ("...../...../...../...../..... X Z9", "Z9"),
        ("...../...../...../...../..... X A1", "ko at A1"),
        ("...../...../...../...../..... X - 3", "passes"),
        ("...../...../...../...../..... X - 0 many", "plies"),
        ("...../...../...../...../..... X - 0 999", "plies"),
        ("OX.../X..../...../...../.....", "A5 has no liberty"),
        ("...../...../...../...../..... X - 0 0 0", "rows"),
    ],
)
def test_wrong_positions_are_explained(small, text, word):
    assert word in refusal(small.parse, text)


@pytest.mark.parametrize("text", ["", "I4", "A6", "F1", "E", "resign", "pas"])
def test_wrong_moves_are_explained(small, text):
    assert "not a point" in refusal(small.parse_action, small.start(), text)


def test_moves_are_read_freely(small):
    s = small.start()
    assert small.format_action(s, small.parse_action(s, " c3 ")) == "C3"
    assert small.parse_action(s, "PASS") == 25
    assert "not a legal move" in refusal(small.parse_action, play(small, small.format(s), "C3"), "C3")


@pytest.mark.parametrize("options", [{"size": 0}, {"size": 20}, {"height": 25}, {"komi": float("nan")}, {"sise": 9}])
def test_wrong_options_are_explained(options):
    refusal(lambda: zermelo.load("go", **options))


def test_text(small):
    assert small.text(small.parse(".XO../X.XO./.XO../...../.....")) == (
        "5 · ● ○ · ·\n4 ● · ● ○ ·\n3 · ● ○ · ·\n2 · · · · ·\n1 · · · · ·\n  A B C D E"
    )


def test_drawing(small):
    s = play(small, ".XO../X.XO./.XO../...../..... O", "B4")
    assert drawn_cells(small, s) == {f"{column}{row}" for column in "ABCDE" for row in range(1, 6)} | {"pass"}
    marked = small.svg(s, Marks(last=("B4",), targets=("A1", "pass"), arrows=(("A1", "C3"),), flip=True))
    assert "go-ring on-white" in marked
    assert "go-pass just-now" in small.svg(s, Marks(last=("pass",)))


# -- SGF ---------------------------------------------------------------------------------------------------------------


@settings(max_examples=10)
@given(st.integers(0, 10_000), st.integers(0, 120), st.sampled_from([{"size": 5}, {"size": 4, "height": 7}]))
def test_games_survive_as_sgf(seed, plies, board):
    game = zermelo.load("go", **board, komi=0.0)
    chance, history = random.Random(seed), History(game)
    while len(history.moves) < plies and not history.is_over:
        history.play(chance.choice(history.actions()))
    again = from_sgf(sgf(history))
    assert again.moves == history.moves
    assert again.state == history.state
    late = from_sgf(sgf(History(game, history.state)))
    assert rows(game, late.state) == rows(game, history.state)
    assert late.state.turn == history.state.turn


def test_sgf_is_what_others_write():
    game = from_sgf(
        """(;FF[4]GM[1]SZ[5]KM[0]C[a \\] bracket (;W[aa\\])]AB[aa:ba][cc]AE[ba]HA[2]PL[W]
        ;W[bb]C[yes] (;B[dd];W[];B[tt]) (;B[ee]))"""
    )
    assert rows(game.game, game.states[0]) == "X..../...../..X../...../....."
    assert [game.game.format_action(s, a) for s, a in zip(game.states, game.moves, strict=False)] == [
        "B4",
        "D2",
        "pass",
        "pass",
    ]
    assert sgf(game) == "(;GM[1]FF[4]CA[UTF-8]SZ[5]KM[0]AB[aa][cc]PL[W]RE[B+2];W[bb];B[dd];W[];B[])"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "not SGF"),
        ("(;GM[2])", "another game"),
        ("(;SZ[0])", "size"),
        ("(;SZ[30])", "30"),
        ("(;SZ[9]KM[much])", "komi"),
        ("(;SZ[9];B[zz])", "zz"),
        ("(;SZ[5];B[aa];W[aa])", "move 2 of the SGF, A5, is not legal"),
        ("(;SZ[5];B[aa];B[bb])", "move 2"),
        ("(;SZ[9];B[aa];W[bb]AB[cc])", "after move 1"),
        ("(;SZ[9]AB[])", "no point"),
        ("(;SZ[9];B[aa]", "breaks off"),
        ("(;SZ[9];B[aa]!)", "!"),
        ("();", "no game"),
    ],
)
def test_wrong_sgf_is_explained(text, word):
    assert word in refusal(from_sgf, text)
