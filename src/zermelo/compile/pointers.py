"""Records without their array. Each target has its own way to find one.

An array handed from one compiled function to another is seven words and a reference count, which threads would fight
over. A record is one pointer, and the records after it are found from it.
"""

from __future__ import annotations

from typing import Any

from numba import types


def base(records: Any) -> Any:
    """The first of some records, which stands for all of them in `item`."""
    return records


def item(first: Any, i: Any) -> Any:
    """The i-th record from `first` on."""
    return first[i]


def tail(first: Any, i: Any) -> Any:
    """What stands for the records from the i-th on."""
    return first[i:]


# What a compiler must know of them: the types, and how the pointers are found. The same for every target.


def type_base(context: Any) -> Any:
    return lambda records: getattr(records, "dtype", None)


def type_item(context: Any) -> Any:
    return lambda first, i: first if hasattr(first, "fields") else None


def lower_base(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return context.make_array(signature.args[0])(context, builder, arguments[0]).data


def lower_item(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    i = context.cast(builder, arguments[1], signature.args[1], types.intp)
    return builder.gep(arguments[0], [i], inbounds=True)
