"""Endgame tables: worked out, kept, read, verified, and the same however often a build is killed."""

import multiprocessing
import os
import signal
import time
from random import Random

import numpy as np
import pytest

import zermelo
from tests.solve.graph_game import graph_game, solve_graph
from zermelo import GameError
from zermelo.compile.record_game import State
from zermelo.solve.tables import build as building
from zermelo.solve.tables.build import build_tables
from zermelo.solve.tables.verify import verify_tables
from zermelo.tables import flat
from zermelo.tables.files import BLOCK, Header, TableFile, checksum_of, write_table
from zermelo.tables.tables import PLIES, Found, Tables


def content_of(folder):
    return {path.name: path.read_bytes() for path in folder.rglob("*.*") if path.is_file()}


def node_state(game, node, turn=0):
    records = np.zeros(1, game.variant.dtype)
    records["node"], records["turn"] = node, turn
    return State(game, records)


# -- values ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_values_and_plies_are_those_of_another_way_to_find_them(seed, tmp_path):
    """Interpreted: what is compiled is the same text."""
    game = graph_game(seed)
    tables = build_tables(game, 3, with_plies=True, folder=tmp_path)
    for node, (value, plies) in solve_graph(seed).items():
        for turn in (0, 1):
            assert tables.probe(node_state(game, node, turn)) == Found(value, plies if value else None)
    assert verify_tables(tables) == 48


def test_without_plies_the_values_are_the_same(tmp_path):
    game = graph_game(1)
    with_plies = build_tables(game, 3, with_plies=True, folder=tmp_path / "both")
    alone = build_tables(game, 3, folder=tmp_path / "alone")
    for header in alone.headers():
        one, other = alone.file(header.number), with_plies.file(header.number)
        assert (one.content() == other.content()).all()
    assert verify_tables(alone) == 48


@pytest.fixture(scope="module")
def checkers_tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    build_tables(zermelo.load("checkers"), 2, folder=folder, with_plies=True)
    return folder


@pytest.mark.jit
def test_checkers_with_two_pieces_as_published(checkers_tables):
    tables = Tables(zermelo.load("checkers"), checkers_tables)
    counts = {header.name: header.counts for header in tables.headers()}
    assert counts["1 king – 1 king"] == {"win": 230, "loss": 108, "draw": 654, "none": 0}
    total = {kind: sum(count[kind] for count in counts.values()) for kind in ("win", "loss", "draw")}
    assert total == {"win": 716, "loss": 402, "draw": 2_370}
    assert verify_tables(tables) == 3_488


@pytest.mark.jit
def test_a_position_and_its_moves(checkers_tables):
    game = zermelo.load("checkers")
    tables = Tables(game, checkers_tables)
    s = game.parse("B:WK9:BK5")
    assert tables.probe(s) == Found(1, 1)  # takes it, and white is without a move
    assert set(tables.judge_actions(s).values()) == {Found(1, 1)}
    lost = game.parse("W:WK9:BK5:H7")  # the plies without a capture make no difference
    assert tables.probe(lost) == tables.probe(game.parse("W:WK9:BK5"))
    assert tables.probe(game.start()) is None


@pytest.mark.slow
def test_checkers_with_four_pieces(tmp_path):
    tables = build_tables(zermelo.load("checkers"), 4, folder=tmp_path)
    totals = {}
    for header in tables.headers():
        for kind, n in header.counts.items():
            totals[header.limit, kind] = totals.get((header.limit, kind), 0) + n
    assert [totals[4, kind] for kind in ("win", "loss", "draw", "none")] == [2_574_304, 1_917_090, 1_717_922, 0]
    assert [totals[3, kind] for kind in ("win", "loss", "draw", "none")] == [100_250, 87_305, 8_477, 0]


# -- building ----------------------------------------------------------------------------------------------------------


def test_memory_is_told_and_kept_to(tmp_path):
    needs = []
    with pytest.raises(GameError, match=r"graph up to 3 takes about 0.1 GiB of memory, .* and 0.0 are allowed"):
        build_tables(graph_game(0), 3, folder=tmp_path, memory=1000, tell_need=needs.append)
    assert needs[0].positions == 48


def test_games_that_cannot_have_tables_say_so(tmp_path):
    with pytest.raises(GameError, match="tic-tac-toe does not number its endings"):
        Tables(zermelo.load("tic-tac-toe"), tmp_path)
    with pytest.raises(GameError, match="graph has no endings up to 0"):
        build_tables(graph_game(0), 0, folder=tmp_path)
    with pytest.raises(GameError, match="'cpu' or 'cuda', not 'tpu'"):
        build_tables(graph_game(0), 1, folder=tmp_path, device="tpu")


def test_two_builds_do_not_meet(tmp_path):
    game = graph_game(0)

    def again(progress):
        with pytest.raises(GameError, match="another process builds tables in"):
            build_tables(game, 3, folder=tmp_path)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_tables(game, 3, folder=tmp_path, tell=again)
    build_tables(game, 3, folder=tmp_path)


def _build_until(folder, events, half_written):
    """Build, and be killed at an event: a word of progress, or in the middle of a file."""
    seen = [0]

    def count(progress=None):
        seen[0] += 1
        if seen[0] == events:
            os.kill(os.getpid(), signal.SIGKILL)

    if half_written:
        write = building.write_table

        def interrupted(path, header, content):
            path.with_name(f".{path.name}.scrap.tmp").write_bytes(b"half of it")
            count()
            write(path, header, content)

        building.write_table = interrupted
        build_tables(graph_game(2), 3, with_plies=True, folder=folder)
    else:
        build_tables(graph_game(2), 3, with_plies=True, folder=folder, tell=count)


def test_killed_again_and_again_the_files_are_the_same(tmp_path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    build_tables(graph_game(2), 3, with_plies=True, folder=whole)
    fork = multiprocessing.get_context("fork")
    ends = []
    for half_written in (False, True):
        for events in (1, 2, 3, 2, 1, 4):
            process = fork.Process(target=_build_until, args=(killed, events, half_written))
            process.start()
            process.join()
            ends.append(process.exitcode)
        if not half_written:
            for path in list(killed.rglob("*.wdl"))[:2]:
                path.unlink()
    assert ends.count(-signal.SIGKILL) >= 4
    build_tables(graph_game(2), 3, with_plies=True, folder=killed)
    assert content_of(killed) == content_of(whole)


@pytest.mark.slow
@pytest.mark.jit
def test_killed_a_hundred_times_at_any_moment_the_files_are_the_same(tmp_path):
    """Checkers with three pieces and plies: a process builds, and another kills it after a random time."""
    game = zermelo.load("checkers")
    whole = tmp_path / "whole"
    build_tables(game, 2, with_plies=True, folder=tmp_path / "compiled")
    began = time.monotonic()
    build_tables(game, 3, with_plies=True, folder=whole)
    took = time.monotonic() - began
    random, fork = Random(1913), multiprocessing.get_context("fork")
    kills = builds = 0
    while kills < 100:
        folder = tmp_path / str(builds)
        while True:
            process = fork.Process(target=build_tables, args=(game, 3), kwargs={"with_plies": True, "folder": folder})
            process.start()
            process.join(random.uniform(0.0, 0.5) * took)
            process.kill()
            process.join()
            if process.exitcode == 0:
                break
            kills += 1
        assert content_of(folder) == content_of(whole)
        builds += 1
    print(f"{kills} kills, {builds} builds")


# -- files -------------------------------------------------------------------------------------------------------------


def some_file(path, size=50_000, bits=2):
    rng = np.random.default_rng(3)
    if bits == 2:
        content = rng.integers(0, 256, -(-size // 4), np.uint8)
    else:
        content = rng.integers(0, 1000, size).astype("<u2")
    said = {"game": "graph", "options": {}, "numbering": "0", "number": 7, "name": "some", "size": size, "limit": 1}
    header = Header(**said, kind="wdl", bits=bits, checksum=checksum_of(content.view(np.uint8)))
    write_table(path, header, content)
    return content


def test_what_is_written_is_read(tmp_path):
    packed = some_file(tmp_path / "a")
    file = TableFile(tmp_path / "a")
    assert (file.content() == packed).all()
    assert [file[i] for i in range(0, 50_000, 997)] == [
        packed[i // 4] >> 2 * (i % 4) & 3 for i in range(0, 50_000, 997)
    ]
    plies = some_file(tmp_path / "b", bits=16)
    file = TableFile(tmp_path / "b")
    assert (file.content() == plies).all()
    assert file[49_999] == plies[-1]
    with pytest.raises(IndexError):
        file[50_000]


def test_any_byte_that_changes_is_noticed(tmp_path):
    some_file(tmp_path / "a", size=3 * 4 * BLOCK)
    good = (tmp_path / "a").read_bytes()
    rng = np.random.default_rng(5)
    for at in [0, 14, 17, 25, 29, 40, *rng.integers(0, len(good), 60).tolist()]:
        bad = bytearray(good)
        bad[at] ^= 1 << int(rng.integers(0, 8))
        (tmp_path / "b").write_bytes(bytes(bad))
        with pytest.raises(GameError, match=r"damaged|no table of endings|another version"):
            TableFile(tmp_path / "b").content()
    for length in (0, 10, 30, 200, len(good) - 1):
        (tmp_path / "b").write_bytes(good[:length])
        with pytest.raises(GameError, match=r"damaged|no table|cannot be read"):
            TableFile(tmp_path / "b").content()


def test_large_tables_are_mapped_and_shared(tmp_path, monkeypatch):
    """What searches look up is then a file, made once."""
    tables = build_tables(graph_game(1), 3, folder=tmp_path / "tables", with_plies=True)
    usual = tables.known(True)
    monkeypatch.setattr(flat, "LARGE", 8)
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))
    for _ in range(2):
        shared = Tables(graph_game(1), tmp_path / "tables").known(True)
        for one, other in zip(usual[:3], shared[:3], strict=True):
            assert (np.asarray(one) == np.asarray(other)).all()
        made = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "cache" / "tables").iterdir()}
        assert sorted(name.rsplit(".")[-1] for name in made) == ["uint16", "uint8"]
    assert not shared.values["v"].flags.writeable
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "file"))  # nothing can be kept there
    assert (tables.known().values["v"] == usual.values["v"]).all()


def test_tables_of_other_rules_are_refused(tmp_path):
    tables = build_tables(graph_game(0), 3, folder=tmp_path)
    assert tables.probe(node_state(tables.game, 0)) is not None
    other = Tables(graph_game(4), tmp_path)
    with pytest.raises(GameError, match="made for other rules"):
        other.probe(node_state(other.game, 47))


def test_a_wrong_value_is_found_by_verifying(tmp_path):
    game = graph_game(3)
    tables = build_tables(game, 3, folder=tmp_path)
    file = tables.file(0)
    content = file.content()
    content[0] ^= 1
    wrong = building.count_values(content, file.header.size)
    said = {**file.header.__dict__, "checksum": checksum_of(content), "counts": wrong}
    write_table(file.path, Header(**said), content)
    with pytest.raises(GameError, match="do not agree with what the rules say"):
        verify_tables(Tables(game, tmp_path))


def test_plies_are_there_only_where_they_were_wanted(tmp_path):
    tables = build_tables(graph_game(0), 2, folder=tmp_path)
    assert tables.headers(PLIES) == []
    assert max(header.limit for header in tables.headers()) == 2
    build_tables(graph_game(0), 3, folder=tmp_path, with_plies=True)
    assert len(Tables(graph_game(0), tmp_path).headers(PLIES)) == 4
