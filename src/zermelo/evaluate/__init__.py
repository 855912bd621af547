"""Evaluations that are learned: what replaces the tree below the depth limit when nobody has written it by hand.

    network.py    the model: linear, or with hidden layers; a type that compiled searches call directly
    files.py      weights on disk, with a card that says what they are for and how they were made
    shipped.py    the weights that come with the package
    tower/        policy/value networks over planes, in JAX

The hand-written evaluation of a game and the type of all evaluators are in `zermelo.compile.evaluator`.
"""

from zermelo.evaluate.network import Network, make_network

__all__ = ["Network", "make_network"]
