"""Operation counts by running the code: against the papers' tables, row by row, and the planar chain of R87."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dynamics as dyn
from dynamics.papers.counting import GRAVITY, RUNS, count_operations, sample_robot, sample_values, strobed_accelerations
from dynamics.papers.critical_path import critical_path
from dynamics.papers.operation_tables import TABLES
from dynamics.papers.planar_chain import PlanarLink, planar_batch, planar_filter, planar_mass_matrix
from dynamics.papers.twins import CountingNumber, Twins
from dynamics.system.axis_frames import axis_links
from dynamics.witness import newton_euler

LENGTHS = (*range(1, 9), 30)
LINEAR = {
    "newton_euler": (lambda n: (110 * n - 24, 97 * n - 24), lambda n: (108 * n - 12, 100 * n - 9), (12, 6)),
    "newton_euler_modified": (lambda n: (92 * n - 33, 82 * n - 33), lambda n: (90 * n - 27, 88 * n - 24), (12, 6)),
    "planar_filter": (lambda n: (26 * n, 28 * n), lambda n: (26 * n, 28 * n), (0, 0)),
}


def test_counts_of_every_formulation() -> None:
    """The code's count and the paper's: lines through two lengths, and Lagrange's cubic."""
    for method, (counted, published, rotations) in LINEAR.items():
        for n in LENGTHS:
            count = count_operations(method, n)
            paper = count.published
            assert (paper.multiplications, paper.additions) == published(n), (method, n)
            multiplications, additions = counted(n)
            assert count.multiplications == multiplications + rotations[0] * n, (method, n)
            assert count.additions == additions + rotations[1] * n, (method, n)
            assert count.trigonometric == 2 * n
        assert paper.divisions == count.divisions == (3 * n if method == "planar_filter" else 0)
    # Cubic, so that five lengths fix the polynomial; products, traces and gravity equal the paper's.
    for n in range(1, 8):
        count = count_operations("lagrange", n)
        paper = count.published
        assert paper.multiplications == (27 * n**3 + 165 * n**2) // 2 + 5 * n
        assert 3 * paper.additions == 40 * n**3 + 174 * n**2 - 64 * n
        kinetic = sum(-7.5 * q * q + 39.5 * q for q in range(1, n + 1))
        assert count.multiplications - paper.multiplications == 8 * n * (n + 1) + 12 * n
        assert count.additions - paper.additions == kinetic + n + 6 * n


def test_strobing_costs_a_chain_of_each_length_and_a_solution() -> None:
    """TML Sections 3, 7: a run of the whole chain, one of each part of it, factors of a symmetric matrix."""
    for n in (2, 5, 12):
        count = count_operations("strobing", n)
        runs = [n, *range(1, n + 1)]  # links of each run: the bias, then what lies outboard of each joint
        assert count.terms["newton_euler_modified"].multiplications == sum(92 * k - 33 + 12 * k for k in runs)
        assert count.terms["newton_euler_modified"].additions == sum(82 * k - 33 + 6 * k for k in runs)
        assert count.trigonometric == 2 * sum(runs)
        below = n * (n - 1) // 2
        # L D L': column j scales one number for each of the j columns before it, and lessens its n - j rows by each.
        lessened = sum(j * (n - j) for j in range(n))
        assert count.terms["factored"].multiplications == lessened + below
        assert count.terms["solved"].multiplications == 2 * below
        assert count.divisions == below + n
        assert count.additions == count.terms["newton_euler_modified"].additions + n + lessened + 2 * below
        assert count.published is None
    # The code that is counted gives the accelerations that any other method gives.
    n = 6
    system = dyn.single_arm(sample_robot(n))
    q, qd, tau = (sample_values(n, phase) for phase in (0.1, 0.2, 0.3))
    found = strobed_accelerations(axis_links(system), q, qd, tau, (0.0, 0.0, -GRAVITY))
    state = system.state(q, qd)
    expected = dyn.forward_dynamics(system, state, tau, method="kkt").joint_acceleration
    assert np.allclose(found, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


def test_filter_and_smoother_grow_by_one_count_a_link_and_a_twin_computes_the_same() -> None:
    one, many = count_operations("filter_smoother", 1), count_operations("filter_smoother", 12)
    for field in ("multiplications", "additions", "divisions", "trigonometric"):
        assert getattr(many, field) == 12 * getattr(one, field)
    assert set(many.terms) == {"kinematics", "inward_filter", "outward_smoother"}
    assert many.published is None
    links = axis_links(dyn.single_arm(sample_robot(5)))
    arguments = (links, *(sample_values(5, phase) for phase in (0.1, 0.2, 0.3)), (0.0, 0.0, -GRAVITY))
    for formulation in (newton_euler.newton_euler, newton_euler.newton_euler_modified):
        twins = Twins()
        twin = twins.of(formulation)(*twins.count(*arguments))
        assert [float(x) for x in twin] == formulation(*arguments)
        assert all(isinstance(x, CountingNumber) for x in twin)
    packed = RUNS["filter_smoother"](4, Twins())
    system = dyn.single_arm(sample_robot(4))
    state = system.state(q=sample_values(4, 0.1), qd=sample_values(4, 0.2))
    expected = dyn.forward_dynamics(system, state, sample_values(4, 0.3)).joint_acceleration
    np.testing.assert_allclose([float(x) for x in packed], expected, rtol=1e-11)


def planar_case(n: int) -> tuple[list[PlanarLink], list[float], list[float], dyn.Solution]:
    rng = np.random.default_rng(n)
    system = dyn.single_arm(dyn.planar_chain(n, 0.3, 1.2), gravity=(0, 0, 0))
    links = [
        PlanarLink(0.3, link.mass, -link.mass * link.center_of_mass[1],
                   link.inertia[0, 0] + link.mass * link.center_of_mass[1] ** 2)
        for link in system.link_models
    ]  # fmt: skip
    q, tau = rng.normal(size=n), rng.normal(size=n)
    return links, q.tolist(), tau.tolist(), dyn.forward_dynamics(system, system.state(q=q), tau)


@given(st.integers(1, 12))
def test_planar_filter_is_the_general_one(n: int) -> None:
    """R87 Section XII stage by stage, turned into inertial axes; and the batch of Fig. 4 solves the same."""
    links, q, tau, solution = planar_case(n)
    planar = planar_filter(links, q, tau)
    filtered, smoothed = solution.stages["filter"], solution.stages["smoother"]
    keep = [0, 4, 5]  # moment about x, forces along y and z
    for k in range(n):
        turn = np.kron(np.eye(2), solution.link_pose[k, :3, :3].T)
        inertia = (turn @ filtered["articulated_inertia"][k] @ turn.T)[np.ix_(keep, keep)]
        p1, p2, p3, p4, p5, p6 = planar.inertia[k]
        np.testing.assert_allclose([[p1, p2, p4], [p2, p3, p5], [p4, p5, p6]], inertia, atol=1e-10)
        np.testing.assert_allclose((1.0, *planar.gain[k]), (turn @ filtered["kalman_gain"][k])[keep], atol=1e-10)
        np.testing.assert_allclose(planar.predicted[k], (turn @ filtered["predicted_force"][k])[keep], atol=1e-10)
        np.testing.assert_allclose(planar.acceleration[k], (turn @ smoothed["acceleration"][k])[keep], rtol=1e-8)
    np.testing.assert_allclose(planar.innovation, filtered["innovation"], atol=1e-10)
    np.testing.assert_allclose(planar.residual, filtered["residual"], rtol=1e-9)
    np.testing.assert_allclose(planar.joint_acceleration, solution.joint_acceleration, rtol=1e-9)
    np.testing.assert_allclose(planar_batch(links, q, tau), solution.joint_acceleration, rtol=1e-9)
    lower = np.array(planar_mass_matrix(links, q))
    matrix = lower + np.tril(lower, -1).T
    np.testing.assert_allclose(matrix @ solution.joint_acceleration, tau, atol=1e-9)


def test_parallel_paths() -> None:
    """TML Table 5 gives 27n + 42 and 27n + 41; ours has the same slope in multiplications, see the docstring."""
    for n in range(2, 13):
        found = critical_path("newton_euler_modified", n)
        assert found.published == (27 * n + 42, 27 * n + 41)
        assert found.path[:2] == (27 * n + 29, 24 * n + 25)
        for counts in (0, 1):
            assert sum(row.counted[counts] for row in found.rows) == found.path[counts]
            assert sum(row.published[counts] for row in found.rows) == found.published[counts]
        assert found.sequential.multiplications == count_operations("newton_euler_modified", n).multiplications
    one, four = critical_path("spoked_wheel", 6, 1), critical_path("spoked_wheel", 6, 4)
    assert one.path == one.sequential
    for stage, cost in four.stages.items():
        assert (cost.steps > one.stages[stage].steps) == stage.startswith("3")
    spokes = one.path.steps - one.stages["3 contact forces (hub)"].steps
    assert four.path.steps == spokes + four.stages["3 contact forces (hub)"].steps
    assert four.speedup > 1.5
    found = critical_path("two_filter", 8)
    sequential = count_operations("two_filter", 8)
    assert found.sequential.multiplications == sequential.multiplications
    assert found.stages["the longer filter"] == sequential.terms["dual_filter"]
    for n in (7, 30):  # JR 3.3.2: slower than one filter and smoother on one processor, unless no link waits for frames
        side_by_side, own = critical_path("two_filter", n), critical_path("own_coordinates", n)
        assert side_by_side.serial == own.serial
        assert side_by_side.serial.steps < side_by_side.path.steps < side_by_side.sequential.steps
        assert side_by_side.speedup < 1.0 < own.speedup < 2.0
    for refused in (
        lambda: count_operations("gauss", 3), lambda: count_operations("lagrange", 0),
        lambda: critical_path("lagrange", 3), lambda: critical_path("spoked_wheel", 3, 0),
        lambda: critical_path("two_filter", 3, 2),
    ):  # fmt: skip
        with pytest.raises(dyn.ModelError):
            refused()


@given(st.integers(1, 7))
def test_tasks_of_the_modified_form_make_up_its_path(n: int) -> None:
    found = critical_path("newton_euler_modified", n)
    assert sum(task.ends - task.starts for task in found.tasks) == found.sequential.steps
    latest = max(task.ends for task in found.tasks)
    assert latest == (found.path.steps if n > 1 else 90)  # a single link's force is done last, and turns no joint
    table = {row.term for row in TABLES["newton_euler_modified"].rows}
    assert {task.term for task in found.tasks} <= table
    assert sum(task.term == "omega_i (3.15)" for task in found.tasks) == n


@pytest.mark.parametrize("method", ["newton_euler_modified", "spoked_wheel", "two_filter", "own_coordinates"])
@given(st.integers(1, 7), st.integers(2, 4))
def test_tasks_start_as_soon_as_they_can(method: str, n: int, arms: int) -> None:
    """Each when what it needs is there; the critical ones follow each other without a gap."""
    found = critical_path(method, n, arms if method == "spoked_wheel" else 1)
    for place, task in enumerate(found.tasks):
        assert all(need < place for need in task.needs)
        assert task.starts == max((found.tasks[need].ends for need in task.needs), default=0)
    at = 0
    for task in sorted((task for task in found.tasks if task.is_critical), key=lambda task: (task.starts, task.ends)):
        assert task.starts == at
        at = task.ends
    assert at == found.path.steps
