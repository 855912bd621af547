"""Checkers: perft, a second implementation on sets, the end of games, notation, drawings."""

import itertools
import random
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo import OVER, GameError, History, Marks
from zermelo.compile.dispatch import noisy
from zermelo.compile.record import rows
from zermelo.games.checkers import from_pdn, pdn
from zermelo.games.checkers.notation import squares_of


@pytest.fixture(scope="module")
def game():
    return zermelo.load("checkers")


def random_state(game, seed, plies):
    """The position after some random plies, or the last one before the game is over."""
    chance, s = random.Random(seed), game.start()
    for _ in range(plies):
        after = game.succ(s, chance.choice(game.actions(s)))
        if game.is_end(after):
            break
        s = after
    return s


def random_placement(seed):
    """Any pieces anywhere, as a position's text: kings and long captures abound."""
    chance = random.Random(seed)
    squares = chance.sample(range(1, 33), chance.randint(2, 20))
    half = chance.randint(max(1, len(squares) - 12), min(12, len(squares) - 1))
    sides = {}
    for side, crown, own in (("W", range(1, 5), squares[:half]), ("B", range(29, 33), squares[half:])):
        sides[side] = ",".join(f"K{q}" if q in crown or chance.random() < 0.6 else str(q) for q in own)
    return f"{chance.choice('BW')}:W{sides['W']}:B{sides['B']}"


# -- rules -------------------------------------------------------------------------------------------------------------


def plain_moves(text):
    """The legal moves, worked out on a dict of coordinates, and the position each leads to (without its clock)."""
    turn, white, black = text.split(":")[:3]
    board = {}
    for side, pieces in (("W", white), ("B", black)):
        for piece in pieces[1:].split(",") if len(pieces) > 1 else ():
            i = int(piece.lstrip("K")) - 1
            board[i // 4, i % 4 * 2 + (i // 4 + 1) % 2] = (side, piece[0] == "K")

    def name(place):
        return place[0] * 4 + place[1] // 2 + 1

    def ways(place):
        return [(dr, dc) for dr in (-1, 1) for dc in (-1, 1) if board[place][1] or dr == (1 if turn == "B" else -1)]

    def inside(r, c):
        return 0 <= r < 8 and 0 <= c < 8

    def jumps(start, at, taken):
        found = []
        for dr, dc in ways(start):
            over, to = (at[0] + dr, at[1] + dc), (at[0] + 2 * dr, at[1] + 2 * dc)
            enemy = over in board and board[over][0] != turn and over not in taken
            if enemy and inside(*to) and (to not in board or to == start):
                found += [[to, *rest] for rest in jumps(start, to, taken | {over})] or [[to]]
        return found

    mine = [place for place in board if board[place][0] == turn]
    captures = [[place, *way] for place in mine for way in jumps(place, place, frozenset())]
    steps = [[(r, c), (r + dr, c + dc)] for r, c in mine for dr, dc in ways((r, c))]
    free = [way for way in steps if inside(*way[1]) and way[1] not in board]
    result = {}
    for way in captures or free:
        after = dict(board)
        side, king = after.pop(way[0])
        for (r, c), (r2, c2) in itertools.pairwise(way):
            after.pop(((r + r2) // 2, (c + c2) // 2), None) if captures else None
        after[way[-1]] = (side, king or way[-1][0] == (7 if side == "B" else 0))
        lists = {
            side: ",".join(f"{'K' * k}{name(p)}" for p, (q, k) in sorted(after.items()) if q == side) for side in "WB"
        }
        result[("x" if captures else "-").join(str(name(p)) for p in way)] = (
            f"{'W' if turn == 'B' else 'B'}:W{lists['W']}:B{lists['B']}"
        )
    return result


@pytest.mark.parametrize("seed", range(8))
def test_moves_and_positions_agree_with_a_plain_implementation(game, seed):
    longest = 0
    for n in range(250):
        s = game.parse(random_placement(1000 * seed + n))
        ours = {game.format_action(s, a): game.format(game.succ(s, a)).split(":H")[0] for a in game.actions(s)}
        assert ours == plain_moves(game.format(s)), game.format(s)
        longest = max([longest, *(name.count("x") for name in ours)])
    assert longest >= 3


def test_a_king_may_come_back_to_where_it_started(game):
    s = game.parse("B:W6,7,14,15:BK2")
    assert {"2x9x18x11x2", "2x11x18x9x2"} == {game.format_action(s, a) for a in game.actions(s)}
    assert game.format(game.succ(s, game.actions(s)[0])) == "W:W:BK2"


def test_nine_men_can_be_taken_in_one_move(game):
    s = game.parse("B:W6,7,8,14,15,16,22,23,24:BK1")
    after = game.succ(s, game.parse_action(s, "1x10x17x26x19x10x3x12x19x28"))
    assert game.format(after) == "W:W:BK28"
    assert game.utility(after, 0) == 1


def test_crowning_ends_the_move(game):
    s = game.parse("B:W25,26,27:B21")  # a king on 30 could take 26 or 27
    after = game.succ(s, game.parse_action(s, "21x30"))
    assert game.format(after) == "W:W26,27:BK30"


def test_a_capture_must_be_made(game):
    s = game.parse("B:W16:B11,1")
    assert [game.format_action(s, a) for a in game.actions(s)] == ["11x20"]
    with pytest.raises(GameError, match="a capture must be made: 11x20"):
        game.parse_action(s, "1-5")


def test_noisy_actions_are_the_captures(game):
    for seed in range(60):
        s = random_state(game, seed, seed)
        out = rows(1, game.max_actions)[0]["at"]
        n = noisy(s.record[0], out)
        captures = [a for a in game.actions(s) if a >> 6 & 15]
        assert out[:n].tolist() == captures


def test_no_position_offers_more_than_max_actions(game):
    """A proof by counting. Steps: 12 kings × 4. Captures: see the comments; men capture in fewer ways than kings."""

    # Jumps go by two, so the squares a piece may land on are a 4 × 4 lattice, in two classes like a chessboard's
    # colours; a captured piece stands in one of the 9 cells between, and each of its two diagonals serves one class.
    places = [(r, c) for r in range(4) for c in range(4) if (r + c) % 2 == 0]

    def trails(jumps, at, done, others):
        on = [(cell, to) for cell, to in jumps.get(at, ()) if cell not in done and to not in others]
        return sum(trails(jumps, to, done | {cell}, others) for cell, to in on) or (1 if done else 0)

    def most_routes(taken):
        """By number of kings: the most routes kings of one class have over pieces in the cells `taken`."""
        jumps = {}
        for cell in taken:
            r, c = divmod(cell, 3)
            a, b = ((r, c), (r + 1, c + 1)) if (r + c) % 2 == 0 else ((r, c + 1), (r + 1, c))
            jumps.setdefault(a, []).append((cell, b))
            jumps.setdefault(b, []).append((cell, a))
        return [
            max(sum(trails(jumps, k, frozenset(), {*kings} - {k}) for k in kings) for kings in choices)
            for choices in (itertools.combinations(places, count) for count in range(9))
        ]

    cells = [frozenset(taken) for n in range(10) for taken in itertools.combinations(range(9), n)]
    routes = {taken: most_routes(taken) for taken in cells}
    most = {}  # (pieces to take, kings) → routes, over both classes of one lattice: one is the other's mirror image
    for taken in cells:
        mirrored = frozenset(cell // 3 * 3 + 2 - cell % 3 for cell in taken)
        for i, j in itertools.product(range(9), range(9)):
            pair = len(taken), i + j
            most[pair] = max(most.get(pair, 0), routes[taken][i] + routes[mirrored][j])
    # The other lattice has its own cells; both sides have at most 12 pieces.
    captures = max(most[a] + most[b] for a in most for b in most if a[0] + b[0] <= 12 and a[1] + b[1] <= 12)
    assert captures == 40
    assert max(captures, 12 * 4) == game.max_actions


# -- the end -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["W:W:B1", "W:W32:BK23,K27,28"])
def test_a_side_without_a_move_has_lost(game, text):
    s = game.parse(text)
    assert game.player(s) == OVER
    assert game.actions(s) == ()
    assert (game.utility(s, 0), game.utility(s, 1)) == (1, -1)


def test_eighty_quiet_plies_are_a_draw(game):
    s = game.parse("B:WK32:BK1:H79")
    after = game.succ(s, game.parse_action(s, "1-5"))
    assert game.is_end(after)
    assert game.utility(after, 0) == game.utility(after, 1) == 0
    man = game.parse("B:WK32:B1,K12:H79")
    assert game.format(game.succ(man, game.parse_action(man, "1-5"))) == "W:WK32:B5,K12"


def test_blocking_with_the_last_quiet_ply_still_wins(game):
    s = game.parse("B:W32:B28,K18,K27:H79")
    assert game.utility(game.succ(s, game.parse_action(s, "18-23")), 0) == 1
    assert game.utility(game.succ(s, game.parse_action(s, "18-15")), 0) == 0


def test_the_third_repetition_is_a_draw(game):
    history = History(game, game.parse("B:WK32:BK1"))
    for move in ["1-5", "32-28", "5-1", "28-32"] * 2:
        assert not history.is_over
        history.play(game.parse_action(history.state, move))
    assert history.is_over
    assert history.utility(0) == 0


def test_the_key_leaves_the_clock_out(game):
    s, later = game.parse("B:WK32:BK1"), game.parse("B:WK32:BK1:H7")
    assert game.key(s) == game.key(later)
    assert game.key(s) != game.key(game.parse("W:WK32:BK1"))
    assert game.key(s) != game.key(game.parse("B:WK32:B1"))


def one_king_each(game):
    """Every position of one king each → those it leads to; an empty list is a loss for the side to move."""
    graph = {}
    for side, mine, theirs in itertools.product("BW", range(1, 33), range(1, 33)):
        if mine != theirs:
            black, white = (mine, theirs) if side == "B" else (theirs, mine)
            text = f"{side}:WK{white}:BK{black}"
            s = game.parse(text)
            graph[text] = [game.format(game.succ(s, a)).split(":H")[0] for a in game.actions(s)]
    return graph


def test_one_king_each(game):
    """The endgame table of Chinook's first file: of 992 positions 230 are won, 108 lost, 654 drawn."""
    graph = one_king_each(game)
    lost, won = {p for p, after in graph.items() if not after}, set()
    lost |= {p for after in graph.values() for p in after if p not in graph}  # no piece left
    grown = -1
    while grown != len(won) + len(lost):
        grown = len(won) + len(lost)
        won |= {p for p, after in graph.items() if lost.intersection(after)}
        lost |= {p for p, after in graph.items() if won.issuperset(after)}
    for side in "BW":
        wins = sum(p in won for p in graph if p[0] == side)
        losses = sum(p in lost for p in graph if p[0] == side)
        assert (wins, losses, 992 - wins - losses) == (230, 108, 654)


# -- compiled and interpreted ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_interpreted_and_compiled_agree(game, seed):
    plain, chance, s = game.interpreted, random.Random(seed), game.start()
    while not game.is_end(s):
        t = plain.parse(game.format(s))
        assert plain.actions(t) == game.actions(s)
        assert plain.key(t) == game.key(s)
        assert plain.evaluate(t) == pytest.approx(game.evaluate(s))
        a = chance.choice(game.actions(s))
        s, t = game.succ(s, a), plain.succ(t, a)
        assert plain.format(t) == game.format(s)
    end = plain.parse(game.format(s))
    assert plain.is_end(end)
    assert plain.utility(end, 0) == game.utility(s, 0)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_the_evaluation_is_fair_and_bounded(seed):
    game = zermelo.load("checkers")
    s = game.parse(random_placement(seed))
    assert -1 <= game.evaluate(s) <= 1
    assert game.evaluate(turned(game, s)) == pytest.approx(-game.evaluate(s))


def turned(game, s):
    """The same position with the sides exchanged and the board turned round."""
    kings = set(squares_of(s.kings))

    def pieces(board):
        return ",".join(f"{'K' * (q in kings)}{33 - q}" for q in squares_of(board))

    return game.parse(f"{'WB'[s.turn]}:W{pieces(s.black)}:B{pieces(s.white)}")


def test_a_man_more_is_worth_something(game):
    assert game.evaluate(game.start()) == 0
    assert game.evaluate(game.parse("B:W31,32:B1,2,3")) > 0.1
    assert game.evaluate(game.parse("B:W31,K30:B1,2")) < 0


# -- notation ----------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 90))
def test_positions_and_moves_round_trip(seed, plies):
    game = zermelo.load("checkers")
    s = random_state(game, seed, plies)
    assert game.parse(game.format(s)) == s
    names = [game.format_action(s, a) for a in game.actions(s)]
    assert len(set(names)) == len(names)
    for name, a in zip(names, game.actions(s), strict=True):
        assert game.parse_action(s, name) == a
        assert game.clicks(s, a) == tuple(name.replace("x", "-").split("-"))


@pytest.mark.parametrize("text", ["22x15x8", "22x8", "22 x 8", "22X8", "22:15:8", "22-8", "22×8"])
def test_captures_may_be_written_in_many_ways(game, text):
    s = game.parse("W:W22:B18,11")
    assert game.format_action(s, game.parse_action(s, text)) == "22x15x8"


def test_a_short_capture_must_say_which(game):
    s = game.parse("B:W6,7,14,15:B2")
    with pytest.raises(GameError, match="'2x18' could be 2x9x18 or 2x11x18; name the squares on the way"):
        game.parse_action(s, "2x18")


def test_routes_with_the_same_result_need_no_telling_apart(game):
    s = game.parse("B:W6,7,14,15:BK2")
    assert game.succ(s, game.parse_action(s, "2x2")) == game.succ(s, game.parse_action(s, "2x9x18x11x2"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "begins with B: or W:"),
        ("X:W1:B2", "begins with B: or W:"),
        ("B:W21", "lacks the pieces after ':B'"),
        ("B:B1", "lacks the pieces after ':W'"),
        ("B:W21:B1,33", "no square 33"),
        ("B:W21:B0", "no square 0"),
        ("B:W21:B1,x", "'X' is not a piece"),
        ("B:W21:B1,21", "two pieces stand on square 21"),
        ("B:W21:B1:Q7", "'Q7' is no part"),
        ("B:W21:B30", "black's man on square 30"),
        ("B:W2:B12", "white's man on square 2"),
        ("B:W:B", "nobody has a piece"),
        ("B:W21:B1-13", "black has 13 pieces"),
        ("B:W21:B1:H81", "quiet is 81"),
    ],
)
def test_bad_positions_are_explained(game, text, complaint):
    with pytest.raises(GameError, match=complaint) as told:
        game.parse(text)
    assert "\n" not in str(told.value)


def test_positions_may_be_written_with_ranges_and_a_clock(game):
    assert game.parse("B:W21-32:B1-12.") == game.start()
    assert game.parse("b:b1-12:w21-32:H0:F1") == game.start()
    assert game.parse("W:WK1-3:B9:H5").quiet == 5


@pytest.mark.parametrize("text", ["", "11", "11-", "e4", "11-15-", "1-2", "99-98", "22x15"])
def test_bad_moves_are_explained(game, text):
    with pytest.raises(GameError) as told:
        game.parse_action(game.start(), text)
    assert "\n" not in str(told.value)


# -- games -------------------------------------------------------------------------------------------------------------

SAMPLE = """[Event "A short game"] ; a comment
[White "Second"]
[Black "First"]
[Result "0-1"]

1. 11-15 {the old fourteenth begins so} 23-19 2. 8-11 22-17 (2... 26-23 3. 4-8 (3. 3-8 30-26) 30-26)
3. 4-8! $1 17-13 4. 15-18 24-20 5. 11-15 28-24 6. 8-11 26-23 *

[Event "The next one"]
1. 9-13 *
"""


def test_pdn_is_read_past_comments_and_variations(game):
    history = from_pdn(SAMPLE)
    assert len(history.moves) == 12
    assert game.format_action(history.states[-2], history.moves[-1]) == "26-23"


@pytest.mark.parametrize("seed", range(5))
def test_games_round_trip_through_pdn(game, seed):
    chance, history = random.Random(seed), History(game, random_state(game, seed, seed * 7))
    while not history.is_over:
        history.play(chance.choice(history.actions()))
    text = pdn(history, Event="random play", White="nobody")
    assert from_pdn(text).states == history.states
    assert text.startswith('[Event "random play"]\n[White "nobody"]\n[Result "')
    result = {1: "0-1", -1: "1-0", 0: "1/2-1/2"}[history.utility(0)]
    assert text.endswith(f" {result}\n")


def test_an_illegal_move_in_a_game_is_told_by_its_number():
    with pytest.raises(GameError, match=r"move 2 of black: '1-5' is not a legal move here; legal are"):
        from_pdn("1. 11-15 23-19 2. 1-5")


# -- drawings ----------------------------------------------------------------------------------------------------------

DRAWN = """\
 1   ·   ·   ♕   ·  4
 5 ●   ·   ·   ·    8
 9   ·   ·   ·   · 12
13 ·   ·   ·   ·   16
17   ·   ·   ·   · 20
21 ·   ○   ·   ·   24
25   ·   ·   ·   · 28
29 ·   ♛   ·   ·   32"""


def test_the_text_drawing(game):
    assert game.text(game.parse("B:W22,K3:B5,K30")) == DRAWN


@pytest.mark.parametrize("flip", [False, True])
def test_the_svg_names_every_square(game, flip):
    marks = Marks(last=("11", "15"), targets=("19",), arrows=(("22", "18"),), flip=flip)
    root = ET.fromstring(game.svg(game.parse("B:W22,K3:B5,K30"), marks))
    named = {element.get("data-at") for element in root.iter() if element.get("data-at")}
    assert {str(square) for square in range(1, 33)} <= named
    assert len(named) == 64
    crowns = [element for element in root.iter() if element.get("class") == "crown"]
    assert len(crowns) == 2


@pytest.mark.parametrize("text", ["", "  ", "(;B[dd])", "{a comment}"])
def test_no_pdn(text):
    with pytest.raises(GameError, match="there is no game in this PDN"):
        from_pdn(text)
