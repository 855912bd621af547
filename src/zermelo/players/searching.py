"""Any compiled search as a player: a searcher, and limits for one move."""

from __future__ import annotations

from typing import Any

from zermelo.core.game import Game, GameError
from zermelo.core.history import History
from zermelo.players.player import Player, as_history, first_choice
from zermelo.search.limits import Limits
from zermelo.search.report import Report
from zermelo.search.searcher import Searcher, answer, need_rules

SECONDS = 1.0  # a move, where a text gives no limit


class Searching(Player):
    """Plays what a search finds best. It keeps its table or tree from move to move, and forgets it between games."""

    def __init__(self, game: Game[Any, Any], name: str, searcher: Searcher, limits: Limits, seed: int = 0):
        super().__init__(game, name, seed)
        self.searcher = searcher
        self.limits = limits
        self.seconds = limits.seconds

    def choose(self, position: Any) -> Any:
        with self.choosing():
            return self._choose(as_history(self.game, position))

    def _choose(self, history: History[Any, Any]) -> Any:
        actions, self.report = history.actions(), None
        if len(actions) == 1 and self.limits.is_timed:  # nothing to think about
            return actions[0]
        report = self._search(history)
        if report.best is None and report.stopped != "stop":  # what it kept tells a value, but not how
            self.searcher.clear()
            report = self._search(history)
        if report.best is not None:
            return report.best
        if report.stopped in ("seconds", "nodes", "stop"):  # there was no time for anything: any move is legal
            return self.random.choice(list(actions))
        raise GameError(f"{self.name} found no move")

    def _search(self, history: History[Any, Any]) -> Report:
        reports = self.searcher.reports(history, self.limits)
        if self.is_stopped:  # before the search had begun
            self.searcher.stop()
        for report in reports:
            self.report = report
            self.on_report(report)
        return report

    def pass_stop(self) -> None:
        self.searcher.stop()

    def reset(self, seed: int | None = None) -> None:
        super().reset(seed)
        if hasattr(self.searcher, "seed"):
            self.searcher.seed = self.random.getrandbits(31)
        self.searcher.clear()  # and begin with the seed

    def prepare(self) -> None:
        """Compile, by a search that is over at once."""
        history = first_choice(self.game)
        if history is not None:
            answer(self.searcher, history, Limits(nodes=1))
            self.searcher.clear()


def limits_of(seconds: float | None = None, depth: int | None = None, nodes: int | None = None) -> Limits:
    """The limits a text gives; a second a move where it gives none."""
    limits = Limits(seconds, depth, nodes)
    return Limits(SECONDS) if limits.is_open else limits


def alphabeta(
    game: Game[Any, Any],
    name: str,
    seconds: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    threads: int = 1,
    table: int = 64,
    evaluator: str | None = None,
) -> Searching:
    from zermelo.evaluate.shipped import evaluator_for
    from zermelo.search.alphabeta.searcher import AlphaBeta

    rules = need_rules(game)
    searcher = AlphaBeta(rules, threads=threads, table_mb=table, evaluator=evaluator_for(rules, evaluator))
    return Searching(game, name, searcher, limits_of(seconds, depth, nodes))


def mcts(
    game: Game[Any, Any],
    name: str,
    simulations: int | None = None,
    seconds: float | None = None,
    rave: float | None = None,
    threads: int = 1,
    memory: int | None = None,
    seed: int = 0,
) -> Searching:
    from zermelo.search.mcts.searcher import MCTS

    options: dict[str, Any] = {"rave": rave, "memory_mb": memory}
    given = {key: value for key, value in options.items() if value is not None}
    searcher = MCTS(need_rules(game), threads=threads, seed=seed, **given)
    return Searching(game, name, searcher, limits_of(seconds, nodes=simulations), seed)


def montecarlo(
    game: Game[Any, Any], name: str, paths: int = 100, seconds: float | None = None, seed: int = 0
) -> Searching:
    from zermelo.search.montecarlo import MonteCarlo

    return Searching(game, name, MonteCarlo(need_rules(game), paths=paths, seed=seed), Limits(seconds), seed)


def _many(game: Game[Any, Any], name: str, kind: str, limits: Limits) -> Searching:
    from zermelo.search.multiplayer.searcher import Multiplayer

    return Searching(game, name, Multiplayer(need_rules(game), kind=kind), limits)


def maxn(game: Game[Any, Any], name: str, **limits: Any) -> Searching:
    return _many(game, name, "maxn", limits_of(**limits))


def paranoid(game: Game[Any, Any], name: str, **limits: Any) -> Searching:
    return _many(game, name, "paranoid", limits_of(**limits))


def best_reply(game: Game[Any, Any], name: str, **limits: Any) -> Searching:
    return _many(game, name, "best-reply", limits_of(**limits))
