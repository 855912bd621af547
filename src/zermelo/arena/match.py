"""Players against each other, fairly, in one call: `match`, and what came of it.

    >>> import zermelo
    >>> from zermelo.arena.match import match
    >>> result = match("tic-tac-toe", "minimax", "random", games=20, openings=0, jobs=0)
    >>> result.games, result.losses, result.score > 0.8
    (20, 0, True)

Games come in pairs with sides swapped, the same opening and the same dice (plan.py). `Match` is the same for who wants
to watch, to stop it from another thread, or to see how it stands.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.arena.book import read_book
from zermelo.arena.match_runner import MatchRunner
from zermelo.arena.plan import MATCH, make_plan
from zermelo.arena.statistics import SPRT, Comparison, Mean
from zermelo.arena.summary import Summary, format_elo, format_mean, format_percent
from zermelo.core.files import given_path
from zermelo.core.game import Game, GameError, shorten
from zermelo.core.spec import number, whole
from zermelo.core.words import count

HYPOTHESES = {"elo1": "H1", "elo0": "H0"}


@dataclass(frozen=True)
class MatchResult:
    """What the games of a match say; of two players, from the first one's side."""

    summary: Summary
    planned: int  # games
    sprt: SPRT | None = None
    resumed: int = 0  # games that had been played before

    @property
    def games(self) -> int:
        """How many were played."""
        return self.summary.games

    @property
    def players(self) -> tuple[str, ...]:
        return self.summary.plan.players

    @property
    def is_of_two(self) -> bool:
        """Is it between two players, on two sides? Only then is there a score."""
        return self.summary.plan.is_two_sided and len(self.players) == 2

    @property
    def comparison(self) -> Comparison:
        """Score, Elo difference, intervals, likelihood of superiority."""
        if not self.is_of_two:
            raise GameError("a score is for two players against each other; see `payoffs`")
        return self.summary.comparison()

    @property
    def score(self) -> float:
        """The share of the points: a win 1, a draw ½."""
        return self.comparison.score

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the score."""
        return self.comparison.low, self.comparison.high

    @property
    def elo(self) -> float:
        return self.comparison.elo

    @property
    def elo_interval(self) -> tuple[float, float]:
        return self.comparison.elo_low, self.comparison.elo_high

    @property
    def wins(self) -> int:
        return self._results[0]

    @property
    def draws(self) -> int:
        return self._results[1]

    @property
    def losses(self) -> int:
        return self._results[2]

    @property
    def _results(self) -> list[int]:
        assert self.comparison, "of two"
        return self.summary.results[0, 1]

    @property
    def payoffs(self) -> tuple[Mean, ...]:
        """The mean payoff of every player, with its error."""
        return tuple(self.summary.payoff(number) for number in range(len(self.players)))

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        told = self.summary.as_dict() | {"resumed": self.resumed}
        return told if self.sprt is None else told | {"sprt": _sprt_dict(self.sprt, self.comparison)}

    def lines(self) -> list[str]:
        """Everything, for people."""
        plan = self.summary.plan
        said = [f"{plan.game}: {' against '.join(plan.players)}"]
        said += self._lines_of_two() if self.is_of_two else self._lines_of_many()
        said += self.summary.fault_lines()
        return said if self.sprt is None else [*said, _sprt_line(self.sprt, self.comparison)]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _lines_of_two(self) -> list[str]:
        summary, seen = self.summary, self.comparison
        points = self.wins + self.draws / 2
        halves = [
            format_percent(sum(scores) / len(scores)) if scores else "–"
            for scores in (summary.by_seat[0, 0], summary.by_seat[0, 1])
        ]
        said = [
            f"won {self.wins:,}, drawn {self.draws:,}, lost {self.losses:,}: "
            f"{points:g} of {count(self.games, 'point')}, {format_percent(points / max(1, self.games))}",
            f"Elo difference {format_elo(seen)} (95 %), likelihood of superiority {format_percent(seen.los)}, "
            f"from {count(seen.groups, 'pair' if summary.plan.per_group == 2 else 'group')}",
            f"moving first {halves[0]}, moving second {halves[1]}",
        ]
        if summary.has_points:
            said.append(f"points per game {format_mean(summary.payoff(0))}")
        return said

    def _lines_of_many(self) -> list[str]:
        names = self.players
        width = max(map(len, names))
        said = [
            f"{name:{width}}  mean payoff {format_mean(mean)}" for name, mean in zip(names, self.payoffs, strict=True)
        ]
        if len(names) == 2:
            more = format_mean(self.summary.advantage(0, 1))
            said.append(f"{names[0]} gets more by {more} with the same dice and openings")
        return said


class Match:
    """A match to be played. What is wrong with its players, or anything else, is told before the first game."""

    kind = MATCH

    def __init__(
        self,
        game: str | Game[Any, Any],
        *players: str,
        games: int = 100,
        seconds: float | None = None,
        openings: int | None = None,
        sprt: SPRT | tuple[float, float] | None = None,
        seed: int = 0,
        jobs: int | None = None,
        record: Path | str | None = None,
        margin: float = 1.0,
        position: str | None = None,
        book: Path | str | None = None,
        options: Mapping[str, Any] | None = None,
    ):
        """As `match` takes them."""
        from zermelo.compile.record_game import RecordGame
        from zermelo.core.registry import as_game, load
        from zermelo.players.registry import check_spec
        from zermelo.search.limits import Limits

        for spec in players:
            if check_spec(spec).partition(":")[0] == "human":
                raise GameError("people play with zermelo play; a match is for programs")
        Limits(seconds=seconds)  # a number of seconds that makes sense
        whole("the seed", seed, 0)
        if jobs is not None:
            whole("the number of jobs", jobs, 0)
        if not (isinstance(margin, float) and margin == math.inf):
            number("the margin", margin, 0)
        if options is not None and not isinstance(options, Mapping):
            raise GameError(f"options are given by name, as in {{'size': 6}}, not as {shorten(options)}")
        record = None if record is None else given_path(record)
        loaded = load(game, **(options or {})) if isinstance(game, str) else as_game(game)
        positions = read_book(loaded, book, position)
        origin = game if isinstance(game, str) else getattr(game, "origin", "")
        given = None if isinstance(loaded, RecordGame) else dict(options or {})
        plan = make_plan(
            loaded, list(players), given, origin=origin, kind=self.kind,
            seconds=seconds, opening=openings, seed=seed, margin=margin, positions=positions,
        )  # fmt: skip
        self.sprt = _read_sprt(sprt)
        if self.sprt is not None and not (plan.is_two_sided and len(players) == 2):
            raise GameError("a sequential test is for two players against each other")
        here = jobs == 0 or (jobs is None and not origin)  # nobody else could load a game made in this program
        self._game = loaded if here else None
        self.runner = MatchRunner(plan, self._count(plan, games), 1 if here else jobs, record)
        self.summary = Summary(plan)

    def _count(self, plan: Any, games: int) -> int:
        return games

    def play(self, on_game: Callable[[Match], None] = lambda match: None) -> bool:
        """Play until all games are played, a sequential test is decided, or `stop()`; `on_game` is called after each.

        Was it played to its end? However this ends, also by an exception, the games so far are in `result()`.
        """
        with closing(self.runner.records(self._game)) as records:
            for record in records:
                self.summary.add(record)
                on_game(self)
                if self.sprt is not None and self.sprt.verdict(self.summary.comparison()) is not None:
                    return True
        return not self.runner.is_stopped

    def stop(self) -> None:
        """End it now, from any thread: games in progress are not counted."""
        self.runner.stop()

    def result(self) -> MatchResult:
        """What can be said so far."""
        return MatchResult(self.summary, self.runner.games, self.sprt, self.runner.resumed)


def match(
    game: str | Game[Any, Any],
    *players: str,
    games: int = 100,
    seconds: float | None = None,
    openings: int | None = None,
    sprt: SPRT | tuple[float, float] | None = None,
    seed: int = 0,
    jobs: int | None = None,
    record: Path | str | None = None,
    margin: float = 1.0,
    position: str | None = None,
    book: Path | str | None = None,
    options: Mapping[str, Any] | None = None,
    on_game: Callable[[Match], None] = lambda match: None,
) -> MatchResult:
    """Let `players` (specs such as "alphabeta:seconds=0.1") play a match; what `zermelo match` does.

    game      a game, or its name; `options` go with a name
    games     rounded up to whole pairs
    seconds   a move, for players whose own spec gives no limit
    openings  random plies at the start, the same for both games of a pair; by default 2, and 0 with dice
    sprt      (elo0, elo1): stop when one of two Elo differences is decided
    jobs      processes, by default as many as cores; 0: this one alone
    record    keep every game in this file, and go on with it if it is there
    margin    seconds by which a move may overstep its time before the game is lost
    position  begin here, not at the beginning
    book      begin at the positions of this file, a line each, one pair after the other; then from the first again
    on_game   called after every game, with a match that can be asked for its `result()` and told to `stop()`
    """
    one = Match(
        game, *players, games=games, seconds=seconds, openings=openings, sprt=sprt, seed=seed, jobs=jobs,
        record=record, margin=margin, position=position, book=book, options=options,
    )  # fmt: skip
    one.play(on_game)
    return one.result()


def _read_sprt(sprt: Any) -> SPRT | None:
    if sprt is None or isinstance(sprt, SPRT):
        return sprt
    try:
        elo0, elo1 = (number("an Elo difference", elo) for elo in sprt)
    except (TypeError, ValueError):
        raise GameError(f"a sequential test is given as (elo0, elo1), not as {shorten(sprt)}") from None
    if not elo0 < elo1:
        raise GameError(f"a sequential test needs two Elo differences, the lower first, not {shorten(sprt)}")
    return SPRT(elo0, elo1)


def _sprt_line(test: SPRT, seen: Comparison) -> str:
    verdict = test.verdict(seen)
    ratio = f"log-likelihood ratio {test.ratio(seen):+.2f} (decides at ±{test.bound:.2f})"
    if verdict is None:
        return f"SPRT {test.elo0:g} against {test.elo1:g}: undecided, {ratio}"
    accepted = f"at least {test.elo1:g}" if verdict == "elo1" else f"at most {test.elo0:g}"
    name = f"{HYPOTHESES[verdict]} accepted (Elo difference {accepted})"
    return f"SPRT {test.elo0:g} against {test.elo1:g}: {name}, {ratio}"


def _sprt_dict(test: SPRT, seen: Comparison) -> dict[str, Any]:
    return {
        "elo0": test.elo0,
        "elo1": test.elo1,
        "llr": test.ratio(seen),
        "bound": test.bound,
        "accepted": HYPOTHESES.get(test.verdict(seen) or ""),
    }
