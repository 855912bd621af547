"""`zermelo tournament`: everybody against everybody, a cross-table, and ratings on one scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.core.stopwatch import Stopwatch
from zermelo.interfaces.cli.arena import Jobs, Margin, Openings, RecordTo, Seconds, Seed
from zermelo.interfaces.cli.console import format_time, print_json, say
from zermelo.interfaces.cli.loading import AsJson, GameName, Options, Position

if TYPE_CHECKING:
    from zermelo.arena.ratings import Rating
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
    from zermelo.interfaces.cli.arena import fault_lines, make_campaign, watch

    began = Stopwatch()
    lineups = len(players) * (len(players) - 1) // 2
    campaign, here = make_campaign(
        game, players, option, 1, jobs, record,
        kind=ROUND_ROBIN, seconds=seconds, opening=openings, seed=seed, margin=margin, position=position,
    )  # fmt: skip
    plan = campaign.plan
    groups = -(-games // plan.per_group) if plan.is_two_sided else games
    campaign.set_games(groups * plan.per_group * (lineups if plan.is_two_sided else 1))
    summary = Summary(plan)
    watch(campaign, here, summary, lambda summary: "")
    told, lines = (_two_sided if plan.is_two_sided else _alone)(summary)
    if as_json:
        print_json(summary.as_dict() | {"standings": told, "resumed": campaign.resumed})
        return
    say(f"{plan.game}: {len(players)} players, {summary.games:,} games")
    for line in [*lines, *fault_lines(summary)]:
        say(line)
    say(format_time(began.seconds), "dim")


def _two_sided(summary: Summary) -> tuple[list[dict[str, Any]], list[str]]:
    """The standings, for JSON and as lines of text, the best first."""
    import numpy as np

    from zermelo.arena.ratings import ratings

    names = summary.plan.players
    n = len(names)
    points, played = np.zeros((n, n)), np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i != j:
                points[i, j] = summary.points(i, j)
                played[i, j] = sum(summary.results[min(i, j), max(i, j)])
    rated: list[Rating] = ratings(points, played)
    order = sorted(range(n), key=lambda i: -rated[i].elo)
    told = [
        {
            "player": names[i],
            "elo": rated[i].elo,
            "interval": [rated[i].elo - rated[i].half, rated[i].elo + rated[i].half],
            "points": float(points[i].sum()),
            "games": int(played[i].sum()),
            "against": {str(j + 1): float(points[i, j]) for j in range(n) if j != i},
        }
        for i in order
    ]
    width = max(len("player"), *map(len, names))
    column = max(6, len(f"{played.max():.1f}") + 1)
    lines = [
        f"    {'player':{width}}  {'rating':>12}  {'points':>10}  "
        + "".join(f"{place:>{column}}" for place in range(1, n + 1))
    ]
    for place, i in enumerate(order, 1):
        rating = f"{rated[i].elo:+.0f} ± {rated[i].half:.0f}"
        total = f"{_points(points[i].sum())}/{played[i].sum():.0f}"
        row = "".join(f"{'·' if i == j else _points(points[i, j]):>{column}}" for j in order)
        lines.append(f"{place:>2}  {names[i]:{width}}  {rating:>12}  {total:>10}  {row}")
    return told, lines


def _alone(summary: Summary) -> tuple[list[dict[str, Any]], list[str]]:
    """A game for one: the mean payoffs."""
    names = summary.plan.players
    means = [summary.payoff(i) for i in range(len(names))]
    order = sorted(range(len(names)), key=lambda i: -means[i].value)
    width = max(map(len, names))
    told = [{"player": names[i], "mean": means[i].value, "error": means[i].error} for i in order]
    lines = [
        f"{place:>2}  {names[i]:{width}}  {means[i].value:+.3f} ± {means[i].half:.3f}"
        for place, i in enumerate(order, 1)
    ]
    return told, lines


def _points(x: float) -> str:
    """17½ for 17.5."""
    whole = int(x)
    return f"{whole or ''}½" if x != whole and whole else "½" if x != whole else str(whole)
