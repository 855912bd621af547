"""Search processes: answers, queues, cancellations, time and memory that run out."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from zermelo.core.game import GameError
from zermelo.interfaces.studio.bounds import Bounds
from zermelo.interfaces.studio.pool import Pool
from zermelo.interfaces.studio.ticket import Cancelled, Ticket, delay

pytestmark = pytest.mark.timed

RANDOM = {"game": "tic-tac-toe", "options": {}, "moves": ["b2"], "player": "random"}
DEAF = {  # a program that hears nothing
    "game": f"{Path(__file__).with_name('deaf_game.py')}:Deaf",
    "options": {},
    "moves": [],
    "player": "random",
}


def with_pool(test: Callable[[Pool], Awaitable[None]], **bounds) -> None:
    async def run() -> None:
        pool = Pool(Bounds(**{"searches": 1, **bounds}))
        try:
            await asyncio.wait_for(test(pool), 300)
        finally:
            await pool.close()
            assert not pool.workers or all(w.process.returncode is not None for w in pool.workers)

    asyncio.run(run())


def test_answers_refusals_and_a_queue():
    async def test(pool: Pool) -> None:
        heard: list[dict] = []
        first = pool.submit("move", RANDOM, seconds=5)
        second = pool.submit("move", {**RANDOM, "moves": []}, seconds=5, hear=heard.append)
        behind = pool.submit("move", RANDOM, seconds=5, urgent=False)
        urgent = pool.submit("move", RANDOM, seconds=5)
        assert pool.waiting.index(urgent) < pool.waiting.index(behind)
        assert (await first.result())["move"] != "b2"
        assert (await second.result())["report"] is None
        assert {"waiting": 1, "starting": False} in heard
        assert {"began": True} in heard
        for bad, word in (
            ({**RANDOM, "moves": ["b2", "b2"]}, "move 2"),
            ({**RANDOM, "game": "no such game"}, "no game is called"),
            ({**RANDOM, "player": "nobody"}, "no player"),
        ):
            with pytest.raises(GameError, match=word):
                await pool.submit("move", bad, seconds=5).result()
        with pytest.raises(GameError, match="no such task"):
            await pool.submit("os.system", RANDOM, seconds=5).result()
        await behind.result()
        pids = {worker.process.pid for worker in pool.workers}
        assert len(pids) == 1  # nothing of this killed it

    with_pool(test)


def test_why_there_is_nothing_to_see_yet():
    assert delay({"waiting": 0, "starting": True}) == "a search process is starting"
    assert delay({"waiting": 0, "starting": False}) == "waiting for a free place; this search is the next"
    assert delay({"waiting": 1, "starting": False}).endswith("1 other is before it")
    assert delay({"waiting": 2, "starting": False}).endswith("2 others are before it")
    assert "compiling chess" in delay({"compiling": "chess"})
    assert delay({"frames": []}) == delay({"began": True}) == ""


def test_a_full_queue_turns_away():
    async def test(pool: Pool) -> None:
        for _ in range(2):
            pool.submit("move", RANDOM, seconds=5)
        with pytest.raises(GameError, match="too many"):
            pool.submit("move", RANDOM, seconds=5)

    with_pool(test, waiting=2)


async def until_report(heard: asyncio.Queue[dict], nodes: int = 1000) -> None:
    while (await heard.get()).get("report", {}).get("nodes", 0) < nodes:
        pass


CONNECT_FOUR = {"game": "connect-four", "options": {}, "moves": []}


@pytest.mark.jit
def test_what_is_not_urgent_makes_way_and_no_second_process_is_started():
    """A position is judged; a hint about it comes from the same process, which has everything compiled."""

    async def test(pool: Pool) -> None:
        await pool.submit("value", {**CONNECT_FOUR, "seconds": 0.05}, seconds=1).result()  # everything is compiled
        heard: asyncio.Queue[dict] = asyncio.Queue()
        judged = pool.submit(
            "value", {**CONNECT_FOUR, "seconds": 20.0}, seconds=20, hear=heard.put_nowait, urgent=False
        )
        await until_report(heard)
        hint = pool.submit("move", {**CONNECT_FOUR, "player": "level=3"}, seconds=5)
        async with asyncio.timeout(15):
            assert (await judged.result())["report"]["stopped"] == "stop"
            assert (await hint.result())["report"]["pv"]
        assert len(pool.workers) == 1
        heard = asyncio.Queue()
        judged = pool.submit(
            "value", {**CONNECT_FOUR, "seconds": 20.0}, seconds=20, hear=heard.put_nowait, urgent=False
        )
        await until_report(heard)
        judged.cancel()  # as when somebody moves: the program's answer comes from there too
        await pool.submit("move", {**CONNECT_FOUR, "player": "level=3"}, seconds=5).result()
        assert len(pool.workers) == 1

    with_pool(test, searches=3)


def test_a_position_with_one_move_is_judged_too():
    async def test(pool: Pool) -> None:
        forced = {"game": "checkers", "options": {}, "start": "B:W22,17,32:B14,6,K2,K3", "moves": []}
        answer = await pool.submit("value", {**forced, "seconds": 1.0}, seconds=5).result()
        assert answer["report"]["value"] == pytest.approx(1.0, abs=0.5)
        assert answer["report"]["best"] == "14x21"
        moved = await pool.submit("move", {**forced, "player": "alphabeta:seconds=0.2"}, seconds=5).result()
        assert moved["report"] is None
        assert moved["note"] == "the only legal move"

    with_pool(test)


@pytest.mark.jit
def test_a_search_that_is_stopped_answers_with_the_best_so_far():
    async def test(pool: Pool) -> None:
        for player in ("alphabeta:seconds=60", "mcts:seconds=60", "level=10,seconds=60"):
            took = []
            for _ in range(5):
                heard: asyncio.Queue[dict] = asyncio.Queue()
                ticket = pool.submit("move", {**CONNECT_FOUR, "player": player}, seconds=60, hear=heard.put_nowait)
                await until_report(heard)
                began = time.monotonic()
                ticket.stop()
                answer = await ticket.result()
                took.append(time.monotonic() - began)
                assert answer["move"] in "1234567"
                assert answer["move"] == answer["report"]["best"]
                assert answer["report"]["stopped"] == "stop"
                assert answer["report"]["nodes"] >= 1000
            print(f"\n{player}: stopped in {min(took) * 1000:.0f} to {max(took) * 1000:.0f} ms")
            assert min(took) < 0.3  # 2 to 40 ms, on a machine with much else to do

    with_pool(test)


@pytest.mark.jit
def test_a_wish_to_stop_that_comes_early_counts_and_one_that_comes_late_does_not():
    async def test(pool: Pool) -> None:
        question = {**CONNECT_FOUR, "player": "alphabeta:seconds=60"}
        await pool.submit(
            "move", {**question, "player": "alphabeta:nodes=1"}, seconds=60
        ).result()  # there is a process
        ticket = pool.submit("move", question, seconds=60)
        assert ticket.worker is not None
        ticket.stop()  # perhaps before it was read
        began = time.monotonic()
        assert (await ticket.result())["move"] in "1234567"
        assert time.monotonic() - began < 50
        ticket.stop()
        ticket.cancel()
        pool.workers[0].send({"stop": ticket.number})
        pool.workers[0].send({"cancel": ticket.number})
        after = await pool.submit("move", {**question, "player": "alphabeta:nodes=5000"}, seconds=60).result()
        assert after["report"]["stopped"] == "nodes"

    with_pool(test)


ASKED = {
    "alphabeta": {**CONNECT_FOUR, "task": "move", "player": "alphabeta:seconds=60"},
    "mcts": {**CONNECT_FOUR, "task": "move", "player": "mcts:seconds=60"},
    "analysis by alpha-beta": {**CONNECT_FOUR, "task": "analysis", "search": "alphabeta", "seconds": 50},
    "analysis by mcts": {**CONNECT_FOUR, "task": "analysis", "search": "mcts", "seconds": 50},
    "analysis by the textbook": {**CONNECT_FOUR, "task": "analysis", "search": "textbook", "seconds": 50},
    "analysis by max^n": {
        "game": "random-tree", "options": {"players": 3, "depth": 14, "branching": 6}, "moves": [],
        "task": "analysis", "search": "maxn", "seconds": 50,
    },
    "an episode": {
        "game": "pac-man", "options": {"layout": "medium", "ghosts": "minimizers", "moves": 300}, "world": None,
        "task": "episode", "agent": "minimax", "depth": 4, "seed": 0, "games": 20, "seconds": 50,
    },
}  # fmt: skip


@pytest.mark.jit
def test_cancelling_ends_a_search_and_leaves_its_process_alone():
    async def test(pool: Pool) -> None:
        processes = set()
        for name, asked in ASKED.items():
            began = asyncio.Event()
            hear = lambda news, began=began: began.set() if "began" in news else None  # noqa: E731
            ticket = pool.submit(asked["task"], asked, seconds=60, hear=hear)
            await began.wait()
            await asyncio.sleep(0.2)
            processes.add(pool.workers[0].process.pid)
            after, last = (pool.submit("move", RANDOM, seconds=5) for _ in range(2))
            ticket.cancel()
            last.cancel()
            for one in (ticket, last):
                with pytest.raises(Cancelled):
                    await one.result()
            await after.result()
            processes.add(pool.workers[0].process.pid)
            assert len(processes) == 1, f"{name} was killed"
            assert not pool.waiting

    with_pool(test)


@pytest.mark.jit
def test_what_cannot_be_stopped_is_killed():
    async def test(pool: Pool) -> None:
        began = asyncio.Event()
        ticket = pool.submit("move", DEAF, seconds=60, hear=lambda news: began.set() if "began" in news else None)
        await began.wait()
        await asyncio.sleep(0.5)  # it is deep in the kernel
        pid = pool.workers[0].process.pid
        ticket.cancel()
        await pool.submit("move", RANDOM, seconds=5).result()
        assert pool.workers[0].process.pid != pid
        with pytest.raises(GameError, match=r"longer than 0\.5 s"):
            await pool.submit("move", DEAF, seconds=0.5).result()

    with_pool(test)


def test_what_compiles_for_nobody_may_go_on_until_somebody_waits(tmp_path):
    for name in ("one", "two"):  # loading stands for compiling: neither can be stopped
        (tmp_path / f"{name}.py").write_text("import time\ntime.sleep(3)\nfrom zermelo.games.nim import Nim\n")

    async def begin(pool: Pool, name: str) -> Ticket:
        ticket = pool.submit("move", {**RANDOM, "game": f"{tmp_path / name}.py:Nim", "moves": []}, seconds=5)
        while ticket.worker is None:
            await asyncio.sleep(0.05)
        await asyncio.sleep(1.0)
        return ticket

    async def test(pool: Pool) -> None:
        await pool.submit("move", RANDOM, seconds=5).result()
        (worker,) = pool.workers
        (await begin(pool, "one")).cancel()
        while pool.running:
            await asyncio.sleep(0.05)
        assert pool.workers == [worker]  # it was left to its work, and is free again
        ticket = await begin(pool, "two")
        waiting = pool.submit("move", RANDOM, seconds=5)
        ticket.cancel()
        await waiting.result()
        assert worker.process.returncode is not None

    with_pool(test)


@pytest.mark.jit
def test_memory_is_bounded():
    async def test(pool: Pool) -> None:
        greedy = {"game": "tic-tac-toe", "options": {}, "moves": [], "player": "alphabeta:seconds=1,table=3000"}
        with pytest.raises(GameError, match="memory"):
            await pool.submit("move", greedy, seconds=5).result()
        await pool.submit("move", RANDOM, seconds=5).result()

    with_pool(test, memory=1024)
