"""The games: one file or folder each, one name everywhere (file, docs page, test, drawing).

`zermelo.games` is this package, and `zermelo.games()` lists what is in it.
"""

from zermelo.core.callable_package import make_callable

make_callable(__name__, "zermelo.core.registry:games")
