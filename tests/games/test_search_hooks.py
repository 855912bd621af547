"""What games offer a search: move_score, threatened, null_move, known_result, search_key, one suite for all."""

from functools import cache
from itertools import pairwise
from random import Random

import numpy as np
import pytest

import zermelo
from zermelo import CHANCE, OVER, Game
from zermelo.compile.dispatch import (
    assign,
    at,
    known_result,
    move_score,
    null_move,
    reversible_plies,
    row,
    search_key,
    threatened,
)
from zermelo.compile.hooks import UNBOUNDED as UNBOUNDED_PLIES
from zermelo.compile.kernel import kernel
from zermelo.compile.record import rows
from zermelo.compile.record_game import RecordGame, State
from zermelo.search.exhaustive import exhaustive

HOOKS = ("search_key", "move_score", "threatened", "null_move", "known_result")
RECORD_GAMES = [name for name in zermelo.games() if isinstance(zermelo.load(name), RecordGame)]
WITH_HOOKS = [name for name in RECORD_GAMES if set(HOOKS) & set(zermelo.load(name).variant.functions)]
UNBOUNDED = {"game-2048", "pac-man", "chinese-checkers", "partners", "pursuit"}  # may declare no payoffs
LOST = -1e8  # a move_score below says that the other side wins at once


@kernel
def ask(states, moves, count, order, out):  # type: ignore[no-untyped-def]
    """Every hook of states[0], and states[1] after its null move: (key, threatened, known, null move made)."""
    s, after = at(states, 0), at(states, 1)
    for i in range(count):
        order[i] = move_score(s, row(moves, 0)[i])
    assign(after, s)
    made = null_move(after)
    return search_key(s), threatened(s), known_result(s, out), made


class Answer:
    """What the hooks say of one state."""

    __hash__ = None

    def __init__(self, game: Game, s: State):
        legal = game.actions(s)
        states, moves = np.zeros(2, game.variant.dtype), rows(1, game.variant.width)
        states[:1] = s.record
        moves["at"][0, : len(legal)] = legal
        order, self.out = np.zeros(max(1, len(legal))), np.zeros(game.players)
        key, self.threatened, self.known, self.passed = game.run(ask, states, moves, len(legal), order, self.out)
        self.key = int(key)
        self.move_score = dict(zip(legal, order.tolist(), strict=False))
        self.before, self.after = states[:1].copy(), State(game, states[1:].copy())

    def __eq__(self, other):
        same = (self.key, self.threatened, self.known, self.passed) == (
            other.key, other.threatened, other.known, other.passed,
        )  # fmt: skip
        same_result = not self.known or self.out.tolist() == other.out.tolist()
        return same and same_result and self.move_score == other.move_score and self.after == other.after


def random_game(game, seed, most=250):
    rng, states = Random(seed), [game.start()]
    while not game.is_end(states[-1]) and len(states) <= most:
        states.append(game.succ(states[-1], rng.choice(game.actions(states[-1]))))
    return states


def some_states(game, seed, wanted):
    """Positions in which somebody moves, from several random games."""
    rng, found = Random(seed), []
    for i in range(3):
        found += [s for s in random_game(game, seed + i) if game.player(s) >= 0]
    return rng.sample(found, min(wanted, len(found)))


# -- every game --------------------------------------------------------------------------------------------------------


@pytest.mark.jit
@pytest.mark.parametrize("name", WITH_HOOKS)
def test_compiled_and_interpreted_hooks_agree(name):
    game = zermelo.load(name)
    plain = game.interpreted
    for s in some_states(game, 11, 40):
        said = Answer(game, s)
        assert said == Answer(plain, State(plain, s.record))
        assert said.before.tobytes() == s.record.tobytes()
        assert all(p < np.inf for p in said.move_score.values())  # -inf: never the best


@pytest.mark.parametrize("name", [n for n in WITH_HOOKS if "null_move" in zermelo.load(n).variant.functions])
def test_a_null_move_hands_the_turn_over_or_changes_nothing(name):
    game = zermelo.load(name)
    made = 0
    for s in some_states(game, 5, 60):
        said = Answer(game, s)
        if said.passed:
            assert game.player(said.after) == 1 - game.player(s)
            assert game.actions(said.after)
            assert game.parse(game.format(said.after)) == said.after  # `validate` has nothing against it
            made += 1
        else:
            assert said.after == s
    assert made > 10


@pytest.mark.parametrize("name", RECORD_GAMES)
def test_values_stay_within_the_declared_payoffs(name):
    game = zermelo.load(name)
    if game.variant.utility_range is None:
        assert name in UNBOUNDED
        return
    least, most = game.variant.utility_range
    for seed in range(2):
        for s in random_game(game, seed, 400):
            assert least <= game.evaluate(s) <= most
            if game.player(s) == OVER:
                assert least <= game.utility(s) <= most


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("othello", {"size": 4, "score": True}),
        ("kalah", {"pits": 3, "seeds": 2, "score": True}),
        ("go", {"size": 3, "score": True, "komi": 2.5}),
        ("dots-and-boxes", {"rows": 1, "cols": 3}),
    ],
)
def test_scores_stay_within_the_declared_payoffs(name, options):
    game = zermelo.load(name, **options)
    least, most = game.variant.utility_range
    for seed in range(5):
        for s in random_game(game, seed):
            assert least <= game.evaluate(s) <= most
        if game.is_end(s):
            assert least <= game.utility(s) <= most


# -- known_result: exact -----------------------------------------------------------------------------------------------


@cache
def outcome(s):
    """(player 0's payoff, plies) under best play: a win as soon as possible, a loss as late."""
    game = s.game
    if game.is_end(s):
        return game.utility(s), 0
    me = 1 - 2 * game.player(s)
    results = [outcome(game.succ(s, a)) for a in game.actions(s)]
    value = max(me * v for v, _ in results)
    lengths = [plies for v, plies in results if me * v == value]
    return me * value, 1 + (min(lengths) if value > 0 else max(lengths))


def wins_in_one(s):
    """Can the side to move end the game in its favour at once?"""
    game = s.game
    after = [game.succ(s, a) for a in game.actions(s)]
    return any(game.is_end(t) and game.utility(t, game.player(s)) > 0 for t in after)


def loses_in_two(s):
    game = s.game
    after = [game.succ(s, a) for a in game.actions(s)]
    return all(not game.is_end(t) and wins_in_one(t) for t in after)


def long_game(game, seed):
    """A random game whose players avoid to end it."""
    rng, states = Random(seed), [game.start()]
    while not game.is_end(states[-1]):
        after = [game.succ(states[-1], a) for a in game.actions(states[-1])]
        states.append(rng.choice([t for t in after if not game.is_end(t)] or after))
    return states


FORESEEING = [  # the last so many positions of a game are searched to the end; wins in one and losses in two anywhere
    ("connect-four", {}, 8),
    ("connect-four", {"width": 4, "height": 4}, 10),
    ("othello", {}, 99),
    ("othello", {"score": True}, 99),
    ("othello", {"size": 4}, 99),
    ("hex", {"size": 3}, 9),
    ("hex", {"size": 9}, 0),
]


@pytest.mark.jit
@pytest.mark.parametrize(("name", "options", "last"), FORESEEING)
def test_what_is_foreseen_comes_true(name, options, last):
    game = zermelo.load(name, **options)
    early = late = 0
    for seed in range(6 if last else 2):
        states = long_game(game, seed)
        for n, s in enumerate(states[:-1]):
            said = Answer(game, s)
            if name != "othello":
                assert said.known >= (wins_in_one(s) or loses_in_two(s)), s
            if said.known and len(states) - n <= last:
                value, plies = outcome(s)
                assert said.out[0] == value == exhaustive(game, s).value, s
                assert said.out[1] == plies or value == 0, s
                late += 1
            elif said.known and said.out[0] != 0:
                assert said.out[0] == (1 - 2 * s.turn) * (1 if said.out[1] == 1 else -1), s
                assert wins_in_one(s) if said.out[1] == 1 else loses_in_two(s), s
                early += 1
    outcome.cache_clear()
    assert early + late > 10


def test_every_game_that_foresees_is_tested():
    assert {name for name in RECORD_GAMES if "known_result" in zermelo.load(name).variant.functions} == {
        name for name, _, _ in FORESEEING
    }


# -- search_key: one entry in a table, one value -----------------------------------------------------------------------


@pytest.mark.jit
@pytest.mark.parametrize(
    ("name", "options", "last"),
    [
        ("connect-four", {"width": 4, "height": 4}, 8),
        ("hex", {"size": 3}, 8),
        ("nim-heaps", {"heaps": [1, 2, 2, 1, 0, 0, 0, 0]}, 6),
    ],
)
def test_positions_with_one_search_key_have_one_value(name, options, last):
    game = zermelo.load(name, **options)
    seen, shared = {}, 0
    for seed in range(60):
        for s in random_game(game, seed)[-last - 1 : -1]:
            what = game.player(s), exhaustive(game, s).value
            before, where = seen.setdefault(Answer(game, s).key, (what, s))
            assert before == what, (where, s)
            shared += where != s
    assert shared


@pytest.mark.parametrize(("width", "height"), [(7, 6), (4, 4)])
def test_connect_four_mirror_images_share_a_key(width, height):
    game = zermelo.load("connect-four", width=width, height=height)
    rng = Random(width)
    for _ in range(20):
        s = image = game.start()
        while not game.is_end(s) and s.mask.bit_count() < 16:
            a = rng.choice(game.actions(s))
            s, image = game.succ(s, a), game.succ(image, width - 1 - a)
            assert Answer(game, s).key == Answer(game, image).key


@pytest.mark.parametrize("size", [3, 8])
def test_hex_boards_turned_by_half_share_a_key(size):
    game = zermelo.load("hex", size=size)
    s = image = game.start()
    rng = Random(size)
    while not game.is_end(s):
        a = rng.choice(game.actions(s))
        s, image = game.succ(s, a), game.succ(image, size * size - 1 - a)
        assert Answer(game, s).key == Answer(game, image).key


def test_the_order_of_heaps_does_not_matter():
    game = zermelo.load("nim-heaps")
    keys = {text: Answer(game, game.parse(text)).key for text in ("3 4 5", "5 3 4", "3 5 4", "3 4 4", "3 4 5 : 1")}
    assert keys["3 4 5"] == keys["5 3 4"] == keys["3 5 4"]
    assert len(set(keys.values())) == 3


COUNTERS = [  # a position with a counter in it, and from where on the counter tells positions apart
    ("chess", "4k3/8/8/8/8/8/4P3/R3K3 w - - {} 60", 60),
    ("checkers", None, 40),
    ("nine-mens-morris", None, 60),
    ("go", None, 203),
]


@pytest.mark.parametrize(("name", "text", "tells"), COUNTERS)
def test_a_counter_tells_positions_apart_where_the_end_is_near(name, text, tells):
    game = zermelo.load(name)
    field = {"chess": "clock", "go": "plies"}.get(name, "quiet")

    def counted(n):
        if text:
            return game.parse(text.format(n))
        record = random_game(game, 1, 30)[-1].record
        record[field] = n
        return State(game, record)

    near = [Answer(game, counted(n)).key for n in range(tells, tells + 38)]
    far = [Answer(game, counted(n)).key for n in (0, 1, tells // 2, tells - 1)]
    assert len(set(near)) == len(near)
    assert len(set(far)) == 1
    assert far[0] not in near
    assert len({game.key(counted(n)) for n in (0, tells, tells + 9)}) == 1  # repetition still sees one position


# -- move_score: what it says of a move is true ------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_connect_four_knows_the_moves_that_lose_at_once(seed):
    game = zermelo.load("connect-four")
    for s in random_game(game, seed)[:-1]:
        for a, p in Answer(game, s).move_score.items():
            after = game.succ(s, a)
            loses = not game.is_end(after) and any(
                game.is_end(t) and game.utility(t, game.player(after)) > 0
                for t in (game.succ(after, b) for b in game.actions(after))
            )
            assert (p < LOST) == loses


@pytest.mark.parametrize("options", [{}, {"pits": 2, "seeds": 9, "empty_capture": True}])
def test_kalah_scores_extra_turns_and_captures(options):
    game = zermelo.load("kalah", **options)
    pits = game.options["pits"]
    for seed in range(6):
        for s in random_game(game, seed)[:-1]:
            for a, p in Answer(game, s).move_score.items():
                after = game.succ(s, a)
                if after.over:
                    continue
                hand, store = s.board[s.turn * (pits + 1) + a], s.turn * (pits + 1) + pits
                sown = (a + int(hand) + pits + 1) // (2 * pits + 1)  # seeds that pass the store
                captured = int(after.board[store]) - int(s.board[store]) - sown
                assert (p >= 1000) == (after.turn == s.turn)
                assert p >= 1000 or p == captured


def test_dots_and_boxes_scores_boxes_and_fears_gifts():
    game = zermelo.load("dots-and-boxes")
    for s, after in pairwise(random_game(game, 8)):
        for a, p in Answer(game, s).move_score.items():
            after = game.succ(s, a)
            assert (p > 5) == (after.turn == s.turn)
            gift = any(game.succ(after, b).turn == after.turn for b in game.actions(after))
            assert p > 5 or p == 0 or gift


def chess_move_scores(fen):
    game = zermelo.load("chess")
    s = game.parse(fen)
    return {game.format_action(s, a).rstrip("+#"): p for a, p in Answer(game, s).move_score.items()}


def test_chess_tries_good_captures_first_and_bad_ones_last():
    # a pawn guarded by a pawn, a rook guarded by nobody
    said = chess_move_scores("3rk3/8/2p2r2/3p4/3Q2N1/8/3R4/4K3 w - - 0 1")
    assert said["Qxd5"] < 0
    assert said["Nxf6"] > said["Qxf6"] > 0
    assert said["Rd3"] == 0
    # the exchange is played through: two rooks against one guard win the pawn, and a queen before the rook does not
    assert chess_move_scores("3rk3/8/8/3p4/8/3R4/3R4/4K3 w - - 0 1")["Rxd5"] > 0
    assert chess_move_scores("3rk3/3r4/8/3p4/8/3R4/3R4/4K3 w - - 0 1")["Rxd5"] < 0
    assert chess_move_scores("3rk3/8/8/3p4/8/3Q4/3R4/4K3 w - - 0 1")["Qxd5"] < 0
    said = chess_move_scores("4k3/P7/8/3pP3/8/8/8/4K3 w - d6 0 1")
    assert said["a8=Q"] > said["exd6"] > 0 > said["a8=N"]


def test_chess_does_not_pass_in_check_nor_with_pawns_alone():
    game = zermelo.load("chess")

    def say(fen):
        return Answer(game, game.parse(fen))

    assert say("4k3/8/8/8/8/8/3PP3/R3K3 w - - 0 1").passed
    assert not say("4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1").passed
    check = say("4k3/8/8/8/7b/8/8/R3K3 w - - 0 1")
    assert check.threatened
    assert not check.passed
    taken = say("4k3/8/8/3pP3/8/8/8/R3K3 w - d6 0 1")
    assert taken.passed
    assert not taken.threatened
    assert taken.after.en_passant == 0


def test_checkers_is_urgent_where_a_capture_is_forced_or_nothing_moves():
    game = zermelo.load("checkers")
    for s in some_states(game, 3, 80):
        jumps = [a for a in game.actions(s) if a >> 6 & 15]
        said = Answer(game, s)
        assert said.threatened == bool(jumps)
        assert all((p >= 10) == (a in jumps) for a, p in said.move_score.items())


def test_go_captures_first_and_passes_last():
    game = zermelo.load("go", size=3)
    said = Answer(game, game.parse("OX./.../... X - 0 2")).move_score
    assert max(said, key=said.get) == 3  # takes the corner
    assert min(said, key=said.get) == 9
    said = Answer(game, game.parse(".XX/XXX/XO. X - 0 8")).move_score
    assert said[0] < 0  # an eye of one's own


@pytest.mark.parametrize("size", [6, 8])
def test_othello_tries_first_what_leaves_few_answers(size):
    game = zermelo.load("othello", size=size)
    for s in some_states(game, size, 20):
        said = Answer(game, s).move_score
        assert min(said.values()) > 0
        replies = {a: len(game.actions(t)) if not game.is_end(t := game.succ(s, a)) else 0 for a in said}
        corners = {0, size - 1, size * (size - 1), size * size - 1}
        plain = [a for a in said if a not in corners]
        if len(plain) > 1:
            best = max(plain, key=said.get)
            assert replies[best] <= min(replies[a] for a in plain) + 8


def test_backgammon_likes_to_hit():
    game = zermelo.load("backgammon")
    hits = 0
    for seed in range(3):
        for s in random_game(game, seed, 120):
            if game.player(s) in (CHANCE, OVER):
                continue
            said = Answer(game, s).move_score
            assert min(said.values()) > 0
            best = game.format_action(s, max(said, key=said.get))
            hits += "*" in best
    assert hits > 10


@kernel
def plies_back(states):  # type: ignore[no-untyped-def]
    return reversible_plies(states[0])


REPEATING = [name for name in RECORD_GAMES if "reversible_plies" in zermelo.load(name).variant.functions]


@pytest.mark.jit
@pytest.mark.parametrize("name", REPEATING)
def test_no_position_stands_again_across_an_irreversible_move(name):
    """Moves are taken back whenever they can be, so that positions do come back."""
    game, repeated, lost = zermelo.load(name), 0, 0
    assert game.repetition
    for seed in range(20):
        random, s, stood = Random(seed), game.start(), {}
        for ply in range(150):
            plies = game.run(plies_back, s.record)
            ago = ply - stood.setdefault(game.repetition_key(s), ply)
            assert ago <= plies
            repeated, lost = repeated + (ago > 0), lost + (plies == 0)
            if game.is_end(s):
                break
            back = [a for a in game.actions(s) if game.repetition_key(game.succ(s, a)) in stood]
            s = game.succ(s, random.choice(back if back and random.random() < 0.5 else game.actions(s)))
    assert repeated > 20
    assert lost > 20


def test_the_games_that_say_which_moves_are_irreversible():
    assert set(REPEATING) == {"chess", "checkers", "nine-mens-morris"}
    game = zermelo.load("tic-tac-toe").interpreted
    assert game.run(plies_back, game.start().record) == UNBOUNDED_PLIES
