"""The games: one file each, one name everywhere (file, docs page, test, drawing).

`zermelo.games` is this package, and `zermelo.games()` lists what is in it: Python binds a package's name to the package
whenever it is imported, so the list has to be what calling the package gives.
"""

import sys
from types import ModuleType

from zermelo.core.registry import games


class _Games(ModuleType):
    def __call__(self) -> list[str]:
        return games()


sys.modules[__name__].__class__ = _Games
