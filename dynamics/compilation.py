"""``python -m dynamics.compilation``: compiles every kernel ahead of the first call; a server, those that it calls.

Numba compiles one function at a time in a process, so two processes share the work through the cache on disk: one
goes through the list of kernels from the front, the other from the back.
"""

from __future__ import annotations

import gc
import logging
import multiprocessing
import os
import platform
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np

from dynamics.batch.contacts import make_contact_batch
from dynamics.batch.held import objects_in_flight, solve_held_batch
from dynamics.batch.inputs import batch_inputs, kernel_inputs
from dynamics.batch.kernel import solve_batch
from dynamics.compiler.compile_cache import cache_folder
from dynamics.compiler.compiled import STAMP_LENGTH, package_stamp
from dynamics.compiler.frame_room import with_room_for_frames
from dynamics.compiler.shared_compilation import SUFFIX, share_compilation
from dynamics.lanes.forward import (
    contact_operator_in_full,
    lane_accelerations,
    lane_accelerations_alone,
    lane_filter_and_smooth,
    lane_gaps,
    lane_motion_state,
)
from dynamics.lanes.link_inertia import ChainRoom, chain_inertia
from dynamics.motion.control_in_lanes import lane_command
from dynamics.motion.control_law import command
from dynamics.motion.controllers import ConstantTorque
from dynamics.motion.joint_stops import beyond_stops, meet_stops
from dynamics.motion.runge_kutta import TABLEAUS, configuration_rate, integrate, make_room, make_samples
from dynamics.operators.operational_space import free_flyer_inertia
from dynamics.posture.closure import project_packed
from dynamics.posture.projection_in_lanes import lane_close_gaps
from dynamics.recursion.costate_covariance import costate_covariance
from dynamics.recursion.dual_filter import combine_filters, dual_filter
from dynamics.recursion.filter_smoother import filter_and_smooth, motion_state
from dynamics.recursion.inward_filter import inward_filter
from dynamics.recursion.kinematics import kinematics
from dynamics.recursion.mechanical_energy import energy_and_momentum
from dynamics.system.examples import example
from dynamics.system.lane_tables import Workspace
from dynamics.system.tables import make_work

try:
    import fcntl
except ImportError:  # Windows, where servers that start side by side compile side by side
    fcntl = None  # type: ignore[assignment]

Call = tuple[Any, tuple[Any, ...]]
BODIES = "base_pose", "base_velocity", "object_pose", "object_velocity"
ENDS = ("front", "back")
LONGEST = 600.0  # s, after which a server starts all the same
_log = logging.getLogger(__name__)


def calls() -> tuple[Call, ...]:
    """Every kernel that a session calls, with arguments of the types that it is called with.

    ``integrate``, which calls most, stands last; first what it calls late, for the process that starts there.

    Types are the same for every kind of system: what a system lacks is an empty table.
    """
    system, state = example("two_planar_arms")  # for its arrays' types; nothing is computed, and no file is read
    tables, work = system.tables, make_work(system.tables)
    (x, v), tau, law = system.pack(state), np.zeros(system.n_joints), ConstantTorque().law(system, state)
    x2, v2, six, rk4 = x.copy(), v.copy(), np.zeros(6), TABLEAUS["rk4"]
    samples, links = make_samples(1, len(x), len(v), len(tau)), work.links
    tree, model = tables.tree, tables.model
    workspace, room = Workspace(system), make_room(4, len(x), len(v), len(tau))
    return (
        (lane_gaps, (workspace.arena,)),
        (lane_close_gaps, (workspace.arena, np.zeros((2, len(v))))),
        (inward_filter, (tree, model, v, tau, links)),
        (costate_covariance, (tree, links)),
        (kinematics, (tree, model, tables.gravity, work.wrench, x, v, links)),
        (motion_state, (tables, x, v, work)),
        (filter_and_smooth, (tables, v, tau, work, v2)),
        (project_packed, (tables, x, v, tau, work, v2, 0, 0.0)),
        (dual_filter, (tree, model, links)),
        (combine_filters, (tree, links)),
        (free_flyer_inertia, (tables, x, v, tau, work, np.empty((1, 6, 6)))),
        (energy_and_momentum, (tables, v, work, six)),
        (command, (tables, law, 0.0, x, v, work, tau)),
        (lane_command, (workspace.arena, law, 0.0, x, v, tau)),
        (configuration_rate, (0, v, v, v2)),
        (beyond_stops, (tables, 0, x, v)),
        (contact_operator_in_full, (workspace.arena,)),
        (lane_accelerations_alone, (workspace.arena, v, tau, v2)),
        (lane_motion_state, (workspace.arena, x, v)),
        (lane_filter_and_smooth, (workspace.arena, v, tau, v2)),
        (lane_accelerations, (x, v, tau, workspace.arena)),
        (meet_stops, (workspace.arena, 0.0, x, v, tau, v2, tau, np.zeros((2, len(v))))),
        (integrate, (workspace.arena, law, rk4, 0.0, 0.0, 0, 0, False, x2, v2, room, samples)),
    )  # fmt: skip


def further_calls() -> tuple[Call, ...]:
    """What no session calls: the kernels of ``forward_dynamics_batch``, and P + S of a chain."""
    system, _ = example("two_planar_arms")
    tables, rows, blocks = system.tables, np.empty((1, 8)), np.empty((1, 1, 8))
    row, two, three = rows[0], np.empty((1, 6)), np.empty((1, 1, 6))
    hold = make_contact_batch(tables, 1)
    inputs = kernel_inputs(system, batch_inputs(system, dict.fromkeys(("q", "qd", "tau")), dict.fromkeys(BODIES), None))
    return (
        (solve_batch, (tables.tree, tables.model, tables.gravity, inputs, 0, False, row, three, blocks, blocks)),
        (solve_held_batch, (
            tables, inputs, rows, two, 0.0, False, False, 0, row, three, three, two, blocks, blocks, hold,
        )),
        (chain_inertia, (ChainRoom(system).arena, np.empty((1, 6, 6)))),
        (objects_in_flight, (tables, hold, rows, two, inputs.wrench, 0, two)),
    )  # fmt: skip


@with_room_for_frames
def compile_from(end: str, everything: bool) -> None:
    """Compile the kernels here, from the front or the back of their list.

    Args:
        everything: whether ``further_calls``, too.
    """
    gc.disable()  # the compiler's many small objects live as long as this process does
    share_compilation()
    wanted = (*further_calls(), *calls()) if everything else calls()
    for function, arguments in wanted[:: 1 if end == "front" else -1]:
        function.compile(tuple(numba.typeof(argument) for argument in arguments))


def compile_in_pairs(everything: bool) -> bool:
    """Compile the kernels in two processes that share the work; for a process without Python threads: it may fork.

    Returns:
        whether both were able to.
    """
    context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    processes = [context.Process(target=compile_from, args=(end, everything)) for end in ENDS]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return all(process.exitcode == 0 for process in processes)


def compile_apart(everything: bool) -> bool:
    """``compile_in_pairs`` in a process of its own, for a server."""
    program = f"from dynamics.compilation import compile_in_pairs; raise SystemExit(not compile_in_pairs({everything}))"
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # nor any other thread: Python 3.12 warns of a fork
    process = subprocess.Popen(
        [sys.executable, "-c", program], cwd=Path(__file__).parents[1], env=environment, start_new_session=True
    )
    try:
        return process.wait(LONGEST) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Where it has not ended: with the processes that it has started."""
    if process.poll() is None:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait()


def compile_kernels(everything: bool = False, compile_all: Callable[[bool], bool] = compile_apart) -> bool:
    """Fill the cache unless it is full. It takes a quarter of a minute, once for each version and processor.

    Args:
        everything: whether what no session calls is wanted, too.

    Returns:
        whether there was something to do.
    """
    folder = cache_folder(integrate)
    if folder is None:  # not kept, or NUMBA_DISABLE_JIT: whatever is called compiles by itself
        return False
    marks, mark = [folder / "armsweep.compiled", folder / "armsweep.compiled-all"], _mark()
    done = marks[everything]
    with _alone(folder / "armsweep.lock"):  # servers that start side by side wait for the first
        if done.exists() and done.read_text() == mark:
            return False
        if compile_all(everything):
            for made in marks[: 1 + everything]:
                made.write_text(mark)
            stamp = f".{package_stamp()[:STAMP_LENGTH]}."
            _remove(file for kept in _folders() for file in kept.glob("*.nbc") if stamp not in file.name)
        else:
            _log.warning("Some kernels could not be compiled ahead; they will be at their first call.")
        _remove(file for kept in _folders() for file in kept.glob(f"*{SUFFIX}"))
    return True


def _folders() -> set[Path]:
    """Where the machine code of this package's kernels is kept: one folder a room."""
    modules = (module for name, module in tuple(sys.modules.items()) if name.partition(".")[0] == __package__)
    found = (cache_folder(value) for module in modules for value in tuple(vars(module).values()))
    return {folder for folder in found if folder is not None}


def _remove(files: Iterable[Path]) -> None:
    for file in files:
        with suppress(OSError):  # another server was quicker, or has it open
            file.unlink()


def _mark() -> str:
    """What the cache depends on: our sources, the compiler, the processor."""
    processor = f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"
    return "\n".join((package_stamp(), numba.__version__, platform.python_version(), processor))


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    with lock.open("w") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    if cache_folder(integrate) is None:
        print("compiled code is not kept here, so nothing was compiled ahead")
    else:
        print("compiled" if compile_kernels(True, compile_in_pairs) else "already compiled")
