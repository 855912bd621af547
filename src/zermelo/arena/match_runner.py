"""A plan carried out: what is already in the record file is taken from there, the rest is played and written there.

A match that was stopped, by whatever, goes on where it stopped when it is started again with the same file: games
are known by their numbers, and number n is the same game in every run. More games may be asked for later.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from zermelo.arena.match_players import MatchPlayers
from zermelo.arena.plan import MOST_GAMES, Plan
from zermelo.arena.records import Record, RecordFile
from zermelo.arena.worker_pool import WorkerPool
from zermelo.core.game import Game, GameError
from zermelo.core.spec import whole


class MatchRunner:
    """`records()` gives all games of a plan up to `games`, those on file first, then the others as they finish."""

    def __init__(self, plan: Plan, games: int, jobs: int | None = None, path: Path | str | None = None):
        self.plan = plan
        self.set_games(games)
        self.jobs = default_jobs(plan) if jobs is None else jobs
        self.path = path
        self.resumed = 0
        self.torn = ""  # what was set aside of the file, in a sentence
        self.is_stopped = False
        self._workers: WorkerPool | MatchPlayers | None = None

    def set_games(self, games: int) -> None:
        """How many games are to be played: rounded up to whole groups, in which everybody has every seat."""
        whole("the number of games", games, 1, MOST_GAMES)
        self.games = -(-games // self.plan.per_group) * self.plan.per_group

    def stop(self) -> None:
        """End `records`, from any thread. Games in progress are left; they are played anew when the match goes on."""
        self.is_stopped = True
        workers = self._workers
        if workers is not None:
            workers.stop()

    def records(self, game: Game[Any, Any] | None = None) -> Generator[Record, None, None]:
        """All games. With `game` they are played here and now, one after the other, by no other process."""
        if self.path is None:
            yield from self._play(range(self.games), game)
            return
        with RecordFile(self.path) as file:
            self.torn = file.torn
            played = {record["number"]: record for record in self._ours(file)}
            self.resumed = sum(number < self.games for number in played)
            yield from (record for number, record in sorted(played.items()) if number < self.games)
            for record in self._play([n for n in range(self.games) if n not in played], game):
                file.append(record)
                yield record

    def _play(self, numbers: Sequence[int], game: Game[Any, Any] | None) -> Iterator[Record]:
        if self.is_stopped or not numbers:
            return
        with closing(WorkerPool(self.plan, self.jobs) if game is None else MatchPlayers(self.plan, game)) as workers:
            self._workers = workers
            if self.is_stopped:  # meanwhile
                return
            yield from workers.play_all(numbers)

    def _ours(self, file: RecordFile) -> list[Record]:
        for record in file.games:
            if record.get("plan") != self.plan.identity or not isinstance(record.get("number"), int):
                players = " against ".join(dict.fromkeys(map(str, record["players"])))
                seed = record.get("seed", "?")
                raise GameError(
                    f"'{self.path}' holds another match ({record['game']}: {players}, seed {seed}, or other "
                    "settings); take another file, or the same settings to go on with it"
                )
        return file.games


def default_jobs(plan: Plan) -> int:
    """As many workers as there are cores for their threads."""
    from zermelo.core.spec import read
    from zermelo.players.registry import KINDS

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    threads: int = max(read(spec, KINDS)[1].get("threads", 1) for spec in plan.players)
    return max(1, cores // threads)
