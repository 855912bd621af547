"""Episodes, in a search process: one that is watched, or several whose scores are compared.

in     game, options      the variant in which the agent searches          agent, depth, seed
       world              options of the variant that moves the others, or null: they search
       games              how many, with seeds seed, seed + 1, …           seconds: of work, at most
news   {"frames": […]} of the first one if it is the only one, else {"scores": […]} so far
out    {"scores": […], "wins": n, "ending": words, "cut_short": bool, "seconds": …}
"""

from __future__ import annotations

import time
from random import Random
from typing import Any

from zermelo.core.game import Game, GameError
from zermelo.interfaces.studio.pages.agents.episode import others_move, play, think
from zermelo.interfaces.studio.pages.agents.scenario import Scenario, scenario_of
from zermelo.interfaces.studio.tasks import Job, Message, Stopped

EVERY = 0.08  # seconds between two pieces of news
BATCH = 50  # frames in one


def episode(job: Job) -> Message:
    message = job.message
    game: Any = Leaving(job.game(), job)
    world = None if message.get("world") is None else job.game(message["world"])
    scenario = scenario_of(game.name, str(message["game"]), game)
    if scenario is None:
        raise GameError(f"{game.name} has no lessons about agents")
    compile_all(game, world, str(message["agent"]))
    job.began()
    work = Work(job, game, world, scenario)
    return work.watch() if work.games == 1 else work.compare()


class Leaving:
    """A game whose searches end as soon as nobody wants the episode any more: they are the textbook's, plain Python."""

    def __init__(self, game: Game[Any, Any], job: Job):
        self._game, self._job = game, job

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def succ(self, s: Any, a: Any) -> Any:
        if self._job.is_stopped:
            raise Stopped("the episode was stopped")
        return self._game.succ(s, a)


def compile_all(game: Game[Any, Any], world: Game[Any, Any] | None, agent: str) -> None:
    """Ask for everything once, so that the episode is not held up by the compiler."""
    s = game.start()
    action, _ = think(game, s, agent, 1)
    s = game.succ(s, action)
    if not game.is_end(s) and game.player(s) > 0:
        others_move(game, world, s, 1, Random(0))


class Work:
    """Episodes under one time limit."""

    def __init__(self, job: Job, game: Game[Any, Any], world: Game[Any, Any] | None, scenario: Scenario):
        self.job, self.game, self.world, self.scenario = job, game, world, scenario
        message = job.message
        self.agent, self.depth, self.seed = str(message["agent"]), int(message["depth"]), int(message["seed"])
        self.games = int(message.get("games", 1))
        self.began = time.monotonic()
        self.ends = self.began + float(message["seconds"])
        self.scores: list[int] = []
        self.wins = 0
        self.words = ""

    def watch(self) -> Message:
        """One episode, told frame by frame."""
        batch: list[Message] = []
        sent, cut = time.monotonic(), False
        for s, frame in self.frames(self.seed):
            batch.append(frame.as_dict())
            cut = time.monotonic() > self.ends and not self.game.is_end(s)
            if len(batch) >= BATCH or time.monotonic() - sent > EVERY:
                self.job.tell(frames=batch)
                batch, sent = [], time.monotonic()
            if cut:
                break
        if batch:
            self.job.tell(frames=batch)
        self.note(s)
        return self.answer(cut)

    def compare(self) -> Message:
        """Several, of which only the scores are told."""
        for number in range(self.games):
            end = None
            for end, _ in self.frames(self.seed + number):  # noqa: B007
                if time.monotonic() > self.ends:
                    return self.answer(True)
            self.note(end)
            self.job.tell(scores=[*self.scores])
        return self.answer(False)

    def frames(self, seed: int) -> Any:
        return play(self.game, self.world, self.scenario.score, self.agent, self.depth, seed)

    def note(self, s: Any) -> None:
        self.scores.append(self.scenario.score(s))
        self.words, won = self.scenario.ending(s)
        self.wins += won

    def answer(self, cut: bool) -> Message:
        seconds = time.monotonic() - self.began
        return {
            "scores": self.scores,
            "wins": self.wins,
            "ending": self.words,
            "cut_short": cut,
            "seconds": seconds,
        }
