"""Chinese checkers: moves against a second implementation, the rules case by case, texts and drawings."""

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from tests.games.small_games import drawn_cells, payoffs, random_states, refusal
from zermelo.core.game import OVER, Marks
from zermelo.search.plain_alphabeta import plain_alphabeta
from zermelo.search.playout import playouts

PERFT = json.loads((Path(__file__).parents[2] / "data/perft/chinese-checkers.json").read_text())
WIDTHS = {  # how many points the rows have, from the top
    1: [1, 4, 3, 4, 1],
    2: [1, 2, 7, 6, 5, 6, 7, 2, 1],
    3: [1, 2, 3, 10, 9, 8, 7, 8, 9, 10, 3, 2, 1],
    4: [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1],
}
GAME = zermelo.load("chinese-checkers")
PLAIN = zermelo.load("chinese-checkers", compiled=False)


# -- a second implementation: rows and half columns, sets, recursion ---------------------------------------------------


class Reference:
    """A point is (row, column) with neighbours two columns apart in a row and one in the next."""

    def __init__(self, size):
        widths, last = WIDTHS[size], len(WIDTHS[size]) - 1
        self.rows = [[(r, c) for c in range(1 - w, w, 2)] for r, w in enumerate(widths)]
        self.points = {point for row in self.rows for point in row}
        self.names = {p: f"{chr(97 + last - r)}{i + 1}" for r, row in enumerate(self.rows) for i, p in enumerate(row)}
        upper = {size + i: size - i for i in range(size)}  # row → how many points of it belong to a side corner
        lower = {last - r: n for r, n in upper.items()}
        self.corners = [  # clockwise from the bottom
            {p for row in self.rows[-size:] for p in row},
            {p for r, n in lower.items() for p in self.rows[r][:n]},
            {p for r, n in upper.items() for p in self.rows[r][:n]},
            {p for row in self.rows[:size] for p in row},
            {p for r, n in upper.items() for p in self.rows[r][-n:]},
            {p for r, n in lower.items() for p in self.rows[r][-n:]},
        ]

    def homes(self, players):
        return {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 6: range(6)}[players]

    def hops(self, taken, here, seen):
        for dr, dc in ((0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1)):
            over, land = (here[0] + dr, here[1] + dc), (here[0] + 2 * dr, here[1] + 2 * dc)
            if over in taken and land in self.points - taken - seen:
                seen.add(land)
                self.hops(taken, land, seen)
        return seen

    def moves(self, men, turn):
        """{(from, to)} of the player `turn`; men[p] is the set of player p's points."""
        home = self.homes(len(men))[turn]
        goal = self.corners[(home + 3) % 6]
        foreign = set().union(*(c for k, c in enumerate(self.corners) if k not in (home, (home + 3) % 6)))
        found = set()
        for here in men[turn]:
            taken = set().union(*men) - {here}
            r, c = here
            steps = {(r, c + 2), (r, c - 2), (r + 1, c + 1), (r + 1, c - 1), (r - 1, c + 1), (r - 1, c - 1)}
            ends = ((steps & self.points) | self.hops(taken, here, set())) - taken - foreign - {here}
            found |= {(here, there) for there in ends if here not in goal or there in goal}
        return found

    def winner(self, men):
        for p, k in enumerate(self.homes(len(men))):
            goal = self.corners[(k + 3) % 6]
            if goal <= set().union(*men) and goal & men[p]:
                return p
        return None

    def perft(self, men, turn, depth):
        if depth == 0:
            return 1
        if self.winner(men) is not None:
            return 0
        moves = self.moves(men, turn)
        lines = 0
        for here, there in moves or {(None, None)}:
            after = [m - {here} | {there} if p == turn and here else m for p, m in enumerate(men)]
            lines += self.perft(after, (turn + 1) % len(men), depth - 1)
        return lines


def men_of(game, s, board):
    """The sets of the reference, from the position's text."""
    rows = game.format(s).split()[0].split("/")
    signs = {p: sign for row, text in zip(board.rows, rows, strict=True) for p, sign in zip(row, text, strict=True)}
    return [{p for p, sign in signs.items() if sign == letter} for letter in "ABCDEF"[: game.players]]


def compare(game, board, s):
    men = men_of(game, s, board)
    if board.winner(men) is not None:
        assert game.player(s) == OVER
        assert game.utility(s, board.winner(men)) == 1
        return
    if game.player(s) == OVER:
        assert s.plies == game.variant.max_plies
        return
    expected = {f"{board.names[a]}-{board.names[b]}" for a, b in board.moves(men, s.turn)} or {"pass"}
    assert {game.format_action(s, a) for a in game.actions(s)} == expected


@pytest.mark.jit
@pytest.mark.parametrize("players", [2, 3, 6])
def test_moves_are_those_of_the_second_implementation(players):
    game, board = zermelo.load("chinese-checkers", players=players), Reference(4)
    for seed in range(2):
        for s in random_states(game, seed, 250):
            compare(game, board, s)


@pytest.mark.parametrize(("players", "size"), [(3, 3), (4, 2), (2, 1)])
def test_moves_on_small_stars(players, size):
    game, board = zermelo.load("chinese-checkers", players=players, size=size, compiled=False), Reference(size)
    for s in random_states(game, 0, 150):
        compare(game, board, s)


@pytest.mark.jit
def test_moves_in_the_thick_of_it():
    """Positions no game comes to soon: pieces strewn over the middle, where hops are long."""
    board = Reference(4)
    middle = sorted(board.points - set().union(*board.corners))
    for seed in range(60):
        points = Random(seed).sample(middle, 30)
        signs = {p: "ABC"[i // 10] for i, p in enumerate(points)}
        text = "/".join("".join(signs.get(p, ".") for p in row) for row in board.rows)
        compare(GAME, board, GAME.parse(f"{text} {'ABC'[seed % 3]} {seed}"))


@pytest.mark.parametrize("case", PERFT, ids=lambda case: f"{case['options']['players']}-{case['options']['size']}")
def test_perft_of_the_second_implementation_is_the_table(case):
    board, game = (
        Reference(case["options"]["size"]),
        zermelo.load("chinese-checkers", players=case["options"]["players"], size=case["options"]["size"]),
    )
    men = [set(board.corners[k]) for k in board.homes(case["options"]["players"])]
    if case["position"]:
        men = men_of(game.interpreted, game.interpreted.parse(case["position"]), board)
    depth = next(d for d, lines in enumerate(case["depths"], 1) if lines > 2000)
    assert [board.perft(men, 0, d) for d in range(1, depth + 1)] == case["depths"][:depth]


# -- three players with one piece each, solved -------------------------------------------------------------------------


def reachable(game):
    """Every position of the game, with those that follow it."""
    first = game.start()
    follow, representative = {}, {game.key(first): first}
    todo = [first]
    while todo:
        s = todo.pop()
        after = [] if game.is_end(s) else [game.succ(s, a) for a in game.actions(s)]
        follow[game.key(s)] = [game.key(t) for t in after]
        for t in after:
            if game.key(t) not in representative:
                representative[game.key(t)] = t
                todo.append(t)
    return representative, follow


def forced(game, positions, follow, allies, winners):
    """The positions from which `allies` can force one of `winners` to win, whatever the others do."""
    won = {k for k, s in positions.items() if game.is_end(s) and any(game.utility(s, p) > 0 for p in winners)}
    while True:
        new = {
            k
            for k, s in positions.items()
            if k not in won and follow[k] and (any if s.turn in allies else all)(t in won for t in follow[k])
        }
        if not new:
            return won
        won |= new


def test_the_smallest_star_of_three():
    """As B. Liou found ("Solving three-player Chinese checkers"): 1,245 positions are reached; nobody can force a win,
    and any two can force one of them to win."""
    game = zermelo.load("chinese-checkers", size=1, rounds=10_000, compiled=False)
    positions, follow = reachable(game)
    assert len(positions) == 1245
    start = game.key(game.start())
    for p in range(3):
        others = {0, 1, 2} - {p}
        assert start not in forced(game, positions, follow, {p}, {p})
        assert start in forced(game, positions, follow, others, others)


# -- case by case (plain Python, size 2: three pieces each) ------------------------------------------------------------


def small(players=2, **options):
    return zermelo.load("chinese-checkers", players=players, size=2, compiled=False, **options)


def test_the_stars():
    for size, points in ((1, 13), (2, 37), (3, 73), (4, 121)):
        game = zermelo.load("chinese-checkers", size=size, compiled=False)
        assert len(drawn_cells(game, game.start())) == points
        assert game.format(game.start()).split()[0].count("A") == size * (size + 1) // 2


def test_who_starts_where_and_who_is_next():
    assert [PLAIN.format(PLAIN.start()).split("/")[i] for i in (4, 13)] == ["BBBB.....CCCC", "AAAA"]
    s = PLAIN.start()
    for turn in (0, 1, 2, 0):
        assert PLAIN.player(s) == turn
        s = PLAIN.succ(s, PLAIN.actions(s)[0])
    assert len(PLAIN.actions(PLAIN.start())) == 14


def test_a_chain_of_hops_is_one_move():
    upper = "./../.../..../BBBB.....CCCC/BBB......CCC/BB.......CC/.........C/........./........../"
    s = PLAIN.parse(upper + "......B..../.....A....../............./AAAA/AAA/AA/. A 0")
    moves = {PLAIN.format_action(s, a) for a in PLAIN.actions(s)}
    assert {"c2-e6", "c2-g6", "c2-g8"} <= moves  # over d2, on over f6, and, turning, over B's piece on g7
    assert not {"c2-c2", "c2-f6", "c2-d3"} & moves
    after = PLAIN.succ(s, PLAIN.parse_action(s, "c2-g8"))
    assert "......BA.../" in PLAIN.format(after)
    assert PLAIN.player(after) == 1


def test_one_cannot_rest_in_a_foreign_corner():
    game = small(3)
    board = Reference(2)
    for seed in range(6):
        for s in random_states(game, seed, 60):
            men = men_of(game, s, board)
            for p, k in enumerate(board.homes(3)):
                others = [c for i, c in enumerate(board.corners) if i not in (k, (k + 3) % 6)]
                assert not men[p] & set().union(*others)


def test_the_goal_is_not_left():
    game = small()
    s = game.parse("A/../......./....../.B.A./.B..../..A..../../B A 0")
    moves = {game.format_action(s, a) for a in game.actions(s)}
    assert {move for move in moves if move.startswith("i1")} == {"i1-h1", "i1-h2"}


def test_filling_the_goal_wins():
    game = small()
    s = game.parse("A/A./...A.../....../...../.B..../..B..../../B A 0")
    after = game.succ(s, game.parse_action(s, "g4-h2"))
    assert game.player(after) == OVER
    assert payoffs(game, after) == [1, -1]
    assert "player A (●) has won" in game.text(after)
    assert refusal(game.parse_action, after, "a1-b1") == "the game is over"


def test_a_piece_left_at_home_does_not_spoil_the_game():
    game = small()
    s = game.parse("B/A./...A.../....../...../.B..../..BA.../../. A 0")
    after = game.succ(s, game.parse_action(s, "g4-h2"))
    assert payoffs(game, after) == [1, -1]
    untouched = game.start()  # full from the beginning, but with nobody's of the other side
    assert game.player(untouched) == 0


def test_whoever_cannot_move_passes():
    game = zermelo.load("chinese-checkers", players=6, size=1, compiled=False)
    s = game.parse("D/..../C.E/.BF./A A 0")
    assert [game.format_action(s, a) for a in game.actions(s)] == ["pass"]
    assert game.clicks(s, 0) == ("pass",)
    assert "pass" in drawn_cells(game, s)
    after = game.succ(s, game.parse_action(s, "pass"))
    assert game.format(after) == "D/..../C.E/.BF./A B 1"


def test_a_draw_after_so_many_rounds():
    game = small(3, rounds=2)
    s = random_states(game, 0)[-1]
    assert (s.plies, game.variant.max_plies) == (6, 6)
    assert payoffs(game, s) == [0, 0, 0]
    assert game.text(s).endswith("a draw")


def test_winner_takes_all_of_six():
    game = zermelo.load("chinese-checkers", players=6, size=1, compiled=False)
    s = next(
        s
        for seed in range(40)
        for s in random_states(game, seed)
        if game.is_end(s) and s.plies < game.variant.max_plies
    )
    assert sorted(payoffs(game, s)) == pytest.approx([-0.2] * 5 + [1])


# -- estimates ---------------------------------------------------------------------------------------------------------


@pytest.mark.jit
def test_the_estimate_says_who_is_ahead():
    assert GAME.evaluate(GAME.start()) == 0
    ahead = GAME.succ(GAME.start(), GAME.parse_action(GAME.start(), "c1-e5"))
    assert 0 < GAME.evaluate(ahead) < 0.1
    behind = GAME.succ(ahead, GAME.parse_action(ahead, "m3-k3"))
    assert GAME.evaluate(behind) < GAME.evaluate(ahead)


@pytest.mark.jit
def test_one_ply_of_foresight_beats_random_players():
    rng, s = Random(0), GAME.start()
    while not GAME.is_end(s):
        a = plain_alphabeta(GAME, s, depth=1).best if s.turn == 0 else rng.choice(GAME.actions(s))
        s = GAME.succ(s, a)
    assert payoffs(GAME, s) == [1, -0.5, -0.5]
    assert s.plies < 300


@pytest.mark.jit
def test_random_games():
    result = playouts(zermelo.load("chinese-checkers", size=2, rounds=1000), 2000)
    assert result.unfinished == 0
    assert sum(result.mean) == pytest.approx(0, abs=1e-9)


# -- texts and drawings ------------------------------------------------------------------------------------------------


@pytest.mark.jit
@settings(max_examples=8)
@given(st.sampled_from([(3, 4), (3, 3), (6, 4)]), st.integers(0, 10**6))
def test_presentation_and_plain_python(variant, seed):
    game = zermelo.load("chinese-checkers", players=variant[0], size=variant[1])
    plain = game.interpreted
    s = random_states(game, seed, 1 + seed % 90)[-1]
    twin = plain.parse(game.format(s))
    assert twin == s
    assert plain.actions(twin) == game.actions(s)
    assert plain.key(twin) == game.key(s)
    assert plain.evaluate(twin) == game.evaluate(s)
    names = drawn_cells(game, s)
    for a in game.actions(s):
        assert plain.succ(twin, a) == game.succ(s, a)
        assert game.parse_action(s, game.format_action(s, a)) == a
        assert set(game.clicks(s, a)) <= names


def test_the_key_counts_plies_only_at_the_end():
    game = small(rounds=5)
    start = game.format(game.start())
    assert game.key(game.parse(start.replace("A 0", "A 2"))) == game.key(game.start())
    assert game.key(game.parse(start.replace("A 0", "A 10"))) != game.key(game.start())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "a position is the rows"),
        ("A/B A", "a position is the rows"),
        ("B/BB/......./....../...../....../......./AA/A A", "a position is the rows"),
        ("B/BB/......./....../...../....../......./AA A 0", "9 rows, not 8"),
        ("B/BB/....../....../...../....../......./AA/A A 0", "row g of this star has 7 points, not 6"),
        ("C/BB/......./....../...../....../......./AA/A A 0", "no player C among 2"),
        ("B/B./......./....../...../....../......./AA/A A 0", "player B has 2 pieces instead of 3"),
        ("B/BB/......./....../...../....../A....../AA/. A 0", "neither home nor goal"),
        ("B/BB/......./....../...../....../......./AA/A B 0", "the turn of player A"),
        ("B/BB/......./....../...../....../......./AA/A A 600", "no game has more than 500 plies"),
    ],
)
def test_bad_positions(text, says):
    assert says in refusal(small().parse, text)


def test_bad_moves():
    s = PLAIN.start()
    assert {PLAIN.parse_action(s, word) for word in ("d1-e5", "D1 e5", "d1e5", " d1 x e5 ")} == {PLAIN.actions(s)[0]}
    assert "not a move such as d1-e5" in refusal(PLAIN.parse_action, s, "hop")
    assert "no point z1" in refusal(PLAIN.parse_action, s, "d1-z1")
    assert "no piece on e5" in refusal(PLAIN.parse_action, s, "e5-e6")
    assert "the piece on a1 cannot move to e5" in refusal(PLAIN.parse_action, s, "a1-e5")
    assert "may pass" in refusal(PLAIN.parse_action, s, "pass")


def test_bad_parameters():
    assert "2, 3, 4 or 6" in refusal(lambda: zermelo.load("chinese-checkers", players=5))
    assert "size 1 to 4" in refusal(lambda: zermelo.load("chinese-checkers", size=5))
    assert "rounds" in refusal(lambda: zermelo.load("chinese-checkers", rounds=0))


GOLDEN = """\
i       ·
h      · ·
g ○ ○ · · · ▲ ▲
f  ○ · · · · ▲
e   · · · · ·
d  · · · · · ·
c · · · · · · ·
b      ● ●
a       ●
player A (●) to move"""


def test_the_text_drawing():
    game = small(3)
    assert game.text(game.start()) == GOLDEN


def test_the_svg_drawing():
    s = PLAIN.start()
    assert PLAIN.clicks(s, PLAIN.parse_action(s, "d1-e5")) == ("d1", "e5")
    marks = Marks(last=("d1", "e5"), targets=("e6", "e6", "e7"), arrows=(("d1", "e5"),))
    picture = PLAIN.svg(s, marks)
    assert picture.count('class="target"') == 2
    assert picture.count('class="cc-last"') == 2
    assert picture.count('class="arrow"') == 1
    assert PLAIN.svg(s, Marks(flip=True)) != PLAIN.svg(s)
