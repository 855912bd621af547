"""CUDA: numba-cuda compiles the same functions for a card. To be imported where a card is asked for, and not before.

The types of records are the same objects as on the CPU, so the rules are found by them in the same table. What differs
is here: how the compiler is told, and the few functions that have a body of their own (words of a record, bits).
"""

from __future__ import annotations

from typing import Any

import numpy as np

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # type: ignore[attr-defined]  # NumPy 2.5 has dropped it, and numba-cuda still asks for it
from numba import cuda
from numba.cuda import extending

from zermelo.compile.bits import highest, lowest, popcount, reverse, swap_bytes
from zermelo.compile.overloads import add_target, overload
from zermelo.compile.targets.cpu import copy_words, load_word
from zermelo.compile.words import assign, word


class Cuda:
    """How numba-cuda is told."""

    name = "cuda"

    def overload(self, function: Any, implementation: Any, options: dict[str, Any]) -> None:
        extending.overload(function, strict=False, **options)(implementation)

    def helper(self, function: Any, inline: bool) -> None:
        extending.register_jitable(function)  # its linker copies small functions; `inline` asks for nothing more


add_target(Cuda())


# -- a record as the words it is made of -------------------------------------------------------------------------------


@overload(assign, target="cuda")
def _assign(to: Any, source: Any) -> Any:
    return lambda to, source: copy_words(to, source)  # noqa: PLW0108 - a function is compiled, not an intrinsic


@overload(word, target="cuda")
def _word(s: Any, i: Any) -> Any:
    return lambda s, i: load_word(s, i)  # noqa: PLW0108


# -- bits, one instruction each ----------------------------------------------------------------------------------------


@overload(popcount, target="cuda")
def _popcount(x: Any) -> Any:
    return lambda x: np.int64(cuda.popc(np.uint64(x)))


@overload(lowest, target="cuda")
def _lowest(x: Any) -> Any:
    return lambda x: np.int64(cuda.ffs(np.uint64(x))) - 1 if x else np.int64(64)


@overload(highest, target="cuda")
def _highest(x: Any) -> Any:
    return lambda x: 63 - np.int64(cuda.clz(np.uint64(x)))


@overload(reverse, target="cuda")
def _reverse(x: Any) -> Any:
    return lambda x: cuda.brev(np.uint64(x))


@overload(swap_bytes, target="cuda")
def _swap_bytes(x: Any) -> Any:
    """Rows upside down: bytes change places within pairs, pairs within halves, halves."""

    def swap(x: Any) -> Any:
        x = np.uint64(x)
        x = (x >> np.uint64(8)) & np.uint64(0x00FF00FF00FF00FF) | (x & np.uint64(0x00FF00FF00FF00FF)) << np.uint64(8)
        x = (x >> np.uint64(16)) & np.uint64(0x0000FFFF0000FFFF) | (x & np.uint64(0x0000FFFF0000FFFF)) << np.uint64(16)
        return x >> np.uint64(32) | x << np.uint64(32)

    return swap
