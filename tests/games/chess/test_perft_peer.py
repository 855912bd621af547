"""Perft of endings as python-chess counts: moves, whatever a draw by rule says of the result."""

import pytest

import zermelo
from zermelo.search.perft import divide, perft

chess = pytest.importorskip("chess")

ENDINGS = {
    "8/8/8/3k4/8/8/4R3/4K3 w - - 0 1": 5,  # the rook may be lost
    "8/8/8/8/3k4/4R3/8/4K3 b - - 0 1": 5,
    "8/8/8/3k4/8/8/3K4/8 w - - 0 1": 5,  # over before it begins
    "8/8/2k5/8/8/5B2/4K3/8 b - - 0 1": 5,
    "8/8/1k1n4/8/8/5B2/4K3/8 w - - 0 1": 4,
    "8/5k2/8/8/8/p7/1P6/K7 w - - 0 1": 5,  # pawns may take each other
    "8/8/8/8/8/1k6/1p6/1K6 w - - 0 1": 5,  # stalemate is an end of the moves, too
    "8/P7/8/8/8/8/7p/k1K5 w - - 0 1": 4,
    "4k3/8/8/8/8/8/4P3/4K3 w - - 97 120": 5,  # fifty moves are over after three plies
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 99 120": 3,
    "4k3/8/8/8/8/8/8/4K2R w K - 100 120": 4,
}


def count(board, depth):
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += count(board, depth - 1)
        board.pop()
    return total


@pytest.mark.jit
@pytest.mark.parametrize("fen", ENDINGS)
def test_lines_of_an_ending(fen):
    game = zermelo.load("chess")
    for depth in range(1, ENDINGS[fen] + 1):
        assert perft(game, depth, game.parse(fen)) == count(chess.Board(fen), depth), depth


@pytest.mark.jit
def test_lines_by_the_first_move_where_the_game_is_over():
    game = zermelo.load("chess")
    position = game.parse("8/8/8/3k4/8/8/3K4/8 w - - 0 1")
    assert game.is_end(position)
    found = divide(game, 3, position)
    assert set(found) == {f"d2-{square}" for square in ("c1", "c2", "c3", "d1", "d3", "e1", "e2", "e3")}
    assert sum(found.values()) == perft(game, 3, position)
    assert divide(game, 1, game.start())["Nf3"] == 1


@pytest.mark.jit
@pytest.mark.parametrize(
    ("name", "position"),
    [
        ("checkers", "B:WK18:BK1:H78"),
        ("nine-mens-morris", "w.w/.../b.b/w....w/.../b.b/... w 0 98"),
        ("go", ""),
    ],
)
def test_a_limit_on_quiet_plies_or_on_the_length_ends_no_line(name, position):
    game = zermelo.load(name, **({"plies": 242} if name == "go" else {}))
    late = game.parse(position) if position else game.start()
    fresh = zermelo.load(name).parse(position.replace("H78", "H0").replace(" 98", "")) if position else None
    assert [perft(game, depth, late) for depth in (1, 2, 3)] == [
        perft(zermelo.load(name), depth, fresh) for depth in (1, 2, 3)
    ]
