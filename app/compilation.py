"""Compiles everything that a session will call, with a word about it."""

from __future__ import annotations

import time

import dynamics as dyn
from app.ending import obeying
from app.motion.presets import MODES, presets_of
from app.motion.run import Run
from app.motion.setup import Setup, machine_of_preset


def compile_mechanics() -> None:
    """Fills the cache, then runs each kind of system for an instant, so that all is loaded from there."""
    import app.page  # noqa: F401  (loads what a first session would have to wait for)

    started = time.perf_counter()
    print("Compiling the mechanics, once: the first start takes up to half a minute ...", flush=True)
    with obeying():
        dyn.compile_kernels(told=lambda words: print(f"  {words}", flush=True))
    for mode in MODES:
        preset = presets_of(mode)[0]
        leg, actuation = Setup(machine_of_preset(preset)).first_leg()
        system, state = leg.system, leg.state
        run = Run(leg, actuation, duration=0.002)
        run.accept(run.compute())
        solution = run.solution_at(0.0)
        dyn.agreement(system, solution.state, solution.tau)
        dyn.inverse_kinematics(system, state, 0, dyn.tip_poses(system, state)[0], attempts=1)
        if system.is_held:
            dyn.Grasp(0.0, [contact.kind for contact in system.contacts]).apply(dyn.release(system), state)
    print(f"Compiled in {time.perf_counter() - started:.1f} s.", flush=True)
