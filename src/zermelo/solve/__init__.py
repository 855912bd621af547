"""Exact values. `zermelo.solve` is this package, and calling it solves: `zermelo.solve(game, state)`."""

from zermelo.core.callable_package import make_callable

make_callable(__name__, "zermelo.solve.exact:solve")
