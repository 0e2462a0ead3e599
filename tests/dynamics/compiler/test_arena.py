"""Compiled code finds every table of a workspace under its own name."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from dynamics.compiler.compiled import kernel
from dynamics.lanes.workspace import Workspace, opened

pytestmark = pytest.mark.slow


@kernel
def note(found, i, rows, columns, total):
    found[i, 0], found[i, 1], found[i, 2] = rows, columns, total


@kernel
def summed(arena, found):
    """Shape and sum of some tables, of each kind one."""
    tables, work, lanes = opened(arena)
    note(found, 0, tables.tree.shape[0], tables.tree.shape[1], tables.tree.sum())
    note(found, 1, tables.contact_model.shape[0], tables.contact_model.shape[1], tables.contact_model.sum())
    note(found, 2, tables.gravity.shape[0], 1, tables.gravity.sum())
    note(found, 3, work.order.shape[0], 1, work.order.sum())
    note(found, 4, work.forces.shape[0], 1, work.forces.sum())
    note(found, 5, work.turns.shape[0], work.turns.shape[1], work.turns.sum())
    note(found, 6, lanes.links.shape[0], lanes.links.shape[1], lanes.links.sum())
    note(found, 7, lanes.grips.shape[0], lanes.grips.shape[1], lanes.grips.sum())
    note(found, 8, lanes.acceleration.shape[0], 1, lanes.acceleration.sum())
    lanes.links[1, 2] = 77.0


def test_compiled_code_sees_what_python_sees() -> None:
    system, _ = dyn.example("two_arms_and_box")
    workspace = Workspace(system)
    rng = np.random.default_rng(0)
    for table in (*workspace.work, *workspace.lanes):
        table[...] = rng.integers(-9, 9, table.shape)
    found = np.zeros((9, 3))
    tables, work, lanes = workspace.tables, workspace.work, workspace.lanes
    seen = (
        tables.tree, tables.contact_model, tables.gravity, work.order, work.forces, work.turns,
        lanes.links, lanes.grips, lanes.acceleration,
    )  # fmt: skip
    expected = [[len(table), table.shape[1] if table.ndim == 2 else 1, table.sum()] for table in seen]
    summed(workspace.arena, found)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert lanes.links[1, 2] == 77.0
