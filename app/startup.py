"""A server's start: kernels that a page calls are compiled first, then the others."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

import dynamics as dyn
from app.motion.presets import MODES, presets_of
from app.motion.run import Run
from app.motion.setup import Setup, machine_of_preset
from app.state.writing import written_at
from dynamics.reading import Reading, attempt, exercises

log = logging.getLogger(__name__)


def compile_first(progress: Callable[[float], None] = lambda share: None) -> None:
    """Fill the cache, then run each kind of system for an instant, which loads all compiled kernels.

    Args:
        progress: called with the compiled share of the kernels.
    """
    import app.page  # noqa: F401  (loads what a first session would have to wait for)

    started = time.perf_counter()
    print("Compiling the mechanics, once: half a minute, or minutes on a slow machine ...", flush=True)
    dyn.compile_kernels(announce=lambda words: print(f"  {words}", flush=True), progress=progress)
    for mode in MODES:
        preset = presets_of(mode)[0]
        leg, actuation = Setup(machine_of_preset(preset)).first_leg()
        system, state = leg.system, leg.state
        run = Run(leg, actuation, duration=0.002)
        run.accept(run.compute())
        solution = run.solution_at(0.0)
        dyn.agreement(system, solution.state, solution.tau)
        judge_every_line(dyn.read_textbook(system, solution.state, solution.tau))
        dyn.inverse_kinematics(system, state, 0, dyn.forward_kinematics(system, state).tip_pose[0], attempts=1)
        if system.is_held:
            dyn.Grasp(0.0, [contact.kind for contact in system.contacts]).apply(dyn.release(system), state)
    print(f"Compiled in {time.perf_counter() - started:.1f} s.", flush=True)


def compile_rest() -> None:
    """Compile what a page does not need at first, in low-priority processes, while pages are open."""
    try:
        dyn.compile_kernels(everything=True)
    except OSError:
        log.warning("The rest of the mechanics is compiled when it is first called.", exc_info=True)


def judge_every_line(reading: Reading) -> None:
    """Judge every line as published, and one wrong line, so that the first answers of *Write it* come at once.

    The data of other machines that this needs, and parsed texts, stay in memory.
    """
    right = {each.key: each.right for each in exercises(reading.system)}
    for key, line in right.items():
        attempt(reading, key, line)
    first = next(iter(right))
    attempt(reading, first, f"2 * {right[first]}")
    written_at(reading, ((first, right[first]),))
