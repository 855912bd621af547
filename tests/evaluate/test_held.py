"""Records that kernels know by their address: arrays of one record to Python, the same memory to compiled code."""

import numpy as np
import pytest

from zermelo.compile.dispatch import at
from zermelo.compile.kernel import kernel
from zermelo.evaluate.held import Held

RECORD = np.dtype([("total", "f4"), ("seen", "i8", (3,))], align=True)


@kernel
def note(pair, amount):
    a, b = at(pair[0], 0), at(pair[1], 0)
    b.total = a.total + amount
    b.seen[1] += 1
    return b.total


@pytest.mark.jit
def test_kernels_read_and_write_it():
    one, other = (np.zeros(1, RECORD).view(Held) for _ in range(2))
    one[0]["total"] = 2.5
    for times in (1, 2):
        assert note((one, other), 1.0) == 3.5
        assert other[0]["total"] == 3.5
        assert list(other[0]["seen"]) == [0, times, 0]
    assert not one[0]["seen"].any()


def test_copies_are_held_elsewhere():
    one = np.zeros(1, RECORD).view(Held)
    one[0]["total"] = 4.0
    for made in (one.copy(), np.zeros_like(one)):
        assert isinstance(made, Held)
        assert made.address != one.address
    assert one.copy()[0]["total"] == 4.0
