"""Where nothing is broken nothing is red: in no mode, at no beginning, at rest, and where nothing acts at all."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from app.motion.presets import MODES, PRESETS
from app.state import Session
from app.state.outcome import ROUNDING, broken_at
from app.views.badge import GOOD
from app.views.comparison import compare
from app.views.identity_rows import rows_of
from tests.dynamics.systems import draw_object, draw_pose, draw_robot

pytestmark = pytest.mark.compiled_only
NONE: frozenset[str] = frozenset()


def reds(solution: dyn.Solution, wrench: np.ndarray | None = None) -> list[str]:
    """All that *Check*, the badge, *Break it* and *Walk* would complain of."""
    system = solution.system
    found = compare(solution, wrench, None, True)
    whole = broken_at(solution, wrench, NONE)
    rows = rows_of(found.checks, system) + rows_of(whole.checks, system)
    told = [f"{row['key']} {row['cells'][3]}" for row in rows if row["tone"] not in ("good", "stage")]
    assert len(rows) > 10
    if found.agreement is not None and found.agreement.worst > GOOD:
        told.append(f"methods {found.agreement.worst:.0e}")
    if found.agreement is not None and found.agreement.worst_residual > GOOD:
        told.append(f"residual {found.agreement.worst_residual:.0e}")
    if whole.difference.relative > ROUNDING:
        told.append(f"text {whole.difference}")
    return told


def weightless(system: dyn.System, state: dyn.State) -> dyn.System:
    """The same machine where nothing weighs."""
    if system.is_floating:
        return dyn.free_flyer(system.robots[0])
    nothing = (0.0, 0.0, 0.0)
    if not system.is_held:
        return dyn.single_arm(system.robots[0], gravity=nothing, base_pose=system.base_poses[0])
    free = dyn.multi_arm(system.robots, system.base_poses, system.task_object, gravity=nothing)
    at = free.state(q=state.q, object_pose=state.object_pose)
    return dyn.grasp(free, at, [contact.selection for contact in system.contacts])


def at_rest(system: dyn.System, state: dyn.State) -> dyn.State:
    return system.state(q=state.q, base_pose=state.base_pose, object_pose=state.object_pose)


@pytest.mark.parametrize("preset", PRESETS)
def test_of_a_preset(preset: str) -> None:
    run = Session(preset).run
    run.accept(run.compute())
    for time in (0.0, 0.001, run.end):
        assert reds(run.solution_at(time), run.wrench_at(time)) == [], time
    solution = run.solution_at(0.0)
    system, state = solution.system, at_rest(solution.system, solution.state)
    assert reds(dyn.forward_dynamics(system, state)) == []
    light = weightless(system, state)
    assert not light.gravity.any()
    assert reds(dyn.forward_dynamics(light, at_rest(light, state))) == []
    if not system.is_held and not system.is_floating:
        still = dyn.inverse_dynamics(system, state, np.zeros(system.n_joints))
        assert reds(dyn.forward_dynamics(system, state, still)) == []


def test_every_mode_is_tried() -> None:
    assert {preset.mode for preset in PRESETS.values()} == set(MODES)


@pytest.mark.parametrize("seed", range(12))
def test_of_a_machine_that_nobody_has_seen(seed: int) -> None:
    rng = np.random.default_rng([5, seed])
    robots = [draw_robot(rng, int(rng.integers(2, 8)), mass_decades=seed % 4).load() for _ in range(2)]
    arm = dyn.single_arm(robots[0])
    flyer = dyn.free_flyer(robots[0])
    free = dyn.multi_arm(robots, [draw_pose(rng), draw_pose(rng)], draw_object(rng))
    for system in (arm, flyer, free, dyn.single_arm(robots[1], gravity=(0.0, 0.0, 0.0))):
        state = system.state(q=rng.uniform(-1.0, 1.0, system.n_joints))
        assert reds(dyn.forward_dynamics(system, state)) == []
        if not system.is_floating and system.task_object is None:
            still = dyn.inverse_dynamics(system, state, np.zeros(system.n_joints))
            assert reds(dyn.forward_dynamics(system, state, still)) == []
