"""Smaller variants of a game, in which a fault at the end of a long game may stand at the end of a short one.

A board of 4 × 4, a goal of 2 points, a heap of 2 fruits: the parameters of the rules, and the numbers of the start,
made smaller, are tried for the same fault. What is found so is told with the options that lead there: `-o size=4`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from zermelo.check.records import RecordExaminer
from zermelo.check.walk import Found, Walk
from zermelo.compile.record import field_names
from zermelo.compile.record_game import RecordGame

SMALL = range(1, 7)  # what parameters are made
WORTH_IT = 3  # moves; a shorter list is short enough
POSITIONS, GAMES = 300, 10  # looked at in every variant
IN_THIS_GAME = ("compiled", "endless")  # kinds of faults that are not looked for in others
AT_THE_END = (
    "stuck",
    "utility",
    "zero-sum",
    "utility_range",
    "utility_values",
    "known_result",
)  # looked for where no game ends
SECONDS = 1.0  # for every variant
AT_MOST = 10  # variants


def smaller_games(game: RecordGame) -> Iterator[RecordGame]:
    """Variants with smaller parameters, the smallest first; then the game itself from smaller numbers at the start."""
    family, chosen = game.variant.family, game.variant.parameters
    large = {name: n for name, n in chosen.items() if type(n) is int and n > 1}
    wanted: list[dict[str, Any]] = [{name: min(small, n) for name, n in large.items()} for small in SMALL if large]
    if len(large) > 1:
        wanted += [{name: small} for name, n in large.items() for small in SMALL if small < n]
    wanted += [{name: small} for name, n in _numbers_at_start(game) for small in SMALL[:3] if small < n]
    tried = []
    for options in wanted:
        options = {**chosen, **game.fields, **options}
        if options in tried or options == {**chosen, **game.fields}:
            continue
        tried.append(options)
        try:
            yield family(compiled=False, **options)
        except Exception:  # a variant that there is not; whatever its rules say of it
            continue


def _numbers_at_start(game: RecordGame) -> list[tuple[str, int]]:
    """The fields that begin with a number above 1, which counts something."""
    try:
        s = game.interpreted.start()
    except Exception:
        return []
    names = [name for name in field_names(game.variant.dtype) if not game.variant.dtype[name].shape]
    return [(name, int(getattr(s, name))) for name in names if 1 < int(getattr(s, name)) < 1 << 16]


def look_in_smaller_games(walk: Walk, until: float) -> None:
    """Replace what takes many moves by the same fault of a smaller variant, where that takes fewer."""
    if not isinstance(walk.game, RecordGame):
        return
    for i, game in enumerate(smaller_games(walk.game)):
        far = [f for f in walk.faults.values() if len(f.actions) > WORTH_IT and f.problem.kind not in IN_THIS_GAME]
        if not far or i >= AT_MOST or time.monotonic() > until:
            return
        small = _walk(walk, game, until)
        for found in far:
            other = small.faults.get(found.problem.identity)
            if other is not None and len(other.actions) < len(found.actions) and _is_the_same(found, other):
                other.variant = game
                walk.faults[found.problem.identity] = other


def look_at_smaller_ends(walk: Walk, until: float) -> None:
    """No game came to its end in the time there was: what is wrong there may be seen in a smaller variant."""
    if not isinstance(walk.game, RecordGame):
        return
    for i, game in enumerate(smaller_games(walk.game)):
        if i >= AT_MOST or time.monotonic() > until:
            return
        for identity, found in _walk(walk, game, until).faults.items():
            if found.problem.kind in AT_THE_END and identity not in walk.faults:
                found.variant = game
                walk.faults[identity] = found


def _walk(walk: Walk, game: RecordGame, until: float) -> Walk:
    """Some positions and games of a smaller variant."""
    walk.tell(f"a smaller variant: {game.name} {game.options}")
    now = time.monotonic()
    small = Walk(RecordExaminer(game), 0, walk.longest)
    small.drawing_budget = 0.2 * SECONDS
    small.deadline = min(until, now + 0.5 * SECONDS)
    small.breadth_first(POSITIONS)
    small.deadline = min(until, now + SECONDS)
    small.random_games(GAMES)
    return small


def _is_the_same(found: Found, other: Found) -> bool:
    """An exception must be the same one: a variant that is too small may well raise others."""
    return found.problem.kind != "raises" or found.problem.sentence == other.problem.sentence
