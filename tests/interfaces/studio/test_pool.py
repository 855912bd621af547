"""Search processes: answers, queues, cancellations, time and memory that run out."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

import pytest

from zermelo.core.game import GameError
from zermelo.interfaces.studio.bounds import Bounds
from zermelo.interfaces.studio.pool import Cancelled, Pool, delay

RANDOM = {"game": "tic-tac-toe", "options": {}, "moves": ["b2"], "player": "random"}
DEAF = {"game": "chess", "options": {}, "moves": [], "player": "minimax:depth=30"}  # a kernel that hears nothing


def with_pool(test: Callable[[Pool], Awaitable[None]], **bounds) -> None:
    async def run() -> None:
        pool = Pool(Bounds(**{"searches": 1, **bounds}))
        try:
            await asyncio.wait_for(test(pool), 150)
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


@pytest.mark.jit
def test_reports_while_it_thinks_hurry_and_cancellation():
    async def test(pool: Pool) -> None:
        question = {"game": "connect-four", "options": {}, "moves": [], "player": "alphabeta:seconds=60"}
        heard: asyncio.Queue[dict] = asyncio.Queue()
        ticket = pool.submit("move", question, seconds=60, hear=heard.put_nowait)
        while "report" not in await heard.get():
            pass
        ticket.hurry()
        began = time.monotonic()
        answer = await ticket.result()
        assert answer["move"] in "1234567"
        assert answer["report"]["depth"] >= 1
        pid = pool.workers[0].process.pid
        ticket = pool.submit("move", question, seconds=60, hear=heard.put_nowait)
        while "report" not in await heard.get():
            pass
        waiting = pool.submit("move", question, seconds=60)
        ticket.cancel()
        waiting.cancel()
        for one in (ticket, waiting):
            with pytest.raises(Cancelled):
                await one.result()
        assert not pool.waiting
        await pool.submit("move", RANDOM, seconds=5).result()
        assert pool.workers[0].process.pid == pid  # it was interrupted, not killed
        assert time.monotonic() - began < 50

    with_pool(test)


@pytest.mark.jit
def test_what_cannot_be_interrupted_is_killed():
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


@pytest.mark.jit
def test_memory_is_bounded():
    async def test(pool: Pool) -> None:
        greedy = {"game": "tic-tac-toe", "options": {}, "moves": [], "player": "alphabeta:seconds=1,table=3000"}
        with pytest.raises(GameError, match="memory"):
            await pool.submit("move", greedy, seconds=5).result()
        await pool.submit("move", RANDOM, seconds=5).result()

    with_pool(test, memory=1024)
