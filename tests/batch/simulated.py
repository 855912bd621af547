"""A batch in CUDA's simulator, beside one on the cores: to be run with NUMBA_ENABLE_CUDASIM=1, in a process of its own.

There a kernel is plain Python, a block's threads are Python's threads, and the card's memory is the machine's. What is
machine code alone on a card (finding records by their address, copying them as whole lines) is made anew here, in plain
Python and with the same division of work among a warp's threads: `record_at` … `eraser` stand for those of
zermelo.batch.warp, and `need_card` … `seen_as` for those of zermelo.compile.targets.cuda.
"""

import ctypes
import sys
import warnings
from types import ModuleType

import numpy as np
from numba.cuda.simulator import kernel, kernelapi
from numba.cuda.simulator.cudadrv.devicearray import FakeCUDAArray
from numba.np.numpy_support import as_dtype

from zermelo.compile.variant import VARIANTS

WARP, LINE, MANY = 32, 16, 4096  # MANY: records that may lie behind an address


def fields_by_name(array):
    """Rules have their own way to a record's fields; everybody else writes record.field."""
    return array if array.dtype.names is None or array.dtype in VARIANTS else array.view(np.recarray)


def memory_at(address, size):
    return np.frombuffer((ctypes.c_ubyte * size).from_address(int(address)), np.uint8)


# -- what only machine code can ----------------------------------------------------------------------------------------


def record_at(address, kind):
    dtype = as_dtype(kind)
    return fields_by_name(memory_at(address, MANY * dtype.itemsize).view(dtype))


def record_in(room, word, kind):
    dtype, left = as_dtype(kind), room[int(word) :].view(np.uint8)
    return fields_by_name(left[: len(left) // dtype.itemsize * dtype.itemsize].view(dtype))


def pieces(size, lane):
    """The bytes that a thread of the warp moves, a unit at a time, as the card's do."""
    unit = min(LINE, size & -size) or LINE
    for start in range(lane * unit, size, WARP * unit):
        yield slice(start, start + unit)


def copier(size):
    def copy(to, source, lane):
        target, origin = (np.asarray(records).view(np.uint8) for records in (to, source))
        for piece in pieces(size, lane):
            target[piece] = origin[piece]

    return copy


def eraser(size):
    def erase(to, lane):
        target = np.asarray(to).view(np.uint8)
        for piece in pieces(size, lane):
            target[piece] = 0

    return erase


def seen_as(array, shape, kind):
    kind = np.dtype(kind)
    size = int(np.prod(shape)) * kind.itemsize
    return FakeCUDAArray(memory_at(array._ary.ctypes.data, size).view(kind).reshape(shape))


def stand_in(name, **content):
    module = ModuleType(name)
    vars(module).update(content)
    sys.modules[name] = module
    package, _, last = name.rpartition(".")
    __import__(package)
    setattr(sys.modules[package], last, module)


stand_in("zermelo.batch.warp", WARP=WARP, copier=copier, eraser=eraser, record_at=record_at, record_in=record_in)
stand_in(
    "zermelo.compile.targets.cuda",
    need_card=lambda: None,
    refuse_by_looks=lambda rules: None,
    explain_refusal=lambda rules, error: error,
    seen_as=seen_as,
    clear=lambda array: memory_at(array._ary.ctypes.data, array._ary.nbytes).fill(0),
)

# -- what the simulator does not have ----------------------------------------------------------------------------------

local, shared = kernelapi.FakeCUDALocal.array, kernelapi.FakeCUDAShared.array
kernelapi.FakeCUDALocal.array = lambda self, shape, dtype: fields_by_name(local(self, shape, dtype))
kernelapi.FakeCUDAShared.array = lambda self, shape, dtype, alignment: shared(self, shape, dtype)
kernelapi.FakeCUDAModule.syncwarp = kernelapi.FakeCUDAModule.syncthreads  # a block's warps then wait for each other too
kernel.FakeWithinKernelCUDAArray = lambda wrapped: fields_by_name(wrapped._ary)
FakeCUDAArray.__cuda_array_interface__ = property(lambda self: {"data": (self._ary.ctypes.data, False)})
warnings.filterwarnings("ignore", "overflow encountered")  # words wrap around; threads of Python's say so

# -- the same games ----------------------------------------------------------------------------------------------------


def main() -> None:
    import zermelo
    from zermelo.batch import card_kernels
    from zermelo.batch.batch import make_batch

    near = card_kernels.NEAR
    for name, n, together in (("tic-tac-toe", 70, 1), ("pig", 40, 1), ("tic-tac-toe", 33, 4)):
        card_kernels.NEAR = near if together == 1 else 32 * 27 // together  # rows of a few games at a time
        card_kernels.kernel_of.cache_clear()
        game = zermelo.load(name)
        seen = ["player", "utilities", "actions"] + ["legal", "planes"] * bool(game.variant.plane_shape)
        here, there = (
            make_batch(game, n, device=device, seed=2, restart=True, watch=seen) for device in ("cpu", "cuda")
        )
        for steps in (1, 1, 4):
            for batch in (here, there):
                batch.random_steps(steps, digests=True)
            same(here, there, seen)
        chosen = here.count - 1
        for batch in (here, there):
            batch.step(chosen, by="place", where=np.arange(n) % 3 > 0)
        same(here, there, seen)
        assert np.array_equal(here.playouts(1), there.playouts(1))
        print(name)


def same(here, there, seen) -> None:
    read = there.device.read
    assert here.states.tobytes() == read(there.states).tobytes()
    listed = np.arange(here.actions.shape[1]) < here.count[:, None]
    for field in [*seen, "plies", "finished", "digest", "count"]:
        ours, theirs = getattr(here, field), read(getattr(there, field))
        if field == "actions":
            ours, theirs = ours[listed], theirs[listed]
        assert np.array_equal(ours, theirs), field


main()
