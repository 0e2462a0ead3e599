"""Compiles everything that a session will call, with a word about it."""

from __future__ import annotations

import time

import dynamics as dyn
from app.state.drive import controller_for
from app.state.presets import MODES, presets_of
from app.state.run import Run
from dynamics.compilation import compile_kernels


def compile_mechanics() -> None:
    """Fills the cache, then runs each kind of system for an instant, so that all is loaded from there."""
    import app.page  # noqa: F401  (loads what a first session would have to wait for)

    started = time.perf_counter()
    print("Compiling the mechanics, once: the first start takes up to half a minute ...", flush=True)
    compile_kernels()
    for mode in MODES:
        preset = presets_of(mode)[0]
        system, state = dyn.example(preset.example)
        run = Run(system, state, controller_for(preset, system, state, {}), duration=0.002)
        run.accept(run.compute())
        solution = run.solution_at(0.0)
        dyn.agreement(system, solution.state, solution.tau)
        if system.is_held:
            dyn.Grasp(0.0, [contact.kind for contact in system.contacts]).apply(dyn.release(system), state)
    print(f"Compiled in {time.perf_counter() - started:.1f} s.", flush=True)
