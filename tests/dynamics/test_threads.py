"""Four threads that share an object get bit for bit what one alone gets; what is kept belongs to its moment."""

import copy
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import numpy as np
import pytest

import dynamics as dyn

THREADS = 4
pytestmark = pytest.mark.compiled_only


def side_by_side(*tasks: Callable[[], Any]) -> list[Any]:
    start = Barrier(len(tasks))

    def waiting(task: Callable[[], Any]) -> Any:
        start.wait()
        return task()

    with ThreadPoolExecutor(len(tasks)) as pool:
        return [each.result() for each in [pool.submit(waiting, task) for task in tasks]]


def test_a_solver_that_four_threads_share() -> None:
    """Each answer is kept for a while, as a caller does who compares it; and copies are solvers of their own."""
    system, state = dyn.example("two_planar_arms")
    solver, rng = dyn.solver(system), np.random.default_rng(1)
    x, v = system.pack(state)
    taus = rng.normal(size=(200, system.n_joints))

    def solve(own: dyn.Solver, mine: np.ndarray) -> list[bytes]:
        found = []
        for tau in mine:
            kept = own(x, v, tau)
            stage = own.stages["filter"]["residual"] if tau is mine[-1] else kept
            found += [kept.tobytes(), stage.tobytes()]
        return found

    shares = np.array_split(taus, THREADS)
    alone = [solve(solver, share) for share in shares]
    copies = [solver, copy.copy(solver), copy.deepcopy(solver), solver]
    for solvers in ([solver] * THREADS, copies):
        tasks = [lambda own=own, share=share: solve(own, share) for own, share in zip(solvers, shares, strict=True)]
        assert side_by_side(*tasks) == alone


def test_all_else_that_threads_share() -> None:
    """Everything at once, by every thread, in another order each: a shared array would show."""
    system, state = dyn.example("two_planar_arms")
    flyer, floats = dyn.example("free_flyer")
    batch = dyn.forward_dynamics_batch(system, q=np.tile(state.q, (9, 1)), object_pose=state.object_pose, keep="stages")
    moved = system.state(state.q + 1e-4, object_pose=state.object_pose)
    start = dyn.release(system).home()

    def lazy() -> np.ndarray:
        return np.concatenate([array.ravel() for stage in batch.stages.values() for array in stage.values()])

    asked: list[Callable[[], np.ndarray]] = [
        lambda: dyn.forward_dynamics(system, state).packed_acceleration,
        lambda: dyn.forward_dynamics(system, state, method="kkt").packed_acceleration,
        lambda: dyn.project(system, moved).q,
        lambda: dyn.operational_space_inertia(flyer, floats),
        lambda: dyn.inverse_kinematics(dyn.release(system), start, 0, np.array([0.4, 0.1, 0.0])).state.q,
        lambda: dyn.simulate(system, state, duration=5e-3).x,
        lambda: dyn.simulate(system, state, duration=2e-3, method="RK45").x,
        lambda: dyn.read_textbook(system, state).solution.packed_acceleration,
        lambda: dyn.forward_dynamics_batch(flyer, q=np.tile(floats.q, (9, 1)), keep="stages").joint_acceleration,
        lazy,
    ]

    def one_of_each(turn: int) -> list[bytes]:
        order = np.roll(np.arange(len(asked)), turn)
        found = {int(i): asked[i]().tobytes() for i in [*order, *order, *order]}
        return [found[i] for i in range(len(asked))]

    assert side_by_side(*[lambda turn=turn: one_of_each(turn) for turn in range(0, 12, 3)]) == [one_of_each(0)] * 4
