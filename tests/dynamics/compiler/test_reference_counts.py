"""Kernels without reference counts return no arrays to kernels that count: these would free what they do not own."""

import importlib
import pkgutil
from typing import Any

import numba
import pytest
from numba.core.registry import CPUDispatcher

import dynamics
from dynamics.motion.control_law import carry, progress
from dynamics.spatial.small_matrices import factor, solve_factored
from dynamics.system.examples import example
from dynamics.system.tables import make_work

pytestmark = [pytest.mark.compiled_only, pytest.mark.full]  # compiles a study anew


def kernels() -> list[Any]:
    found = {}
    for module in pkgutil.walk_packages(dynamics.__path__, "dynamics."):
        if module.name != "dynamics.compilation":
            for value in vars(importlib.import_module(module.name)).values():
                if isinstance(value, CPUDispatcher):
                    found[id(value)] = value
    return list(found.values())


def borrows(kernel: Any) -> bool:
    return not kernel.targetoptions["_nrt"]


def callees(kernel: Any) -> list[Any]:
    names = kernel.py_func.__code__.co_names
    known = [kernel.py_func.__globals__.get(name) for name in names]
    return [one for one in known if isinstance(one, CPUDispatcher) and borrows(one)]


SEEN_BY_STUDIES = {
    progress: (numba.float64[::1], numba.float64),
    factor: (numba.float64[:, ::1], numba.int64),
    solve_factored: (numba.float64[:, ::1], numba.int64, numba.float64[::1]),
}
"""The types that kernels beside ``carry`` call others with."""


def has_arrays(kind: numba.types.Type) -> bool:
    return isinstance(kind, numba.types.Array) or any(has_arrays(each) for each in getattr(kind, "types", ()))


def test_borrowing_kernels_return_no_array_to_counting_ones() -> None:
    system, state = example("two_planar_arms")
    tables, work, law = system.tables, make_work(system.tables), dynamics.ConstantTorque().law(system, state)
    x, v = system.pack(state)
    arguments = tuple(numba.typeof(argument) for argument in (tables, law, 0.0, 0.0, x, v, work))
    options = {name: value for name, value in carry.targetoptions.items() if name != "nopython"}
    anew = numba.njit(**options)(carry.py_func)  # not from the disk: its callees are seen as well
    anew.compile(arguments)
    for kernel, kinds in SEEN_BY_STUDIES.items():
        kernel.compile(kinds)
    counting = [kernel for kernel in kernels() if not borrows(kernel)]
    assert carry in counting
    for kernel in counting:
        for callee in callees(kernel):
            assert callee.nopython_signatures, (kernel.__name__, callee.__name__)
            assert not any(has_arrays(signature.return_type) for signature in callee.nopython_signatures)
