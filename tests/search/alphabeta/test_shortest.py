"""The shortest win and the longest defence: against Stockfish's mates, brute force and bitbully; and what is told."""

import json
import time
from pathlib import Path
from random import Random

import numpy as np
import pytest

import zermelo
from zermelo import GameError, History
from zermelo.compile.random import scramble
from zermelo.compile.rules import rules
from zermelo.core.game import OVER
from zermelo.interfaces.cli.common.report_text import report_lines
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.limits import Limits
from zermelo.search.report import PROVEN
from zermelo.search.searcher import answer

FIRST_IS_LONG = "5k2/7r/p4P2/1p5q/1P1pPp2/3PBR2/Pq3N2/RN1K4 b - - 2 39"  # Qh1+ wins in seven plies, Qxf3+ in three
LONG = "2r1k2r/1q2bpp1/1p5p/1P3B2/8/2P4P/PB3n1P/R5K1 b k - 1 26"  # mate in six: no shorter one, but that takes long
MATES = json.loads((Path(__file__).parents[2] / "data" / "mates" / "chess.json").read_text())  # see make_mates.py
QUICK = [one for one in MATES if one["plies"] in (2, 4, 5, 6, 7)][::4]


@pytest.fixture(scope="module")
def chess():
    return zermelo.load("chess")


@pytest.fixture(scope="module")
def engine(chess):
    return AlphaBeta(chess, table_mb=64)


def find(engine, state, **limits):
    engine.clear()
    return answer(engine, state, Limits(**limits))


# -- chess -------------------------------------------------------------------------------------------------------------


@pytest.mark.jit
def test_the_first_win_is_not_the_shortest(chess, engine):
    state = chess.parse(FIRST_IS_LONG)
    engine.clear()
    reports = list(engine.reports(state, Limits(nodes=1_000_000)))
    first = next(report for report in reports if report.proof == PROVEN)
    assert (first.distance, first.distance_exact) == (7, False)
    last = reports[-1]
    assert (last.distance, last.distance_exact, last.stopped) == (3, True, "proven")
    assert last.pv_text() == "Qxf3+ Ke1 Qfe2#"
    assert last.moves[0].action == last.best
    assert sorted(move.action for move in last.moves) == sorted(chess.actions(state))
    found = find(engine, state, depth=3)  # only a depth: within it
    assert (found.distance, found.distance_exact) == (3, True)


@pytest.mark.jit
def test_what_the_limits_leave_open_is_said(chess, engine):
    state = chess.parse(FIRST_IS_LONG)
    found = find(engine, state, nodes=200)
    assert (found.distance, found.distance_exact, found.stopped) == (7, False, "nodes")
    assert "proven in at most 7 plies" in str(found)
    assert "(proven, at most 7 plies to the end)" in "\n".join(report_lines(found))
    assert found.as_dict()["distance_exact"] is False
    found = find(engine, chess.parse(LONG), nodes=1_000_000)
    assert (found.distance, found.distance_exact, found.stopped) == (11, False, "nodes")
    found = find(engine, state, nodes=1_000_000, shortening=0)  # the first is enough
    assert (found.distance, found.distance_exact, found.stopped) == (7, False, "proven")


@pytest.mark.jit
@pytest.mark.parametrize("mate", QUICK, ids=lambda mate: f"{mate['plies']}: {mate['fen']}")
def test_as_short_as_stockfish(chess, engine, mate):
    _as_short(chess, engine, mate, 500_000)


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.parametrize("mate", MATES, ids=lambda mate: f"{mate['plies']}: {mate['fen']}")
def test_as_short_as_stockfish_all(chess, engine, mate):
    _as_short(chess, engine, mate, 80_000_000)


def _as_short(chess, engine, mate, nodes):
    state = chess.parse(mate["fen"])
    found = find(engine, state, nodes=nodes)
    assert (found.proof, found.distance, found.distance_exact) == (PROVEN, mate["plies"], True)
    assert len(found.pv) == mate["plies"]  # the whole line, to the mate
    end = History(chess, state)
    for action in found.pv:
        end.play(action)
    assert end.is_over
    assert abs(end.utility(0)) == 1


def test_the_mates_are_sixty():
    assert len(MATES) == 60
    assert len({one["fen"] for one in MATES}) == 60
    assert {one["plies"] for one in MATES} == {1, 2, 3, 4, 5, 6, 7, 8, 9, 11}


@pytest.mark.jit
def test_threads_find_the_same(chess):
    engine = AlphaBeta(chess, table_mb=16, threads=2)
    found = find(engine, chess.parse(FIRST_IS_LONG), nodes=1_000_000)
    assert (found.distance, found.distance_exact) == (3, True)


@pytest.mark.jit
def test_every_value_of_many_is_kept(chess):
    """A search that gives every move a value of its own still does."""
    engine = AlphaBeta(chess, table_mb=16, multi_pv=True)
    found = find(engine, chess.parse(FIRST_IS_LONG), depth=3)
    assert (found.distance, found.distance_exact) == (3, True)
    assert {move.bound for move in found.moves} == {"exact"}


@pytest.mark.timed
@pytest.mark.jit
def test_a_player_does_not_spend_its_time_on_it(chess):
    player = zermelo.player("alphabeta:seconds=5", chess)
    player.prepare()
    began = time.perf_counter()
    player.choose(chess.parse(LONG))
    assert time.perf_counter() - began < 3
    assert (player.report.proof, player.report.distance, player.report.distance_exact) == (PROVEN, 11, False)


def test_a_part_of_the_limits():
    assert Limits(seconds=5, shortening=0.1).shortening_seconds == 0.5
    assert Limits(nodes=5).shortening_seconds is None
    for wrong in (-0.1, 1.5, "all"):
        with pytest.raises(GameError, match="shortening of a search"):
            Limits(shortening=wrong)


@pytest.mark.jit
def test_an_explanation_says_at_most(chess):
    state = chess.parse(FIRST_IS_LONG)
    told = zermelo.explain(chess, state, seconds=2)
    assert "(proven, won in 3 plies)" in told.text()
    assert [stage.move for stage in told.stages] == ["Qh1+", "Qxf3+"]
    first, *others = told.alternatives
    assert (first.name, first.distance, first.distance_exact) == ("Qxf3+", 3, True)
    slow = next(one for one in others if one.name == "Qh1+")
    assert (slow.distance, slow.distance_exact) == (7, False)
    assert "in ≤ 7 proven" in told.text()
    told = zermelo.explain(chess, state, nodes=200)
    assert "(proven, won in at most 7 plies)" in told.text()


# -- brute force -------------------------------------------------------------------------------------------------------


def plies_to_end(game, s, known):
    """(payoff of player 0, plies): who wins hurries, who loses delays."""
    if s not in known:
        player = game.player(s)
        if player == OVER:
            known[s] = (game.utility(s, 0), 0)
        else:
            found = [plies_to_end(game, game.succ(s, a), known) for a in game.actions(s)]
            sign = 1 if player == 0 else -1
            value, plies = max(found, key=lambda one: (sign * one[0], -sign * one[0] * one[1]))
            known[s] = (value, plies + 1)
    return known[s]


def random_positions(game, number, least, most, seed=1):
    """Up to so many positions, nobody's win yet, after some random plies."""
    draw, found = Random(seed), {}
    for _ in range(3 * number):
        history = History(game)
        for _ in range(draw.randint(least, most)):
            if not history.is_over:
                history.play(draw.choice(history.actions()))
        if not history.is_over:
            found[history.state] = None
    return list(found)[:number]


def _compare(game, states):
    engine, known, compared = AlphaBeta(game, table_mb=4), {}, 0
    for state in states:
        value, plies = plies_to_end(game, state, known)
        found = find(engine, state, depth=60)
        assert (found.value, found.proof) == (value, PROVEN), game.format(state)
        if value:
            assert (found.distance, found.distance_exact) == (plies, True), game.format(state)
            after = game.succ(state, found.best)
            assert plies_to_end(game, after, known) == (value, plies - 1), game.format(state)
            compared += 1
        else:
            assert (found.distance, found.distance_exact) == (None, False)
    assert compared > len(states) / 4


@pytest.mark.jit
def test_tic_tac_toe_by_brute_force():
    game = zermelo.load("tic-tac-toe")
    _compare(game, random_positions(game, 400, 0, 7))


def test_connect_four_by_brute_force():
    game = zermelo.load("connect-four", width=4, height=4, compiled=False)
    _compare(game, random_positions(game, 25, 8, 12))


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.parametrize(
    ("name", "options", "least", "most"),
    [
        ("connect-four", {"width": 4, "height": 4}, 4, 12),
        ("othello", {"size": 4}, 4, 10),
        ("othello", {"size": 4, "score": True}, 4, 10),
        ("hex", {"size": 3}, 0, 5),
        ("nim", {}, 0, 6),
        ("kalah", {"pits": 3, "seeds": 2}, 4, 10),
    ],
)
def test_small_games_by_brute_force(name, options, least, most):
    game = zermelo.load(name, **options)
    _compare(game, random_positions(game, 150, least, most))


@pytest.mark.slow
@pytest.mark.jit
def test_connect_four_beside_bitbully():
    core = pytest.importorskip("bitbully.bitbully_core")
    game, draw, compared = zermelo.load("connect-four"), Random(3), 0
    engine = AlphaBeta(game, table_mb=64)
    while compared < 40:
        history = History(game)
        while len(history.moves) < draw.randint(18, 28) and not history.is_over:
            history.play(draw.choice(history.actions()))
        if history.is_over:
            continue
        board = core.BoardCore()
        for column in history.moves:
            assert board.play(int(column))
        score = core.BitBullyCore().mtdf(board, 0)
        found = find(engine, history, nodes=20_000_000)
        assert np.sign(score) == found.value_for(history.player())
        if score:
            # the discs that the winner still has when the game ends, the last one included
            last = 44 - 2 * abs(score) - (len(history.moves) + (score > 0)) % 2  # disc, counted from the first
            assert (found.distance, found.distance_exact) == (last - len(history.moves), True), history.moves
            compared += 1


# -- circles -----------------------------------------------------------------------------------------------------------

u64 = np.uint64
PLACES = 14


@rules(name="rings")
def rings():
    """Walk a random graph in turns; some places are won for the one or the other."""

    class Rings:
        players, max_actions, utility_range = 2, 2, (-1.0, 1.0)
        repetition, repetitions = "draw", 2
        state = {"seed": "u8", "place": "i1", "turn": "i1"}

        def start(s):
            pass

        def player(s):
            return OVER if s.place >= PLACES - 2 else s.turn

        def actions(s, out):
            out[0], out[1] = 0, 1
            return 2

        def apply(s, action):
            drawn = scramble(s.seed + u64(s.place * 16 + action * 2 + s.turn)) % u64(PLACES)
            s.place = np.int64(drawn)
            s.turn = 1 - s.turn

        def utility(s, out):
            out[0] = 1.0 if s.place == PLACES - 1 else -1.0
            out[1] = -out[0]

    return Rings


def wins_in_circles(game, s):
    """{position: (winner, plies)} of those that can be come to and are won, by looking back from the ends."""
    seen, todo = {s: []}, [s]
    for here in todo:
        if game.player(here) != OVER:
            seen[here] = [game.succ(here, a) for a in game.actions(here)]
            for after in seen[here]:
                if after not in seen:
                    seen[after] = []
                    todo.append(after)
    known = {here: (game.utility(here, 0), 0) for here in todo if game.player(here) == OVER}
    for plies in range(1, len(seen) + 1):
        new = {}
        for here in todo:
            if here in known:
                continue
            mine = 1.0 if game.player(here) == 0 else -1.0
            if any(known.get(after, (0,))[0] == mine for after in seen[here]):
                new[here] = (mine, plies)
            elif all(known.get(after, (0,))[0] == -mine for after in seen[here]):
                new[here] = (-mine, plies)
        known |= new
    return known


def test_circles_by_looking_back():
    compared = 0
    for seed in range(60):
        game = rings(seed=seed, compiled=False)
        won = wins_in_circles(game, game.start())
        state, truth = max(won.items(), key=lambda one: one[1][1], default=(None, (0, 0)))
        if truth[1] > 2:
            found = find(AlphaBeta(game, table_mb=1), state, depth=30)
            assert (found.value, found.distance, found.distance_exact) == (*truth, True), seed
            assert won[game.succ(state, found.best)] == (truth[0], truth[1] - 1), seed
            compared += 1
    assert compared > 10
