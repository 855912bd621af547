"""Perft: how many lines of play there are to a depth. Rules are right when these numbers are.

Every leaf is reached and its state made (no bulk counting: the last ply is played, not just listed). A game that ends
before the depth is reached counts as no line, as in chess, or as one line, as is the custom in othello
(`count_ended`). At a chance node every outcome is a line.

Moves are counted, not results: a rule beside the moves that ends a game (fifty moves, too little material) ends no
line, as in every published table. Where a game has such a rule, its hook `side_to_move` says who would move without it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.compile.dispatch import actions, apply, assign, at, chances, expand, row, side_to_move
from zermelo.compile.kernel import kernel
from zermelo.compile.questions import step
from zermelo.compile.record import RecordArray
from zermelo.compile.record_game import RecordGame, State
from zermelo.compile.rules import helper
from zermelo.compile.targets import by_rules
from zermelo.compile.variant import Variant
from zermelo.core.game import CHANCE, OVER
from zermelo.core.spec import whole
from zermelo.search.stack import make_stack


@by_rules
def expand_moves(rules: Variant) -> Callable[[Any, Any, Any], tuple[int, int]]:
    """expand_moves(s, out, probability): like `expand`, but by `side_to_move` instead of `player`."""
    if "side_to_move" not in rules.functions:
        return lambda s, out, probability: expand(s, out, probability)  # noqa: PLW0108 - a function is compiled
    has_chance = "chances" in rules.functions

    def expand_by_type(s: Any, out: Any, probability: Any) -> Any:
        p = np.int64(side_to_move(s))
        if p == OVER:
            return np.int64(OVER), np.int64(0)
        if has_chance and p == CHANCE:
            return p, np.int64(chances(s, out, probability))
        n = np.int64(actions(s, out))
        return (p, n) if n > 0 else (np.int64(OVER), np.int64(0))

    return expand_by_type


@kernel
def list_first(states, moves, chance):  # type: ignore[no-untyped-def]
    return expand_moves(states[0], row(moves, 0), row(chance, 0))


@helper
def count_below(states: Any, moves: Any, chance: Any, frames: Any, depth: Any, count_ended: Any) -> Any:
    """How many lines of `depth` plies, one or more, start at states[0]; the second number counts all nodes on the way.
    (Rows are taken apart here: a card's functions return no arrays.)"""
    ply, lines, nodes, entering = 0, 0, 1, True
    while True:
        f, s = at(frames, ply), at(states, ply)
        if entering:
            p, f.count = expand_moves(s, at(moves, ply).at, at(chance, ply).at)
            f.tried = 0
            if p == OVER and count_ended:
                lines += 1
        if f.tried < f.count:
            assign(at(states, ply + 1), s)
            apply(at(states, ply + 1), at(moves, ply).at[f.tried])
            f.tried += 1
            nodes += 1
            if ply + 1 == depth:
                lines += 1
                entering = False
            else:
                ply += 1
                entering = True
        elif ply == 0:
            return lines, nodes
        else:
            ply -= 1
            entering = False


@kernel
def count_lines(states, moves, chance, frames, depth, count_ended):  # type: ignore[no-untyped-def]
    if depth == 0:
        return 1, 1
    return count_below(states, moves, chance, frames, depth, count_ended)


def perft(game: RecordGame, depth: int, state: State | None = None, count_ended: bool = False) -> int:
    """The number of lines of play `depth` plies long."""
    return perft_nodes(game, depth, state, count_ended)[0]


def perft_nodes(game: RecordGame, depth: int, state: State | None = None, count_ended: bool = False) -> tuple[int, int]:
    """The number of lines, and of all nodes made on the way."""
    whole("the depth", depth, 0)
    room = make_room(game, state, max(depth, 1))  # … which sees that it is a game
    lines, nodes = game.run(count_lines, *room, depth, count_ended)
    return int(lines), int(nodes)


def make_room(game: RecordGame, state: State | None, plies: int) -> tuple[RecordArray, ...]:
    """The stack that lines are counted in, `state` first. (Seen as records: moves[ply].at, interpreted too.)"""
    states, moves, chance, frames, _ = make_stack(game, state, plies)
    return states, moves.view(np.recarray), chance.view(np.recarray), frames


def divide(game: RecordGame, depth: int, state: State | None = None, count_ended: bool = False) -> dict[str, int]:
    """Perft by the first move, as people write it."""
    first = first_moves(game, state)
    return {text: perft(game, depth - 1, after, count_ended) for text, after in first.items()}


def first_moves(game: RecordGame, state: State | None) -> dict[str, State]:
    """The moves that perft counts at `state`, as people write them, and where they lead. Where the game is over in
    spite of them, nothing writes them: they are named by the cells they go over."""
    s = game.start() if state is None else state
    states, moves, chance, _, _ = make_stack(game, s, 1)
    _, count = game.run(list_first, states, moves, chance)
    found: dict[str, State] = {}
    for a in moves["at"][0, :count].tolist():
        records = s.record
        game.run(step, records, a)
        text = "-".join(game.clicks(s, a)) or str(a) if game.is_end(s) else game.format_action(s, a)
        found[text] = State(game, records)
    return found
