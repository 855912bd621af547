"""What a network is shown of positions: planes, where the rules have them; else the features they have for evaluations.

    planes     (n, count, height, width) int8    the board, as the player to move sees it
    features   (n, active, 2) float32            number and value of each feature that is not 0; a value of 0: none

Features are what `perspective` sees, and a policy and a value are the mover's. So behind the rules' own features come
those of `players - 1` more: whose turn it is, counted from the one who sees (none, if it is that player's own).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.compile.dispatch import at, features, perspective, planes, player, row
from zermelo.compile.kernel import kernel
from zermelo.compile.record import rows
from zermelo.compile.record_game import RecordGame
from zermelo.compile.variant import Variant
from zermelo.core.game import GameError

MOST = 1 << 24  # features that single precision can number


def sees_features(rules: Variant) -> bool:
    """Is a network shown features, for want of planes?"""
    return rules.plane_shape is None and rules.num_features is not None


def sight_shape(rules: Variant) -> tuple[int, int, int] | None:
    """The shape of the planes, or (all features, 1, 1); None where there is nothing to be seen."""
    if not sees_features(rules):
        return rules.plane_shape
    return (rules.num_features or 0) + rules.players - 1, 1, 1


def need_sight(rules: Variant) -> tuple[int, int, int]:
    """The shape of what is seen; or one sentence where a policy/value network cannot play this game."""
    if rules.policy_size is None:
        raise GameError(f"{rules.name} has no policy_size: a policy/value network must know how many actions there are")
    shape = sight_shape(rules)
    if shape is None:
        raise GameError(
            f"{rules.name} has neither planes(s, out) with plane_shape nor features: a network has nothing to look at"
        )
    return shape


def active_features(rules: Variant) -> int:
    """How many features a position has at most; 0 where planes are shown."""
    return (rules.max_active_features or 0) + (rules.players > 1) if sees_features(rules) else 0


def look(game: RecordGame, states: Any) -> Any:
    """What a network sees of these records, in NumPy's memory."""
    rules, n = game.variant, len(states)
    if not sees_features(rules):
        assert rules.plane_shape is not None
        shown = rows(n, rules.plane_shape, "i1")
        game.run(show_planes, states, shown)
        return np.ascontiguousarray(shown["at"])
    active, room = active_features(rules), rules.max_active_features or 0
    seen = np.zeros((n, active, 2), np.float32)
    game.run(show_features, states, rules.num_features, rules.players, rows(1, room), rows(1, room, "f4"), seen)
    return seen


@kernel
def show_planes(states, shown):  # type: ignore[no-untyped-def]
    for k in range(len(states)):
        planes(at(states, k), row(shown, k))


@kernel
def show_features(states, own, players, numbers, values, seen):  # type: ignore[no-untyped-def]
    index, value = row(numbers, 0), row(values, 0)
    for k in range(len(states)):
        s = at(states, k)
        mover = np.int64(player(s))
        if mover < 0:  # over, or chance's turn: nobody asks
            continue
        n = np.int64(features(s, index, value))
        for j in range(n):
            seen[k, j, 0], seen[k, j, 1] = index[j], value[j]
        turn = (mover - np.int64(perspective(s))) % players
        if turn > 0:
            seen[k, n, 0], seen[k, n, 1] = own + turn - 1, 1.0
