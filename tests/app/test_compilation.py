"""Compilation happens at the server's start: whatever a session does afterwards finds its code ready."""

from __future__ import annotations

import subprocess
import sys

import pytest

import dynamics as dyn
from app import app_hooks
from app.compilation import compile_mechanics
from dynamics.exercise.moments import moments, places_elsewhere

pytestmark = pytest.mark.slow

LISTEN = """
from numba.core import event


class Late(event.Listener):
    def on_start(self, started):
        print("LATE", started.data["dispatcher"].__name__, started.data["args"])

    def on_end(self, ended):
        pass
"""

USE_EVERYTHING = """
from app.compilation import compile_mechanics
from app.state import Session
from app.motion.numerics import ADAPTIVE, Numerics
from app.motion.presets import PRESETS
from app.state.breakage import Breakage
from app.views.comparison import compare

compile_mechanics()
event.register("numba:compile", Late())
unbroken = {preset.mode for preset in PRESETS.values()}
for name in PRESETS:
    session = Session(name)
    actions = (
        lambda: session.set_torque(session.system.joint_names[0], 1.0),
        lambda: session.set_mass(2.0 * session.mass),
        lambda: session.change("", numerics=Numerics("euler", 5e-4), gravity=(0.0, 0.1, -1.0), damping=0.01),
        *(lambda name=name: session.change("", numerics=Numerics(name)) for name in ADAPTIVE),
        lambda: session.change("", numerics=Numerics()),
        lambda: session.release() if session.is_held else None,
        lambda: session.grasp() if session.system.is_held else None,
        session.reset,
    )
    compared = actions[0], actions[-3]  # as it begins, and let go
    for action in actions:
        action()
        session.run.accept(session.run.compute())
        session.seek(0.123)
        assert not session.message, (name, session.message)
        if action in compared:
            compare(session.solution(), None, None, True)
    session.reading()
    if session.setup.machine.preset.mode in unbroken:  # a broken text is plain NumPy, and takes its time
        unbroken.remove(session.setup.machine.preset.mode)
        breakage = Breakage(session)
        session.breaks = frozenset({next(each.key for line in breakage.lines for each in line.breaks)})
        breakage.show_motion()
        while breakage.shown is None:  # it gets the torques of the true motion, which goes on meanwhile
            session.run.accept(session.run.compute())
            breakage.draw()
        breakage.shown.accept(breakage.shown.compute())
        assert breakage.shown.solution_at(session.motion + 0.01).method == "textbook"
assert not unbroken
print("USED", len(PRESETS))
"""

EVERY_KIND = """
import numpy as np

import dynamics as dyn
from tests.dynamics.systems import draw_robot

dyn.compile_kernels(everything=True)
event.register("numba:compile", Late())
arm, branched = dyn.load("panda"), draw_robot(np.random.default_rng(3), 6, branching=0.5, fixed=0.0).load()
far = np.eye(4)
far[0, 3] = 3.0
planar, state = dyn.example("two_planar_arms")
systems = [
    dyn.example(name) for name in ("puma560", "two_arms_and_box", "two_planar_arms", "point_contact", "free_flyer")
]
systems += [(system, system.state()) for system in (
    dyn.single_arm(branched), dyn.free_flyer(branched),
    dyn.multi_arm([arm, arm], base_poses=[np.eye(4), far], floating=[True, True]),
)]
for kind in ("rigid", "point", "soft_finger"):
    systems.append((dyn.grasp(dyn.release(planar), state, [kind, kind]), state))
for system, state in systems:
    tau = np.zeros(system.n_joints)
    dyn.solver(system)(*system.pack(state), tau)
    dyn.forward_dynamics(system, state, tau).stages
    dyn.agreement(system, state, tau)
    controllers = [dyn.ConstantTorque(tau), dyn.JointPD(state.q, 10.0, 1.0, gravity_compensation=True)]
    if system.is_held:
        controllers.append(dyn.TaskSpacePD(state.object_pose, 10.0, 1.0))
    for controller in controllers:
        for method in ("rk4", "RK45"):
            recording = dyn.simulate(system, state, controller, duration=0.002, method=method)
            recording.state_at(0.0015)
    for keep in ("accelerations", "stages"):
        dyn.forward_dynamics_batch(system, state.q, tau=tau, keep=keep, object_pose=state.object_pose)
    if system.is_held:
        dyn.forward_dynamics_batch(dyn.release(system), np.tile(state.q, (9, 1)), object_pose=state.object_pose)
print("USED", len(systems))
"""


def late_compilations(program: str) -> list[str]:
    ran = subprocess.run([sys.executable, "-c", LISTEN + program], capture_output=True, text=True, timeout=280)
    assert ran.returncode == 0, ran.stderr
    assert "USED" in ran.stdout
    return sorted({line for line in ran.stdout.splitlines() if line.startswith("LATE")})


@pytest.mark.compiled_only
def test_no_session_compiles_anything() -> None:
    assert not late_compilations(USE_EVERYTHING)


@pytest.mark.compiled_only
def test_every_kind_of_system_finds_its_kernels_compiled() -> None:
    assert not late_compilations(EVERY_KIND)


def test_a_server_that_cannot_keep_what_it_compiles_says_so_and_ends(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails() -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(app_hooks, "compile_mechanics", fails)
    with pytest.raises(SystemExit):
        app_hooks.on_server_loaded(None)
    assert "No space left on device" in caplog.text


@pytest.mark.compiled_only
def test_no_line_that_is_written_waits_for_what_a_server_can_know_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Moments of other machines, and where a line runs at them: each is worked out at the server's start."""
    monkeypatch.setattr(dyn, "compile_kernels", lambda told: None)
    moments.cache_clear()
    places_elsewhere.cache_clear()
    compile_mechanics()
    before = moments.cache_info().misses, places_elsewhere.cache_info().misses
    assert before[0] == 1
    for preset in ("puma560", "two_arms_and_box", "free_flyer"):
        reading = dyn.read_textbook(*dyn.example(preset))
        for each in dyn.exercises(reading.system):
            dyn.attempt(reading, each.key, each.right)
    assert (moments.cache_info().misses, places_elsewhere.cache_info().misses) == before
