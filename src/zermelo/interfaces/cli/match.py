"""`zermelo match`: players against each other, fairly, and who is the better one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.core.game import GameError
from zermelo.core.stopwatch import Stopwatch
from zermelo.interfaces.cli.common.console import format_time, print_json, say
from zermelo.interfaces.cli.common.loading import AsJson, GameName, Options, Position
from zermelo.interfaces.cli.common.matches import Games, Jobs, Margin, Openings, RecordTo, Seconds, Seed

if TYPE_CHECKING:
    from zermelo.arena.match_runner import MatchRunner
    from zermelo.arena.statistics import SPRT
    from zermelo.arena.summary import Summary

HYPOTHESES = {"elo1": "H1", "elo0": "H0"}


def match(
    game: GameName,
    players: Annotated[list[str], typer.Argument(metavar="A B …", help="Players, such as alphabeta:seconds=1.")],
    games: Games = 100,
    seconds: Seconds = None,
    openings: Openings = None,
    sprt: Annotated[
        str | None, typer.Option("--sprt", metavar="ELO0,ELO1", help="Stop when one of two Elo differences is decided.")
    ] = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    record: RecordTo = None,
    margin: Margin = 1.0,
    position: Position = None,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Play a match. Games come in pairs with sides swapped, with the same opening and the same dice.

    A match that was stopped goes on where it stopped when it is given the same --record file again.
    """
    from zermelo.interfaces.cli.common.matches import leave, make_runner, watch

    test = read_sprt(sprt)
    watch_time = Stopwatch()
    runner, here = make_runner(
        game, players, option, games, jobs, record,
        seconds=seconds, opening=openings, seed=seed, margin=margin, position=position,
    )  # fmt: skip
    from zermelo.arena.summary import Summary, format_elo

    two = runner.plan.is_two_sided and len(players) == 2
    if test is not None and not two:
        raise GameError("--sprt is for two players against each other")
    summary = Summary(runner.plan)

    def standing(summary: Summary) -> str:
        return f"Elo {format_elo(summary.comparison())}" if two else ""

    def is_enough(summary: Summary) -> bool:
        return test is not None and test.verdict(summary.comparison()) is not None

    whole = watch(runner, here, summary, standing, is_enough)
    if as_json:
        told = summary.as_dict() | {"resumed": runner.resumed, "record": None if record is None else str(record)}
        print_json(told | ({} if test is None else {"sprt": sprt_dict(test, summary)}))
    else:
        tell(runner, summary, two, test, watch_time.seconds)
    if not whole:
        leave(runner, summary)


def tell(runner: MatchRunner, summary: Summary, two: bool, test: SPRT | None, took: float) -> None:
    """The result."""
    for line in [*lines(summary, two), *([] if test is None else [sprt_line(test, summary)])]:
        say(line)
    before = f" ({runner.resumed:,} of them played before)" if runner.resumed else ""
    say(f"{summary.games:,} games{before}, {summary.plies:,} plies, {format_time(took)}", "dim")


def read_sprt(text: str | None) -> SPRT | None:
    """`0,10` as a test."""
    if text is None:
        return None
    from zermelo.arena.statistics import SPRT

    number = r"\s*([+-]?\d{1,4}(?:\.\d*)?)\s*"
    found = re.fullmatch(f"{number},{number}", text)
    if not found or not float(found[1]) < float(found[2]):
        raise GameError(f"a sequential test is given as two Elo differences, the lower first, as in 0,10, not '{text}'")
    return SPRT(float(found[1]), float(found[2]))


def lines(summary: Summary, two: bool) -> list[str]:
    from zermelo.arena.summary import format_elo
    from zermelo.interfaces.cli.common.matches import fault_lines, format_mean

    plan = summary.plan
    said = [f"{plan.game}: {' against '.join(plan.players)}"]
    if two:
        won, drawn, lost = summary.results[0, 1]
        seen = summary.comparison()
        points = won + drawn / 2
        said.append(
            f"won {won:,}, drawn {drawn:,}, lost {lost:,}: {points:g} of {summary.games:,} points, "
            f"{_percent(points / summary.games)}"
        )
        said.append(
            f"Elo difference {format_elo(seen)} (95 %), likelihood of superiority {_percent(seen.los)}, "
            f"from {seen.groups:,} {'pairs' if plan.per_group == 2 else 'groups'}"
        )
        halves = [
            _percent(sum(scores) / len(scores)) if scores else "–"
            for scores in (summary.by_seat[0, 0], summary.by_seat[0, 1])
        ]
        said.append(f"moving first {halves[0]}, moving second {halves[1]}")
        if summary.has_points:
            said.append(f"points per game {format_mean(summary.payoff(0))}")
    else:
        width = max(map(len, plan.players))
        for number, name in enumerate(plan.players):
            said.append(f"{name:{width}}  mean payoff {format_mean(summary.payoff(number))}")
        if len(plan.players) == 2:
            said.append(
                f"{plan.players[0]} gets more by {format_mean(summary.advantage(0, 1))} with the same dice and openings"
            )
    return said + fault_lines(summary)


def _percent(x: float) -> str:
    return f"{100 * x:.1f} %"


def sprt_line(test: SPRT, summary: Summary) -> str:
    seen = summary.comparison()
    verdict = test.verdict(seen)
    ratio = f"log-likelihood ratio {test.ratio(seen):+.2f} (decides at ±{test.bound:.2f})"
    if verdict is None:
        return f"SPRT {test.elo0:g} against {test.elo1:g}: undecided, {ratio}"
    accepted = f"at least {test.elo1:g}" if verdict == "elo1" else f"at most {test.elo0:g}"
    name = f"{HYPOTHESES[verdict]} accepted (Elo difference {accepted})"
    return f"SPRT {test.elo0:g} against {test.elo1:g}: {name}, {ratio}"


def sprt_dict(test: SPRT, summary: Summary) -> dict[str, Any]:
    seen = summary.comparison()
    return {
        "elo0": test.elo0,
        "elo1": test.elo1,
        "llr": test.ratio(seen),
        "bound": test.bound,
        "accepted": HYPOTHESES.get(test.verdict(seen) or ""),
    }
