"""A record that compiled code knows by its address alone.

    array of one record    data, shape, strides, owner: whenever it is handed on, its owner's references are counted
    Held                   address

To Python it is an array of one record like any other. An evaluator is handed from function to function at every node of
a search, and counting references (atomically: there may be threads) would cost as much as a cheap evaluation.
Whoever calls a kernel holds the array until the kernel returns; a kernel cannot keep or return one.
"""

from __future__ import annotations

import operator
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import NativeValue, intrinsic, models, register_model, typeof_impl, unbox

from zermelo.compile.overloads import overload, remember


class Held(np.recarray):  # type: ignore[type-arg]
    """`np.zeros(1, dtype).view(Held)`"""

    __numba_array_subtype_dispatch__ = True  # or else it would be taken for a plain array

    @property
    def address(self) -> int:
        return int(self.ctypes.data)


class HeldType(types.Type):  # type: ignore[misc]  # Numba has no types for its types
    def __init__(self, record: Any):
        self.record = record
        super().__init__(name=f"Held({record})")


register_model(HeldType)(models.OpaqueModel)


@typeof_impl.register(Held)
def _type_of(value: Held, context: Any) -> HeldType:
    return HeldType(numba.from_dtype(value.dtype))


@unbox(HeldType)
def _unbox(kind: HeldType, value: Any, c: Any) -> NativeValue:
    address = c.pyapi.object_getattr_string(value, "address")
    native = c.pyapi.long_as_voidptr(address)
    c.pyapi.decref(address)
    return NativeValue(native, is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


@intrinsic
def _record(typing_context: Any, held: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], context.get_value_type(held.record))

    return held.record(held), generate


@overload(operator.getitem)
def _getitem(held: Any, place: Any) -> Any:
    """held[0], the record; there is no other."""
    if isinstance(held, HeldType):
        return lambda held, place: _record(held)
    return None


remember(HeldType, _type_of, _unbox, _record, _getitem)
