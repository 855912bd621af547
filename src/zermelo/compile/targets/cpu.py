"""The CPU: Numba compiles what kernels call into them, by the record's type; there is no call left to pay for."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import extending, types
from numba.core import cgutils
from numba.extending import intrinsic, lower_builtin, type_callable

from zermelo.compile.overloads import add_target, overload, remember
from zermelo.compile.pointers import (
    add_to,
    base,
    item,
    lower_add_to,
    lower_base,
    lower_item,
    lower_soon,
    soon,
    tail,
    type_add_to,
    type_base,
    type_item,
    type_soon,
)
from zermelo.compile.variant import VARIANTS
from zermelo.compile.words import assign, erase, word

# Nobody but compiled code calls these functions: no entry for C, which takes a tenth of the time to compile.
INSIDE = {"no_cfunc_wrapper": True}


class Cpu:
    """How Numba is told."""

    name = "cpu"

    def overload(self, function: Any, implementation: Any, options: dict[str, Any]) -> None:
        extending.overload(function, strict=False, jit_options=INSIDE, **options)(implementation)

    def helper(self, function: Any, inline: bool) -> None:
        extending.register_jitable(forceinline=inline, **INSIDE)(function)


add_target(Cpu())


# -- a record as the words it is made of -------------------------------------------------------------------------------


@overload(assign, target="cpu")
def _assign(to: Any, source: Any) -> Any:
    return lambda to, source: copy_words(to, source)  # noqa: PLW0108 - Numba compiles a function, not an intrinsic


@overload(word, target="cpu")
def _word(s: Any, i: Any) -> Any:
    return lambda s, i: load_word(s, i)  # noqa: PLW0108


@overload(erase, target="cpu")
def _erase(row: Any) -> Any:
    return lambda row: fill_with_zeros(row)  # noqa: PLW0108


@intrinsic
def fill_with_zeros(typing_context: Any, row: Any) -> Any:
    """Zeros for a record, whose size the compiler knows: a few instructions, if it is small."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        cgutils.memset(builder, arguments[0], context.get_constant(types.intp, row.size), 0)
        return context.get_dummy_value()

    return types.none(row), generate


@intrinsic
def copy_words(typing_context: Any, to: Any, source: Any) -> Any:
    """Copy a record word by word, all loads before all stores: what `apply` overwrites at once is then never stored."""
    size = VARIANTS[to].dtype.itemsize // 8

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target, origin = (builder.bitcast(a, ir.IntType(64).as_pointer()) for a in arguments)
        if size > 16:
            cgutils.raw_memcpy(builder, target, origin, context.get_constant(types.intp, size), 8)
        else:
            places = [context.get_constant(types.intp, i) for i in range(size)]
            words = [builder.load(builder.gep(origin, [i])) for i in places]
            for i, word in zip(places, words, strict=True):
                builder.store(word, builder.gep(target, [i]))
        return context.get_dummy_value()

    return types.none(to, source), generate


@intrinsic
def load_word(typing_context: Any, s: Any, i: Any) -> Any:
    """The i-th 64-bit word of a record, which compiled code holds as a pointer."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        words = builder.bitcast(arguments[0], ir.IntType(64).as_pointer())
        return builder.load(builder.gep(words, [arguments[1]]))

    return types.uint64(s, types.intp), generate


# -- records without their array ---------------------------------------------------------------------------------------

type_callable(base)(type_base)
lower_builtin(base, types.Array)(lower_base)
remember(base, type_base, lower_base)
for pointed in (item, tail):
    type_callable(pointed)(type_item)
    lower_builtin(pointed, types.Record, types.Integer)(lower_item)
    remember(pointed, type_item, lower_item)
type_callable(add_to)(type_add_to)
lower_builtin(add_to, types.Record, types.Integer, types.Integer)(lower_add_to)
remember(add_to, type_add_to, lower_add_to)
type_callable(soon)(type_soon)
lower_builtin(soon, types.Record, types.Integer)(lower_soon)
remember(soon, type_soon, lower_soon)
