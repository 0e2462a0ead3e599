"""Columns of a table have names: each leads to its own numbers, and a symmetric matrix comes in full."""

from __future__ import annotations

import numpy as np

import dynamics as dyn
from dynamics.system import layout
from dynamics.system.columns import FIELDS, SYMMETRIC, named

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
