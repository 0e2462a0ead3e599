"""Appel's method: his function, a held tip, several arms; the staggered step and its radius."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import dynamics as dyn
from dynamics.papers import staggered_sweeps
from dynamics.papers.staggered_step import contraction_radius, staggered_step
from dynamics.solve import contact_gain
from dynamics.system.assembly import with_task_object
from dynamics.system.plain_kinematics import shift
from dynamics.witness import appel
from dynamics.witness.appel import constrained_arm, constrained_motion
from dynamics.witness.arm_group import group_equations, group_forward, group_inverse
from tests.dynamics.dense_machine import close, off
from tests.dynamics.every import every
from tests.dynamics.systems import GRAVITY, draw_object, draw_pose, draw_robot
from tests.dynamics.twins import arms_and_object, draw_arms

TOLERANCE = 1e-9
EXAMPLES = ["two_arms_and_box", "point_contact", "four_arms_and_box", "two_planar_arms"]
CASES = {
    "one arm": ([7], ["rigid"]), "two arms": ([7, 6], ["rigid", "rigid"]), "one a point": ([6, 7], ["rigid", "point"]),
    "short arms": ([2, 3, 7], ["point", "rigid", "rigid"]), "four arms": ([7, 5, 7, 7], ["rigid"] * 4),
}  # fmt: skip


def moving(name: str, seed: int = 0) -> tuple[dyn.System, dyn.State]:
    rng = np.random.default_rng(seed)
    system, state = dyn.example(name)
    speeds = {"qd": 0.5 * rng.normal(size=system.n_joints), "object_velocity": 0.3 * rng.normal(size=6)}
    return system, dyn.project(system, system.state(q=state.q, object_pose=state.object_pose, **speeds))


GRIPS = {  # other contacts of two arms and a box
    "soft fingers": ["soft_finger", "soft_finger"],
    "one soft": ["rigid", "soft_finger"],
    "one holds": [None, "soft_finger"],
    "sliding": ["rigid", np.eye(6)[[5]]],  # r_ck changes, and so does G, which the paper takes to be constant
    "rows of any size": [np.diag([1e-9, 1.0, 1.0, 1.0, 1.0, 1.0]), np.diag([1.0, 1.0, 1.0, 1.0, 1.0, 1e6])],
}


FLOATING = {
    "one flies": ([6], ["rigid"], [True]),
    "both fly": ([3, 5], ["rigid", "rigid"], [True, True]),
    "the second flies": ([7, 2], ["rigid", "point"], [False, True]),
    "the first flies": ([1, 7], ["point", "rigid"], [True, False]),
    "three": ([4, 7, 3], ["rigid", "soft_finger", "rigid"], [True, False, True]),
}


def drawn(name: str) -> tuple[dyn.System, dyn.State]:
    if name in EXAMPLES:
        return moving(name)
    rng = np.random.default_rng([7, len(name)])
    if name in CASES:
        twin = arms_and_object(rng, draw_arms(rng, CASES[name][0]), CASES[name][1])
        return twin.system, twin.state
    if name in GRIPS:
        system, still = dyn.example("two_arms_and_box")
        free, contacts, rates = dyn.release(system), GRIPS[name], {}
    else:
        sizes, contacts, flags = FLOATING[name]
        robots = [arm.load(tip=arm.leaf) for arm in draw_arms(rng, sizes)]
        free = dyn.multi_arm(robots, [draw_pose(rng) for _ in robots], draw_object(rng), GRAVITY, flags)
        bases = np.array([draw_pose(rng) for _ in range(sum(flags))])
        still = free.state(rng.uniform(-2, 2, free.n_joints), base_pose=bases, object_pose=draw_pose(rng))
        rates = {"base_pose": bases, "base_velocity": rng.normal(size=(len(bases), 6))}
    held = dyn.grasp(free, still, contacts)
    rates |= {"qd": 0.5 * rng.normal(size=held.n_joints), "object_velocity": rng.normal(size=6)}
    return held, dyn.project(held, held.state(q=still.q, object_pose=still.object_pose, **rates))


def of_joints_and_bases(solution: dyn.Solution) -> np.ndarray:
    return solution.packed_acceleration[: solution.system.n_joints + 6 * solution.system.n_bases]


@every([*EXAMPLES, *CASES, *GRIPS, *FLOATING])
def test_every_group_accelerates_as_by_the_other_methods_and_back(name: str) -> None:
    """And the torques, with what floating bases need, give the object that acceleration again, without a squeeze."""
    (system, state), rng = drawn(name), np.random.default_rng(5)
    n, pushes = system.n_joints, rng.normal(size=(system.n_links + 1, 6))
    for tau, wrench in ((np.linspace(-5.0, 5.0, n), 0.0 * pushes), (rng.normal(size=n), pushes)):
        found = group_forward(system, state, tau, wrench)
        for method in ("filter_smoother", "kkt"):
            expected = dyn.forward_dynamics(system, state, tau, method, wrench)
            assert off(found.joint_acceleration, of_joints_and_bases(expected)) < TOLERANCE
            assert off(found.object_acceleration, expected.object_acceleration) < TOLERANCE
            assert off(found.contact_force, expected.contact_force) < TOLERANCE
        wanted = expected.object_acceleration
        torques = group_inverse(system, state, wanted, wrench)
        assert torques.tau.shape == (n + 6 * system.n_bases,)
        assert torques.mismatch < 1e-9 * (1.0 + np.abs(wanted).max() + np.abs(torques.tau).max())
        on_bases = wrench.copy()
        on_bases[n:-1] += torques.tau[n:].reshape(-1, 6)
        for method in ("filter_smoother", "kkt"):
            answer = dyn.forward_dynamics(system, state, torques.tau[:n], method, on_bases)
            assert off(answer.object_acceleration, wanted) < (1e-8 if system.is_floating else TOLERANCE)
            assert off(of_joints_and_bases(answer), torques.joint_acceleration) < 1e-8
        # The pseudo-inverse shares the load without squeezing: lambda has no part in the null space of G.
        grip = group_equations(system, state).grip
        squeeze = np.linalg.svd(grip)[2][np.linalg.matrix_rank(grip) :]
        assert np.abs(squeeze @ torques.transmitted).max(initial=0.0) < 1e-9 * np.abs(torques.transmitted).max()
    assert (np.abs(group_equations(system, state).slip).max(initial=0.0) > 1e-3) == (name == "sliding")
    assert np.isfinite(contraction_radius(system, state))


@every((name, speed) for name in EXAMPLES for speed in (1e-25, 1e-15, 1e-9, 1e-3))
def test_a_group_at_rest_without_weight_is_closed_for_all_forms_alike(name: str, speed: float) -> None:
    """Where nothing moves and nothing falls, the rounding of a velocity is no velocity to measure a gap by."""
    example, state = dyn.example(name)
    weightless = dyn.multi_arm(example.robots, example.base_poses, example.task_object, gravity=(0.0, 0.0, 0.0))
    kinds = [contact.kind for contact in example.contacts]
    qd = speed * np.random.default_rng(2).normal(size=example.n_joints)
    apart = weightless.state(state.q, qd, object_pose=state.object_pose)
    system = dyn.grasp(weightless, apart, kinds)
    for ask in (dyn.forward_dynamics, lambda s, at: group_inverse(s, at, np.zeros(6))):
        if speed > 1e-10:
            with pytest.raises(dyn.StateError, match="off the object"):
                ask(system, apart)
        else:
            ask(system, apart)


def test_what_is_no_group_or_runs_away_is_refused() -> None:
    system, own = dyn.example("two_arms_and_box")
    with pytest.raises(dyn.StateError, match="held"):
        group_forward(dyn.release(system), own, np.zeros(system.n_joints))
    beside = dyn.multi_arm(system.robots, system.base_poses).home()
    for state in (dyn.example("iiwa14")[1], dyn.example("two_planar_arms")[1], dyn.example("free_flyer")[1], beside):
        for ask, more in ((contraction_radius, []), (group_inverse, [np.zeros(6)]), (group_forward, [np.zeros(14)])):
            with pytest.raises(dyn.StateError, match=r"another system|expected shape"):
                ask(system, state, *more)
    assert group_inverse(*dyn.example("two_planar_arms"), [0, 0, 0, 0, 0, 1.0]).mismatch > 0.1  # out of the plane
    light, state = loaded("two_planar_arms", 1e12)
    with pytest.raises(dyn.StateError, match="diverges"):
        staggered_sweeps(light, state, np.ones(light.n_joints), sweeps=100)
    with pytest.raises(dyn.StateError, match="sweeps"):
        staggered_sweeps(light, state, np.ones(light.n_joints), sweeps=101)


def loaded(name: str, radius: float) -> tuple[dyn.System, dyn.State]:
    """An example with the object's mass chosen for a contraction radius, which goes as one over it."""
    system, state = moving(name)
    mass = system.task_object.mass * contraction_radius(system, state) / radius
    system = with_task_object(system, system.task_object.with_mass(mass))
    assert contraction_radius(system, state) == pytest.approx(radius, rel=1e-9)
    return system, state


@every((name, radius) for name in EXAMPLES for radius in (0.5, 2.0))
def test_staggered_sweeps_shrink_or_grow_by_the_radius_around_the_exact_solution(name: str, radius: float) -> None:
    system, state = loaded(name, radius)
    tau = np.linspace(-5.0, 5.0, system.n_joints)
    exact = group_forward(system, state, tau)
    swept = staggered_step(system, state, tau, exact.object_acceleration)
    for part in ("object_acceleration", "joint_acceleration", "contact_force"):
        assert off(getattr(swept, part), getattr(exact, part)) < 1e-8, part
    guess, errors = exact.object_acceleration + state.object_velocity, []  # a motion that the arms allow: a fair error
    for _ in range(40):
        guess = staggered_step(system, state, tau, guess).object_acceleration
        errors.append(np.linalg.norm(guess - exact.object_acceleration))
    assert (errors[25] / errors[5]) ** (1 / 20) == pytest.approx(radius, rel=0.15)
    assert (errors[-1] < errors[0]) == (radius < 1.0)


@every(CASES)
def test_sweeps_at_one_moment(case: str) -> None:
    """For drawn arms, contacts and objects: bounded by the radius, which is s / (1 - s) of the gain's shares."""
    joints, contacts = CASES[case]
    rng = np.random.default_rng(len(case))
    twin = arms_and_object(rng, draw_arms(rng, joints), contacts)
    system, state = twin.system, twin.state
    exact = dyn.forward_dynamics(system, state, twin.tau).stages["contact"]["object_acceleration"]
    found, gain = staggered_sweeps(system, state, twin.tau, sweeps=8), contact_gain(system, state)
    assert found.object_acceleration.shape == (9, 6)
    assert not found.object_acceleration[0].any()
    guess = found.object_acceleration[0]
    for acceleration in found.object_acceleration[1:]:
        guess = staggered_step(system, state, twin.tau, guess).object_acceleration
        np.testing.assert_array_equal(acceleration, guess)
    root = np.linalg.cholesky(gain.object_inertia)
    error = np.linalg.norm((found.object_acceleration - exact) @ root, axis=1)
    rounding = 1e-8 * np.linalg.norm(exact @ root)
    assert np.all(error[2:] <= found.radius * (1.0 + 1e-6) * error[1:-1] + rounding), case
    shared = gain.shares[gain.shares < 1.0 - 1e-7]
    assert found.radius == pytest.approx(shared[0] / (1.0 - shared[0]) if len(shared) else 0.0, rel=1e-5, abs=1e-9)


@every(
    (passed, turn)
    for passed in ([0], [1], [2], [3], [4], [5], [0, 2], [2, 5], [0, 4])
    for turn in ([0.0, 0.0, 0.0], [0.4, -0.7, 1.1])
)
def test_what_planar_arms_do_not_feel_is_no_stiffness(passed: list[int], turn: list[float]) -> None:
    """Their plane may lie as it likes: what moves them by rounding alone does not move them."""
    flat, flat_state = dyn.example("two_planar_arms")
    place = np.eye(4)
    place[:3, :3] = Rotation.from_rotvec(turn).as_matrix()
    bases, gravity = [place @ pose for pose in flat.base_poses], place[:3, :3] @ np.asarray(flat.gravity)
    system = dyn.multi_arm(flat.robots, bases, flat.task_object, gravity)
    state = system.state(flat_state.q, object_pose=place @ flat_state.object_pose)
    held = dyn.grasp(system, state, [np.eye(6)[passed]] * 2)
    tau = np.linspace(-1.0, 1.0, held.n_joints)
    in_plane = {1, 3, 5} & set(passed)
    assert (contraction_radius(held, state) > 1e-3) is bool(in_plane)
    last = staggered_sweeps(held, state, tau, 40).object_acceleration[-1]
    expected = dyn.forward_dynamics(held, state, tau, method="kkt").object_acceleration
    np.testing.assert_allclose(last, expected, rtol=0.0, atol=1e-11)


def one_arm(n: int, branching: float) -> tuple[dyn.System, dyn.State]:
    rng = np.random.default_rng([0, n, int(10 * branching)])
    system = dyn.single_arm(draw_robot(rng, n, branching=branching).load(), GRAVITY, draw_pose(rng))
    return system, system.state(q=rng.normal(size=n), qd=rng.normal(size=n))


@every([(4, 0.0), (9, 0.5)])
def test_the_gibbs_function_is_the_acceleration_energy(n: int, branching: float) -> None:
    """JZ (14) against S = sum 1/2 m a'a + 1/2 eps'I eps + (w x I w)'eps, with the filter's accelerations."""
    system, state = one_arm(n, branching)
    solution, expected = dyn.forward_dynamics(system, state, np.ones(n)), 0.0
    for k, link in enumerate(system.link_models):
        rotation, alpha = solution.link_pose[k, :3, :3], solution.stages["smoother"]["acceleration"][k]
        omega, eps, c = rotation.T @ solution.link_velocity[k, :3], rotation.T @ alpha[:3], link.center_of_mass
        a = rotation.T @ alpha[3:] + np.cross(eps, c) + np.cross(omega, np.cross(omega, c))
        expected += 0.5 * link.mass * a @ a + 0.5 * eps @ link.inertia @ eps
        expected += np.cross(omega, link.inertia @ omega) @ eps
    gibbs, qdd = appel.gibbs_function(system, state), solution.joint_acceleration
    found = 0.5 * qdd @ gibbs.mass_matrix @ qdd + gibbs.velocity_terms @ qdd + gibbs.rest
    assert found == pytest.approx(expected, rel=1e-10)


def test_a_constrained_tip_holds_still_or_accelerates_as_given() -> None:
    """JZ (27)-(29): lambda, applied as an external force, holds the tip still."""
    system, state = one_arm(8, 0.0)
    tau, tip = np.ones(8), system.tips[0]
    motion = constrained_arm(system, state, tau)
    held = appel.point_motion(appel.gibbs_function(system, state), system, tip.link, tip.pose[:3, 3])
    scale = np.abs(motion.acceleration).max()
    assert np.abs(held.jacobian @ motion.acceleration + held.rate).max() < 1e-10 * scale
    link, wrench = dyn.forward_kinematics(system, state).pose[tip.link], np.zeros((system.n_links + 1, 6))
    wrench[tip.link] = shift(link[:3, :3] @ tip.pose[:3, 3]) @ motion.force
    freed = dyn.forward_dynamics(system, state, tau, external_forces=wrench).joint_acceleration
    assert close(freed, motion.acceleration, 1e-9)
    system, state = one_arm(5, 0.0)
    rows, tip = np.eye(6)[[3, 5]], system.tips[0]
    motion = constrained_arm(system, state, np.zeros(5), rows, [0.3, -0.7])
    held = appel.point_motion(appel.gibbs_function(system, state), system, tip.link, tip.pose[:3, 3])
    assert rows @ (held.jacobian @ motion.acceleration + held.rate) == pytest.approx([0.3, -0.7], abs=1e-9)
    assert motion.indeterminate.shape == (2, 0)


def test_constraints_of_too_few_joints_at_rest() -> None:
    # A rank-deficient Jacobian: the paper's matrix is singular; the smallest force is returned.
    system = dyn.single_arm(draw_robot(np.random.default_rng(3), 2).load(), (0, 0, -9.81))
    state = system.state(q=[0.3, -0.4])
    motion = constrained_arm(system, state, np.zeros(2))
    assert np.abs(motion.acceleration).max() < 1e-10
    assert motion.indeterminate.shape == (6, 4)
    gibbs = appel.gibbs_function(system, state)
    w, _ = appel.equations_of_motion(gibbs, system, state)
    jacobian = appel.point_motion(gibbs, system, 0, system.tips[0].pose[:3, 3]).jacobian
    moved = np.einsum("ij,ji->i", jacobian, np.linalg.solve(w, jacobian.T)) * motion.force  # by each force alone
    assert np.abs(motion.indeterminate.T @ moved).max() < 1e-9 * np.abs(moved).max()
    system = dyn.single_arm(draw_robot(np.random.default_rng(3), 2).load())
    with pytest.raises(dyn.SingularConfigurationError, match="constrained directions"):
        constrained_arm(system, system.state(), np.zeros(2), acceleration=np.ones(6))
    with pytest.raises(dyn.ModelError, match="positive definite"):
        constrained_motion(np.zeros((1, 1)), np.ones(1), np.ones((1, 1)), np.ones(1))
