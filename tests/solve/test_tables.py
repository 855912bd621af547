"""Endgame tables: worked out, kept, read, verified, and the same however often a build is killed."""

import errno
import multiprocessing
import os
import re
import signal
import time
from dataclasses import replace
from random import Random

import numpy as np
import pytest

import zermelo
from tests.learn.heap import make_heap
from tests.solve.graph_game import graph_game, solve_graph
from tests.solve.test_expected import position, race
from zermelo import OVER, GameError, rules
from zermelo.compile.endings import Ending
from zermelo.compile.record_game import State
from zermelo.solve.tables import build as building
from zermelo.solve.tables.build import build_tables
from zermelo.solve.tables.cores import Cores
from zermelo.solve.tables.verify import verify_tables
from zermelo.tables import flat
from zermelo.tables import tables as finding
from zermelo.tables.files import BLOCK, Header, TableFile, checksum_of, write_table
from zermelo.tables.numbering import numbering_hash
from zermelo.tables.tables import PLIES, SHIPPED, WDL, Found, Tables, find_tables, folder_for


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


@pytest.mark.jit
@pytest.mark.parametrize("with_plies", [False, True])
def test_the_same_values_when_little_is_kept_and_every_position_looked_at(with_plies, tmp_path, monkeypatch):
    """Where memory is short, rules are asked once more instead of keeping what they said."""
    game, kept = zermelo.load("checkers"), []
    keep = Cores._keep
    monkeypatch.setattr(Cores, "_keep", lambda cores, first, room: (keep(cores, first, room), kept.append(cores._kept)))
    build_tables(game, 3, with_plies=with_plies, folder=tmp_path / "much")
    assert kept
    assert None not in kept
    monkeypatch.setattr(Cores, "most_kept", property(lambda cores: 1000, lambda cores, limit: None))
    monkeypatch.setattr(Cores, "block", 1)
    build_tables(game, 3, with_plies=with_plies, folder=tmp_path / "little")
    assert kept[-1] is None
    assert content_of(tmp_path / "much") == content_of(tmp_path / "little")


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
    with pytest.raises(GameError, match=r"graph up to 3 takes about 0.1 GiB of memory, .* and 0.00? are allowed"):
        build_tables(graph_game(0), 3, folder=tmp_path, memory=1000, tell_need=needs.append)
    assert needs[0].positions == 48


def test_games_that_cannot_have_tables_say_so(tmp_path):
    with pytest.raises(GameError, match="tic-tac-toe does not number its endings"):
        Tables(zermelo.load("tic-tac-toe"), tmp_path)
    with pytest.raises(GameError, match="graph has no endings up to 0"):
        build_tables(graph_game(0), 0, folder=tmp_path)
    with pytest.raises(GameError, match="'cpu' or 'cuda', not 'tpu'"):
        build_tables(graph_game(0), 1, folder=tmp_path, device="tpu")


def one_more(s):
    return 1 if s.left == 4 else 0


def one_fewer(s, ending, rank):
    s.left = 3 if ending == 4 else ending
    return True


def three_for_four(s):
    return 3 if s.left == 4 else s.left


def without_four(limit):
    return [[Ending(left, f"{left} left", 1, left)] for left in range(limit + 1) if left != 4]


@pytest.mark.parametrize(
    ("wrong", "name", "sentence"),
    [
        ({"rank": one_more}, "4 left", "set up as number 0 of class 4 (left=4 turn=0) has the number 1"),
        ({"unrank": one_fewer}, "4 left", "set up as number 0 of class 4 (left=3 turn=0) is of class 3"),
        (
            {"ending": three_for_four, "endings": without_four},
            "5 left",
            "number 0 of class 5 (left=5 turn=0) action 1 leads to a position that has the number of left=3 turn=0",
        ),
    ],
)
def test_numbers_that_contradict_each_other_are_refused_before_anything_is_written(wrong, name, sentence, tmp_path):
    game = make_heap("wrong-heap", **wrong)
    with pytest.raises(GameError, match=re.escape(sentence)) as refused:
        build_tables(game, 6, folder=tmp_path)
    assert f"wrong-heap: tables of '{name}' would be wrong" in str(refused.value)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["lock"]


def test_two_builds_do_not_meet(tmp_path):
    game = graph_game(0)

    def again(progress):
        with pytest.raises(GameError, match="another process builds tables in"):
            build_tables(game, 3, folder=tmp_path)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_tables(game, 3, folder=tmp_path, tell=again)
    build_tables(game, 3, folder=tmp_path)


def clean_processes():
    """Copies of a process that does nothing else: this one may have threads (JAX's), and what a thread holds is never
    given back in a copy."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context


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
    clean = clean_processes()
    ends = []
    for half_written in (False, True):
        for events in (1, 2, 3, 2, 1, 4):
            process = clean.Process(target=_build_until, args=(killed, events, half_written))
            process.start()
            process.join(60)
            ends.append(process.exitcode)
        if not half_written:
            for path in list(killed.rglob("*.wdl"))[:2]:
                path.unlink()
    assert ends.count(-signal.SIGKILL) >= 4
    build_tables(graph_game(2), 3, with_plies=True, folder=killed)
    assert content_of(killed) == content_of(whole)


def _build_checkers(folder):
    build_tables(zermelo.load("checkers"), 3, with_plies=True, folder=folder)


@pytest.mark.slow
@pytest.mark.jit
def test_killed_a_hundred_times_at_any_moment_the_files_are_the_same(tmp_path):
    """Checkers with three pieces and plies: a process builds, and another kills it after a random time."""
    whole, clean = tmp_path / "whole", clean_processes()
    for folder in (tmp_path / "compiled", whole):  # the second one finds everything compiled: so long it takes
        began = time.monotonic()
        process = clean.Process(target=_build_checkers, args=(folder,))
        process.start()
        process.join()
        took = time.monotonic() - began
    random = Random(1913)
    kills = builds = 0
    while kills < 100:
        folder = tmp_path / str(builds)
        while True:
            process = clean.Process(target=_build_checkers, args=(folder,))
            process.start()
            process.join(random.uniform(0.0, 0.9) * took)
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
    said |= {"kind": "wdl" if bits == 2 else "plies", "counts": {"win": 1, "loss": 0, "draw": 0, "none": 0}}
    header = Header(**said, bits=bits, checksum=checksum_of(content.view(np.uint8)))
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


def count_up(room):
    room[:] = np.arange(len(room)) % 251


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Where large tables are unpacked; every table is large."""
    monkeypatch.setattr(flat, "LARGE", 8)
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "tables"


def refuse_room(monkeypatch, number):
    def posix_fallocate(fd, offset, length):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "posix_fallocate", posix_fallocate, raising=False)


def test_a_full_disk_costs_memory_and_not_the_answer(cache, monkeypatch):
    """Room is asked for before anything is mapped: a page that the disk has no room for would be a signal."""
    refuse_room(monkeypatch, errno.ENOSPC)
    found = flat.mapped("some", 5000, np.uint16, count_up)
    assert not isinstance(found.base, np.memmap)
    assert found[4999] == 4999 % 251
    assert list(cache.iterdir()) == []


@pytest.mark.parametrize("number", [errno.EOPNOTSUPP, errno.EINVAL, None])
def test_where_room_cannot_be_asked_for_zeros_are_written(number, cache, monkeypatch):
    monkeypatch.setattr(flat, "PIECE", 3000)
    if number is None:
        monkeypatch.delattr(os, "posix_fallocate")
    else:
        refuse_room(monkeypatch, number)
    found = flat.mapped("some", 5000, np.uint16, lambda room: count_up(room[:4000]))
    assert isinstance(found.base, np.memmap)
    assert (found[3999], found[4999]) == (3999 % 251, 0)
    (made,) = cache.iterdir()
    assert made.stat().st_size == 10_000


def test_a_file_that_is_not_filled_does_not_stay(cache):
    def fill(room):
        raise GameError("damaged")

    with pytest.raises(GameError, match="damaged"):
        flat.mapped("some", 5000, np.uint16, fill)
    assert list(cache.iterdir()) == []


def relisted_graph(limits):
    """The same game, its classes listed by other limits."""
    game = graph_game(1)

    def endings(limit):
        classes = [Ending(2 * k, f"quarter {k}", 12, limits[k]) for k in range(4)]
        return [group for group in ([classes[0]], classes[1:3], [classes[3]]) if group[0].limit <= limit]

    game.variant = replace(game.variant, presentation=game.variant.presentation | {"endings": endings})
    return game


def test_the_same_tables_in_another_order_are_mapped_anew(cache, tmp_path):
    for limits in ((1, 2, 2, 3), (3, 2, 2, 1)):
        game, folder = relisted_graph(limits), tmp_path / str(limits)
        tables = build_tables(game, 3, folder=folder)
        known = tables.known()
        assert {int(n) for n in known.classes["start"] if n >= 0} == {0, 12, 24, 36}
        for header in tables.headers():
            first = known.classes["start"][header.number] // 4
            assert (known.values["v"][first : first + 3] == tables.file(header.number).content()).all()
    assert len(list(cache.iterdir())) == 2


def test_tables_of_other_rules_are_refused(tmp_path):
    tables = build_tables(graph_game(0), 3, folder=tmp_path)
    assert tables.probe(node_state(tables.game, 0)) is not None
    other = Tables(graph_game(4), tmp_path)
    with pytest.raises(GameError, match="made for other rules"):
        other.probe(node_state(other.game, 47))


def sparse(pays):
    """A heap, whoever takes the last one gets -`pays`; of 997 numbers one is a position."""

    class Sparse:
        state = {"left": "i2", "turn": "i1"}

        def start(s):
            s.left = 8

        def player(s):
            return OVER if s.left == 0 else s.turn

        def actions(s, out):
            out[0], out[1] = 1, 2
            return min(2, s.left)

        def apply(s, taken):
            s.left -= taken
            s.turn = 1 - s.turn

        def utility(s, out):
            out[s.turn], out[1 - s.turn] = pays, -pays

        def ending(s):
            return 0

        def rank(s):
            return 997 * s.left + 500

        def unrank(s, ending, rank):
            s.left = rank // 997
            return rank % 997 == 500

        def endings(limit):
            return [[Ending(0, "heap", 997 * 9, 0)]]

    return rules(name="sparse", players=2, max_actions=2, utility_range=(-1, 1))(Sparse)(compiled=False)


def test_rules_are_told_apart_where_few_numbers_are_positions():
    heap = Ending(0, "heap", 997 * 9, 0)
    assert numbering_hash(sparse(1), heap) == numbering_hash(sparse(1), heap) != numbering_hash(sparse(-1), heap)


def rewrite(path, to=None, **said):
    """The same file, whose header says something else: its checksums fit."""
    file = TableFile(path)
    header = replace(file.header, **said)
    content = np.zeros(header.content_size, np.uint8)
    old = file.content().view(np.uint8)
    content[: len(old)] = old[: len(content)]
    write_table(to or path, replace(header, checksum=checksum_of(content)), content)


@pytest.mark.parametrize("said", [{"size": 10_000_000}, {"number": 1}, {"limit": 3}, {"limit": 0}])
def test_rules_are_not_asked_about_classes_that_they_do_not_list(said, tmp_path, monkeypatch):
    """Compiled, they would reach anywhere."""
    tables = build_tables(graph_game(0), 3, folder=tmp_path)
    number = said.get("number", 0)
    rewrite(tables.folder / "00000.wdl", tables.folder / f"{number:05}.wdl", **said)
    monkeypatch.setattr(finding, "numbering_hash", lambda game, one: pytest.fail("the rules were asked"))
    with pytest.raises(GameError, match=r"made for other rules, or by another numbering"):
        Tables(graph_game(0), tmp_path).file(number)


@pytest.mark.parametrize(("name", "number", "size"), [("chess", 8, 10**7), ("nine-mens-morris", 33, 10**8)])
def test_large_numbers_of_games_are_refused(name, number, size, tmp_path, monkeypatch):
    game = zermelo.load(name, compiled=False)
    path = folder_for(game, tmp_path) / f"{number:05}.wdl"
    path.parent.mkdir()
    limit = {"limit": 4 if name == "chess" else 3}
    rewrite(next(folder_for(game, SHIPPED).glob("*.wdl")), path, number=number, size=size, **limit)
    monkeypatch.setattr(finding, "numbering_hash", lambda game, one: pytest.fail("the rules were asked"))
    with pytest.raises(GameError, match="made for other rules"):
        find_tables(game, tmp_path).headers()


NONE = {"win": 0, "loss": 0, "draw": 0, "none": 0}


@pytest.mark.parametrize(
    "said",
    [
        {"counts": {}},
        {"counts": {"win": 12, "loss": 0, "draw": 0}},
        {"counts": {**NONE, "none": None}},
        {"counts": {**NONE, "win": -1}},
        {"counts": {**NONE, "win": 1.5}},
        {"counts": {**NONE, "win": True}},
        {"counts": {**NONE, "win": 13}},
        {"counts": {**NONE, "other": 1}},
        {"counts": [12]},
        {"options": []},
        {"kind": "else"},
        {"bits": 16},
        {"kind": "value"},
    ],
)
def test_headers_without_sense_are_refused(said, tmp_path):
    tables = build_tables(graph_game(0), 1, folder=tmp_path)
    path = tables.folder / "00000.wdl"
    rewrite(path, **said)
    with pytest.raises(GameError, match="is damaged: delete it and build it anew"):
        TableFile(path)


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


# -- files that nobody asked for ---------------------------------------------------------------------------------------


def flip(path, at):
    content = bytearray(path.read_bytes())
    content[at] ^= 4
    path.write_bytes(bytes(content))


@pytest.fixture(params=["head", "block", "other rules"])
def spoil(request):
    def spoiled(path):
        if request.param == "other rules":
            rewrite(path, numbering="0" * 16)
        else:
            flip(path, 40 if request.param == "head" else -1)

    return spoiled


@pytest.mark.parametrize("is_mapped", [False, True])
def test_a_file_that_is_refused_gives_way_to_the_next(spoil, is_mapped, tmp_path, monkeypatch):
    """The user's before the package's; and what is in neither is not known."""
    game = graph_game(14)
    monkeypatch.setenv("ZERMELO_TABLES", str(tmp_path / "own"))
    monkeypatch.setattr(finding, "SHIPPED", tmp_path / "shipped")
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))
    if is_mapped:
        monkeypatch.setattr(flat, "LARGE", 8)
    own = build_tables(game, 3, with_plies=True)
    build_tables(game, 1, with_plies=True, folder=tmp_path / "shipped")
    right = {node: own.probe(node_state(game, node)) for node in solve_graph(14)}
    for name in ("00000.wdl", "00000.plies", "00004.wdl", "00006.plies"):
        spoil(own.folder / name)
    for reads_first in (True, False):
        refused = []
        tables = find_tables(game, on_refused=lambda path, problem, refused=refused: refused.append(path.name))
        if reads_first:
            classes, values = tables.in_one(WDL)
            assert [int(n) for n in np.flatnonzero(classes["start"] >= 0)] == [0, 2, 6]
            assert len(values) == 9
            assert [int(n) for n in np.flatnonzero(tables.in_one(PLIES)[0]["start"] >= 0)] == [0, 2, 4]
        for node, found in right.items():
            wanted = None if node // 12 == 2 else Found(found.value, None) if node // 12 == 3 else found
            assert tables.probe(node_state(game, node)) == wanted
        assert sorted(refused) == ["00000.plies", "00000.wdl", "00004.wdl", "00006.plies"]
    with pytest.raises(GameError, match="anew"):
        find_tables(game).in_one(WDL)


def test_averages_that_are_refused_are_not_known(tmp_path):
    game = race()
    own = build_tables(game, 2, folder=tmp_path)
    flip(own.folder / "00001.value", -1)
    flip(own.folder / "00000.turns", -1)
    s = position(game, 2, 3)
    assert own.expected(position(game, 5, 5)) is not None
    with pytest.raises(GameError, match="damaged"):
        own.expected(s)
    refused = []
    tables = Tables(game, tmp_path, on_refused=lambda path, problem: refused.append(path.name))
    assert tables.expected(s) is None
    assert tables.turns(s, 0) is None
    assert tables.expected(position(game, 5, 5)) is not None
    assert refused == ["00001.value", "00000.turns"]
