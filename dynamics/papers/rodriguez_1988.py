"""R88: five stages, the contact gain and its limits, three sweeps; Figs 2.1-10.1, and the limits of Section 9."""

from __future__ import annotations

import numpy as np

from dynamics.checks import Array
from dynamics.papers.critical_path import HUB, critical_path, hub_operations
from dynamics.papers.result import Contents, PaperFigure, PaperNumber, curve, entries, equality
from dynamics.solve.forward_dynamics import forward_dynamics
from dynamics.solve.influence import contact_gain, influence
from dynamics.solve.operational_space import operational_space_inertia
from dynamics.system.assembly import multi_arm, with_task_object
from dynamics.system.examples import example
from dynamics.system.grasp import grasp, release
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.witness.equation_of_motion import grasp_map, mass_matrix, object_bias_force

LINKS = 6
"""Number of links of each arm in operation counts."""
ARMS = (1, 2, 3, 4, 8, 16)
HEAVY, LIGHT = 1e12, 1e-6
"""Object masses at the limits, kg."""
LIMIT = 1e-6
"""Tolerance at a limit."""
SAME = 1e-9
"""Largest relative difference of two computations of one quantity."""


def _moment() -> tuple[System, State, Array]:
    system, state = example("two_arms_and_box")
    return system, state, np.linspace(-5.0, 5.0, system.n_joints)


def with_mass(system: System, mass: float) -> System:
    """The same machine with an object of another mass; its inertia is scaled along."""
    assert system.task_object is not None
    return with_task_object(system, system.task_object.with_mass(mass))


def fig_9_1() -> Contents:
    """The results of each stage, compared with dense solves of the arms alone and of the closed chain."""
    system, state, torque = _moment()
    stages = forward_dynamics(system, state, torque).stages
    alone = forward_dynamics(release(system), state, torque, method="kkt").joint_acceleration
    closed = forward_dynamics(system, state, torque, method="kkt")
    matrix, half = mass_matrix(system, state), system.n_joints // 2
    inner = [half - 1, 2 * half - 1]  # the base's joints, with nothing inboard: there the residual is everything
    unlocked = [1.0 / np.linalg.inv(matrix[k - half + 1 : k + 1, k - half + 1 : k + 1])[-1, -1] for k in inner]
    d, correction = stages["filter"]["joint_inertia"], stages["filter_correction"]["modified_innovation"]
    assert closed.contact_force is not None
    for row, what, one, other in (
        ("1 filter", "D of the base's joints", d[inner], np.array(unlocked)),
        ("1 filter", "residuals there", stages["filter"]["residual"][inner], alone[inner]),
        ("2 smooth", "free accelerations", stages["smoother"]["joint_acceleration"], alone),
        ("3 contact", "contact forces", stages["contact"]["contact_force"], closed.contact_force),
        ("4 correct", "residuals of the base's joints", correction[inner] / d[inner], closed.joint_acceleration[inner]),
        ("5 smooth", "accelerations", stages["smoother_final"]["joint_acceleration"], closed.joint_acceleration),
    ):
        yield equality(row, f"{what}, of their size", one, other, 1e-8)


def fig_9_2() -> Contents:
    """Which stages take longer with more arms, each on its own processor."""
    paths = [critical_path("spoked_wheel", LINKS, arms) for arms in ARMS]
    hubs = [hub_operations(LINKS, arms) for arms in ARMS]
    grown = [name for name, cost in paths[-1].stages.items() if cost.steps > paths[0].stages[name].steps]
    line = hubs[0][0].steps + 15 * (hubs[1][0].steps - hubs[0][0].steps)
    yield PaperNumber("stages that grow with the arms", "but the third", "", 0.0, float(len(set(grown) - {HUB})))
    for arms, (by_gain, _) in zip(ARMS, hubs, strict=True):
        pivots = "dimension of (9.1): its pivots"
        yield PaperNumber(f"{arms} arms", pivots, "", 6.0 * (arms + 1), float(by_gain.divisions))
    yield PaperNumber("16 arms", "operations by (9.1), on a straight line", "", line, hubs[-1][0].steps)
    curves = (
        curve("one processor", ARMS, [path.sequential.steps for path in paths]),
        curve("a spoke for each arm", ARMS, [path.path.steps for path in paths], "dashed"),
        curve("contact forces by (9.1)", ARMS, [by_gain.steps for by_gain, _ in hubs]),
        curve("contact forces by Ω", ARMS, [by_omega.steps for _, by_omega in hubs], "points"),
    )
    yield PaperFigure(curves, "arms of six links", "operations", log_y=True)


def fig_9_3() -> Contents:
    """(9.1) as a chain, compared with the solution; and the gain for heavy and light objects."""
    system, state, torque = _moment()
    solved = forward_dynamics(system, state, torque, method="kkt")
    free = forward_dynamics(system, state, torque).stages["contact"]["predicted_contact_force"]
    assert free is not None
    gain, on_object = contact_gain(system, state), grasp_map(system, state)
    lacking = object_bias_force(system, state) - on_object @ free.ravel()
    corrected = free.ravel() + gain.by_mobility @ lacking  # R88 (9.1)
    assert solved.contact_force is not None and gain.by_inertia is not None
    force = solved.contact_force.ravel()
    yield equality("(9.1)", "corrected force against the dense solve, of its size", corrected, force, SAME)
    yield equality("gain", "its two forms, of its size", gain.by_inertia, gain.by_mobility, SAME)
    masses = np.logspace(-4, 6, 41)
    gains = [contact_gain(with_mass(system, float(mass)), state).by_mobility for mass in masses]
    left = [np.abs(on_object @ g - np.eye(6)).max() for g in gains]
    curves = (
        curve("largest element of the gain", masses, [np.abs(g).max() for g in gains]),
        curve("largest element of A·gain − 1", masses, left, "dashed"),
    )
    yield PaperFigure(curves, "the object's mass, kg", "SI", log_x=True, log_y=True)


def limits() -> Contents:
    """Section 9: an object heavier than the arms, and one lighter."""
    system, state, torque = _moment()
    on_object = grasp_map(system, state)
    heavy, light = (with_mass(system, mass) for mass in (HEAVY, LIGHT))
    weightless = multi_arm(system.robots, system.base_poses, heavy.task_object, gravity=(0.0, 0.0, 0.0))
    weightless = grasp(weightless, state, [contact.kind for contact in system.contacts])

    def beside_free(held: System) -> tuple[float, float]:
        found = forward_dynamics(held, state, torque)
        force, free = found.contact_force, found.stages["contact"]["predicted_contact_force"]
        assert force is not None and free is not None and found.object_acceleration is not None
        return float(np.abs(force - free).max()), float(np.abs(found.object_acceleration).max())

    (off, falls), (floats, rests) = beside_free(heavy), beside_free(weightless)
    falling = (
        "under gravity the object's weight grows with its mass as fast as the gain falls, so that it falls freely and "
        "the tips with it; the limit as stated holds where nothing but the arms acts on the object"
    )
    vanishing = np.abs(contact_gain(heavy, state).by_mobility).max()
    decided = np.abs(on_object @ contact_gain(light, state).by_mobility - np.eye(6)).max()
    yield from (
        PaperNumber("heavy object", "largest element of the gain", "SI", 0.0, float(vanishing), LIMIT),
        PaperNumber("heavy object, no gravity", "acceleration", "m/s²", 0.0, rests, LIMIT),
        PaperNumber("heavy object, no gravity", "x(0) less x_FREE", "N", 0.0, floats, 1e-2),
        PaperNumber("heavy object, gravity", "acceleration", "m/s²", 0.0, falls, LIMIT, falling),
        PaperNumber("heavy object, gravity", "x(0) less x_FREE", "N", 0.0, off, 1e-2, falling),
        PaperNumber("light object", "A·gain less the unit matrix", "SI", 0.0, float(decided), 1e-3),
    )


def fig_10_1() -> Contents:
    """The influence matrix by its three sweeps, compared with the response to torques in the dense solve."""
    system, state, _ = _moment()
    n = system.n_joints
    swept = influence(system, state).W
    rest = forward_dynamics(system, state, np.zeros(n), method="kkt").joint_acceleration
    pushed = [forward_dynamics(system, state, push, method="kkt").joint_acceleration - rest for push in np.eye(n)]
    row = "W by three sweeps"
    yield equality(row, "against the dense solve, of its size", swept, np.array(pushed).T, SAME)
    yield equality(row, "W less its transpose, of its size", swept.T, swept, SAME)


def tip_inertia() -> Contents:
    """Section 9: the inertia of the tips, as the inverse of the co-state covariance."""
    system, state, torque = _moment()
    weighed = operational_space_inertia(system, state)
    covariance = forward_dynamics(system, state, torque).stages["contact"]["tip_costate_covariance"]
    yield equality("tip inertia times Λ(0)", "less the unit matrix", weighed @ covariance, np.eye(6), 1e-7)


MOMENT = "Two arms and a box, at rest, with torques from −5 to 5 N m."
RESULTS = entries(
    "R88",
    ("r88_fig_2_1", "Fig. 2.1", "Several arms hold one object",
     "A drawing, which the scan lost. The page's arms with a box are such a machine.", None),
    ("r88_fig_9_1", "Fig. 9.1", "Five stages",
     f"{MOMENT} The diagram is lost; what its stages leave behind is compared with dense solves.", fig_9_1),
    ("r88_fig_9_2", "Fig. 9.2", "A processor for each arm, one for the object",
     "The diagram is lost. Its statement is counted: only the third stage grows with the arms, linearly by (9.1), "
     "with the dimension 6(N + 1) that Section 11 gives it; where Ω is factored, with their cube.", fig_9_2),
    ("r88_fig_9_3", "Fig. 9.3", "Contact forces predicted and corrected", MOMENT, fig_9_3),
    ("r88_limits", "Section 9", "Limits of the gain",
     f"{MOMENT} The heavy object has 10¹² kg, the light one a milligram.", limits),
    ("r88_tip_inertia", "Section 9", "The arms' inertia at their tips", MOMENT, tip_inertia),
    ("r88_fig_10_1", "Fig. 10.1", "The influence matrix in three sweeps", MOMENT, fig_10_1),
)  # fmt: skip
