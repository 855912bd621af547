"""What searches, levels and explanations make of endgame tables at their edges: small heaps, interpreted."""

import pytest

from tests.learn.heap import DECLARED, Heap, make_heap
from zermelo.core.game import GameError
from zermelo.players.registry import player as make_player
from zermelo.search.endings import find_endings
from zermelo.search.limits import Limits
from zermelo.search.registry import make_searcher
from zermelo.search.report import ESTIMATE, PROVEN
from zermelo.search.searcher import answer
from zermelo.solve.tables import build
from zermelo.solve.tables.build import build_tables
from zermelo.tables.tables import Tables
from zermelo.tables.verdict import judge

KNOWN = 6


def heap_of(left, game):
    s = game.start()
    for taken in [1] * (s.left - left):
        s = game.succ(s, taken)
    return s


def test_levels_of_games_without_an_evaluation_play_near_tables(tmp_path, monkeypatch):
    """Moves that win later are left out before random games are asked about the others."""

    def three_moves(s, out):
        out[0], out[1], out[2] = 1, 3, 4
        return sum(n <= s.left for n in (1, 3, 4))

    game = make_heap("three-moves", {"max_actions": 3, "policy_size": 4}, actions=three_moves)
    monkeypatch.setenv("ZERMELO_TABLES", str(tmp_path))
    build_tables(game, 8, with_plies=True)
    assert make_player("level:level=8", game).choose(heap_of(7, game)) in (1, 3, 4)


@pytest.mark.parametrize("text", ["mcts:simulations=60,playouts=2", "montecarlo:paths=20,playouts=16"])
def test_every_game_has_random_numbers_of_its_own(text):
    game = make_heap()
    said = set()
    for seed in range(4):
        player = make_player(text, game)
        player.reset(seed)
        player.choose(game.start())
        said.add(tuple((move.value, move.nodes) for move in player.report.moves))
    assert len(said) >= 3


def test_tables_do_not_say_what_a_margin_is(tmp_path):
    """The rules may pay five, and pay one: neither listed nor the usual range."""
    range_only = {word: value for word, value in DECLARED.items() if word != "utility_values"}
    margins = make_heap("margins", {**range_only, "utility_range": (-5, 5), "utility_values": None})
    tables = build_tables(margins, KNOWN, folder=tmp_path)
    assert tables.probe(heap_of(4, margins)).value == 1
    with pytest.raises(GameError, match="tables say won, drawn or lost"):
        make_searcher(margins, "alphabeta", tables=str(tmp_path), table_mb=0.01)
    assert judge(tables, heap_of(4, margins)) is None
    usual = make_heap("usual", {**range_only, "utility_values": None})
    assert judge(build_tables(usual, KNOWN, folder=tmp_path), heap_of(4, usual)).worth.value == 1.0


@pytest.mark.parametrize("kind", [("alphabeta", {"table_mb": 0.01}), ("mcts", {"memory_mb": 0.1})])
def test_listed_payoffs_are_enough(kind, tmp_path, monkeypatch):
    """No range is declared, and a win pays two."""

    def twice(s, out):
        out[s.turn], out[1 - s.turn] = -2, 2

    game = make_heap("twice", {"utility_range": None, "utility_values": (-2, 2)}, utility=twice)
    monkeypatch.setenv("ZERMELO_TABLES", str(tmp_path))
    build_tables(game, KNOWN, with_plies=True)
    for tables in ("auto", "on"):
        report = answer(make_searcher(game, kind[0], tables=tables, **kind[1]), heap_of(8, game), Limits(nodes=100))
        assert (report.proof, report.value, report.distance) == (PROVEN, 2.0, 5)
        assert report.best == 2
    assert find_endings(game, "auto") is not None


def test_without_declared_payoffs_there_are_no_tables(tmp_path):
    """No search could use them: it would not know what a win is worth."""
    unsaid = make_heap("unsaid", {"utility_range": None, "utility_values": None})
    with pytest.raises(GameError, match="the rules do not say what that pays: declare utility_values"):
        build_tables(unsaid, KNOWN, folder=tmp_path)
    assert not list(tmp_path.iterdir())
    with pytest.raises(GameError, match="the rules do not say what that pays"):
        make_searcher(unsaid, "alphabeta", tables=str(tmp_path), table_mb=0.01)


def test_a_number_that_is_no_position_is_no_draw(tmp_path, monkeypatch):
    monkeypatch.setattr(build, "need_right_numbers", lambda *seen: None)
    holes = make_heap("holes", unrank=lambda s, ending, rank: ending != 3 and Heap.source.unrank(s, ending, rank))
    with pytest.raises(GameError, match="do not agree with their successors"):
        build_tables(holes, KNOWN, folder=tmp_path)


def test_a_win_by_tables_without_plies_has_no_distance(tmp_path):
    game = make_heap()
    build_tables(game, KNOWN, folder=tmp_path)
    s = heap_of(8, game)
    for kind, room in (("alphabeta", {"table_mb": 0.01}), ("mcts", {"memory_mb": 0.1})):
        report = answer(make_searcher(game, kind, tables=str(tmp_path), **room), s, Limits(nodes=2_000))
        assert (report.proof, report.value, report.distance, report.distance_exact) == (PROVEN, 1.0, None, False)
    alone = answer(make_searcher(game, "mcts", memory_mb=0.1), s, Limits(nodes=2))
    assert alone.proof == ESTIMATE
    assert Tables(game, tmp_path).headers()
