"""Kernels work on arrays that they are lent: without a memory manager, a returned array would leave a hole."""

from __future__ import annotations

import importlib
import pkgutil

import numba
import pytest
from numba.core import types
from numba.core.dispatcher import Dispatcher

import dynamics
from dynamics.compilation import calls, further_calls


def has_arrays(kind: types.Type) -> bool:
    return isinstance(kind, types.Array) or (isinstance(kind, types.BaseTuple) and any(map(has_arrays, kind)))


@pytest.mark.compiled_only
def test_only_kernels_with_a_memory_manager_return_arrays() -> None:
    for kernel, arguments in (*calls(), *further_calls()):
        types_of_arguments = tuple(numba.typeof(argument) for argument in arguments)
        if types_of_arguments not in kernel.overloads:  # a solver lets nobody compile its kernel once more
            kernel.compile(types_of_arguments)
    seen = 0
    for module in pkgutil.walk_packages(dynamics.__path__, "dynamics."):
        for name, found in vars(importlib.import_module(module.name)).items():
            if not isinstance(found, Dispatcher) or found.targetoptions["_nrt"]:
                continue
            for signature in found.nopython_signatures:
                seen += 1
                returns = signature.return_type
                assert not isinstance(returns, types.Array), f"{module.name}.{name}"
                assert found.targetoptions["no_cpython_wrapper"] or not has_arrays(returns), f"{module.name}.{name}"
    assert seen > 100
