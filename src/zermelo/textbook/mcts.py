"""Monte Carlo tree search, plain: a tree that grows where playing has gone well, and averages for values.

One round is four steps, and n rounds are the search:

    select     from the root down, while every move of a node has been tried: the child with the greatest bound
    expand     the first move not tried yet becomes a new node of the tree
    simulate   from there everybody plays at random, to the end of the game: a utility u
    backup     every node on the way back gets one visit and u more

The bound is that of UCT: what a child has given on average, and more for children that were seldom looked at,

    w · mean(child) + c · √(ln N(node) / N(child))          w = 1 where MAX moves, −1 where MIN does

so that a child that looks bad is tried again, ever more rarely. Means, totals and utilities are from player 0's view.
At a chance node nobody selects: nature draws. The more rounds, the nearer the mean of the root comes to minimax (to
expectiminimax where there is chance); after any number, the move to play is the one with the most visits.

References: Kocsis and Szepesvári 2006; Coulom 2006; Auer, Cesa-Bianchi and Fischer 2002 (the bound).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, log, sqrt
from random import Random
from typing import Generic, Literal

from zermelo.core.game import CHANCE, A, Game, GameError, S
from zermelo.textbook.policies import Choice, sample
from zermelo.textbook.sides import maximizes

Event = Literal["select", "expand", "simulate", "backup"]


@dataclass(eq=False)
class Tried(Generic[S, A]):
    """A node of the search's own tree."""

    state: S
    path: tuple[A, ...] = ()  # the moves from the root to it
    untried: list[A] = field(default_factory=list)  # empty at chance nodes, where nature chooses
    visits: int = 0
    total: float = 0.0  # of the utilities of all visits, player 0's view
    children: dict[A, Tried[S, A]] = field(default_factory=dict)

    @property
    def mean(self) -> float:
        return self.total / self.visits if self.visits else 0.0

    @property
    def best(self) -> A | None:
        """The move with the most visits; among equals the one tried first."""
        return max(self.children, key=lambda a: self.children[a].visits, default=None)


@dataclass(frozen=True)
class TreeStep(Generic[A]):
    """One event of a search; what is counted is as it stood just after it."""

    event: Event
    number: int  # of the round, from 1
    path: tuple[A, ...]  # to the node it is about
    visits: int = 0  # of that node
    total: float = 0.0
    bounds: tuple[tuple[A, float], ...] = ()  # select: what each child of the node above was judged by
    played: tuple[A, ...] = ()  # simulate: the random moves
    utility: float | None = None  # simulate, backup: u


def mcts(
    game: Game[S, A],
    s: S,
    n: int,
    rng: Random | int,
    *,
    c: float = sqrt(2),
    steps: list[TreeStep[A]] | None = None,
) -> Tried[S, A]:
    """The tree after `n` rounds from `s`; `root.mean` estimates its value (player 0's view), `root.best` is the move.

    `rng` is a generator or a seed. `c` is in the unit of the utilities: √2 suits utilities from 0 to 1, and others are
    served by √2 times the difference of the largest and the smallest. `steps` is filled with everything that happened.
    """
    if n < 1:
        raise GameError(f"Monte Carlo tree search needs at least one round, not {n}")
    dice = rng if isinstance(rng, Random) else Random(rng)
    told: list[TreeStep[A]] = [] if steps is None else steps
    root = _node(game, s, ())
    for number in range(1, n + 1):
        way = _descend(game, root, dice, c, number, told)
        played, utility = _simulate(game, way[-1].state, dice)
        told.append(TreeStep("simulate", number, way[-1].path, way[-1].visits, way[-1].total, (), played, utility))
        for node in reversed(way):
            node.visits += 1
            node.total += utility
            told.append(TreeStep("backup", number, node.path, node.visits, node.total, utility=utility))
    return root


def chosen(root: Tried[S, A]) -> Choice[A]:
    """What a search found: the mean of the root, and the move with the most visits."""
    return Choice(root.mean, root.best)


def _node(game: Game[S, A], s: S, path: tuple[A, ...]) -> Tried[S, A]:
    return Tried(s, path, [] if game.player(s) == CHANCE else list(game.actions(s)))


def _descend(
    game: Game[S, A], root: Tried[S, A], dice: Random, c: float, number: int, told: list[TreeStep[A]]
) -> list[Tried[S, A]]:
    """Select and expand: the nodes from the root to the one this round is about."""
    way = [root]
    while not game.is_end((node := way[-1]).state):
        bounds: tuple[tuple[A, float], ...] = ()
        if game.player(node.state) == CHANCE:
            a = sample(dict(game.chances(node.state)), dice)
        elif node.untried:
            a = node.untried.pop(0)
        else:
            bounds = tuple((b, bound(game, node, b, c)) for b in node.children)
            a = max(bounds, key=lambda judged: judged[1])[0]
        is_new = a not in node.children
        if is_new:
            node.children[a] = _node(game, game.succ(node.state, a), (*node.path, a))
        child = node.children[a]
        way.append(child)
        event: Event = "expand" if is_new else "select"
        told.append(TreeStep(event, number, child.path, child.visits, child.total, bounds))
        if is_new:
            break
    return way


def bound(game: Game[S, A], node: Tried[S, A], a: A, c: float) -> float:
    """What the player to move at `node` hopes of `a`: an upper bound of its mean, from that player's view."""
    child = node.children[a]
    if not child.visits:
        return inf
    mean = child.mean if maximizes(game, game.player(node.state)) else -child.mean
    return mean + c * sqrt(log(node.visits) / child.visits)


def _simulate(game: Game[S, A], s: S, dice: Random) -> tuple[tuple[A, ...], float]:
    """Random moves to the end, each as likely as the others (nature keeps its odds), and what player 0 gets there."""
    played: list[A] = []
    while not game.is_end(s):
        if game.player(s) == CHANCE:
            a = sample(dict(game.chances(s)), dice)
        else:
            a = dice.choice(list(game.actions(s)))
        played.append(a)
        s = game.succ(s, a)
    return tuple(played), game.utility(s)
