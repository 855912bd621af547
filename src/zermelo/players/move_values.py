"""What each move at the root is worth, all of them alike: for a player that does not always take the best.

A search with a window knows the value of its best move, and of the others only that they are no better. Here every
move gets a value of its own, so that they can be compared. By what the game offers:

    two sides, rules    plain alpha-beta below every move, deeper while the budget of nodes lasts; where the game has no
                        evaluation, random games tell apart the moves that the search finds equal
    many sides, rules   random games after every move
    plain Python        the textbook, two plies or as many as the budget allows
    a searcher          … is asked instead, where one is given that values every move (`AlphaBeta(multi_pv=True)`)

Values are from the view of the player to move. Whoever must leave off (`is_stopped`) gets what is found so far: the
values of the ply before, of fewer random games, of a look at the moves alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.compile.evaluator import Handcrafted
from zermelo.compile.record_game import RecordGame
from zermelo.core.game import OVER, Game
from zermelo.core.history import History
from zermelo.search.limits import Limits
from zermelo.search.plain_alphabeta import plain_alphabeta
from zermelo.search.playout import playouts
from zermelo.search.report import Report
from zermelo.search.searcher import Searcher

MOST_PLIES = 400  # of a random game: one that is longer says nothing
PURE_PYTHON = 50  # how much slower a node is there
Stopped = Callable[[], bool]  # must we leave off?


class Effort(NamedTuple):
    """What went into the values of all moves."""

    depth: int
    nodes: int


BLIND = Handcrafted(0.0)  # sees ends alone; of the type that is compiled anyway


@dataclass(frozen=True)
class MoveValue:
    """One move at the root, from the view of whoever plays it."""

    action: Any
    after: Any
    value: float
    wins: bool = False  # the game is over, and won
    loses: bool = False  # … or lost, or the other side can end it so with its next move


@dataclass(frozen=True)
class Valued:
    """All moves, and what was done to value them."""

    moves: list[MoveValue]
    depth: int = 0  # plies, the move included; 0: random games alone
    nodes: int = 0  # where they were counted
    report: Report | None = None  # of the searcher that was asked


def is_two_sided(game: Game[Any, Any]) -> bool:
    """Do all that is won on one side and all that is lost on the other add up, for two sides or for one?"""
    sides = {game.side(p) for p in range(game.players)}
    return len(sides) == 1 or (len(sides) == 2 and game.zero_sum)


def value_moves(
    history: History[Any, Any],
    depth: int,
    nodes: int,
    seed: int,
    searcher: Searcher | None = None,
    is_stopped: Stopped = lambda: False,
    on_report: Callable[[Report], None] = lambda report: None,
) -> Valued:
    """Every legal move, searched to `depth` plies or about `nodes` nodes, whichever is less."""
    game, player = history.game, history.player()
    spent, report = Effort(1, 0), None
    valued, unknown = ends_at_once(history)
    if unknown:
        if searcher is not None:
            limits = Limits(depth=depth, nodes=nodes, shortening=0)
            report = asked(searcher, history, limits, is_stopped, on_report)
            sign = 1.0 if game.side(report.view) == game.side(player) else -1.0
            found = {move.action: sign * move.value for move in report.moves if move.nodes > 0}
            worst = min(found.values(), default=0.0)  # nothing speaks for a move that was not looked at
            unknown = _without_detours(searcher, unknown)
            values, spent = [found.get(action, worst) for action, _ in unknown], Effort(report.depth, report.nodes)
        else:
            states = [after for _, after in unknown]
            values, spent = _values(game, player, states, depth, nodes, seed, is_stopped)
        if isinstance(game, RecordGame) and is_two_sided(game) and not game.has_evaluation:
            states = [after for _, after in unknown]
            averages = _averages(game, player, states, nodes, seed, is_stopped)  # 0: nothing decided in sight
            values = [value or average / 2 for value, average in zip(values, averages, strict=True)]
        for (action, after), value in zip(unknown, values, strict=True):
            valued.append(MoveValue(action, after, value, loses=loses_at_once(game, after, player)))
    return Valued(valued, *spent, report)


def _without_detours(searcher: Searcher, moves: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Where tables know all moves, and the plies to the end: of those that are worth the same only the ones that win
    soonest, or hold out longest. Else nobody who draws lots among wins would ever win."""
    known = getattr(searcher, "known_root", None)
    if known is None or not known.verdict.has_plies:
        return moves
    worth = known.verdict.actions
    if any(worth.get(action) is None for action, _ in moves):
        return moves
    best: dict[float, int] = {}
    for action, _ in moves:
        value, plies = worth[action]
        if value:
            best[value] = (min if value > 0 else max)(best.get(value, plies), plies)
    return [move for move in moves if worth[move[0]].plies == best.get(worth[move[0]].value)]


def ends_at_once(history: History[Any, Any]) -> tuple[list[MoveValue], list[tuple[Any, Any]]]:
    """The moves that end the game, with what they bring; and the others, each with the state after it."""
    player, ends, others = history.player(), [], []
    for action in history.actions():
        history.play(action)
        try:
            after, over = history.state, history.is_over
            payoff = history.utility(player) if over else 0.0
        finally:
            history.undo()
        if over:
            ends.append(MoveValue(action, after, payoff, payoff > 0, payoff < 0))
        else:
            others.append((action, after))
    return ends, others


def expected_line(game: Game[Any, Any], s: Any, depth: int) -> tuple[Any, ...]:
    """What plain alpha-beta expects to be played from `s` on, `depth` plies or until nature moves."""
    line: list[Any] = []
    while isinstance(game, RecordGame) and depth > 0 and game.player(s) >= 0:
        best = plain_alphabeta(game, s, depth).best
        if best is None:
            break
        line.append(best)
        s, depth = game.succ(s, best), depth - 1
    return tuple(line)


def asked(
    searcher: Searcher,
    history: History[Any, Any],
    limits: Limits,
    is_stopped: Stopped,
    on_report: Callable[[Report], None],
) -> Report:
    """What a search says of every move."""
    reports = searcher.reports(history, limits)
    if is_stopped():  # before the search had begun
        searcher.stop()
    for report in reports:
        on_report(report)
    return report


def loses_at_once(game: Game[Any, Any], s: Any, player: int) -> bool:
    """Can the other side end the game with its next move so that `player` has lost?"""
    mover = game.player(s)
    if mover < 0 or game.side(mover) == game.side(player):
        return False
    if isinstance(game, RecordGame) and is_two_sided(game):
        value = plain_alphabeta(game, s, 1, evaluator=BLIND).value
        return value < 0 if game.side(player) == 0 else value > 0
    ends = (after for a in game.actions(s) if game.player(after := game.succ(s, a)) == OVER)
    return any(game.utility(after, player) < 0 for after in ends)


def _values(
    game: Game[Any, Any], player: int, states: Sequence[Any], depth: int, nodes: int, seed: int, is_stopped: Stopped
) -> tuple[list[float], Effort]:
    sign = 1.0 if game.side(player) == 0 else -1.0
    if not isinstance(game, RecordGame):
        if is_two_sided(game):
            from zermelo.textbook import alphabeta

            plies = _plies(game, states[0], depth, nodes // PURE_PYTHON)
            values = [sign * alphabeta(game, s, depth=0 if is_stopped() else plies - 1) for s in states]
            return values, Effort(plies, 0)
        from zermelo.textbook import limited_maxn

        values = [limited_maxn(game, s, 1, evaluate=lambda s: (0.0,) * game.players)[player] for s in states]
        return values, Effort(2, 0)
    if not is_two_sided(game):
        return _averages(game, player, states, nodes, seed, is_stopped), Effort(0, 0)
    values, spent = _deepening(lambda s, d: _searched(game, s, d), states, depth, nodes, is_stopped)
    return [sign * value for value in values], spent


def _searched(game: RecordGame, s: Any, depth: int) -> tuple[float, int]:
    found = plain_alphabeta(game, s, depth)
    return found.value, found.nodes


def _deepening(
    search: Callable[[Any, int], tuple[float, int]],
    states: Sequence[Any],
    depth: int,
    nodes: int,
    is_stopped: Stopped,
) -> tuple[list[float], Effort]:
    """The values of `states` to depth - 1 plies, or as deep as the nodes allow: a ply costs more than the one before
    by what the last one grew by."""
    values: list[float] = []
    spent = last = before = reached = 0
    for plies in range(depth):
        if plies >= 2 and spent + last * max(2, last // max(1, before)) > nodes:
            break
        found = [search(s, plies) for s in states if plies == 0 or not is_stopped()]
        if len(found) < len(states):
            break
        values, reached = [value for value, _ in found], plies + 1
        before, last = last, sum(count for _, count in found)
        spent += last
    return values, Effort(reached, spent)


def _averages(
    game: RecordGame, player: int, states: Sequence[Any], nodes: int, seed: int, is_stopped: Stopped
) -> list[float]:
    """What random games after each move bring `player`; about `nodes` moves are played in all."""
    length = min(game.variant.max_plies or MOST_PLIES, MOST_PLIES)
    games = max(4, nodes // (length * len(states)))
    return [
        playouts(game, 1 if is_stopped() else games, s, seed + i, MOST_PLIES).mean[player] for i, s in enumerate(states)
    ]


def _plies(game: Game[Any, Any], s: Any, depth: int, nodes: int) -> int:
    """How deep plain Python can look: two plies, more where moves are few."""
    moves = max(2, len(game.actions(s)))
    plies = 2
    while plies < depth and moves ** (plies + 1) < nodes:
        plies += 1
    return min(plies, depth)
