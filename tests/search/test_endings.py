"""Endings that searches know for certain: found by default, where they can matter. Interpreted, unless it says so."""

import pytest

import zermelo
from tests.solve.graph_game import graph_game, solve_graph
from tests.solve.test_expected import DICE, FAR, position, race, worth
from tests.solve.test_tables import flip, node_state, rewrite
from zermelo.players.move_values import _without_detours
from zermelo.search import endings as module
from zermelo.search.endings import AUTO, Endings, comes_near, find_endings
from zermelo.search.limits import Limits
from zermelo.search.registry import make_searcher
from zermelo.search.report import ESTIMATE, PROVEN
from zermelo.search.searcher import answer
from zermelo.solve.tables.build import build_tables
from zermelo.tables.tables import PLIES, Tables, folder_for

SEEDS = (14, 24)  # of graphs in which much is decided
FROM = 36  # the last quarter of a graph of 48 nodes begins there
SMALL = {"alphabeta": {"table_mb": 0.01, "evaluator": "handcrafted"}, "mcts": {"memory_mb": 0.1}}
SEARCHED = {"alphabeta": Limits(depth=2), "mcts": Limits(nodes=60)}
every_search = pytest.mark.parametrize("kind", SMALL)


# -- found by default --------------------------------------------------------------------------------------------------


def test_players_know_what_is_there_and_searches_do_not(tmp_path, monkeypatch):
    game = graph_game(0)
    monkeypatch.setenv("ZERMELO_TABLES", str(tmp_path))
    assert zermelo.player("alphabeta:depth=1", game).searcher.endings is None
    build_tables(game, 2)
    for spec in ("alphabeta:depth=1", "mcts:simulations=5"):
        endings = zermelo.player(spec, game).searcher.endings
        assert endings.only_near
        assert zermelo.player(f"{spec},tables=off", game).searcher.endings is None
        assert not zermelo.player(f"{spec},tables=on", game).searcher.endings.only_near
    assert make_searcher(game, "alphabeta").endings is None
    assert make_searcher(game, "mcts").endings is None
    assert zermelo.player("level=10,seconds=1", zermelo.load("kalah", compiled=False)).full.searcher.endings.only_near


def test_games_without_any_have_none(tmp_path):
    assert find_endings(zermelo.load("tic-tac-toe", compiled=False), AUTO) is None
    with pytest.raises(zermelo.GameError, match="there are no tables of graph in"):
        find_endings(graph_game(0), str(tmp_path))


def test_near_is_where_a_few_random_moves_come_to_what_is_known():
    game = zermelo.load("kalah", compiled=False)
    numbers = find_endings(game, AUTO).tables.numbers()
    assert not comes_near(game, game.start(), numbers)
    s = game.parse("0 0 1 0 2 1 20 / 0 1 0 0 2 1 20 S")  # eight seeds in the pits
    assert comes_near(game, s, numbers)
    assert comes_near(game, game.parse("0 3 1 0 2 1 17 / 0 1 0 2 2 1 18 S"), numbers)
    assert not comes_near(game, s, set())


def test_dice_that_are_rolled_have_no_class_and_are_near_all_the_same():
    game = race()
    for roll in DICE:
        assert comes_near(game, game.succ(game.start(), roll), {1})


def test_far_away_no_file_is_opened(tmp_path):
    game = zermelo.load("kalah", compiled=False)
    searcher = make_searcher(game, "alphabeta", tables=AUTO, table_mb=0.01)
    answer(searcher, game.start(), Limits(depth=1))
    assert searcher.endings._held is None
    assert not searcher.tables._files


@every_search
def test_what_a_root_near_endings_needs_is_made_ready_before_a_clock_runs(kind, monkeypatch):
    game = zermelo.load("kalah", compiled=False)
    searcher = make_searcher(game, kind, tables=AUTO, **SMALL[kind])
    near = zermelo.History(game, game.parse("0 3 1 0 2 1 17 / 0 1 0 2 2 1 18 S"))
    answer(searcher, game.start(), Limits(nodes=1))
    compiled = []
    monkeypatch.setattr(type(searcher), "_compile", lambda self, *given: compiled.append(given))
    searcher.make_ready(near)
    assert len(compiled) == 1


# -- files that are refused --------------------------------------------------------------------------------------------


@pytest.fixture
def spoilt(tmp_path, monkeypatch):
    """A graph of the user's, all of whose files are damaged: three in what they say first, one in its values."""
    monkeypatch.setenv("ZERMELO_TABLES", str(tmp_path))
    monkeypatch.setattr(module, "_told", set())
    game = graph_game(SEEDS[0])
    for at, path in enumerate(sorted(build_tables(game, 3).folder.glob("*.wdl"))):
        flip(path, 40 if at else -1)
    return game


@pytest.mark.parametrize("spec", ["alphabeta:depth=2", "mcts:simulations=20"])
def test_what_nobody_asked_for_stops_nobody(spec, spoilt, capsys):
    nodes = (node_state(spoilt, node) for node in range(24, 48) if node % 11 != 7)
    for s in [s for s in nodes if len(spoilt.actions(s)) > 1][:2]:
        player = zermelo.player(spec, spoilt)
        assert player.choose(zermelo.History(spoilt, s)) in spoilt.actions(s)
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "is damaged: delete it and build it anew; until then it counts as not there" in told


@every_search
def test_what_somebody_asked_for_is_refused(kind, spoilt, tmp_path):
    for asked in ("on", str(tmp_path)):
        with pytest.raises(zermelo.GameError, match="is damaged"):
            make_searcher(spoilt, kind, tables=asked, **SMALL[kind])


@every_search
def test_files_that_are_refused_are_none(kind, spoilt):
    searcher = make_searcher(spoilt, kind, tables=AUTO, **SMALL[kind])
    assert searcher.endings.held_for(node_state(spoilt, 5)) is None
    assert not comes_near(spoilt, node_state(spoilt, 6), searcher.endings._numbers)


def test_the_packages_are_taken_instead_of_what_is_out_of_date(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_TABLES", str(tmp_path))
    game = zermelo.load("kalah", compiled=False)
    shipped = find_endings(game, AUTO).tables.file(3).path
    own = folder_for(game) / shipped.name
    own.parent.mkdir()
    rewrite(shipped, own, numbering="of other rules")
    for spec in ("alphabeta:depth=1", "level:level=7"):
        endings = zermelo.player(spec, game).searcher.endings
        assert endings.tables.file(3).path == shipped
        assert endings.held_for(game.parse("0 0 1 0 2 1 20 / 0 1 0 0 2 1 20 S")) is not None
    with pytest.raises(zermelo.GameError, match="made for other rules"):
        find_endings(game, "on")


# -- proven nodes ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=[False, True], ids=["values", "plies"])
def folder(request, tmp_path_factory):
    place = tmp_path_factory.mktemp("tables")
    for seed in SEEDS:
        build_tables(graph_game(seed), 2, folder=place / str(seed), with_plies=request.param)
    return place


@every_search
@pytest.mark.parametrize("seed", SEEDS)
def test_a_root_that_is_known_gives_nothing_away(kind, seed, folder):
    game, truth = graph_game(seed), solve_graph(seed)
    searcher = make_searcher(game, kind, tables=str(folder / str(seed)), **SMALL[kind])
    has_plies = bool(searcher.endings.tables.numbers(PLIES))
    for node in range(FROM):
        s = node_state(game, node, node % 2)
        if node % 11 == 7 or game.is_end(s):
            continue
        found = answer(searcher, s, SEARCHED[kind])
        value, plies = truth[node]
        assert (found.value_for(s.turn), found.proof) == (value, PROVEN)
        after = game.succ(s, found.best)
        worth_after, left = truth[after.node]
        assert worth_after * (1 if after.turn == s.turn else -1) == value
        if has_plies and value:
            assert (found.distance, left) == (plies, plies - 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_mcts_takes_what_is_known_as_proven(seed, folder):
    game, truth = graph_game(seed), solve_graph(seed)
    searcher = make_searcher(game, "mcts", tables=str(folder / str(seed)), memory_mb=0.1)
    alone = make_searcher(game, "mcts", memory_mb=0.1)
    proven = {searcher: 0, alone: 0}
    for node in range(FROM, 48):
        s = node_state(game, node)
        if node % 11 == 7 or game.is_end(s):
            continue
        for one in proven:
            one.clear()
            found = answer(one, s, Limits(nodes=8))
            if found.proof == PROVEN:
                assert found.value == truth[node][0]
            proven[one] += found.stopped == "proven"
    assert proven[searcher] > proven[alone]


# -- plies of some classes only ----------------------------------------------------------------------------------------


def test_classes_without_plies_are_silent_below_a_root_that_has_none(tmp_path):
    game = graph_game(SEEDS[0])
    tables = build_tables(game, 2, folder=tmp_path)
    build_tables(game, 1, with_plies=True, folder=tmp_path)
    held = Endings(Tables(game, tmp_path)).held_for(game.start())
    assert {header.number for header in tables.headers()} == {0, 2, 4}
    knowing = held.of(zermelo.compile.evaluator.HANDCRAFTED)
    consult = zermelo.compile.evaluator.consult
    won = {0: [], 2: []}
    for node, (value, plies) in solve_graph(SEEDS[0]).items():
        if value and node < 24 and plies:
            won[node // 12 * 2].append((node_state(game, node).record[0], plies))
    (first, its_plies), (second, _) = won[0][0], won[2][0]
    assert consult(knowing, first) >> 2 == its_plies
    assert consult(knowing, second) >> 2 == zermelo.compile.evaluator.FAR
    held.record[0]["is_told"] = 1
    assert consult(knowing, first) >> 2 == its_plies
    assert consult(knowing, second) == zermelo.compile.evaluator.UNKNOWN


def test_levels_make_no_detours(tmp_path):
    """Where lots are drawn, wins that take longer are none of them."""
    game, truth = graph_game(SEEDS[0]), solve_graph(SEEDS[0])
    build_tables(game, 3, with_plies=True, folder=tmp_path)
    searcher = make_searcher(game, "alphabeta", tables=str(tmp_path), multi_pv=True, **SMALL["alphabeta"])
    fewer = 0
    for node, (value, plies) in truth.items():
        s = node_state(game, node)
        if game.is_end(s) or value <= 0:
            continue
        answer(searcher, s, Limits(depth=1))
        moves = [(a, game.succ(s, a)) for a in game.actions(s)]
        kept = _without_detours(searcher, moves)
        worths = {}
        for _, after in kept:
            seen = truth[after.node][0] * (1 if after.turn == s.turn else -1), truth[after.node][1]
            worths.setdefault(seen[0], set()).add(seen[1])
        assert worths[1] == {plies - 1}
        assert all(len(ways) == 1 for value, ways in worths.items() if value)
        fewer += len(kept) < len(moves)
    assert fewer > 0


# -- games with chance -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def race_folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("race")
    build_tables(race(), 2, folder=place / "all")
    build_tables(race(), 1, folder=place / "near")
    return place


@every_search
def test_the_best_by_table_is_played_and_its_average_told(kind, race_folder):
    game = race()
    searcher = make_searcher(game, kind, tables=str(race_folder / "all"), **SMALL[kind])
    for mine in range(2, FAR + 1):
        for theirs in range(1, FAR + 1):
            for die in DICE:
                s = game.succ(position(game, mine, theirs, turn=1), die)
                steps = {1, die} if die <= mine else {1}
                worths = {step: theirs if step == mine else -worth(theirs, mine - step) for step in steps}
                found = answer(searcher, s, SEARCHED[kind])
                assert found.proof == PROVEN
                assert -found.value == pytest.approx(max(worths.values()), abs=1e-5)
                assert worths[found.best] == pytest.approx(max(worths.values()), abs=1e-5)


def test_a_leaf_in_the_tables_has_its_value(race_folder):
    """Only the nearest positions are known; a search that comes to them everywhere is exact."""
    game = race()
    told = answer(
        make_searcher(game, "alphabeta", tables=str(race_folder / "near"), **SMALL["alphabeta"]),
        position(game, 4, 4),
        Limits(depth=2),
    )
    alone = answer(make_searcher(game, "alphabeta", **SMALL["alphabeta"]), position(game, 4, 4), Limits(depth=2))
    assert told.proof == PROVEN
    assert told.value == pytest.approx(worth(4, 4), abs=1e-5)
    assert alone.proof == ESTIMATE


def test_solving_looks_averages_up(race_folder):
    game = race()
    s = position(game, 5, 4)
    solved = zermelo.solve(game, s, tables=str(race_folder / "all"))
    assert (solved.nodes, solved.best) == (0, ())
    assert solved.value == pytest.approx(worth(5, 4), abs=1e-5)
    rolled = game.succ(s, 4)
    found = zermelo.solve(game, rolled, tables=str(race_folder / "all"))
    worths = {1: -worth(4, 4), 4: -worth(4, 1)}
    assert found.best == (max(worths, key=worths.get),)
    assert found.value == pytest.approx(max(worths.values()), abs=1e-5)
