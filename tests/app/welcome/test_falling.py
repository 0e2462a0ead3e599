"""Which joint swings furthest is read from the run, and the reason from the filter; no table knows it."""

from __future__ import annotations

import re

import numpy as np
import pytest

import dynamics as dyn
from app.motion.presets import PRESETS
from app.motion.setup import Setup, machine_of_preset
from app.welcome.falling import WINDOW, Falling, suits

ARMS = "puma560", "iiwa14", "panda", "planar_chain"
pytestmark = pytest.mark.compiled_only


def falling(preset: str) -> Falling:
    return Falling.of(Setup(machine_of_preset(PRESETS[preset]), drive="free").run())


@pytest.mark.parametrize("preset", ARMS)
def test_the_answer_is_that_of_an_independent_simulation(preset: str) -> None:
    found, setup = falling(preset), Setup(machine_of_preset(PRESETS[preset]), drive="free")
    recording = dyn.simulate(setup.machine.system, setup.machine.state, duration=WINDOW, dt=1e-3)
    q = np.array([recording.state_at(time).q for time in found.times])
    swings = np.degrees(np.abs(q - q[0]).max(axis=0))
    assert found.furthest == int(np.argmax(swings))
    np.testing.assert_allclose(found.swings[found.furthest], swings.max(), rtol=0.02)
    assert found.verdict(found.furthest).startswith("Right, ")
    assert all(found.name(found.furthest) in found.verdict(k).lower() for k in range(len(swings)))
    assert f"{swings.max():.0f}"[0] in found.verdict(0)


@pytest.mark.parametrize("preset", ARMS)
def test_the_reason_is_told_in_the_filters_own_numbers(preset: str) -> None:
    found = falling(preset)
    stages = found.first.stages["filter"]
    best, words = found.furthest, found.why(found.furthest)
    inertia = float(np.ravel(stages["joint_inertia"])[best])
    (told,) = re.findall(r"([\d.]+) kg", words)
    assert float(told) == pytest.approx(inertia, rel=0.06)
    for pull in re.findall(r"([\d.]+) N", words):
        assert float(pull) == pytest.approx(abs(float(np.ravel(stages["innovation"])[best])), rel=0.06)
    starts = np.abs(np.ravel(stages["innovation"]) / np.ravel(stages["joint_inertia"]))
    assert ("strongest pull" in words) == (int(np.argmax(starts)) == best)
    assert "nan" not in words
    for joint in range(found.first.system.n_joints):
        assert not re.search("[εDνθ]\\b|innovation|limit", found.why(joint))  # none of which anybody has heard of yet
        assert found.why(joint).startswith(words)
        assert (found.why(joint) == words) == (joint == best)


def test_friction_holds_what_it_can_hold_alone() -> None:
    found = falling("puma560")
    models, torque = found.first.system.joint_models, np.ravel(found.first.stages["filter"]["innovation"])
    for joint in range(found.first.system.n_joints):
        if "does not overcome" in found.why(joint):
            assert abs(torque[joint]) <= abs(models[joint].friction[int(torque[joint] > 0.0)])
            assert found.swings[joint] < 1.0
        if "the swing of the others" in found.why(joint):  # friction alone is not enough to hold it
            assert abs(torque[joint]) > abs(models[joint].friction[int(torque[joint] > 0.0)])
            assert found.swings[joint] < 1.0
    assert "does not overcome" in found.why(found.first.system.joint_names.index("joint_1"))
    assert "the swing of the others" in found.why(found.first.system.joint_names.index("joint_3"))
    assert "as far as the joint can turn" in found.why(found.furthest)


def test_the_plot_has_room_for_every_joint() -> None:
    for preset in ARMS:
        found = falling(preset)
        assert found.reach > found.swings.max()
        assert found.reach % 30.0 == 0.0


def test_only_an_arm_that_can_fall_is_asked_about() -> None:
    able = {name for name, preset in PRESETS.items() if suits(machine_of_preset(preset).system)}
    sliding, many = {"duaro_scara", "stanford"}, {"talos"}
    assert able == {name for name, preset in PRESETS.items() if preset.mode == "Single arm"} - sliding - many
    system, _ = dyn.example("puma560")
    assert not suits(dyn.single_arm(system.robots[0], gravity=(0.0, 0.0, 0.0)))
