"""Machine code for kernels alone.

A kernel calls a hundred small functions. Numba optimises each, links it into its callers, which copy it, and then also
makes machine code of it that nobody ever calls:

    helper   IR → optimised → linked into the kernel                 all that is needed
                            → machine code, of all it calls as well  a fifth of the time to compile

While a kernel is compiled, functions without an entry for Python stop before that last step.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.cpu import CPUContext

_kernels_compiling = 0  # compiled one inside another, under Numba's own lock


@contextmanager
def kernels_alone() -> Iterator[None]:
    """No machine code of functions that only compiled code calls, as long as this lasts."""
    global _kernels_compiling
    _kernels_compiling += 1
    try:
        yield
    finally:
        _kernels_compiling -= 1


def is_compiling() -> bool:
    """Is a kernel being compiled, in whatever thread?"""
    return _kernels_compiling > 0


_get_executable = CPUContext.get_executable
_finalize_final_module = JITCodeLibrary._finalize_final_module
_set_env = JITCPUCodegen.set_env


def _get_executable_or_none(context: Any, library: Any, description: Any, env: Any) -> Any:
    entry = description.llvm_cpython_wrapper_name
    if _kernels_compiling and not library._finalized and not _defines(library, entry):
        library.is_only_linked = True
    return _get_executable(context, library, description, env)


def _defines(library: Any, name: str) -> bool:
    return any(f.name == name and not f.is_declaration for f in library._final_module.functions)


def _finalize_without_code(library: Any) -> None:
    if not getattr(library, "is_only_linked", False):
        _finalize_final_module(library)
        return
    library._finalize_dynamic_globals()
    library._verify_declare_only_symbols()
    library._finalized = True


def _set_env_if_there(codegen: Any, name: str, env: Any) -> None:
    """The environment holds what Python objects need; a helper has none, nor has one that was loaded from disk."""
    if codegen._engine.is_symbol_defined(name):
        _set_env(codegen, name, env)


CPUContext.get_executable = _get_executable_or_none
JITCodeLibrary._finalize_final_module = _finalize_without_code
JITCPUCodegen.set_env = _set_env_if_there
