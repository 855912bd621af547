"""Tables of a file of games: cross-tables with ratings, means where there are no two sides, the list of games."""

from __future__ import annotations

import math
from collections.abc import Callable

from zermelo.arena.plan import MATCH, ROUND_ROBIN, Plan
from zermelo.arena.standings import Standing, standings
from zermelo.arena.statistics import Mean
from zermelo.arena.summary import Summary, format_elo
from zermelo.core.game import GameError
from zermelo.core.words import count
from zermelo.drawing.svg import escape
from zermelo.interfaces.studio.pages.arena.games import Brief

Sides = Callable[[Brief], tuple[int, ...] | None]  # who plays for whom, where the game is known
MOST_TABLES = 5
MINUS = "\N{MINUS SIGN}"


class Contest:
    """The games of one plan, summed up; grows."""

    def __init__(self, first: Brief, sides: tuple[int, ...]):
        self.first, self.sides = first, sides
        self.games: list[Brief] = []
        self.names: dict[int, str] = {}
        self.summary: Summary | None = None

    def add(self, game: Brief) -> None:
        if len(game.seats) != len(self.sides):
            return
        self.games.append(game)
        new = {number: name for number, name in zip(game.seats, game.players, strict=True) if number not in self.names}
        if new or self.summary is None:
            self.names |= new
            self.summary = None  # somebody new: numbers of players are fixed in a Summary
        else:
            self.summary.add(game.as_record())

    def sum_up(self) -> Summary:
        if self.summary is None:
            self.summary = Summary(self._plan())
            for game in self.games:
                self.summary.add(game.as_record())
        return self.summary

    def _plan(self) -> Plan:
        players = tuple(self.names.get(number, "?") for number in range(max(self.names) + 1))
        kind = ROUND_ROBIN if self.first.kind == ROUND_ROBIN else MATCH
        return Plan(self.first.game, self.first.options, players, len(self.sides), self.sides, kind)


class Contests:
    """All contests of a file, by their plans; games are added once."""

    def __init__(self, sides_of: Sides):
        self.sides_of = sides_of
        self.found: dict[str, Contest] = {}
        self.added = 0

    def add(self, games: list[Brief]) -> None:
        for game in games[self.added :]:
            self.added += 1
            if not game.plan:
                continue
            if game.plan not in self.found:
                sides = self.sides_of(game)
                if sides is None or len(self.found) >= MOST_TABLES:
                    continue
                self.found[game.plan] = Contest(game, sides)
            self.found[game.plan].add(game)


def contest_html(contest: Contest) -> str:
    """Who is how strong."""
    try:
        summary = contest.sum_up()
    except GameError as problem:
        return f"<p>{escape(problem)}</p>"
    plan = summary.plan
    words = "tournament" if plan.kind == ROUND_ROBIN else "match"
    head = f"<p><b>{escape(plan.game)}</b>, {words}: {count(summary.games, 'game')}, {count(summary.plies, 'move')}</p>"
    table = cross_table(standings(summary)) if plan.is_two_sided else means_table(summary)
    if plan.is_two_sided and len(plan.players) == 2 and summary.games:
        seen, (won, drawn, lost) = summary.comparison(), summary.results[0, 1]
        head += (
            f"<p>{escape(plan.players[0])} against {escape(plan.players[1])}: {won} won, {drawn} drawn, {lost} lost. "
            f"Elo difference {format_elo(seen)}; the first is the better one with {seen.los:.1%} likelihood.</p>"
        )
    faults = "".join(
        f"<p>{escape(plan.players[player])}: {number} lost by a fault ({escape(fault)})</p>"
        for (player, fault), number in sorted(summary.faults.items())
    )
    return head + table + faults


def cross_table(table: list[Standing]) -> str:
    heads = "".join(f"<th class='z-num'>{place}</th>" for place in range(1, len(table) + 1))
    rows = []
    for place, one in enumerate(table, 1):
        cells = "".join(
            "<td class='z-num z-muted'>·</td>"
            if column == place
            else f'<td class="z-num" title="{count(cell[1], "game")}">{fraction(cell[0]) if cell[1] else ""}</td>'
            for column, cell in enumerate(one.against, 1)
        )
        rows.append(
            f"<tr><td class='z-num z-muted'>{place}</td><td>{escape(one.player)}</td>"
            f"<td class='z-num'>{signed(one.elo)} ± {one.half:.0f}</td>"
            f"<td class='z-num'>{fraction(one.points)}/{one.games}</td>{cells}</tr>"
        )
    return (
        "<div class='z-scroll'><table class='z-table'>"
        "<tr><th></th><th>player</th><th class='z-num'>rating</th><th class='z-num'>points</th>"
        f"{heads}</tr>{''.join(rows)}</table></div>"
        "<p class='z-muted'>Ratings are on the Elo scale, with 95 % intervals; they add up to 0, and only differences "
        "mean anything. The numbered columns are points against the player in that place.</p>"
    )


def means_table(summary: Summary) -> str:
    """For games of one, or of more than two sides: what everybody got on average."""
    means = [(summary.payoff(i), name) for i, name in enumerate(summary.plan.players)]
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td class='z-num'>{_mean(mean)}</td></tr>"
        for mean, name in sorted(means, key=lambda pair: -pair[0].value)
    )
    return f"<table class='z-table'><tr><th>player</th><th class='z-num'>mean payoff</th></tr>{rows}</table>"


def _mean(mean: Mean) -> str:
    half = "" if math.isnan(mean.half) else f" ± {mean.half:.3f}"
    return f"{mean.value:+.3f}".replace("-", MINUS) + half


def signed(x: float) -> str:
    return f"{x:+.0f}".replace("-", MINUS)


def fraction(x: float) -> str:
    """17½ for 17.5."""
    whole = int(x)
    return str(whole) if x == whole else f"{whole or ''}½"


def payoff(x: float) -> str:
    return f"{x:g}".replace("-", MINUS)


def game_row(index: int, game: Brief) -> dict[str, str | int]:
    """A line of the list of games."""
    return {
        "key": index,
        "number": index + 1 if game.number < 0 else game.number + 1,
        "players": " – ".join(game.players),
        "result": " : ".join(payoff(x) for x in game.payoffs),
        "plies": game.plies,
        "reason": game.reason,
    }
