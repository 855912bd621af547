"""Many tree searches at once: one tree for every game of a batch, where the games are, all leaves judged together.

trees.py       what is kept of every tree, and how much of it
settings.py    how trees are searched
bodies.py      what happens to tree i: written once, for both devices
choice.py      which action a walk takes: PUCT, Gumbel
values.py      payoffs and proofs, and how they go back to the root
conclusion.py  what is told in the end
arithmetic.py  exp, log and noise, the same bits everywhere
cores.py       a loop over the trees, a piece of them for every core
card.py        a thread a tree (numba-cuda)
forest.py      `Forest`, what users hold
"""

from zermelo.search.forest.forest import Forest, make_forest, search_in_turn
from zermelo.search.forest.settings import Settings

__all__ = ["Forest", "Settings", "make_forest", "search_in_turn"]
