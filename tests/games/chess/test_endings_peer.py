"""Endings of chess with three men: how many there are of each value, python-chess's moves, a search without tables."""

import numpy as np
import pytest

import zermelo
from zermelo.compile.record_game import State
from zermelo.games.chess.endings import set_up_ranked
from zermelo.solve.tables.build import build_tables

chess = pytest.importorskip("chess", reason="python-chess is not installed")
pytestmark = [pytest.mark.slow, pytest.mark.jit, pytest.mark.filterwarnings("ignore:overflow")]

PLAIN = zermelo.load("chess", compiled=False)
# won, lost and drawn for whoever moves, and the longest mate in moves; one of eight mirrored positions counts, with a
# pawn one of two. Of K – KR, 28,056 positions and 2,796 draws are published; of KP – K 62,480 wins in 81,664.
WORTH = {
    "KQ – K": (18_081, 0, 0, 10),
    "K – KQ": (0, 25_160, 2_896, 10),
    "KR – K": (21_959, 0, 0, 16),
    "K – KR": (0, 25_260, 2_796, 16),
    "KP – K": (62_480, 0, 19_184, 28),
    "K – KP": (0, 48_802, 35_210, 28),
}


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    return build_tables(zermelo.load("chess"), 3, folder=tmp_path_factory.mktemp("tables"), with_plies=True)


def test_values_as_published(tables):
    found = {
        header.name: (*(header.counts[kind] for kind in ("win", "loss", "draw")), (header.longest + 1) // 2)
        for header in tables.headers("plies")
    }
    assert {name: found[name] for name in WORTH} == WORTH
    assert all(found[name][:2] == (0, 0) for name in found if name not in WORTH)  # a knight or a bishop alone


def positions(tables, header, count):
    rng = np.random.default_rng(header.number)
    while count:
        records = np.zeros(1, PLAIN.variant.dtype)
        if set_up_ranked(PLAIN.variant.view(records[0]), header.number, int(rng.integers(header.size))):
            count -= 1
            yield tables.game.parse(PLAIN.format(State(PLAIN, records)))


def judged(tables, board):
    """(value, plies) to whoever moves, by the moves of python-chess and what the table says of where they lead."""
    if board.is_checkmate():
        return -1, 0
    if board.is_stalemate() or board.is_insufficient_material():
        return 0, None
    after = []
    for move in board.legal_moves:
        board.push(move)
        ended = board.is_stalemate() or board.is_insufficient_material()
        found = (0, None) if ended else tables.probe(tables.game.parse(board.fen(en_passant="legal")))
        after.append((-found[0], 0 if found[0] == 0 else found[1] + 1))
        board.pop()
    won, lost = [plies for value, plies in after if value > 0], [plies for value, plies in after if value < 0]
    if won:
        return 1, min(won)
    return (-1, max(lost)) if len(lost) == len(after) else (0, None)


def test_values_follow_from_the_moves_of_python_chess(tables):
    for header in tables.headers():
        for s in positions(tables, header, 1_000):
            board = chess.Board(tables.game.format(s))
            assert board.is_valid()
            assert tuple(tables.probe(s)) == judged(tables, board), board.fen()


def test_a_search_without_tables_finds_the_same_mates(tables):
    for header in tables.headers():
        for s in positions(tables, header, 300):
            found = tables.probe(s)
            if found.value and found.plies <= 5:
                assert zermelo.solve(tables.game, s, all_best=False).value == found.value * (1 - 2 * s.turn)
