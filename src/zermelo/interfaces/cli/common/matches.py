"""What the commands of the arena share: their options, and how a match is watched."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.core.game import GameError
from zermelo.interfaces.cli.common.console import complain, working
from zermelo.interfaces.cli.common.loading import load_game, read_options

if TYPE_CHECKING:
    from zermelo.arena.match_runner import MatchRunner
    from zermelo.arena.plan import Plan
    from zermelo.arena.statistics import Mean
    from zermelo.arena.summary import Summary

Games = Annotated[int, typer.Option("--games", "-g", min=1, help="Rounded up to whole pairs.")]
Seconds = Annotated[
    float | None, typer.Option("--seconds", "-s", help="A move, for players whose own text gives no limit.")
]
Openings = Annotated[
    int | None,
    typer.Option(
        "--openings", min=0, help="Random plies at the start, the same for both games of a pair; 2 (0 with dice)."
    ),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Of openings, dice and players.")]
Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", min=0, help="Processes; as many as cores. 0: this one alone.")
]
RecordTo = Annotated[
    Path | None, typer.Option("--record", "-r", help="Keep every game in this file; go on with it if it is there.")
]
Margin = Annotated[float, typer.Option("--margin", min=0, help="Seconds by which a move may overstep its time.")]


def make_runner(
    name: str, players: list[str], option: list[str] | None, games: int, jobs: int | None, record: Path | None,
    **settings: Any,
) -> tuple[MatchRunner, Any]:  # fmt: skip
    """The match to be played, and the game where it is to be played in this process."""
    from zermelo.arena.match_runner import MatchRunner
    from zermelo.arena.plan import make_plan
    from zermelo.compile.record_game import RecordGame
    from zermelo.players.registry import check_spec
    from zermelo.search.limits import Limits

    for text in players:
        if check_spec(text).partition(":")[0] == "human":
            raise GameError("people play with zermelo play; a match is for programs")
    Limits(seconds=settings.get("seconds"))  # a number of seconds that makes sense
    game = load_game(name, option)
    options = None if isinstance(game, RecordGame) else read_options(option)
    if settings.get("position") is not None:
        game.parse(settings["position"])
    plan = make_plan(game, players, options, origin=name, **settings)
    runner = MatchRunner(plan, games, jobs if jobs is None else jobs or 1, record)
    return runner, game if jobs == 0 else None


def watch(
    runner: MatchRunner,
    game: Any,
    summary: Summary,
    words: Callable[[Summary], str],
    is_enough: Callable[[Summary], bool] = lambda summary: False,
) -> bool:
    """Play, and say on a terminal how it stands, until everything is played or it is enough.

    False after Ctrl-C, if there are games to tell of.
    """
    plan: Plan = runner.plan
    try:
        with working(f"getting {plan.game} and its players ready") as tell, closing(runner.records(game)) as records:
            for record in records:
                if summary.games == 0 and runner.torn:
                    complain(runner.torn)
                summary.add(record)
                tell(f"{summary.games:,} of {runner.games:,} games  {words(summary)}")
                if is_enough(summary):
                    break
    except KeyboardInterrupt:
        if summary.games == 0:
            raise
        return False
    return True


def leave(runner: MatchRunner, summary: Summary) -> None:
    """After Ctrl-C, when what there is has been told: say what is missing, and be interrupted all the same."""
    how = "the same command goes on" if runner.path else "with --record FILE it could go on"
    complain(f"stopped after {summary.games:,} of {runner.games:,} games; {how}")
    raise KeyboardInterrupt


def format_mean(mean: Mean) -> str:
    """With its interval, if there are games enough for one."""
    if math.isnan(mean.value):
        return "–"
    return f"{mean.value:+.3f}" if math.isnan(mean.half) else f"{mean.value:+.3f} ± {mean.half:.3f} (95 %)"


def fault_lines(summary: Summary) -> list[str]:
    """Who lost how many games by a fault."""
    names = summary.plan.players
    return [f"{names[p]}: {n} lost by fault ({fault})" for (p, fault), n in sorted(summary.faults.items())]
