"""Many games at once, on the cores of this machine or on a graphics card, from the same rules.

`zermelo.batch` is this package, and calling it makes a batch (core/callable_package.py):

    games = zermelo.batch(zermelo.load("connect-four"), 1_000_000, device="cuda")
    games.random_steps(42)
    games.utilities                     # (1,000,000, 2)

    arrays.py    what a batch keeps of every game
    bodies.py    what happens to game i: written once, for both devices
    cores.py     a loop over the games, a piece of them for every core
    card.py      a thread a game (numba-cuda); card_kernels.py, warp.py: how its kernels are made
    batch.py     `Batch`, what users hold
    sampling.py  random games from any positions, for searches
    handover.py  the arrays as JAX's or PyTorch's own, without a copy
"""

from zermelo.core.callable_package import make_callable

make_callable(__name__, f"{__name__}.batch:make_batch")
