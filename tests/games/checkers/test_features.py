"""What a learned evaluation sees of checkers: the terms by a plain reading of their definitions, squares, patterns."""

import random

import numpy as np
import pytest

import zermelo
from zermelo.compile.dispatch import features, perspective
from zermelo.compile.kernel import kernel
from zermelo.games.checkers import features as F  # noqa: N812
from zermelo.games.checkers.notation import squares_of


@pytest.fixture(scope="module")
def game():
    return zermelo.load("checkers")


@kernel
def see(states, index, value):
    return features(states[0], index, value)


def placement(seed, crowned=0.4):
    """Any pieces anywhere."""
    chance = random.Random(seed)
    squares = chance.sample(range(1, 33), chance.randint(2, 22))
    half = chance.randint(max(1, len(squares) - 12), min(12, len(squares) - 1))
    sides = {}
    for side, crown, own in (("W", range(1, 5), squares[:half]), ("B", range(29, 33), squares[half:])):
        pieces = [(q, chance.random() < crowned) for q in own if crowned or q not in crown]
        sides[side] = ",".join(f"K{q}" if king or q in crown else str(q) for q, king in pieces)
    return f"{chance.choice('BW')}:W{sides['W']}:B{sides['B']}"


def seen(game, s, run=None):
    """{feature: its value}"""
    total, active = game.variant.num_features, game.variant.max_active_features
    index, value = np.full(active, -1), np.zeros(active, np.float32)
    n = (run or game.run)(see, s.record, index, value)
    assert 0 < n <= active
    assert all(0 <= i < total for i in index[:n])
    found = {}
    for i, v in zip(index[:n].tolist(), value[:n].tolist(), strict=True):
        found[i] = found.get(i, 0.0) + v
    return {i: v for i, v in found.items() if v}


def turned(game, s):
    """The same position with the sides exchanged and the board turned round."""
    kings = set(squares_of(s.kings))
    white, black = (
        ",".join(f"{'K' * (q in kings)}{33 - q}" for q in squares_of(board)) for board in (s.black, s.white)
    )
    return game.parse(f"{'WB'[s.turn]}:W{white}:B{black}:H{s.quiet}")


def test_compiled_and_interpreted_see_the_same(game):
    plain = game.interpreted
    for seed in range(40):
        s = game.parse(placement(seed))
        assert seen(game, s) == pytest.approx(seen(plain, plain.parse(game.format(s))))


def test_both_sides_see_alike(game):
    for seed in range(200):
        s = game.parse(placement(seed))
        other = turned(game, s)
        assert perspective(s.record[0]) == s.turn != perspective(other.record[0])
        assert seen(game, other) == pytest.approx(seen(game, s))


def test_what_one_side_has_more_the_other_has_less(game):
    """With the other side to move, every difference changes its sign; what it is worth to move does not."""
    for seed in range(60):
        text = placement(seed)
        s, other = game.parse("B" + text[1:]), game.parse("W" + text[1:])
        mine, theirs = terms(seen(game, s)), terms(seen(game, other))
        for t in set(range(F.TERMS)) - {F.TURN, F.MOVE}:
            assert mine[t] == pytest.approx(-theirs[t]), t
        assert mine[F.TURN] == theirs[F.TURN] == 1


def test_the_start_is_even(game):
    now = seen(game, game.start())
    assert {i: v for i, v in now.items() if i < F.SQUARES} == {F.TURN: 1}
    men = {F.SQUARES + 70 + b for b in (*range(8), *range(9, 13))}
    assert not men & set(now)  # each side has a man on each of its squares: 1 - 1
    assert sum(F.PATTERNS <= i < F.PAIRS for i in now) == F.PARTS


# -- the terms as they are defined, on a dict of coordinates -----------------------------------------------------------


def terms(found):
    """Samuel's terms out of all features, without the phase."""
    values = dict.fromkeys(range(F.TERMS), 0.0)
    for i, v in found.items():
        if i < F.SQUARES:
            values[i % F.TERMS] = v
    return values


class Side:
    """One side's pieces at (row, column), rows counted from its own end, and the other's."""

    def __init__(self, s, turn):
        kings = set(squares_of(s.kings))

        def places(board):
            squares = {q if turn == 0 else 33 - q: q in kings for q in squares_of(board)}
            return {place(q): king for q, king in squares.items()}

        self.mine, self.theirs = (places(b) for b in ((s.black, s.white) if turn == 0 else (s.white, s.black)))

    def empty(self, at):
        return inside(at) and at not in self.mine and at not in self.theirs

    def steps(self):
        """(from, to) of every step."""
        for at, king in self.mine.items():
            for dr, dc in DIAGONAL if king else DIAGONAL[:2]:
                if self.empty(to := (at[0] + dr, at[1] + dc)):
                    yield at, to

    def lost_by(self, start, to):
        """(is who steps there taken?, for nothing?): men only."""
        taken = lost = False
        after = {k: v for k, v in self.mine.items() if k != start} | {to: False}
        free = {at for at in map(place, range(1, 33)) if at not in after and at not in self.theirs}
        for dc in (-1, 1):
            taker, landing = (to[0] + 1, to[1] + dc), (to[0] - 1, to[1] - dc)
            if taker in self.theirs and landing in free:
                taken = True
                open_now = (free | {taker, to}) - {landing}
                back = any(
                    (landing[0] - 1, landing[1] + d) in after
                    and (landing[0] - 1, landing[1] + d) != to
                    and (landing[0] + 1, landing[1] - d) in open_now
                    for d in (-1, 1)
                )
                lost |= not back
        return taken, lost


DIAGONAL = [(1, -1), (1, 1), (-1, -1), (-1, 1)]
CENTRE = (10, 11, 14, 15, 18, 19, 22, 23)


def place(q):
    r, i = divmod(q - 1, 4)
    return r, 2 * i + (r + 1) % 2


def inside(at):
    return 0 <= at[0] < 8 and 0 <= at[1] < 8


def around(at):
    return [(at[0] + dr, at[1] + dc) for dr, dc in DIAGONAL]


def across(at):
    """The two pairs of neighbours that face each other."""
    (a, b, c, d) = around(at)
    return [(a, d), (b, c)]


def plain_terms(side):
    """What a side is credited with, by term."""
    mine, empties = side.mine, [at for at in map(place, range(1, 33)) if side.empty(at)]
    men = [at for at, king in mine.items() if not king]
    kings = [at for at, king in mine.items() if king]
    centre = {place(q) for q in CENTRE}
    reach = {to for _, to in side.steps()}
    away = [abs(c - r) for r, c in mine]
    gaps = 0
    for at in empties:
        ends = [(x in mine, inside(x), y in mine, inside(y)) for x, y in across(at)]
        gaps += any((x and (y or not y_in)) or (y and not x_in) for x, x_in, y, y_in in ends)
    return {
        F.PIECES: 0.5 * len(men),
        F.KINGS: 0.5 * len(kings),
        F.ADV: 0.25 * (sum(r in (4, 5) for r, _ in men) - sum(r in (2, 3) for r, _ in men)),
        F.CENT: 0.25 * sum(at in centre for at in men),
        F.KCENT: 0.5 * sum(at in centre for at in kings),
        F.CNTR: 0.25 * sum(at in mine or at in reach for at in centre),
        F.DIA: 0.25 * away.count(1),
        F.DIAV: 0.25 * (1.5 * away.count(1) + away.count(3) + 0.5 * away.count(5)),
        F.DYKE: 0.25 * sum(x in mine and y in mine for at in mine for x, y in across(at)),
        F.EXPOS: 0.25 * sum(any(side.empty(x) and side.empty(y) for x, y in across(at)) for at in mine),
        F.NODE: 0.25 * sum(sum(map(side.empty, around(at))) >= 3 for at in mine),
        F.GAP: 0.25 * gaps,
        F.HOLE: 0.5 * sum(sum(x in mine for x in around(at)) >= 3 for at in empties),
        F.POLE: 0.5 * sum(all(x not in mine and x not in side.theirs for x in around(at)) for at in men),
        F.MOB: 0.125 * len(reach),
        F.TEMPO: 0.1 * sum(r for r, _ in men),
        F.STUCK: 0.25 * sum(not any(map(side.empty, around(at)[:2])) for at in men),
        F.FORK: 0.5
        * sum(
            all((r + 1, c + d) in side.theirs and side.empty((r + 2, c + 2 * d)) for d in (-1, 1)) for r, c in empties
        ),
    }


def test_terms_are_what_their_definitions_say(game):
    for seed in range(150):
        s = game.parse(placement(seed))
        mine, theirs = (plain_terms(Side(s, turn)) for turn in (s.turn, 1 - s.turn))
        ours = terms(seen(game, s))
        for t, credit in mine.items():
            assert ours[t] == pytest.approx(credit - theirs[t], abs=1e-6), (t, game.format(s))


def test_steps_that_lose_a_man_are_denied_and_exchanges_are_not(game):
    """By playing every step of positions without kings, and looking whether the man is taken and who takes back."""
    for seed in range(150):
        text = placement(seed, crowned=0)
        if not text.split(":")[1][1:] or not text.split(":")[2][1:]:
            continue
        s = game.parse(text)
        if s.kings:
            continue
        expected = {F.DENY: 0.0, F.MOBIL: 0.0, F.EXCH: 0.0}
        for turn, sign in ((s.turn, 1), (1 - s.turn, -1)):
            side = Side(s, turn)
            found = [(to, *side.lost_by(start, to)) for start, to in side.steps()]
            reach, kept = {to for to, _, _ in found}, {to for to, _, lost in found if not lost}
            expected[F.DENY] += sign * 0.25 * len(reach - kept)
            expected[F.MOBIL] += sign * 0.125 * len(kept)
            expected[F.EXCH] += sign * 0.25 * sum(taken and not lost for _, taken, lost in found)
        ours = terms(seen(game, s))
        for t, credit in expected.items():
            assert ours[t] == pytest.approx(credit, abs=1e-6), (t, text)


@pytest.mark.parametrize(
    ("text", "term", "worth"),
    [
        ("B:W31,32:B1,3", F.BACK, 1),  # the bridge is held
        ("B:WK31,32:B1,3", F.BACK, 0),  # but there is a king already
        ("B:W32:B2,3,7", F.OREO, 1),
        ("B:W32:B2,3,7", F.GUARD, 1),
        ("B:W32:B7", F.APEX, 1),
        ("B:W26:B7", F.APEX, 0),
        ("B:W17,21,22,25:B13,9", F.CRAMP, 1),
        ("B:W17,21,22:B13,9", F.CRAMP, 0),
        ("B:WK20,K31:BK6", F.CORN, 1),  # behind, and one step from the corner
        ("B:WK20:BK6,K7", F.CORN, 0),
        ("B:WK6:BK19,K24", F.CHASE, 0.25),  # one three steps away, one four
        ("B:WK6:BK15,K24", F.CHASE, 0.5),
        ("B:WK15,K24:BK6", F.CHASE, -0.5),
        ("B:W31:B2", F.MOVE, 1),  # one piece in the files: who moves has the opposition
        ("B:W26:B2", F.MOVE, -1),
        ("B:WK4:BK29,K30:H60", F.FADE, 0.5),
        ("B:WK4:BK29,K30:H20", F.FADE, 0),
        ("B:WK4:B22", F.RUN, 0.75),  # two steps from the crown
        ("B:WK4,31:B22", F.RUN, 0.75),
        ("B:WK4,30,31:B22", F.RUN, 0),  # they would take him on 26, or on 25
        ("B:W22,25:BK29", F.TRAP, 0.5),
        ("B:W14,18:B9", F.TAKE, 0.5),
        ("B:W14:B9", F.TAKE, 0),  # either could take the other
    ],
)
def test_formations(game, text, term, worth):
    assert terms(seen(game, game.parse(text)))[term] == pytest.approx(worth)


def test_a_pattern_is_a_number_to_the_base_three(game):
    now = seen(game, game.parse("B:W11:B1,6"))
    parts = sorted(i - F.PATTERNS - F.PARTS * 3**8 for i in now if F.PATTERNS <= i < F.PAIRS)
    assert parts[0] == 3**0 + 3**3  # squares 1, 2; 5, 6; 9, 10; 13, 14: an own man on the first and the fourth
    assert parts[1] == 3**8 + 3**2 + 2 * 3**5  # squares 2, 3; 6, 7; 10, 11; …: own on the third, theirs on the sixth


def test_kings_of_an_ending_are_seen_two_by_two(game):
    pairs = {i - F.PAIRS for i in seen(game, game.parse("B:WK32,K28:BK1")) if i >= F.PAIRS}
    assert pairs == {30, 34}  # behind; from bit 0, to bits 30 and 34
    assert not any(i >= F.PAIRS for i in seen(game, game.parse("B:WK32,25-28:BK1,10-12")))
