"""Random trees for the compiled kernels, and the textbook as their oracle."""

from hypothesis import strategies as st

from zermelo.core.trace import Trace
from zermelo.games.random_tree import random_tree

SHAPES = [(b, d) for b in range(1, 6) for d in range(7) if b**d <= 130]  # not too many leaves for plain Python


def tree(**fields):
    """A tree drawn from a seed; one compiled type for all of them."""
    return random_tree(**fields)


def trees(chance=(0, 0, 20, 50, 100), extra=(0, 0, 30, 100)):
    """Random trees of all shapes, with these percentages of chance nodes and extra turns."""

    def build(shape, seed, chance, extra, turn):
        return tree(branching=shape[0], depth=shape[1], seed=seed, chance=chance, extra=extra, turn=turn)

    percent = st.sampled_from
    return st.builds(
        build, st.sampled_from(SHAPES), st.integers(0, 2**64 - 1), percent(chance), percent(extra), st.integers(0, 1)
    )


def traced(search, game, **options):
    """What a textbook search returns, and how many nodes and leaves it visited."""
    trace = Trace()
    value = search(game, game.start(), trace=trace, **options)
    return value, len(trace.visited), trace.leaves
