"""Compiles kernels ahead of their first call: for a server first those that a page calls, then all others.

Numba compiles one function at a time in a process, so two processes take kernels from one list.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numba
import numpy as np

from dynamics.compiler.kernels import announcement, code_folder, is_compiled, mark_compiled
from dynamics.lanes.couplings import GAP, lane_accelerations, lead_back
from dynamics.lanes.forward import MOVED, contact_stage_in_full, lane_gaps, lane_motion_state
from dynamics.lanes.link_inertia import chain_inertia, make_chain_room
from dynamics.lanes.workspace import Workspace
from dynamics.motion.control_law import command
from dynamics.motion.controllers import ConstantTorque
from dynamics.motion.energy_balance import along_run
from dynamics.motion.joint_stops import beyond_stops, meet_stops
from dynamics.motion.runge_kutta import TABLEAUS, Addresses, configuration_rate, integrate, make_room, make_samples
from dynamics.motion.stiff_losses import StiffLosses, loss_inertias
from dynamics.papers.jazidie_examples import planar_call
from dynamics.public import public_as_computed
from dynamics.recursion.dual_filter import combine_filters, dual_filter
from dynamics.recursion.filter_smoother import contact_operator_for_showing, filter_and_smooth, motion_state
from dynamics.recursion.inward_filter import inward_filter
from dynamics.recursion.kinematics import energy_and_momentum, kinematics
from dynamics.recursion.outward_smoother import costate_covariance
from dynamics.solve.batch_inputs import batch_inputs, kernel_inputs
from dynamics.solve.batch_kernel import held_room, solve_batch, solve_held_batch
from dynamics.solve.closure import lane_close_gaps, step_configuration
from dynamics.solve.operational_space import free_flyer_inertia
from dynamics.spatial.factor_by_root import solve_each
from dynamics.system.examples import example
from dynamics.system.tables import make_work

if sys.platform != "win32":
    import fcntl

Call = tuple[Any, tuple[Any, ...]]
Report = Callable[[str, float], None]
"""Called with a readable line, and the share of the kernels that are compiled."""
PAUSE = 0.5
"""Seconds between checks that the server that waits for the kernels is still running."""
BODIES = "base_pose", "base_velocity", "object_pose", "object_velocity"
PROCESSES = 2


def calls() -> tuple[Call, ...]:
    """Every kernel that a page calls, with arguments of the right types.

    Those that others call come first, so that both processes share the work. The types are the same for every kind of
    system: a table that a system lacks is empty.
    """
    system, state = example("two_planar_arms")  # only for its arrays' types; nothing is computed, and no file is read
    tables, work = system.tables, make_work(system.tables)
    (x, v), tau, law = system.pack(state), np.zeros(system.n_joints), ConstantTorque().law(system, state)
    x2, v2, two, six, rk4 = x.copy(), v.copy(), np.zeros((2, len(v))), np.zeros(6), TABLEAUS["rk4"]
    samples, links = make_samples(1, len(x), len(v), len(tau)), work.links
    tree, model = tables.tree, tables.model
    arena, room = Workspace(system).arena, make_room(4, len(x), len(v), len(tau))
    called, losses = Addresses(0, 0, 0, 0), StiffLosses(0.0, tau)
    return (
        (command, (arena, law, 0.0, x, v, tau)),
        (lane_motion_state, (arena, x, v)),
        (contact_stage_in_full, (arena,)),
        (lane_gaps, (arena, v)),
        (lane_close_gaps, (arena, two)),
        (lane_accelerations, (x, v, tau, arena, MOVED)),
        (step_configuration, (0, x, v, x2)),
        (integrate, (called, arena, law, 0, rk4, losses, 0.0, 0.0, 0, 0, False, x2, v2, room, samples)),
        (meet_stops, (0, arena, 0.0, 0.0, x, v, tau, two, two)),
        (filter_and_smooth, (tables, v, tau, work, v2)),
        (contact_operator_for_showing, (tables, work)),
        (free_flyer_inertia, (tables, x, v, tau, work, np.empty((1, 6, 6)))),
        (motion_state, (tables, x, v, work)),
        (dual_filter, (tree, model, links)),
        (combine_filters, (tree, links)),
        (inward_filter, (tree, model, v, tau, links)),
        (costate_covariance, (tree, links)),
        (solve_each, (work.omega[None], work.omega[None], work.order[None], work.omega[None], work.scratch)),
        (kinematics, (tree, model, tables.gravity, work.wrench, x, v, links)),
        (energy_and_momentum, (tables, v, work, six)),
        (along_run, (tables, x[None], v[None], work.wrench[None], work, six, np.zeros((3, 1)))),
        (lead_back, (arena, GAP, v2)),
        (configuration_rate, (0, v, v, v2)),
        (beyond_stops, (tables, 0, x, v)),
        (loss_inertias, (model, 0.0, tau, v, tau)),
    )


def further_calls() -> tuple[Call, ...]:
    """Kernels that a page does not need at first: planar arms, ``forward_dynamics_batch``, and P + S of a chain."""
    system, _ = example("two_planar_arms")
    tables, rows, blocks = system.tables, np.empty((1, 8)), np.empty((1, 1, 8))
    row, three, steps = rows[0], np.empty((1, 1, 6)), np.zeros(2, dtype=np.int64)
    inputs = kernel_inputs(system, batch_inputs(system, dict.fromkeys(("q", "qd", "tau")), dict.fromkeys(BODIES), None))
    return (
        planar_call(),
        (solve_held_batch, (
            0, tables, rows, rows, rows, three, steps, 0.0, False, held_room(system, 1), rows, three,
        )),
        (solve_batch, (tables.tree, tables.model, tables.gravity, inputs, 0, False, row, three, blocks, blocks)),
        (chain_inertia, (make_chain_room(system)[0], np.empty((1, 6, 6)))),
    )  # fmt: skip


def wanted_calls(everything: bool) -> tuple[Call, ...]:
    """The kernels that a page calls first, or all."""
    return (*calls(), *further_calls()) if everything else calls()


@public_as_computed
def compile_kernels(
    everything: bool = False,
    announce: Callable[[str], None] = lambda words: None,
    progress: Callable[[float], None] = lambda share: None,
) -> bool:
    """Compile kernels before they are called, in separate processes, into numba's cache on disk.

    If the disk fills up meanwhile, they are compiled in memory at their first call.

    Args:
        everything: whether to compile also what a page does not need at first.
        announce: called with a line that describes the progress.
        progress: called with the share of the kernels that are compiled.

    Returns:
        Whether there was something to do.

    Cost: half a minute on two cores, once for each version and processor; almost nothing if all are cached; minutes
        if there is no room for a cache.
    """
    announcement.is_due = False  # ``announce`` reports the progress
    folder = code_folder()
    if folder is None or numba.config.DISABLE_JIT or is_compiled(folder, everything):
        return False
    process = subprocess.Popen(
        [sys.executable, "-m", __name__, "everything" if everything else "session", str(os.getpid())],
        start_new_session=True,  # so that it and its two compilers end together
        cwd=Path(__file__).parents[2],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},  # no other threads: Python 3.12 warns about a fork
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            for line in process.stdout or ():
                share, _, words = line.rstrip().partition(" ")
                announce(words)
                progress(float(share))
        except BaseException:
            _kill_group(process.pid)
            raise
    return True


def compile_one(everything: bool, index: int) -> str:
    """Compile one of ``wanted_calls`` and return its name."""
    gc.disable()  # the compiler's many small objects live as long as this process
    function, arguments = wanted_calls(everything)[index]
    function.compile(tuple(numba.typeof(argument) for argument in arguments))
    return str(function.__name__)


def compile_here(everything: bool, report: Report, parent: int | None = None) -> bool:
    """Compile what the cache lacks in two child processes; True if there was something to do and all of it was done.

    The children are forked, so this process must have no threads. Another process that compiles the same is waited for.

    Args:
        everything: whether to compile also what a page does not need at first.
        report: called after each kernel.
        parent: the process that waits for the kernels; compilation ends when it ends.
    """
    folder = code_folder()
    if folder is None:
        return False
    context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    try:
        with locked(folder):
            if is_compiled(folder, everything):
                return False
            count = len(wanted_calls(everything))
            with ProcessPoolExecutor(PROCESSES, mp_context=context) as processes:
                waiting = {processes.submit(compile_one, everything, index) for index in range(count)}
                while waiting:
                    done, waiting = wait(waiting, PAUSE, FIRST_COMPLETED)
                    if parent is not None and os.getppid() != parent:
                        _kill_group(os.getpid())
                    for n, one in enumerate(done, count - len(waiting) - len(done) + 1):
                        report(f"{n} of {count} kernels compiled ({one.result()})", n / count)
            mark_compiled(folder, everything)
    except (BrokenProcessPool, OSError) as error:
        report(f"some kernels are compiled at their first call: {error}", 0.0)
        return False
    return True


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder's lock, which ends with this process at the latest; processes that it forks do not hold it."""
    if sys.platform == "win32":
        yield
        return
    with (folder / "lock").open("w") as file:
        fcntl.lockf(file, fcntl.LOCK_EX)
        yield


def _kill_group(leader: int) -> None:
    with suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(leader, signal.SIGKILL)
        else:
            os.kill(leader, signal.SIGTERM)


def main(arguments: Sequence[str]) -> None:
    """Compile all kernels; for ``compile_kernels``, those of a page or all, while the process with that id runs."""
    announcement.is_due = False
    everything, parent = "session" not in arguments, int(arguments[1]) if len(arguments) > 1 else None
    if parent is not None and everything:
        os.nice(10)  # the kernels that a server needs at once are already compiled

    def report(words: str, share: float) -> None:
        print(*([f"{share:.3f}", words] if parent else [words]), flush=True)

    folder = code_folder()
    if folder is None:
        report("compiled code is not kept here, so nothing was compiled ahead", 0.0)
    elif not compile_here(everything, report, parent) and is_compiled(folder, everything):
        report("already compiled", 1.0)
