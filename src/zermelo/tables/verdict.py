"""What tables say of a position and of each of its actions, in one form for games with and without chance.

    verdict = judge(tables, state)        None where they do not know
    verdict.worth                         Worth(value=1.0, plies=13): to `verdict.view`, who moves
    verdict.actions                       the same of every action, counted from this position on
    verdict.perfect                       the actions that give nothing away, and no ply of a win or a defence either

A position that is in no table itself is known where its actions are: after dice were rolled, before a capture.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.compile.endings import won_payoff
from zermelo.compile.record_game import RecordGame, State
from zermelo.core.game import CHANCE, OVER, Game, GameError
from zermelo.core.words import plies
from zermelo.tables.tables import Found, Tables, locate_alone

SAME = 1e-6  # averages closer than this are the same: they are kept with 24 bits


class Worth(NamedTuple):
    """What something is worth, exactly."""

    value: float  # a payoff; on average, where there is chance
    plies: int | None = None  # of a win or a loss: to the end of the game, where they are known

    def words(self, is_average: bool, digits: int = 4) -> str:
        """won in 13 plies; drawn; +0.2134 on average. To whoever's payoff it is."""
        if is_average:
            return f"{self.value:+.{digits}f} on average"
        if not self.value:
            return "drawn"
        said = "won" if self.value > 0 else "lost"
        return said if self.plies is None else f"{said} in {plies(self.plies)}"


@dataclass(frozen=True)
class Verdict:
    """A position that tables know. All worths are payoffs of player `view`."""

    view: int  # who moves; before chance, who sees the position
    worth: Worth
    actions: dict[int, Worth | None]  # or what chance may do; None: the tables do not know
    is_average: bool  # exact on average: the game has chance
    is_chance: bool = False  # is it chance's turn? Then nobody chooses

    def is_as_good(self, action: int) -> bool:
        """Does it give nothing away?"""
        after = self.actions.get(action)
        return after is not None and abs(after.value - self.worth.value) < SAME * max(1.0, abs(after.value))

    @property
    def perfect(self) -> tuple[int, ...]:
        """The actions that give nothing away; if plies are known, those that win soonest or hold out longest."""
        good = [] if self.is_chance else [a for a in self.actions if self.is_as_good(a)]
        kept = {a: after.plies for a in good if (after := self.actions[a]) is not None and after.plies is not None}
        if len(kept) < len(good) or not good:
            return tuple(good)
        wanted = min(kept.values()) if self.worth.value > 0 else max(kept.values())
        return tuple(a for a in good if kept[a] == wanted)

    @property
    def has_plies(self) -> bool:
        """Is it known how soon everything ends that ends? On average nothing does."""
        if self.is_average:
            return False
        worths = (self.worth, *self.actions.values())
        return not any(worth is not None and worth.value and worth.plies is None for worth in worths)

    def as_dict(self, game: Game[Any, Any], s: State) -> dict[str, Any]:
        """All of it for JSON, the actions as people write them, from good to bad."""
        moves = [
            {"move": game.format_action(s, a), **worth_dict(self.actions[a]), "is_perfect": a in self.perfect}
            for a in ranked_actions(self.actions)
        ]
        return {"view": self.view, **worth_dict(self.worth), "is_average": self.is_average, "moves": moves}


def worth_dict(worth: Worth | None, sign: float = 1.0) -> dict[str, Any]:
    """For JSON; with `sign` -1, to the other side. Nothing is known of None."""
    if worth is None:
        return {"value": None, "plies": None}
    return {"value": sign * worth.value + 0.0, "plies": worth.plies}  # no minus before nothing


def judge(tables: Tables, s: State) -> Verdict | None:
    """What the tables say of `s`; None where they know neither it nor all that it leads to, or where it is over."""
    game = tables.game
    player, is_average = game.player(s), bool(game.variant.max_chance_outcomes)
    if player == OVER:
        return None
    worth = _look_up(tables, s)
    if worth is None and player == CHANCE:
        return None
    actions = judge_actions(tables, s)
    worth = worth or _best(actions.values())
    return None if worth is None else Verdict(viewer(tables, s), worth, actions, is_average, player == CHANCE)


def judge_actions(tables: Tables, s: State) -> dict[int, Worth | None]:
    """What everything is worth that may be done in `s`, to whoever sees it."""
    game = tables.game
    if game.player(s) == CHANCE:
        return _outcomes(tables, s, viewer(tables, s))
    if game.variant.max_chance_outcomes:
        return {a: None if paid is None else Worth(paid) for a, paid in tables.expected_actions(s).items()}
    pays = payoffs(tables.game)
    return {a: _paid(after, pays) for a, after in tables.judge_actions(s).items()}


def ranked_actions(actions: dict[int, Worth | None]) -> list[int]:
    """From good to bad; those that are not known last."""
    return sorted(actions, key=lambda a: _order(actions[a]))


def perfect_line(tables: Tables, s: State, most: int) -> tuple[int, ...]:
    """What perfect play leads to from `s`, so many moves at most: to the end where plies are known, else one move."""
    line: list[int] = []
    while len(line) < most and tables.game.player(s) not in (CHANCE, OVER):
        verdict = judge(tables, s)
        if verdict is None:
            break
        line.append(verdict.perfect[0])
        if verdict.worth.plies is None:  # which of several is the way is not known
            break
        s = tables.game.succ(s, line[-1])
    return tuple(line)


def viewer(tables: Tables, s: State) -> int:
    """Whose payoffs are told of `s`: who moves; before chance, who sees the position."""
    player = tables.game.player(s)
    return _who_sees(tables, s) if player == CHANCE else player


def _who_sees(tables: Tables, s: State) -> int:
    return int(tables.game.run(locate_alone, tables.game.record(s), 0)[1])


def _look_up(tables: Tables, s: State) -> Worth | None:
    """To the viewer."""
    if not tables.game.variant.max_chance_outcomes:
        return _paid(tables.probe(s), payoffs(tables.game))
    value = tables.expected(s)  # to whoever sees the position, who need not be the one to move
    return None if value is None else Worth(value if _who_sees(tables, s) == viewer(tables, s) else -value)


def _order(worth: Worth | None) -> tuple[bool, float, float]:
    """Among wins the soonest first, among losses the latest."""
    if worth is None:
        return True, 0.0, 0.0
    return False, -worth.value, (worth.plies or 0) * (1 if worth.value > 0 else -1)


def _outcomes(tables: Tables, s: State, view: int) -> dict[int, Worth | None]:
    """What every roll is worth to `view`."""
    found: dict[int, Worth | None] = {}
    for a, _ in tables.game.chances(s):
        after = tables.game.succ(s, a)
        verdict = judge(tables, after)
        if verdict is not None:
            found[a] = Worth(verdict.worth.value if verdict.view == view else -verdict.worth.value)
        else:
            is_over = tables.game.player(after) == OVER
            found[a] = Worth(float(tables.game.utility(after, view))) if is_over else None
    return found


def payoffs(game: RecordGame) -> dict[int, float]:
    """What a win, a draw and a loss pay; empty where the rules do not say that these are all there is."""
    won = won_payoff(game.variant)
    return {} if won is None else {1: won, 0: 0.0, -1: -won}


def need_payoffs(game: RecordGame) -> None:
    """A GameError if a table does not say what is paid."""
    rules = game.variant
    if rules.max_chance_outcomes or payoffs(game):
        return
    need_declared_payoffs(game)
    raise GameError(f"{game.name}: tables say won, drawn or lost; its payoffs (utility_values, utility_range) say more")


def need_declared_payoffs(game: RecordGame) -> None:
    """A GameError if that is so because the rules declare no payoffs at all."""
    rules = game.variant
    if not rules.max_chance_outcomes and rules.utility_values is None and rules.utility_range is None:
        raise GameError(
            f"{game.name}: tables say won, drawn or lost, and the rules do not say what that pays: declare "
            "utility_values"
        )


def _paid(found: Found | None, pays: dict[int, float]) -> Worth | None:
    return None if found is None or not pays else Worth(pays[found.value], found.plies if found.value else None)


def _best(worths: Iterable[Worth | None]) -> Worth | None:
    """The best of what one may choose from, if all of it is known."""
    listed = list(worths)
    known = [worth for worth in listed if worth is not None]
    return min(known, key=_order) if known and len(known) == len(listed) else None
