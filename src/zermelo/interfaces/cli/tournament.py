"""`zermelo tournament`: everybody against everybody, a cross-table, and ratings on one scale."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.core.stopwatch import Stopwatch
from zermelo.interfaces.cli.common.console import format_time, print_json, say
from zermelo.interfaces.cli.common.loading import AsJson, GameName, Options, Position
from zermelo.interfaces.cli.common.matches import Jobs, Margin, Openings, RecordTo, Seconds, Seed

if TYPE_CHECKING:
    from zermelo.arena.summary import Summary


def tournament(
    game: GameName,
    players: Annotated[list[str], typer.Argument(metavar="A B C …", help="Players, such as mcts:simulations=500.")],
    games: Annotated[int, typer.Option("--games", "-g", min=1, help="Of every two; rounded up to whole pairs.")] = 20,
    seconds: Seconds = None,
    openings: Openings = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    record: RecordTo = None,
    margin: Margin = 1.0,
    position: Position = None,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Play a round robin: every two players in pairs of games with sides swapped, same opening, same dice."""
    from zermelo.arena.plan import ROUND_ROBIN
    from zermelo.arena.summary import Summary
    from zermelo.interfaces.cli.common.matches import fault_lines, leave, make_runner, watch

    began = Stopwatch()
    lineups = len(players) * (len(players) - 1) // 2
    runner, here = make_runner(
        game, players, option, 1, jobs, record,
        kind=ROUND_ROBIN, seconds=seconds, opening=openings, seed=seed, margin=margin, position=position,
    )  # fmt: skip
    plan = runner.plan
    groups = -(-games // plan.per_group) if plan.is_two_sided else games
    runner.set_games(groups * plan.per_group * (lineups if plan.is_two_sided else 1))
    summary = Summary(plan)
    whole = watch(runner, here, summary, lambda summary: "")
    told, lines = (_two_sided if plan.is_two_sided else _alone)(summary)
    if as_json:
        print_json(summary.as_dict() | {"standings": told, "resumed": runner.resumed})
    else:
        say(f"{plan.game}: {len(players)} players, {summary.games:,} games")
        for line in [*lines, *fault_lines(summary)]:
            say(line)
        say(format_time(began.seconds), "dim")
    if not whole:
        leave(runner, summary)


def _two_sided(summary: Summary) -> tuple[list[dict[str, Any]], list[str]]:
    """The standings, for JSON and as lines of text, the best first."""
    from zermelo.arena.standings import standings

    table = standings(summary)
    n = len(table)
    told = [
        {
            "player": one.player,
            "elo": one.elo,
            "interval": [one.elo - one.half, one.elo + one.half],
            "points": one.points,
            "games": one.games,
            "against": {str(other.number + 1): one.against[k][0] for k, other in enumerate(table) if other is not one},
        }
        for one in table
    ]
    width = max(len("player"), *(len(one.player) for one in table))
    column = max(6, 1 + max(len(f"{games:.1f}") for one in table for _, games in one.against))
    lines = [
        f"    {'player':{width}}  {'rating':>12}  {'points':>10}  "
        + "".join(f"{place:>{column}}" for place in range(1, n + 1))
    ]
    for place, one in enumerate(table, 1):
        rating = f"{one.elo:+.0f} ± {one.half:.0f}"
        total = f"{_points(one.points)}/{one.games}"
        row = "".join(
            f"{'·' if k == place else _points(points):>{column}}" for k, (points, _) in enumerate(one.against, 1)
        )
        lines.append(f"{place:>2}  {one.player:{width}}  {rating:>12}  {total:>10}  {row}")
    return told, lines


def _alone(summary: Summary) -> tuple[list[dict[str, Any]], list[str]]:
    """A game for one: the mean payoffs; who has not played yet comes last."""
    from zermelo.interfaces.cli.common.matches import format_mean

    names = summary.plan.players
    means = [summary.payoff(i) for i in range(len(names))]
    order = sorted(range(len(names)), key=lambda i: (math.isnan(means[i].value), -means[i].value))
    width = max(map(len, names))
    told = [{"player": names[i], "mean": means[i].value, "error": means[i].error} for i in order]
    lines = [f"{place:>2}  {names[i]:{width}}  {format_mean(means[i])}" for place, i in enumerate(order, 1)]
    return told, lines


def _points(x: float) -> str:
    """17½ for 17.5."""
    whole = int(x)
    return f"{whole or ''}½" if x != whole and whole else "½" if x != whole else str(whole)
