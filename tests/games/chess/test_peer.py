"""Chess against python-chess and open_spiel, move by move.

python-chess: the same moves, FENs, SAN and results throughout. It calls fifty moves and threefold repetition claims;
here they end the game at once, so they are compared with `is_fifty_moves()` and `is_repetition(3)`.

open_spiel: the same moves and results. It notes the en passant square whenever a pawn stands ready to take there, even
one that is pinned, so FENs are compared without that field.
"""

import json
import random
from pathlib import Path

import pytest

import zermelo
from zermelo import History
from zermelo.games.chess import uci

pytestmark = pytest.mark.jit
TRICKY = [case["position"] for case in json.loads((Path(__file__).parents[2] / "data/perft/chess.json").read_text())]
ENDGAMES = [
    "8/8/4k3/8/8/3K4/4B1b1/8 w - - 0 1",
    "8/5n2/4k3/8/8/3K4/4P3/8 w - - 0 1",
    "8/4b3/4k3/8/8/3KN3/8/8 w - - 0 1",
    "8/8/4k3/3p4/8/3K4/4N3/8 b - - 0 1",
    "4k3/4r3/8/8/8/8/4R3/4K3 w - - 90 70",
    "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
    "5k2/8/5K2/5P2/8/8/8/8 w - - 95 90",
]


@pytest.fixture(scope="module")
def game():
    return zermelo.load("chess")


def result(chess, board):
    """What python-chess makes of a position, by the rules here: White's payoff, or None while the game goes on."""
    if board.is_checkmate():
        return -1.0 if board.turn == chess.WHITE else 1.0
    drawn = board.is_stalemate() or board.is_insufficient_material() or board.is_fifty_moves() or board.is_repetition(3)
    return 0.0 if drawn else None


def compare_game(chess, game, position, seed, max_plies):
    """One random game in both programs; how many plies it lasted."""
    chance = random.Random(seed)
    board = chess.Board(position) if position else chess.Board()
    history = History(game, game.parse(board.fen()))
    while True:
        s = history.state
        assert game.format(s) == board.fen()
        expected = result(chess, board)
        assert history.is_over == (expected is not None), board.fen()
        if expected is not None:
            assert history.utility() == expected == -history.utility(1), board.fen()
            return len(history.moves)
        legal = {uci(s, a): a for a in history.actions()}
        assert sorted(legal) == sorted(move.uci() for move in board.legal_moves), board.fen()
        if len(history.moves) == max_plies:
            return max_plies
        if len(history.moves) % 16 == 0:  # all names now and then, the played move's always
            names = {name: game.format_action(s, a) for name, a in legal.items()}
            assert names == {move.uci(): board.san(move) for move in board.legal_moves}
            for name, a in legal.items():
                assert game.parse_action(s, names[name]) == a == game.parse_action(s, name)
        name = chance.choice(sorted(legal))
        move = chess.Move.from_uci(name)
        assert game.format_action(s, legal[name]) == board.san(move)
        history.play(legal[name])
        board.push(move)


@pytest.mark.parametrize("chunk", range(8))
def test_random_games_as_python_chess_has_them(game, chunk):
    chess = pytest.importorskip("chess", reason="python-chess is not installed")
    positions = TRICKY + ENDGAMES + [None] * 14
    for i, position in enumerate(positions):
        compare_game(chess, game, position, 1000 * chunk + i, 80)


def test_whole_games_as_python_chess_has_them(game):
    chess = pytest.importorskip("chess", reason="python-chess is not installed")
    assert sum(compare_game(chess, game, None, seed, 10_000) for seed in range(10)) > 1000


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(20))
def test_thousands_of_games_as_python_chess_has_them(game, chunk):
    chess = pytest.importorskip("chess", reason="python-chess is not installed")
    positions = TRICKY + ENDGAMES + [None] * 86
    for i, position in enumerate(positions):
        compare_game(chess, game, position, 10_000 * (chunk + 1) + i, 10_000)


@pytest.mark.parametrize("seed", range(12))
def test_random_positions_as_python_chess_has_them(game, seed):
    """Any men anywhere: unlikely material, many checks, pins and promotions."""
    chess = pytest.importorskip("chess", reason="python-chess is not installed")
    chance, compared = random.Random(seed), 0
    while compared < 60:
        board = random_board(chess, chance)
        if not board.is_valid():
            continue
        compared += 1
        s = game.parse(board.fen())
        assert game.format(s) == board.fen()
        assert sorted(uci(s, a) for a in game.actions(s)) == (
            [] if result(chess, board) is not None else sorted(move.uci() for move in board.legal_moves)
        )
        if result(chess, board) is not None:
            assert game.utility(s) == result(chess, board)


def random_board(chess, chance):
    board = chess.Board(None)
    squares = chance.sample(range(64), chance.randint(2, 22))
    board.set_piece_at(squares[0], chess.Piece.from_symbol("K"))
    board.set_piece_at(squares[1], chess.Piece.from_symbol("k"))
    signs = [*"QRRBBNNPPPPqrrbbnnpppp", *chance.choices("QRBN", k=4), *chance.choices("qrbn", k=4)]
    for square, sign in zip(squares[2:], chance.sample(signs, len(squares) - 2), strict=True):
        if sign not in "Pp" or square // 8 not in (0, 7):
            board.set_piece_at(square, chess.Piece.from_symbol(sign))
    board.turn = chance.random() < 0.5
    board.castling_rights = board.clean_castling_rights() if chance.random() < 0.5 else 0
    rank = 5 if board.turn == chess.WHITE else 2
    passed = [q for q in range(8 * rank, 8 * rank + 8) if chance.random() < 0.5 and can_have_passed(chess, board, q)]
    board.ep_square = chance.choice(passed) if passed else None
    return board


def can_have_passed(chess, board, square):
    forward = -8 if board.turn == chess.WHITE else 8
    pawn = chess.Piece(chess.PAWN, not board.turn)
    return [board.piece_at(square + step) for step in (-forward, 0, forward)] == [None, None, pawn]


@pytest.mark.parametrize("seed", range(12))
def test_random_games_as_open_spiel_has_them(game, seed):
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    chance, history = random.Random(seed), History(game)
    peer = pyspiel.load_game("chess").new_initial_state()
    while not history.is_over and len(history.moves) < 150:
        assert not peer.is_terminal()
        after = {placement(game.format(game.succ(history.state, a))): a for a in history.actions()}
        peers = {placement(str(peer.child(a))): a for a in peer.legal_actions()}
        assert sorted(after) == sorted(peers)
        choice = chance.choice(sorted(after))
        history.play(after[choice])
        peer.apply_action(peers[choice])
        ours, theirs = game.format(history.state).split(), str(peer).split()
        assert ours[:3] + ours[4:] == theirs[:3] + theirs[4:]
    assert peer.is_terminal() == history.is_over
    if history.is_over:
        assert peer.returns()[1] == history.utility(0)  # open_spiel's player 1 is white


def placement(fen):
    return fen.split()[0]
