"""`overload`: Numba's own, remembered: a kernel's fingerprint follows a function into what it is compiled from.

    @overload(popcount)            popcount(x) is plain Python …
    def _popcount(x): …            … and in compiled code what this returns

So the plain function's own text is no part of any machine code (unless it is compiled `itself`), and the other's is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import extending

_compiled_from: dict[Any, list[Any]] = {}


def overload(function: Any, *, itself: bool = False, **options: Any) -> Callable[[Any], Any]:
    """Compile what the decorated function returns wherever compiled code calls `function`.

    Parameters may be renamed. `itself`: what is returned compiles `function` as it is written.
    """

    def decorate(implementation: Any) -> Any:
        remember(function, implementation, *([function.__code__] if itself else []))
        return extending.overload(function, strict=False, **options)(implementation)

    return decorate


def remember(compiled: Any, *sources: Any) -> None:
    """`compiled`, a function or a Numba type, is compiled from `sources`."""
    _compiled_from.setdefault(compiled, []).extend(sources)


def compiled_from(compiled: Any) -> list[Any]:
    """What stands for it in compiled code; nothing for a function that is compiled as it is written."""
    try:
        return _compiled_from.get(compiled, [])
    except TypeError:  # cannot be hashed
        return []
