"""Chess: perft, the special rules one by one, the end of games, notation, drawings."""

import itertools
import json
import random
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo import OVER, GameError, History, Marks
from zermelo.compile.dispatch import noisy
from zermelo.compile.kernel import kernel
from zermelo.games.chess import from_pgn, pgn, uci
from zermelo.search.exhaustive import positions_by_ply
from zermelo.search.playout import playouts

PERFT = json.loads((Path(__file__).parents[2] / "data/perft/chess.json").read_text())
KIWIPETE = PERFT[1]["position"]
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


@pytest.fixture(scope="module")
def game():
    return zermelo.load("chess")


def moves(game, fen):
    s = game.parse(fen)
    return sorted(game.format_action(s, a) for a in game.actions(s))


def play(game, text, fen=START):
    """The history of a game given by its moves."""
    history = History(game, game.parse(fen))
    for word in text.split():
        history.play(game.parse_action(history.state, word))
    return history


def random_states(game, seed, plies, fen=None):
    chance, s = random.Random(seed), game.parse(fen) if fen else game.start()
    states = [s]
    for _ in range(plies):
        if game.is_end(s):
            break
        s = game.succ(s, chance.choice(game.actions(s)))
        states.append(s)
    return states


# -- rules -------------------------------------------------------------------------------------------------------------


@pytest.mark.jit
def test_different_positions_by_ply(game):
    """OEIS A083276, in which en passant counts where it is legal: the key tells positions apart just so."""
    assert positions_by_ply(game, 4) == [1, 20, 400, 5362, 72078]


@pytest.mark.jit
@pytest.mark.parametrize("fen", [None, KIWIPETE, PERFT[3]["position"], "8/P6k/8/8/8/8/p6K/8 w - - 0 1"])
def test_interpreted_rules_are_the_compiled_ones(game, fen):
    plain = game.interpreted
    for s in random_states(game, 11, 60, fen):
        same = plain.parse(game.format(s))
        assert same.record.tobytes() == s.record.tobytes()
        assert plain.player(same) == game.player(s)
        assert plain.actions(same) == game.actions(s)
        assert plain.key(same) == game.key(s)
        assert plain.evaluate(same) == pytest.approx(game.evaluate(s), abs=1e-12)
        if game.is_end(s):
            assert plain.utility(same) == game.utility(s)


def test_castling(game):
    both = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    assert {"O-O", "O-O-O"} <= set(moves(game, both))
    after = play(game, "O-O O-O-O", both).state
    assert game.format(after) == "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2"
    assert game.format(play(game, "Rxa8+ Kd7", both).state) == "R6r/3k4/8/8/8/8/8/4K2R w K - 1 2"  # a right taken away
    castle = {  # the queen's rook may cross an attacked square, the king may not
        "1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1": {"O-O", "O-O-O"},
        "3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1": {"O-O"},
        "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1": {"O-O-O"},
        "4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1": {"O-O-O"},
        "4k3/4r3/8/8/8/8/8/R3K2R w KQ - 0 1": set(),  # in check
        "4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1": set(),
        "r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1": set(),
    }
    for fen, expected in castle.items():
        assert {m for m in moves(game, fen) if m.startswith("O")} == expected, fen


def test_en_passant(game):
    history = play(game, "e4 a6 e5 d5")
    assert history.state.en_passant == 43  # d6
    assert game.format(play(game, "exd6", game.format(history.state)).state).startswith("rnbqkbnr/1pp1pppp/p2P4/8/8/8/")
    assert play(game, "e4 a6 e5 d5 a3 a5").state.en_passant == 0
    assert play(game, "e4").state.en_passant == 0  # nobody can take on e3
    # Both pawns leave the rank, and the rook sees the king: not legal, so not noted either.
    assert play(game, "c5", "8/2p5/8/KP5r/8/8/8/7k b - - 0 1").state.en_passant == 0
    assert game.parse("8/8/8/KPp4r/8/8/8/7k w - c6 0 2").en_passant == 0
    # The pawn that gives check may be taken en passant; a bishop may pin the taker.
    assert moves(game, "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1").count("exd3") == 1
    assert "exd3" not in moves(game, "8/8/2k5/8/3Pp3/8/8/4K2B b - d3 0 1")
    two = moves(game, "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 2")
    assert {"cxd6", "exd6"} <= set(two)


def test_promotion(game):
    assert {"a8=Q", "a8=R", "a8=B", "a8=N", "axb8=Q+", "axb8=N"} <= set(moves(game, "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1"))
    boards = {"N": ["knights"], "B": ["diagonals"], "R": ["straights"], "Q": ["diagonals", "straights"]}
    for piece, fields in boards.items():
        s = play(game, f"a8={piece}", "8/P6k/8/8/8/8/7K/8 w - - 0 1").state
        assert s.pawns == 0
        assert [f for f in ("knights", "diagonals", "straights") if int(getattr(s, f)) >> 56 & 1] == fields


@pytest.mark.parametrize(
    ("fen", "payoff"),
    [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", -1),  # fool's mate
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", 1),
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 90", 1),  # mate comes before the fifty moves
        ("R5k1/5pp1/8/8/8/8/8/6K1 b - - 100 90", 0),  # check is not mate
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0),  # stalemate
        ("8/8/8/8/8/5k2/5p2/5K2 w - - 0 1", 0),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 100 90", 0),
        ("8/8/8/8/8/4k3/8/4K3 w - - 0 1", 0),
        ("8/8/8/8/8/4k3/8/4K1N1 w - - 0 1", 0),
        ("8/8/8/8/8/4k3/8/4KB2 b - - 0 1", 0),
        ("8/8/8/5b2/8/4k3/8/4KB2 b - - 0 1", 0),  # both bishops on light squares
        ("5b2/8/8/8/8/4k3/6b1/4KB2 w - - 0 1", None),
        ("8/8/8/4b3/8/4k3/8/4KB2 b - - 0 1", None),
        ("4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", None),
        ("8/8/8/4n3/8/4k3/8/4K1N1 w - - 0 1", None),
        ("8/8/8/8/8/4k3/P7/4K3 w - - 99 90", None),
    ],
)
def test_ends(game, fen, payoff):
    s = game.parse(fen)
    assert game.is_end(s) == (payoff is not None)
    assert (game.player(s) == OVER) == (payoff is not None)
    if payoff is not None:
        assert (game.utility(s, 0), game.utility(s, 1)) == (payoff, -payoff)
        assert game.actions(s) == ()


@pytest.mark.jit
def test_check_on_the_hundredth_half_move_is_mate_only_if_nothing_helps(game):
    """The same question asked of the move generator: with the clock at 0, are there moves?"""
    chance, asked = random.Random(5), 0
    for seed in range(300):
        s = random_states(game, seed, chance.randrange(10, 120))[-1]
        fields = game.format(s).split()
        early, late = (game.parse(" ".join([*fields[:4], clock, "90"])) for clock in ("0", "100"))
        if early.pawns | early.straights:
            asked += 1
            assert game.utility(late) == (game.utility(early) if game.is_end(early) else 0)
    assert asked > 200


def test_threefold_repetition_is_a_draw(game):
    history = play(game, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1")
    assert not history.is_over
    history.play(game.parse_action(history.state, "Ng8"))
    assert history.is_over
    assert history.utility() == 0
    # The first time, white could still castle; with rights lost it is another position.
    assert not play(game, "Ke2 Ke7 Ke1 Ke8 Ke2 Ke7 Ke1 Ke8", "4k3/7p/8/8/8/8/8/R3K2R w KQ - 0 1").is_over
    # The first time, something could be taken en passant.
    assert not play(game, "d4 a6 d5 e5 Nf3 Nc6 Ng1 Nb8 Nf3 Nc6 Ng1 Nb8").is_over
    assert play(game, "d4 a6 d5 e5 Nf3 Nc6 Ng1 Nb8 Nf3 Nc6 Ng1 Nb8 Nf3").is_over


def test_the_key_leaves_the_counters_out(game):
    a, b = game.parse(START), game.parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 12 40")
    assert a != b
    assert game.key(a) == game.key(b)
    others = ["b KQkq -", "w KQk -", "w Qkq -", "w - -"]
    keys = {game.key(game.parse(f"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {other} 0 1")) for other in others}
    assert len(keys | {game.key(a)}) == 5
    taken = game.parse("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 2")
    assert game.key(taken) != game.key(game.parse("4k3/8/8/2PpP3/8/8/8/4K3 w - - 0 2"))


@pytest.mark.jit
def test_the_key_tells_men_on_the_last_squares_apart(game):
    """Multiplying keeps high bits high: N and R against B and Q on h8 and h4 once had the same key."""
    fens = ["6{}{}/8/8/k7/6{}{}/8/8/1K6 w - - 0 1".format(*signs) for signs in itertools.product("NBRQnbrq", repeat=4)]
    assert len({game.key(game.parse(fen)) for fen in fens}) == len(fens)


@kernel
def list_noisy(states, out):
    return noisy(states[0], out)


@pytest.mark.parametrize("fen", [START, KIWIPETE, PERFT[3]["position"], PERFT[5]["position"]])
def test_noisy_are_the_captures_and_promotions(game, fen):
    out = np.zeros(256, np.int64)
    for s in random_states(game, 3, 60, fen):
        if game.is_end(s):
            continue
        n = game.run(list_noisy, s.record, out)
        names = {a: game.format_action(s, a) for a in game.actions(s)}
        assert sorted(out[:n]) == sorted(a for a, name in names.items() if "x" in name or "=" in name)


@pytest.mark.jit
def test_random_games_end(game):
    played = playouts(game, 200, seed=1)
    assert played.unfinished == 0
    assert abs(played.mean[0]) < 0.2
    assert 200 < played.moves / played.games < 500


# -- evaluation --------------------------------------------------------------------------------------------------------


def mirrored(fen):
    """The same position with colours and ranks exchanged."""
    men, turn, rights, passed, *counters = fen.split()
    men = "/".join(men.swapcase().split("/")[::-1])
    rights = "".join(sorted(rights.swapcase()))
    passed = passed if passed == "-" else passed[0] + str(9 - int(passed[1]))
    return " ".join([men, "wb"[turn == "w"], rights, passed, *counters])


@pytest.mark.parametrize("seed", range(4))
def test_evaluation_is_fair_and_bounded(game, seed):
    for s in random_states(game, seed, 150):
        other = game.parse(mirrored(game.format(s)))
        assert game.evaluate(other) == pytest.approx(-game.evaluate(s), abs=1e-12)
        assert -1 < game.evaluate(s) < 1
        assert len(game.actions(other)) == len(game.actions(s))


def pawns(game, fen):
    """White's advantage in pawns: what x / (|x| + 4) was made of."""
    value = game.evaluate(game.parse(fen))
    return 4 * value / (1 - abs(value))


def test_evaluation_in_pawns(game):
    move = pawns(game, START)
    assert 0 < move < 0.3  # only whose turn it is
    assert pawns(game, START.replace(" w ", " b ")) == pytest.approx(-move)
    plain = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1"
    assert 0.5 < pawns(game, plain.replace("pppppppp", "p1pppppp")) < 2
    gains = [pawns(game, plain.replace("4K3", f"3{sign}K3")) for sign in "NBRQ"]
    assert gains == sorted(gains)
    assert 2 < gains[0] < 4
    assert 8 < gains[3] < 11


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("4k3/8/8/8/8/PP6/8/4K3", "4k3/8/8/8/P7/P7/8/4K3"),  # doubled
        ("4k3/pp6/P7/8/8/8/8/4K3", "4k3/pp6/8/8/8/P7/8/4K3"),  # further
        ("4k3/8/3P4/8/8/8/7p/4K3", "4k3/8/8/3P4/8/8/7p/4K3"),  # a passed pawn, the further the better
        ("4k3/pppp4/8/8/8/8/PPP5/3RK3", "4k3/pppp4/8/8/8/8/PPP5/2R1K3"),  # a rook on a half-open file
        ("4k3/pppp4/8/8/8/8/PPPP4/2B1KB2", "4k3/pppp4/8/8/8/8/PPPP4/2B1K1N1"),  # two bishops
        ("r4rk1/ppp2ppp/8/8/8/8/PPP2PPP/R2Q1RK1", "r4rk1/ppp2ppp/8/8/8/8/PPP2PPP/RQ3RK1"),  # room for the queen
        ("rq3rk1/ppp2ppp/8/8/8/8/PPP2PPP/RQ3RK1", "rq3rk1/ppp2ppp/8/8/8/8/PPPPP3/RQ3RK1"),  # pawns before the king
        ("7k/8/6K1/8/8/8/8/R7", "8/8/4k1K1/8/8/8/8/R7"),  # a bare king at the edge
    ],
)
def test_evaluation_prefers(game, better, worse):
    assert pawns(game, f"{better} w - - 0 1") > pawns(game, f"{worse} w - - 0 1")


def test_what_cannot_be_won_counts_little(game):
    assert abs(pawns(game, "4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1")) < 2
    assert abs(pawns(game, "r3k3/8/8/8/8/8/8/R3KB2 w - - 0 1")) < 1
    opposite = pawns(game, "4kb2/pp6/8/8/8/8/PPP5/4KB2 w - - 0 1")
    assert 0 < opposite < pawns(game, "4k1b1/pp6/8/8/8/8/PPP5/4KB2 w - - 0 1")


# -- notation ----------------------------------------------------------------------------------------------------------


@pytest.mark.jit
@settings(max_examples=40)
@given(st.integers(0, 10**9), st.integers(0, 200))
def test_positions_and_moves_round_trip(seed, plies):
    game = zermelo.load("chess")
    s = random_states(game, seed, plies)[-1]
    assert game.parse(game.format(s)) == s
    names = [game.format_action(s, a) for a in game.actions(s)]
    assert len(set(names)) == len(names)
    for a, name in zip(game.actions(s), names, strict=True):
        assert game.parse_action(s, name) == a
        assert game.parse_action(s, uci(s, a)) == a
        assert game.clicks(s, a)[:2] == (uci(s, a)[:2], uci(s, a)[2:4])


@pytest.mark.parametrize(
    ("fen", "text", "san"),
    [
        (START, "e2e4", "e4"),
        (START, "e2-e4", "e4"),
        (START, "Ng1-f3", "Nf3"),
        (START, "g1f3", "Nf3"),
        (START, "♘f3!?", "Nf3"),
        (START, "nf3", "Nf3"),
        (KIWIPETE, "0-0", "O-O"),
        (KIWIPETE, "o-o-o", "O-O-O"),
        (KIWIPETE, "e1g1", "O-O"),
        (KIWIPETE, "Qf3:f6", "Qxf6"),
        ("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 2", "exd6 e.p.", "exd6"),
        ("8/P6k/8/8/8/8/7K/8 w - - 0 1", "a8(Q)", "a8=Q"),
        ("8/P6k/8/8/8/8/7K/8 w - - 0 1", "a7a8n", "a8=N"),
        ("8/P6k/8/8/8/8/7K/8 w - - 0 1", "a8Q", "a8=Q"),
        ("7k/8/8/8/8/8/K6r/R6R w - - 0 1", "Rhxh2+", "Rxh2+"),
        ("8/8/1k6/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
        ("8/8/1k6/8/4Q2Q/8/8/K6Q w - - 0 1", "e4e1", "Qee1"),
        ("8/8/1k6/8/4Q2Q/8/8/K6Q w - - 0 1", "h1e1", "Q1e1"),
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "Ra8#"),
    ],
)
def test_moves_as_people_write_them(game, fen, text, san):
    s = game.parse(fen)
    a = game.parse_action(s, text)
    assert game.format_action(s, a) == san
    assert game.parse_action(s, san) == a


@pytest.mark.parametrize(
    ("fen", "text", "word"),
    [
        (START, "", "not a move"),
        (START, "castle", "not a move"),
        (START, "e9", "not a move"),
        (START, "e5", "not a legal move"),
        (START, "O-O", "not a legal move"),
        (START, "e2e4q", "not a legal move"),
        ("6k1/8/8/8/8/K7/8/R6R w - - 0 1", "Re1", "Rae1 or Rhe1"),
        ("8/P6k/8/8/8/8/7K/8 w - - 0 1", "a8", "a8=Q"),
        ("8/P6k/8/8/8/8/7K/8 w - - 0 1", "a8=K", "not a move"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Kg8", "over"),
    ],
)
def test_bad_moves_get_one_sentence(game, fen, text, word):
    with pytest.raises(GameError, match=word) as caught:
        game.parse_action(game.parse(fen), text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "six fields"),
        ("8/8/8/8/8/8/8/8 w - - 0 1 x", "six fields"),
        ("8/8/8 w - - 0 1", "eight ranks"),
        ("rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "'x' in rank 7"),
        ("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "'9' in rank 6"),
        ("rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "has 7 squares"),
        ("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "has 9 squares"),
        (START.replace(" w ", " x "), "to move"),
        (START.replace("KQkq", "KX"), "castling"),
        (START.replace("KQkq", "KK"), "castling"),
        (START.replace(" - ", " e9 "), "en passant"),
        (START.replace(" - ", " e6 "), "passed e6"),
        (START.replace(" 0 1", " x 1"), "clock"),
        (START.replace(" 0 1", " 0 ²"), "number"),
        (START.replace("RNBQKBNR", "RNBQ1BNR"), "white has no king"),
        (START.replace("RNBQKBNR", "RNBKKBNR"), "white has 2 kings"),
        (START.replace("RNBQKBNR", "RNBQKBNQ").replace("KQkq", "-"), "more pieces than 0"),
        (START.replace("8/8/8/8", "8/8/P7/8"), "9 pawns"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "last rank"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "'K' allows castling"),
        ("4k3/8/8/8/8/8/8/4K2R w kK - 0 1", "'k' allows castling"),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "could take the king"),
    ],
)
def test_bad_positions_get_one_sentence(game, text, word):
    with pytest.raises(GameError, match=word) as caught:
        game.parse(text)
    assert "\n" not in str(caught.value)


def test_impossible_fields_are_refused():
    for fields, word in [
        ({"white": 0}, "one kind"),
        ({"black": 0xFFFF00000000FFFF}, "two men"),
        ({"turn": 3}, "turn"),
        ({"en_passant": 20}, "en passant on e3"),
    ]:
        with pytest.raises(GameError, match=word):
            zermelo.load("chess", **fields)


def test_short_fens_are_read(game):
    assert game.parse("8/8/8/8/8/4k3/P7/4K3 b - -") == game.parse("8/8/8/8/8/4k3/P7/4K3 b - - 0 1")
    assert game.format(game.parse("8/8/8/8/8/4k3/P7/4K3")) == "8/8/8/8/8/4k3/P7/4K3 w - - 0 1"


def test_pgn_round_trip(game):
    pytest.importorskip("chess", reason="python-chess is not installed")
    mate = play(game, "f3 e5 g4 Qh4#")
    text = pgn(mate, White="Fool", Black="Scholar")
    assert '[White "Fool"]' in text
    assert '[Result "0-1"]' in text
    assert "1. f3 e5 2. g4 Qh4# 0-1" in text
    assert from_pgn(text).moves == mate.moves
    later = play(game, "O-O O-O-O", KIWIPETE)
    assert from_pgn(pgn(later)).state == later.state
    assert '[Result "*"]' in pgn(later)


def test_pgn_that_cannot_be_read_gets_one_sentence(game):
    pytest.importorskip("chess", reason="python-chess is not installed")
    with pytest.raises(GameError, match="no game"):
        from_pgn("")
    with pytest.raises(GameError, match="cannot be read"):
        from_pgn("1. e4 e5 2. Kxe5 *")
    with pytest.raises(GameError, match="no king"):
        from_pgn('[SetUp "1"]\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*')
    shuffled = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *"
    with pytest.raises(GameError, match="drawn after 8"):
        from_pgn(shuffled)
    assert len(from_pgn(shuffled, cut=True).moves) == 8


# -- drawings ----------------------------------------------------------------------------------------------------------


def test_text(game):
    assert game.text(game.parse("r3k2r/8/8/3Pp3/8/8/2BN4/R2QK2R w KQkq e6 0 2")) == (
        "8 ♜ · · · ♚ · · ♜\n"
        "7 · · · · · · · ·\n"
        "6 · · · · · · · ·\n"
        "5 · · · ♙ ♟ · · ·\n"
        "4 · · · · · · · ·\n"
        "3 · · · · · · · ·\n"
        "2 · · ♗ ♘ · · · ·\n"
        "1 ♖ · · ♕ ♔ · · ♖\n"
        "  a b c d e f g h"
    )


@pytest.mark.parametrize("flip", [False, True])
def test_svg_has_every_square_and_every_man(game, flip):
    s = game.parse("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
    root = ET.fromstring(game.svg(s, Marks(last=("d8", "h4"), targets=("e3",), arrows=(("g1", "f3"),), flip=flip)))
    names = [e.get("data-at") for e in root.iter() if e.get("data-at")]
    assert sorted(names) == sorted(f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9))
    classes = [e.get("class") or "" for e in root.iter()]
    assert classes.count("man light") == classes.count("man dark") == 16
    assert classes.count("check") == 1  # the king that is mated
    assert game.svg(game.start()).count('class="check"') == 0


def test_clicks(game):
    s = game.parse("r3k2r/P7/8/8/8/8/8/R3K2R w KQkq - 0 1")
    shown = {game.format_action(s, a): game.clicks(s, a) for a in game.actions(s)}
    assert shown["O-O"] == ("e1", "g1")
    assert shown["Rxh8+"] == ("h1", "h8")
    promoting = game.parse("8/P6k/8/8/8/8/7K/8 w - - 0 1")
    shown = {game.format_action(promoting, a): game.clicks(promoting, a) for a in game.actions(promoting)}
    assert shown["a8=N"] == ("a7", "a8", "=N")
    assert shown["a8=Q"] == ("a7", "a8", "=Q")


@pytest.mark.parametrize("text", ["garbage", "", "  \n", "hello world", "{only a comment}", "17"])
def test_no_pgn(text, caplog, capsys):
    pytest.importorskip("chess")
    with pytest.raises(GameError, match=r"there is no game in this PGN|in this PGN is not a move"):
        from_pgn(text)
    assert caplog.records == []
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("1. e4 garbage e5", "garbage"),
        ("1. e4 e5 2. Zf3", "Zf3"),
        ("hello 1. e4", "hello"),
        ("1. e4 e5 1-0 junk", "junk"),
    ],
)
def test_words_that_are_no_moves_in_a_pgn(text, word):
    """The library passes over them, and reads another game."""
    pytest.importorskip("chess")
    with pytest.raises(GameError, match=f"'{word}' in this PGN is not a move"):
        from_pgn(text)


def test_what_else_stands_in_a_pgn():
    pytest.importorskip("chess")
    text = """
[Event "x (y) {z}"]
[Result "*"]

% an escape
1. e4! {a (comment) with 1. words} e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) 2. Nf3 $1 Nc6 ; to the end of the line
3. Bb5 $14 a6?! 4.Ba4 Nf6 5. O-O *
"""
    assert len(from_pgn(text).moves) == 9
    assert from_pgn('[Event "x"]\n\n*').moves == []
    for wrong in (None, 17):
        with pytest.raises(GameError, match="a PGN is read from text"):
            from_pgn(wrong)
    with pytest.raises(GameError, match="this PGN cannot be read"):
        from_pgn('[FEN "junk"]\n\n1. e4')
