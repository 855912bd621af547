"""Records without their array. Each target has its own way to find one.

An array handed from one compiled function to another is seven words and a reference count, which threads would fight
over. A record is one pointer, and the records after it are found from it.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types

PREFETCH = "llvm.prefetch.p0"


def base(records: Any) -> Any:
    """The first of some records, which stands for all of them in `item`."""
    return records


def item(first: Any, i: Any) -> Any:
    """The i-th record from `first` on."""
    return first[i]


def tail(first: Any, i: Any) -> Any:
    """What stands for the records from the i-th on."""
    return first[i:]


def add_to(first: Any, i: Any, amount: Any) -> Any:
    """Add to the i-th record from `first` on, which is or begins with a 4-byte number, and return what that was before,
    as one without a sign: of many threads that do, each in its turn."""
    before = int(first[i][0])
    first[i][0] = before + amount
    return before


def soon(first: Any, i: Any) -> None:
    """The i-th record from `first` on will be asked for soon: the processor may begin to fetch it."""


# What a compiler must know of them: the types, and how the pointers are found. The same for every target.


def type_base(context: Any) -> Any:
    return lambda records: getattr(records, "dtype", None)


def type_item(context: Any) -> Any:
    return lambda first, i: first if hasattr(first, "fields") else None


def lower_base(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return context.make_array(signature.args[0])(context, builder, arguments[0]).data


def type_add_to(context: Any) -> Any:
    return lambda first, i, amount: types.int64 if hasattr(first, "fields") else None


def type_soon(context: Any) -> Any:
    return lambda first, i: types.none if hasattr(first, "fields") else None


def lower_soon(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    place = builder.bitcast(lower_item(context, builder, signature, arguments), ir.IntType(8).as_pointer())
    word = ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [place.type, word, word, word])
    fetch = builder.module.globals.get(PREFETCH) or ir.Function(builder.module, kind, PREFETCH)
    builder.call(fetch, [place, word(0), word(3), word(1)])  # to read, near, data
    return context.get_dummy_value()


def lower_nothing(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return context.get_dummy_value()


def lower_add_to(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    first, i, amount = arguments
    place = builder.gep(first, [context.cast(builder, i, signature.args[1], types.intp)], inbounds=True)
    added = context.cast(builder, amount, signature.args[2], types.int32)
    word = builder.bitcast(place, ir.IntType(32).as_pointer())
    return builder.zext(builder.atomic_rmw("add", word, added, "monotonic"), ir.IntType(64))


def lower_item(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    i = context.cast(builder, arguments[1], signature.args[1], types.intp)
    return builder.gep(arguments[0], [i], inbounds=True)
