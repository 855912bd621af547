"""n trees in memory, one for every game of a batch. Records throughout, as in zermelo.batch.

    slots    one a tree     counters, generator, the leaf that waits to be judged, where sequential halving stands
    nodes    N a tree       0 root │ 1 │ 2 │ … free                         positions that were judged, and chance nodes
    edges    E a tree       of node 0 │ of node 1 │ of node 2 │ … free      their actions or outcomes, side by side
    keys     a row a tree   positions of the game that can come back, then of the walk

A node knows the edge that leads to it and the node which that belongs to, so that a walk is found again from its end.
An edge has what a choice looks at (visits, value, prior), so that a choice reads one stretch of memory, 32 bytes an
action, and no node. No state is kept: a walk replays its moves.

A position gets a node and its edges when a walk first comes to it, and priors when it has been judged. If there is no
room left, it is judged and backed up all the same, but gets none: it stays an action without a node.

Values are payoffs as the game gives them. A node of a game of one, or of two that is zero-sum, keeps player 0's
(`values` = 1); any other keeps every player's. An edge keeps its mover's own; of chance, player 0's.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import numpy as np

from zermelo.batch.arrays import remembered, streams
from zermelo.compile.random import scramble
from zermelo.compile.record_game import RecordGame
from zermelo.core.game import OVER, GameError
from zermelo.search.mcts.tree import count_values

MOST_SIMULATIONS = 30_000  # that an edge's two bytes number the nodes of
MOST_DEPTH = 128  # plies of a walk in which repetition is looked for
IDLE, WAITING = 0, 1  # of a tree: nothing is to be judged; a leaf is
TREES = np.uint64(0x6A09E667F3BCC908)  # makes a seed's generators others than those of a batch with the same seed
ILLEGAL, PROVEN = 1, 2  # marks: forbidden by repetition; the value is certain
NOWHERE = -1

EDGE = np.dtype(
    [
        ("action", "i8"),
        ("total", "f8"),  # of the mover's payoffs backed up; once proven, the payoff itself
        ("visits", "i4"),
        ("policy", "i4"),  # the action's number
        ("prior", "f4"),  # of an action: its probability (PUCT) or the logarithm (Gumbel); of an outcome: probability
        ("child", "u2"),  # node, or 0
        ("marks", "u2"),
    ],
    align=True,
)


def node_dtype(values: int) -> np.dtype[np.void]:
    return np.dtype(
        [
            ("total", "f8", (values,)),  # of the payoffs backed up; once proven, the payoff itself
            ("visits", "i4"),
            ("first", "i4"),  # edge
            ("count", "i4"),  # of edges
            ("edge", "i4"),  # that leads here, or NOWHERE
            ("judged", "f4"),  # what the judge said: the mover's payoff
            ("parent", "u2"),  # node
            ("mover", "i1"),  # player, or CHANCE
            ("marks", "u1"),
        ],
        align=True,
    )


def slot_dtype(players: int) -> np.dtype[np.void]:
    return np.dtype(
        [
            ("payoff", "f8", (players,)),  # that is backed up
            ("random", "u8", (1,)),  # the tree's own generator
            ("least", "f8"),  # payoffs: as declared, or seen so far
            ("most", "f8"),
            ("nodes", "i4"),  # taken
            ("edges", "i4"),
            ("simulations", "i4"),  # asked for
            ("left", "i4"),  # still to be made; the root's judgement counts as one
            ("row", "i4"),  # where the judge sees this tree's leaf
            ("status", "i4"),
            ("leaf", "i4"),  # node that waits, or NOWHERE: there was no room
            ("edge", "i4"),  # that leads to the leaf, or NOWHERE at the root
            ("parent", "i4"),  # node which that belongs to
            ("mover", "i4"),  # at the leaf
            ("top", "i4"),  # the root's place among the keys
            ("sought", "i4"),  # sequential halving: actions of this round,
            ("sweeps", "i4"),  # … how often all of them are still to be visited in it,
            ("place", "i4"),  # … how many were in this sweep,
            ("level", "i4"),  # … and how many visits each had before it
            ("halvings", "i4"),
            ("chosen", "i4"),  # at the end: the number of the action to be played
            ("full", "i4"),  # leaves that found no room
            ("deepest", "i4"),  # leaf
            ("fault", "i4"),  # a judgement was no number
            ("busy", "i4"),  # on a card: a body was begun and not finished
        ],
        align=True,
    )


class Trees(NamedTuple):
    """What all bodies are given. Tables are flat: no machine code depends on how wide a game's rows are."""

    slots: Any  # (n,)
    nodes: Any  # (n · N,)
    edges: Any  # (n · E,)
    noise: Any  # (n · width,) of the root's actions
    told: Any  # (n · 2,) simulations, row
    logits: Any  # (≥ rows · numbers,) the judge's answer
    values: Any  # (≥ rows · 1 or players,)
    visits: Any  # (n · numbers,), and so on: what is told in the end
    policy: Any
    value: Any
    raw_policy: Any
    raw_value: Any
    paid: Any  # (n · width · values,) payoffs backed up through the root's actions, where more than one value is kept
    options: Any  # (1,)


class Sight(NamedTuple):
    """… and what bodies that call the rules are given beside."""

    keys: Any  # (n,) rows
    seen: Any  # (n,) rows of planes, or records: the leaves as the judge sees them


def cells(kind: str) -> np.dtype[np.void]:
    """One number of a table, as a record."""
    return np.dtype([("at", kind)])


class Sizes(NamedTuple):
    """How much room a tree has."""

    nodes: int
    edges: int
    keys: int
    numbers: int  # that actions can have

    def bytes_per_tree(self, game: RecordGame) -> int:
        """Without what is shared with the judge (planes, logits) and told in the end."""
        values, width = count_values(game), game.variant.width
        one = slot_dtype(game.players).itemsize + self.nodes * node_dtype(values).itemsize
        paid = 8 * width * values if values > 1 else 0
        return one + self.edges * EDGE.itemsize + 8 * self.keys + 4 * width + paid


def plan_sizes(game: RecordGame, simulations: int, branching: int | None, tracks: bool) -> Sizes:
    """Room for so many simulations. Edges are reserved for the root at its widest and for as many positions as there
    are simulations, each of `branching` actions: not of `max_actions`, of which most positions offer a small part."""
    rules = game.variant
    if not 1 <= simulations <= MOST_SIMULATIONS:
        raise GameError(f"a tree can be made for 1 to {MOST_SIMULATIONS:,} simulations, not {simulations}")
    if branching is None:
        branching = rules.width if rules.width * simulations <= 8192 else usual_branching(game)
    chance = bool(rules.max_chance_outcomes)
    nodes = 1 + simulations * (2 if chance else 1)
    edges = rules.width + simulations * min(rules.width, branching)
    if chance:
        edges += simulations * min(rules.width, rules.max_chance_outcomes)
    keys = remembered(rules) + 1 + min(simulations + 1, MOST_DEPTH) if tracks else 1
    return Sizes(nodes, edges, keys, rules.policy_size or rules.max_actions)


def usual_branching(game: RecordGame, games: int = 8, plies: int = 200) -> int:
    """How many actions the positions of a few random games offer: nine of ten have no more, and a quarter beside."""
    rng, counts = Random(0), [1]
    for _ in range(games):
        s = game.start()
        for _ in range(plies):
            p = game.player(s)
            if p == OVER:
                break
            moves = game.actions(s)
            if p >= 0:
                counts.append(len(moves))
            s = game.succ(s, rng.choice(list(moves)))
    return int(np.quantile(counts, 0.9) * 1.25) + 1


def make_trees(game: RecordGame, n: int, sizes: Sizes, room: Any, slots: Any, options: Any) -> Trees:
    """The arrays, on the device that `room(n, dtype)` takes memory of."""
    players, numbers, values = game.players, sizes.numbers, count_values(game)
    return Trees(
        slots=slots,
        nodes=room(n * sizes.nodes, node_dtype(values)),
        edges=room(n * sizes.edges, EDGE),
        noise=room(n * game.variant.width, cells("f4")),
        told=room(2 * n, cells("i4")),
        logits=room(1, cells("f4")),
        values=room(1, cells("f4")),
        visits=room(n * numbers, cells("i4")),
        policy=room(n * numbers, cells("f4")),
        value=room(n * players, cells("f4")),
        raw_policy=room(n * numbers, cells("f4")),
        raw_value=room(n * players, cells("f4")),
        paid=room(n * game.variant.width * values if values > 1 else 1, cells("f8")),
        options=options,
    )


def make_slots(game: RecordGame, n: int, seed: int) -> Any:
    """(n,) in the machine's own memory: trees that have their generators, which have nothing to do with their games':
    else a root's noise would foretell the dice."""
    slots = np.zeros(n, slot_dtype(game.players))
    slots["random"][:, 0] = scramble(streams(n, seed) ^ TREES)
    return slots
