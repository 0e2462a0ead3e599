"""Columns have numbers for compiled code alone: whoever else reads a table asks for a quantity by its name."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

import dynamics as dyn
from dynamics.system import layout
from dynamics.system.columns import FIELDS, SYMMETRIC, named

pytestmark = pytest.mark.compiled_only  # it reads the sources

ROOT = Path(__file__).parents[3]
LAYOUTS = {"dynamics.system.layout", "dynamics.lanes.layout"}
# They make the tables, or lend them their names.
OF_TABLES = {
    "system/columns.py",
    "system/link_tables.py",
    "system/tables.py",
    "lanes/workspace.py",
    "batch/blocks.py",
}
KERNELS = {"kernel", "inlined", "allocating", "part"}


def imports_a_layout(tree: ast.Module) -> bool:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            if node.module in LAYOUTS or {f"{node.module}.{name.name}" for name in node.names} & LAYOUTS:
                return True
        elif isinstance(node, ast.Import) and {name.name for name in node.names} & LAYOUTS:
            return True
    return False


def has_a_kernel(tree: ast.Module) -> bool:
    marks = (mark for node in tree.body if isinstance(node, ast.FunctionDef) for mark in node.decorator_list)
    return any(isinstance(mark, ast.Name) and mark.id in KERNELS for mark in marks)


@pytest.mark.slow
def test_only_compiled_modules_know_columns() -> None:
    knowing = set()
    for folder in ("app", "scenes", "dynamics"):
        for path in (ROOT / folder).rglob("*.py"):
            tree = ast.parse(path.read_text())
            if imports_a_layout(tree) and not has_a_kernel(tree):
                knowing.add(str(path.relative_to(ROOT / folder)))
    assert knowing <= OF_TABLES


def test_kernels_alone_use_columns() -> None:
    """In a module that has both, a function that is not compiled names no column."""
    for path in (ROOT / "dynamics").rglob("*.py"):
        tree = ast.parse(path.read_text())
        if not has_a_kernel(tree):
            continue
        columns = {
            name.asname or name.name
            for node in tree.body
            if isinstance(node, ast.ImportFrom) and node.module in LAYOUTS
            for name in node.names
        }
        for node in tree.body:
            plain = isinstance(node, ast.FunctionDef) and not node.decorator_list
            if plain or isinstance(node, ast.ClassDef):
                used = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} & columns
                assert all(name.endswith("_WIDTH") for name in used), (path, node.name, used)


CONSTANTS = ("mass", "spread", "rotor_inertia", "damping", "friction", "own_axes")  # of a link


def test_every_name_leads_to_its_own_columns() -> None:
    """No two quantities of a table share a number, and a symmetric matrix comes in full."""
    seen: dict[int, str] = {}
    for name, (column, shape) in FIELDS.items():
        if column >= layout.WORK_WIDTH or name in CONSTANTS:
            continue
        if list(FIELDS).index(name) >= list(FIELDS).index("tip_lever"):
            break
        for at in range(column, column + int(np.prod(shape))):
            assert seen.setdefault(at, name) == name
    packed = np.arange(float(layout.WORK_WIDTH))[None]
    for name, (_, shape) in FIELDS.items():
        found = named(packed[:, : layout.WORK_WIDTH], name)
        assert found.shape == (1, *((6, 6) if shape == SYMMETRIC else shape))
        if shape == SYMMETRIC:
            assert np.array_equal(found[0], found[0].T)
            assert found[0, 0, 0] == FIELDS[name][0]


def test_names_are_those_of_the_stages() -> None:
    system, state = dyn.example("free_flyer")
    kept = {name for stage in dyn.forward_dynamics(system, state).stages.values() for name in stage}
    made = {"articulated_inertia_updated", "corrected_force", "force", "operational_space_inertia"}
    assert kept - made <= {name.split(".")[-1] for name in FIELDS}
