"""Kernels that their callers jump to and do not copy: seams in the tree of calls, for compilation in less time.

Numba links a kernel's code into every kernel that calls it and there optimizes and assembles it once more, at each
level of the tree. At a seam a caller holds a symbol instead. The symbol's address is known before the caller is
compiled, and before it is loaded from disk: the caller keeps a note of what it jumps to, and numba follows such
notes first.
"""

from __future__ import annotations

import copy
import importlib
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import llvmlite.binding as llvm
from numba.core.dispatcher import Dispatcher
from numba.core.imputils import user_function

from dynamics.compiler.compiled import kernel

Function = TypeVar("Function", bound=Callable[..., Any])


class Loaded(NamedTuple):
    """The note: a kernel and the types that it is called with; called, it compiles or loads the kernel."""

    module: str
    name: str
    types: tuple[Any, ...]

    def __call__(self) -> None:
        dispatcher = getattr(importlib.import_module(self.module), self.name)
        if self.types not in dispatcher.overloads:
            dispatcher.compile(self.types)


def separate_kernel(function: Function) -> Function:
    """A kernel that is compiled once and not again in what calls it; a call costs what a call in C costs.

    For functions that do much, are called from several places, and take few arguments: a table among them is
    seven words.
    """
    dispatcher: Any = kernel(function)
    if isinstance(dispatcher, Dispatcher):  # NUMBA_DISABLE_JIT leaves functions as they are
        _jump_to(dispatcher)
    return dispatcher  # type: ignore[no-any-return]


def _jump_to(dispatcher: Any) -> None:
    add = dispatcher.add_overload

    def publish_and_add(compiled: Any) -> None:
        _publish(dispatcher, compiled)
        add(compiled)

    dispatcher.add_overload = publish_and_add


def _publish(dispatcher: Any, compiled: Any) -> None:
    """Let callers find ``compiled`` by a symbol that is the same in every process."""
    context, function = compiled.target_context, dispatcher.py_func
    note = Loaded(function.__module__, function.__name__, compiled.signature.args)
    described = copy.copy(compiled.fndesc)
    described.mangled_name = f"armsweep {note.module}.{note.name}{note.types}"
    address = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
    llvm.add_symbol(described.mangled_name, address)
    jump = user_function(described, libs=())

    def call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        context.active_code_library._reload_init.add(note)
        return jump(context, builder, signature, arguments)

    call.signature = jump.signature  # type: ignore[attr-defined]
    context.remove_user_function(compiled.entry_point)
    context.insert_func_defn([(call, compiled.entry_point, jump.signature)])
