"""Numbers of classes, looked at before tables are worked out: of rules that contradict themselves there would be files
full of wrong values, which agree with each other."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from zermelo.check.numbers import Numbers
from zermelo.check.states import Broken
from zermelo.compile.declarations import RulesError
from zermelo.compile.endings import Ending
from zermelo.compile.record_game import RecordGame

SOME = {True: 20_000, False: 100}  # numbers of a class, with compiled rules or not: of a larger one so many at random
SECONDS = 5.0  # for all classes; some numbers of each are looked at in any case


Groups = Sequence[Sequence[Ending]]


def need_right_numbers(game: RecordGame, groups: Groups, wanted: Groups) -> None:
    """A RulesError if something is wrong with the numbers of those groups that are `wanted`."""
    numbers = Numbers(game, groups)
    some, random = SOME[bool(game.compiled)], np.random.default_rng(1913)
    classes = [one for group in wanted for one in group]
    for one in classes:
        ranks = np.arange(one.size) if one.size <= some else random.integers(0, one.size, some)
        try:
            numbers.look(one, ranks, time.monotonic() + SECONDS / len(classes))
        except Broken as fault:
            title = game.origin or game.name
            raise RulesError(
                f"{game.name}: tables of '{one.name}' would be wrong: {fault.problem.sentence}; `zermelo check "
                f"{title}` looks into it"
            ) from None
