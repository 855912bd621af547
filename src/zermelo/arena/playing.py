"""One game of a plan, played to its end, as a record (see records.py).

dice      the n-th time nature moves, the n-th number of the group's stream decides, whatever was played before:
          all games of a group see the same luck
opening   the plan's position for the group, then `plan.opening` random moves that do not end the game: the same for
          the whole group
faults    a player who plays an illegal move, fails, or oversteps its time (by more than `plan.margin` seconds)
          loses the game, and the record says why
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import zermelo
from zermelo.arena.plan import Fixture, Plan
from zermelo.core.game import CHANCE, Game, GameError
from zermelo.core.history import History
from zermelo.core.words import count
from zermelo.players.player import Player
from zermelo.search.limits import Stuck

ATTEMPTS = 200  # to find an opening after which the game goes on

FINISHED, REPETITION, TOO_LONG = "finished", "repetition", "too long"
ILLEGAL, FAILED, OVERSTEPPED = "illegal move", "failed", "overstepped time"
FAULTS = (ILLEGAL, FAILED, OVERSTEPPED)


class Watch(Protocol):
    """Somebody who looks on while a player thinks, and may have to say what became of the game."""

    def begins(self, seat: int, seconds: float | None, lost: Callable[[tuple[int, str, str]], dict[str, Any]]) -> None:
        """`seat` begins to think, for so many seconds; `lost(fault)` is the record if it loses by a fault now."""

    def ends(self) -> None: ...


class Dice:
    """Nature, from a seed: the n-th outcome depends on the n-th number alone, not on what was played."""

    def __init__(self, seed: int):
        self._random = random.Random(seed)

    def roll(self, game: Game[Any, Any], s: Any) -> Any:
        x = self._random.random()
        outcomes = game.chances(s)
        for outcome, probability in outcomes:
            x -= probability
            if x < 0:
                return outcome
        return outcomes[-1][0]


def make_opening(plan: Plan, game: Game[Any, Any], group: int) -> History[Any, Any]:
    """A game in progress: the opening of `group` has been played."""
    position = plan.position(group)
    start = game.start() if position is None else game.parse(position)
    for attempt in range(ATTEMPTS):
        draw = random.Random(plan.seed_for("opening", group, attempt))
        dice = Dice(plan.seed_for("opening dice", group, attempt))
        history = History(game, start)
        plies = 0
        while plies < plan.opening and not history.is_over:
            if history.player() == CHANCE:
                history.play(dice.roll(game, history.state))
            else:
                history.play(draw.choice(list(history.actions())))
                plies += 1
        if not history.is_over:
            return history
    raise GameError(
        f"{game.name}: every opening of {count(plan.opening, 'random ply', 'random plies')} ends the game; take fewer"
    )


def play_game(
    plan: Plan,
    fixture: Fixture,
    game: Game[Any, Any],
    players: Sequence[Player],
    watch: Watch | None = None,
) -> dict[str, Any]:
    """Play `fixture`; its record. `players[p]` sits in seat p."""
    began = time.perf_counter()
    history = make_opening(plan, game, fixture.group)
    opening, dice = len(history.moves), Dice(plan.seed_for("dice", fixture.group))
    used = [0.0] * plan.seats
    fault: tuple[int, str, str] | None = None
    for seat, player in enumerate(players):
        if player not in players[:seat]:
            player.reset(plan.seed_for("player", fixture.group, fixture.seats[seat], seat))
    while (seat := history.player()) >= CHANCE and len(history.moves) < plan.max_plies:
        if seat == CHANCE:
            history.play(dice.roll(game, history.state))
            continue
        limit = players[seat].seconds
        fault = _make_ready(players[seat], history, seat)
        if fault is not None:
            break
        if watch is not None:
            plies = len(history.moves)  # it may try moves in the history while it thinks
            watch.begins(
                seat,
                limit,
                lambda why, n=plies: _lost_now(plan, fixture, history, n, opening, used, why),  # type: ignore[misc]
            )
        before = time.perf_counter()
        action, fault = _choose(players[seat], history, seat)
        took = time.perf_counter() - before
        if watch is not None:
            watch.ends()
        used[seat] += took
        if fault is None and limit is not None and took > limit + plan.margin:
            fault = seat, OVERSTEPPED, f"{took:.2f} s of {limit:g} s"
        if fault is not None:
            break
        history.play(action)
    return make_record(plan, fixture, history, opening, used, fault, time.perf_counter() - began)


def _lost_now(
    plan: Plan,
    fixture: Fixture,
    history: History[Any, Any],
    plies: int,
    opening: int,
    used: list[float],
    why: tuple[int, str, str],
) -> dict[str, Any]:
    """The record of this game if the player who is thinking after `plies` loses it now."""
    so_far: History[Any, Any] = History(history.game, history.states[0])
    for action in history.moves[:plies]:
        so_far.play(action)
    return make_record(plan, fixture, so_far, opening, used, why, sum(used))


def _choose(player: Player, history: History[Any, Any], seat: int) -> tuple[Any, tuple[int, str, str] | None]:
    """The action, or what went wrong: (seat, fault, details)."""
    action, fault = _ask(player.choose, history, seat)
    if fault is None and not history.is_legal(action):
        return None, (seat, ILLEGAL, repr(action)[:200])
    return action, fault


def _make_ready(player: Player, history: History[Any, Any], seat: int) -> tuple[int, str, str] | None:
    """Compile and load what the player needs here, before its clock runs; what went wrong."""
    return _ask(player.make_ready, history, seat)[1]


def _ask(
    question: Callable[[History[Any, Any]], Any], history: History[Any, Any], seat: int
) -> tuple[Any, tuple[int, str, str] | None]:
    """What a player answers, or what went wrong."""
    plies = len(history.moves)
    try:
        return question(history), None
    except Stuck:  # the rules' fault, and nobody can play on
        raise
    except Exception as problem:
        said = str(problem) if isinstance(problem, GameError) else f"{type(problem).__name__}: {problem}"
        return None, (seat, FAILED, said[:500])
    finally:
        while len(history.moves) > plies:  # it was trying moves when it failed
            history.undo()


def make_record(
    plan: Plan,
    fixture: Fixture,
    history: History[Any, Any],
    opening: int,
    used: list[float],
    fault: tuple[int, str, str] | None,
    seconds: float,
) -> dict[str, Any]:
    """The game as a line of a record file."""
    game = history.game
    moves = [game.format_action(s, a) for s, a in zip(history.states, history.moves, strict=False)]
    nature = [move for s, move in zip(history.states, moves, strict=False) if game.player(s) == CHANCE]
    details = ""
    if fault is not None:
        seat, reason, details = fault
        payoffs = forfeit(plan.sides, seat)
    elif history.is_over:
        reason = REPETITION if history.is_repeated else FINISHED
        payoffs = [float(history.utility(p)) + 0.0 for p in range(plan.seats)]  # and no -0.0
    else:
        reason, payoffs = TOO_LONG, [0.0] * plan.seats
    return {
        "zermelo": zermelo.__version__,
        "plan": plan.identity,
        "number": fixture.number,
        "group": fixture.group,
        "game": plan.game,
        "options": plan.options,
        "start": plan.position(fixture.group),
        "players": [plan.players[n] for n in fixture.seats],
        "seats": list(fixture.seats),
        "opening": opening,
        "moves": moves,
        "dice": nature,
        "payoffs": payoffs,
        "reason": reason,
        "fault": None if fault is None else {"seat": fault[0], "details": details},
        "seconds": round(seconds, 3),
        "used": [round(u, 3) for u in used],
        "seed": plan.seed,
        "kind": plan.kind,
    }


def forfeit(sides: Sequence[int], seat: int) -> list[float]:
    """The payoffs of a game that `seat` has lost by a fault: -1 for its side, and the others share 1."""
    others = len(set(sides)) - 1
    return [-1.0 if side == sides[seat] else 1.0 / others for side in sides]
