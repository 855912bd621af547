"""An agent in its world: it searches with what it believes of the others, they do what they are.

    frame     the position after a move of anybody, and, where the agent is to move, what it thinks of its moves

The searches are the textbook's, over compiled rules, counted in rounds: a move of everybody. An agent takes the first
of the moves that look best to it, which is what the lessons are about. Values are player 0's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from math import inf
from random import Random
from typing import Any

from zermelo.core.game import CHANCE, Game, GameError
from zermelo.textbook.alphabeta import alphabeta
from zermelo.textbook.depth import countdown, limited_expectimax, limited_minimax
from zermelo.textbook.policies import sample, uniform

State = Any
AGENT = 0
FEW = 1e-9


@dataclass(frozen=True)
class Worth:
    """What the agent thinks of one of its moves."""

    move: str
    value: float
    is_bound: bool = False  # at most this: alpha-beta looked no further


@dataclass(frozen=True)
class Thought:
    """A decision of the agent's."""

    best: str
    worth: list[Worth]
    positions: int  # looked at

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass
class Frame:
    """One picture of an episode."""

    ply: int
    position: str
    score: int
    mover: int | None = None  # who has just moved
    move: str = ""
    thought: Thought | None = field(default=None)  # of the agent, about the move it makes from here

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class Counting:
    """A game that counts the positions somebody looks at."""

    def __init__(self, game: Game[Any, Any]):
        self._game = game
        self.positions = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def succ(self, s: State, a: Any) -> State:
        self.positions += 1
        return self._game.succ(s, a)


def think(game: Game[Any, Any], s: State, agent: str, depth: int) -> tuple[Any, Thought]:
    """The agent's move in `s`, and why."""
    counted: Any = Counting(game)
    worth, best, chosen = [], -inf, None
    value = searcher(counted, agent, countdown(game, "rounds")(game.player(s), depth))
    for a in game.actions(s):
        found, is_bound = value(counted.succ(s, a), best)
        worth.append(Worth(game.format_action(s, a), found, is_bound))
        if chosen is None or (found > best + FEW * (1 + abs(best)) and not is_bound):  # rounding makes no difference
            best, chosen = found, a
    return chosen, Thought(game.format_action(s, chosen), worth, counted.positions)


def searcher(game: Any, agent: str, depth: float) -> Callable[[State, float], tuple[float, bool]]:
    """value(s, α): what `s` is worth with so many rounds to go, and whether that is only a bound (≤ α)."""
    if agent == "minimax":
        return lambda s, alpha: (limited_minimax(game, s, depth, count="rounds"), False)
    if agent == "expectimax":
        believed = {p: uniform(game) for p in range(game.players) if game.side(p) != game.side(AGENT)}
        return lambda s, alpha: (limited_expectimax(game, s, depth, believed, count="rounds"), False)
    if agent == "alphabeta":

        def cutting(s: State, alpha: float) -> tuple[float, bool]:
            found = alphabeta(game, s, depth=depth, alpha=alpha, count="rounds")
            return found, found <= alpha

        return cutting
    raise GameError(f"there is no agent '{agent}'")


def worst(game: Game[Any, Any], s: State, depth: int) -> Any:
    """What somebody on another side than the agent's does who wants its worst: the first of such moves."""
    left = countdown(game, "rounds")(game.player(s), depth)
    best, chosen = inf, None
    for a in game.actions(s):
        found = alphabeta(game, game.succ(s, a), depth=left, beta=best, count="rounds")
        if chosen is None or found < best:
            best, chosen = found, a
    return chosen


def others_move(
    game: Game[Any, Any], world: Game[Any, Any] | None, s: State, depth: int, random: Random
) -> Any:  # fmt: skip
    """What happens where the agent is not to move: nature's own draw, what `world` draws, or the worst."""
    if game.player(s) == CHANCE:
        return sample(dict(game.chances(s)), random)
    if world is None:
        return worst(game, s, depth)
    there = world.parse(game.format(s))
    odds: Mapping[Any, float] = dict(world.chances(there))
    return game.parse_action(s, world.format_action(there, sample(odds, random)))


def play(
    game: Game[Any, Any],
    world: Game[Any, Any] | None,
    score: Callable[[State], int],
    agent: str,
    depth: int,
    seed: int,
) -> Iterator[tuple[State, Frame]]:
    """An episode from the start to its end, a frame at a time."""
    random, s = Random(seed), game.start()
    frame = Frame(0, game.format(s), score(s))
    while not game.is_end(s):
        mover = game.player(s)
        if mover == AGENT:
            action, frame.thought = think(game, s, agent, depth)
        else:
            action = others_move(game, world, s, depth, random)
        yield s, frame
        move = game.format_action(s, action)
        s = game.succ(s, action)
        frame = Frame(frame.ply + 1, game.format(s), score(s), mover, move)
    yield s, frame
