"""How far two runs are apart, against the recordings themselves."""

from __future__ import annotations

import dataclasses
from types import MappingProxyType

import numpy as np
import pytest

import dynamics as dyn
from app.beside.comparing import parts
from app.kept.differences import STRANGERS, difference, instants_of
from app.motion.interventions import Released
from app.motion.presets import PRESETS
from app.motion.run import Run
from app.motion.setup import Setup, machine_of_preset
from app.state import Session


def run_of(preset: str, until: float, **fields: object) -> Run:
    run = dataclasses.replace(Setup(machine_of_preset(PRESETS[preset])), **fields).run()
    while run.end < until - 1e-9:
        run.accept(run.compute())
    return run


def states(run: Run, instants: np.ndarray) -> list[dyn.State]:
    return [run.solution_at(time).state for time in instants]


def test_two_runs_are_apart_as_far_as_their_states() -> None:
    joints = machine_of_preset(PRESETS["puma560"]).system.joint_names
    one = run_of("puma560", 1.0)
    other = run_of("puma560", 0.5, torques=MappingProxyType({joints[1]: 7.0}))
    found = difference(one, other)
    assert found.seconds == pytest.approx(0.5)  # no longer than both are known
    instants = instants_of(0.5)
    pairs = list(zip(states(one, instants), states(other, instants), strict=True))
    angles = np.array([np.abs(a.q - b.q).max() for a, b in pairs])
    assert angles.max() > 1e-3
    assert found.turning is not None
    assert (found.turning.unit, found.sliding, found.object) == ("rad", None, None)
    assert found.turning.largest == pytest.approx(angles.max(), rel=1e-9)
    assert found.turning.rms == pytest.approx(np.sqrt(np.mean(angles**2)), rel=1e-9)
    assert found.turning.at == pytest.approx(instants[angles.argmax()])
    system = one.actuation.system
    gaps = [np.linalg.norm(dyn.tip_poses(system, a)[0, :3, 3] - dyn.tip_poses(system, b)[0, :3, 3]) for a, b in pairs]
    assert found.tips is not None
    assert (found.tips.unit, found.tips.largest) == ("m", pytest.approx(max(gaps), rel=1e-9))
    mirrored = difference(other, one)
    assert (mirrored.tips, mirrored.turning) == (found.tips, found.turning)


def test_a_run_is_not_apart_from_itself_and_a_released_box_is() -> None:
    one = run_of("two_arms_and_box", 0.5)
    same = difference(one, one)
    assert same.object is not None
    assert same.n_tips == 2
    assert next(what for what, _ in parts(same)) == "tips"
    assert next(parts(difference(*[run_of("puma560", 0.1)] * 2)))[0] == "tip"
    assert (same.tips.largest, same.turning.largest, same.object.rms) == (0.0, 0.0, 0.0)
    let_go = difference(one, run_of("two_arms_and_box", 0.5, interventions=(Released(0.25),)))
    assert let_go.object.at == pytest.approx(0.5)
    fallen = 0.5 * 9.81 * 0.25**2
    assert let_go.object.largest == pytest.approx(fallen, rel=0.5)


def test_of_other_machines_only_what_they_share_is_compared() -> None:
    boxes = difference(run_of("two_arms_and_box", 0.25), run_of("four_arms_and_box", 0.25))
    assert boxes.object is not None
    assert (boxes.tips, boxes.turning, boxes.words) == (None, None, "")
    strangers = difference(run_of("puma560", 0.25), run_of("panda", 0.25))
    assert (strangers.words, strangers.tips, strangers.object) == (STRANGERS, None, None)
    assert difference(run_of("puma560", 0.0), run_of("puma560", 0.25)).words


def test_a_box_whose_mass_centre_is_elsewhere_in_it_has_not_moved() -> None:
    session = Session("two_arms_and_box")
    box, run = session.loaded.n_links, session.run
    session.set_body(box, dataclasses.replace(session.setup.body(box), center=(0.1, 0.0, 0.02)))
    for each in (run, session.run):
        while each.end < 0.02:
            each.accept(each.compute())
    found = difference(run, session.run)
    assert found.object is not None
    assert found.object.largest < 0.05  # the arms yield a little; its mass centre is a tenth of a metre away
    first, second = (each.solution_at(0.0).state.object_pose for each in (run, session.run))
    assert np.linalg.norm(first[:3, 3] - second[:3, 3]) > 0.1


def test_rounding_is_no_distance() -> None:
    """Two runs of one motion, one of them with a torque that no number feels, or with one that some do."""
    one = run_of("puma560", 0.25)
    joint = one.actuation.system.joint_names[2]
    same = difference(one, run_of("puma560", 0.25, torques=MappingProxyType({joint: 1e-12})))
    assert same.tips is not None
    assert same.turning is not None
    assert (same.tips.largest, same.tips.rms, same.turning.largest) == (0.0, 0.0, 0.0)
    other = difference(one, run_of("puma560", 0.25, torques=MappingProxyType({joint: 1e-4})))
    assert other.tips is not None
    assert other.tips.largest > 1e-9
