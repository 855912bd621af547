"""A batch's arrays as other libraries' own, without a copy where they lie on a card; and the way back.

Both go by the CUDA array interface. (Through DLPack, JAX and numba-cuda disagree about streams.)
What a kernel wrote is waited for here: another library does not know of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class _Interface:
    """An array's place on the card and nothing else, so that nobody finds another way to it."""

    def __init__(self, array: Any):
        self.array = array  # stays alive with this
        self.__cuda_array_interface__ = array.__cuda_array_interface__


def _wait(array: Any) -> bool:
    """Is it on a card? Then what is written to it is waited for."""
    if isinstance(array, np.ndarray):
        return False
    if hasattr(array, "block_until_ready"):  # JAX's own
        return False
    from numba import cuda

    cuda.default_stream().synchronize()  # where kernels run; what JAX computes meanwhile is not waited for
    return True


def to_jax(array: Any) -> Any:
    """The array as JAX's."""
    import jax.numpy as jnp

    return jnp.asarray(_Interface(array) if _wait(array) else array)


def to_torch(array: Any) -> Any:
    """The array as PyTorch's."""
    import torch

    return torch.as_tensor(_Interface(array), device="cuda") if _wait(array) else torch.from_numpy(array)


def from_anywhere(array: Any) -> Any:
    """An array of any of these libraries as NumPy or numba-cuda takes it: what `step` is given."""
    if hasattr(array, "block_until_ready"):
        array.block_until_ready()  # JAX: may still be computing
    if hasattr(array, "__cuda_array_interface__"):
        return _Interface(array)
    return np.asarray(array)
