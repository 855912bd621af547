"""Where rules run. A target turns the table of hooks into functions that kernels call, by the type of the record.

    python   interpreted: by the record's dtype, the record seen through a View
    by_type  compiled: which function stands for a call, given the type of the record; the same for every compiler
    cpu      Numba: how it is told of overloads and helpers, and what only it can do (words of a record, bits)
    cuda     numba-cuda, the same for a card; imported only where one is asked for

Another compiler is another file: an `add_target` with its `overload` and its `helper`, and a body of its own for the
few functions that `overload(…, target="cpu")` gives the CPU alone.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any, TypeVar

from zermelo.compile.overloads import overload
from zermelo.compile.targets.by_type import rules_by_type
from zermelo.compile.targets.python import by_rules_function
from zermelo.compile.variant import Variant
from zermelo.core.game import GameError
from zermelo.core.memory import SHARE, UNKNOWN

F = TypeVar("F", bound=Callable[..., Any])


def need_cuda() -> None:
    """A GameError where the compiler for a card is not installed; whether there is a card, cuda.py says."""
    if importlib.util.find_spec("numba_cuda") is None:
        raise GameError("a graphics card needs numba-cuda, which is not installed: pip install 'zermelo[cuda]'")


def card_memory() -> int:
    """Bytes of the card's memory that can be had, but a tenth. What Numba would give back later it gives back now."""
    from numba import config, cuda

    if config.ENABLE_CUDASIM:  # the simulator says that there is no end of it
        return UNKNOWN
    context = cuda.current_context()
    context.memory_manager.deallocations.clear()
    return int(SHARE * context.get_memory_info().free)


def by_rules(choose: Callable[[Variant], F]) -> F:
    """A function of a record, which `choose` makes of the record's rules: what it closes over are constants.

        @by_rules
        def repetitions(rules):
            times = rules.repetitions
            return lambda s: times

    Kernels then call `repetitions(s)`, and the compiler leaves out what depends on it.
    """
    function = by_rules_function(choose)
    overload(function)(rules_by_type(choose))
    return function
