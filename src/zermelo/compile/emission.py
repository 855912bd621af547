"""Less to compile: what Numba does for each of a kernel's hundred functions, and nobody needs.

Numba compiles each function a kernel calls on its own, optimises it, links it into its callers, which copy it, and then
also makes machine code of it that nobody ever calls:

    helper   IR → optimised, twice over → linked into the kernel, optimised again      needed: once, or less
                                        → machine code, of all it calls as well        not needed

While a kernel is compiled, functions without an entry for Python stop before that last step. The steps of a search
(enter a node, order its moves, …) carry all that they call with them, from level to level; they are only tidied, and
optimised where they end up, in the kernel. Rules, evaluators and what they call are small and many kernels' inner
loops: they are optimised as before. And a function that a kernel and a helper call is compiled once, not once for each.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import llvmlite.binding as llvm
from numba.core import targetconfig
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary, JITCPUCodegen
from numba.core.cpu import CPUContext
from numba.core.environment import lookup_environment
from numba.core.typing.templates import _OverloadFunctionTemplate

STEPS = "zermelo.search.alphabeta."  # whose helpers are the steps of a kernel; measured: as fast as before

_kernels_compiling = 0  # compiled one inside another, under Numba's own lock


@contextmanager
def kernels_alone() -> Iterator[None]:
    """No machine code of functions that only compiled code calls, as long as this lasts.

    Nor does Python look for garbage that refers to itself: a compiler makes much, but keeps most of it until the end.
    """
    global _kernels_compiling
    _kernels_compiling += 1
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        _kernels_compiling -= 1
        if collects:
            gc.enable()


def is_compiling() -> bool:
    """Is a kernel being compiled, in whatever thread?"""
    return _kernels_compiling > 0


_get_executable = CPUContext.get_executable
_finalize_final_module = JITCodeLibrary._finalize_final_module
_optimize_final_module = CPUCodeLibrary._optimize_final_module
_set_env = JITCPUCodegen.set_env


def _get_executable_or_none(context: Any, library: Any, description: Any, env: Any) -> Any:
    wrapper = description.llvm_cpython_wrapper_name
    if _kernels_compiling and not library._finalized and not _defines(library, wrapper):
        library.is_only_linked = True
        library.is_step = str(description.modname).startswith(STEPS)
    entry = _get_executable(context, library, description, env)
    if not getattr(library, "is_only_linked", False):
        _set_environments(context, library)
    return entry


def _set_environments(context: Any, library: Any) -> None:
    """Whoever prints, in whatever function of a kernel, finds its environment (else it would leave the lock of Python's
    interpreter locked). Numba itself does so for kernels that are loaded from disk."""
    names = [v.name for v in library._final_module.global_variables if v.name.startswith("_ZN08NumbaEnv")]
    library.environments = {name: env for name in names if (env := lookup_environment(name)) is not None}
    for name, env in library.environments.items():  # … which keeps them alive
        context.codegen().set_env(name, env)


def _defines(library: Any, name: str) -> bool:
    return any(f.name == name and not f.is_declaration for f in library._final_module.functions)


def _optimize_or_tidy(library: Any) -> None:
    if not getattr(library, "is_step", False):
        _optimize_final_module(library)
        return
    passes = llvm.create_new_module_pass_manager()
    passes.add_sroa_pass()
    passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    passes.run(library._final_module, library._codegen._pass_builder(opt=1))


def _get_impl_once(template: Any, args: Any, kws: Any) -> Any:
    """The compiled form of a function for these types. How its caller is entered from Python makes no difference."""
    flags = targetconfig.ConfigStack.top_or_none()
    if flags is not None:
        flags = flags.copy()
        flags.release_gil = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = False
    key = template.context, tuple(args), tuple(kws.items()), flags
    if key in template._impl_cache:
        return template._impl_cache[key]
    return template._build_impl(key, args, kws)


def _finalize_without_code(library: Any) -> None:
    if not getattr(library, "is_only_linked", False):
        _finalize_final_module(library)
        return
    library._finalize_dynamic_globals()
    library._verify_declare_only_symbols()
    library._finalized = True


def _set_env_if_there(codegen: Any, name: str, env: Any) -> None:
    """The environment holds what Python objects need; what was only linked has no place for one of its own."""
    if codegen._engine.is_symbol_defined(name):
        _set_env(codegen, name, env)


CPUContext.get_executable = _get_executable_or_none
CPUCodeLibrary._optimize_final_module = _optimize_or_tidy
JITCodeLibrary._finalize_final_module = _finalize_without_code
JITCPUCodegen.set_env = _set_env_if_there
_OverloadFunctionTemplate._get_impl = _get_impl_once
