"""Packages that can be called: `zermelo.search` is a package, and `zermelo.search(game)` searches.

Python binds a package's name to the package whenever it is imported, so a function of the same name has to be what
calling the package gives. The function is imported when it is first asked for. Type checkers do not see any of this:
for them `zermelo/__init__.py` names the function itself.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any


def make_callable(package: str, function: str) -> None:
    """Calling `package` calls `function`, given as "module:name"; its signature is the function's too."""
    module, _, name = function.partition(":")

    def found() -> Callable[..., Any]:
        return getattr(importlib.import_module(module), name)  # type: ignore[no-any-return]

    class CallablePackage(ModuleType):
        def __call__(self, *arguments: Any, **named: Any) -> Any:
            return found()(*arguments, **named)

        @property
        def __signature__(self) -> inspect.Signature:
            return inspect.signature(found())

    sys.modules[package].__class__ = CallablePackage
