"""Unusual systems: chains, trees, flyers, up to six arms that hold, in any unit, posture and speed.

Every form answers as the dense solve in long double does, but for ten times what its condition makes of rounding,
or refuses what that refuses, by name.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

import dynamics as dyn
from dynamics.robot.model import Frame, Joint, Link
from tests.dynamics.dense_reference import (
    EPSILON,
    OPERATIONS,
    ExactSolution,
    NotDefinite,
    backward,
    cholesky,
    dense_reference,
    forward,
)
from tests.dynamics.scaled import Units

ROUNDINGS = 3
FLOOR = 1e-12
WITNESSES = ("two_filter", "mass_matrix", "newton_euler", "newton_euler_modified", "lagrange", "appel", "kkt")
FAR = 1e-9
"""What a witness may lose besides: its levers are differences of places, and its inertias about points, far from what
they move, by more decades of lengths than numbers of the model tell. 3e-10 was the most in thousands of systems."""
CLEARLY_OUT = 1e-5
"""Share of a constraint that no force gives, beyond which a form must refuse; it may from 1e-8 on."""


@dataclass(frozen=True)
class Case:
    """One system in one state; everything that is not said is drawn from the seed."""

    seed: int
    joints: tuple[int, ...]  # of each arm
    contacts: tuple[str | None, ...]  # of each arm; empty without an object
    floating: bool = False
    branching: bool = False
    planar: bool = False
    massless: bool = False  # inner links
    decades: float = 0.0  # of masses
    stretched: int = 0  # angles of size 10^-stretched: near a singular posture
    speed: float = 0.0  # power of ten, rad/s
    units: tuple[int, int, int] = (0, 0, 0)  # powers of ten
    lengths: float = 0.0  # decades of them in one arm
    shape: str = "brick"  # of links
    inner: bool = False  # tips on inner links, too
    square: bool = False  # joints at right angles
    carried: float = 0.0  # power of ten, the object beside itself
    turns: int = 0  # angles of size 10^turns: many turns
    rough: bool = False  # joints with dry friction
    pushed: bool = False  # external forces on links and object


@st.composite
def cases(draw: st.DrawFn) -> Case:
    arms = draw(st.sampled_from((1, 1, 2, 2, 3, 4, 6)))
    kinds = st.sampled_from(("rigid", "point", "soft_finger", None, "drawn", "weighted"))
    held = arms > 1 or draw(st.booleans())
    contacts = tuple(draw(kinds) for _ in range(arms)) if held else ()
    return Case(
        seed=draw(st.integers(0, 2**32 - 1)),
        joints=tuple(draw(st.integers(1, 9 - arms)) for _ in range(arms)),
        contacts=contacts,
        floating=draw(st.booleans()),
        branching=draw(st.booleans()),
        planar=draw(st.integers(0, 3)) == 3,
        massless=draw(st.integers(0, 3)) == 3,
        decades=draw(st.sampled_from((0.0, 1.0, 3.0, 6.0))),
        stretched=draw(st.sampled_from((0, 0, 0, 2, 4, 6, 8, 16))),
        speed=draw(st.sampled_from((0.0, -3.0, 1.0, 2.0, 4.0, -np.inf))),
        units=draw(st.sampled_from(((0, 0, 0),)) | st.tuples(*[st.integers(-6, 6)] * 3)),
        lengths=draw(st.sampled_from((0.0, 0.0, 1.0, 2.0))),
        shape=draw(st.sampled_from(("brick", "brick", *MOMENTS))),
        inner=draw(st.integers(0, 3)) == 3,
        square=draw(st.integers(0, 3)) == 3,
        carried=draw(st.sampled_from((0.0, 0.0, -6.0, -3.0, 3.0, 6.0))),
        turns=draw(st.sampled_from((0, 0, 0, 1, 4))),
        rough=draw(st.integers(0, 3)) == 3,
        pushed=draw(st.integers(0, 3)) == 3,
    )


MOMENTS = {"ball": (1.0, 1.0, 1.0), "disc": (0.5, 0.5, 1.0), "needle": (0.0, 1.0, 1.0), "point": (0.0, 0.0, 0.0)}
SELECTIONS = {
    "drawn": lambda rng: rng.normal(size=(rng.integers(1, 7), 6)),
    "weighted": lambda rng: np.diag(10.0 ** rng.uniform(-6.0, 6.0, 6)),
}
"""Matrices that a caller may give, their rows in any units."""


def varied(robot: dyn.Robot, case: Case) -> dyn.Robot:
    """The same robot with lengths, shapes and tips that a case asks for besides."""
    rng, dry = np.random.default_rng([case.seed, 1]), np.random.default_rng([case.seed, 2])
    links, joints, tips = [], [], list(robot.tips)
    for k, (link, joint) in enumerate(zip(robot.links, robot.joints, strict=True)):
        reach, origin = 10.0 ** rng.uniform(-0.5 * case.lengths, 0.5 * case.lengths), joint.origin.copy()
        inertia = link.inertia
        if case.shape in MOMENTS:
            moments, axes = np.linalg.eigh(inertia)
            inertia = moments[2] * (axes * MOMENTS[case.shape]) @ axes.T
            inertia = 0.5 * (inertia + inertia.T)
        links.append(replace(link, center_of_mass=reach * link.center_of_mass, inertia=reach**2 * inertia))
        origin[:3, 3] *= reach
        friction = tuple(dry.uniform(0.0, 1.0, 2).tolist()) if case.rough else joint.friction
        joints.append(replace(joint, origin=origin, friction=friction))
        if case.inner and rng.random() < 0.3:
            tips.append(Frame(f"inner_{k}", k, pose(rng, 0.3 * reach, case.planar)))
    return replace(robot, links=tuple(links), joints=tuple(joints), tips=tuple(tips))


def body(rng: np.random.Generator, name: str, case: Case, massless: bool) -> Link:
    if massless:
        return Link(name, 0.0, np.zeros(3), np.zeros((3, 3)))
    mass = 10.0 ** rng.uniform(-0.5 * case.decades, 0.5 * case.decades)
    edges = rng.uniform(0.02, 0.4, 3) ** 2
    axes = np.eye(3) if case.planar else rotation(rng)
    inertia = axes @ np.diag(mass / 12.0 * (edges.sum() - edges)) @ axes.T
    center = rng.uniform(-0.15, 0.15, 3) * ([1.0, 1.0, 0.0] if case.planar else [1.0, 1.0, 1.0])
    return Link(name, mass, center, 0.5 * (inertia + inertia.T))


def rotation(rng: np.random.Generator) -> np.ndarray:
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q * np.sign(np.linalg.det(q))


def pose(rng: np.random.Generator, reach: float, planar: bool) -> np.ndarray:
    made = np.eye(4)
    if planar or rng.random() < 0.4:
        made[:3, 3] = (rng.uniform(0.2, 1.0) * reach, 0.0, 0.0)
    else:
        made[:3, :3], made[:3, 3] = rotation(rng), rng.uniform(-reach, reach, 3)
    return made


def robot(rng: np.random.Generator, n: int, case: Case) -> dyn.Robot:
    inboard = [k + 1 for k in range(n)]
    if case.branching:
        inboard = [int(rng.integers(k + 1, min(n, k + 3) + 1)) for k in range(n)]
    leaves = sorted(set(range(n)) - set(inboard))
    links, joints = [], []
    for k in range(n):
        inner = k not in leaves and rng.random() < 0.5
        links.append(body(rng, f"link_{k}", case, case.massless and inner))
        axis = np.eye(3)[2] if case.planar else rotation(rng)[0] if rng.random() < 0.5 else np.eye(3)[rng.integers(3)]
        slides = not case.planar and rng.random() < 0.2
        rotor = 0.01 * links[-1].mass if rng.random() < 0.2 else 0.0
        joints.append(
            Joint(f"joint_{k}", "prismatic" if slides else "revolute", axis, pose(rng, 0.4, case.planar),
                  rotor_inertia=rotor, damping=float(rng.random() < 0.2))
        )  # fmt: skip
    tips = tuple(Frame(f"tip_{k}", k, pose(rng, 0.3, case.planar)) for k in leaves)
    return dyn.Robot("drawn", tuple(links), tuple(joints), tuple(inboard), body(rng, "root", case, False), tips)


def made(case: Case) -> tuple[dyn.System, dyn.State, np.ndarray]:
    """The system, a state of it that is closed in position, and torques."""
    rng = np.random.default_rng(case.seed)
    robots = [varied(robot(rng, n, case), case) for n in case.joints]
    gravity = np.zeros(3) if rng.random() < 0.4 else rng.normal(size=3) * 6.0
    bases = [pose(rng, 1.0, case.planar) for _ in robots]
    if case.contacts:
        payload = body(rng, "thing", case, False)
        box = dyn.TaskObject.box(rng.uniform(0.05, 0.4, 3), payload.mass)
        box = box if rng.random() < 0.5 else dyn.TaskObject(payload.mass, payload.inertia)
        box = dyn.TaskObject(10.0**case.carried * box.mass, 10.0**case.carried * box.inertia, box.geometry)
        system = dyn.multi_arm(robots, bases, box, gravity, case.floating)
    elif case.floating:
        system = dyn.free_flyer(robots[0], gravity)
    else:
        system = dyn.single_arm(robots[0], gravity, bases[0])
    n = system.n_joints
    q = rng.uniform(-2.0, 2.0, n) * 10.0**-case.stretched
    if case.stretched == 16:
        q = np.round(q)
    if case.square:
        q = 0.5 * np.pi * np.round(q)
    if case.turns:
        q = q * [1.0 if joint.kind == "prismatic" else 10.0**case.turns for joint in system.joint_models]
    speed = 10.0**case.speed
    thing_pose = None
    if case.contacts:
        tips = dyn.forward_kinematics(system, system.state(q=q)).tip_pose
        thing_pose = np.eye(4)
        thing_pose[:3, :3] = np.eye(3) if case.planar else rotation(rng)
        thing_pose[:3, 3] = tips[:, :3, 3].mean(axis=0)
    state = system.state(
        q=q,
        qd=rng.normal(size=n) * speed,
        base_velocity=rng.normal(size=(6,) if system.kind == "free_flyer" else (system.n_bases, 6)) * speed
        if system.is_floating
        else None,
        object_pose=thing_pose,
        object_velocity=rng.normal(size=6) * speed if case.contacts else None,
    )
    kinds: list[Any] = [case.contacts[tip.arm] for tip in system.tips] if case.contacts else []
    kinds = [SELECTIONS[kind](rng) if kind in SELECTIONS else kind for kind in kinds]
    if any(kind is not None for kind in kinds):
        system = dyn.grasp(system, state, kinds)
    length, mass, time = (10.0**power for power in case.units)
    units = Units(length, mass, time)
    tau = rng.normal(size=n) * units.of_torques(system)
    return *units.system(system, state), tau


def pushes(case: Case, system: dyn.System) -> np.ndarray | None:
    """(links + 1, 6), external forces; None where nothing pushes."""
    if not case.pushed:
        return None
    rng = np.random.default_rng([case.seed, 3])
    found = rng.normal(size=(system.n_links + 1, 6)) * Units(*(10.0**power for power in case.units)).wrench
    found[rng.random(len(found)) < 0.5] = 0.0
    if system.task_object is None:
        found[-1] = 0.0
    return found


def answers(case: Case) -> None:
    system, state, tau = made(case)
    agree(system, state, tau, pushes(case, system))


NAMED = (dyn.ModelError, dyn.StateError, dyn.SingularConfigurationError)


def agree(system: dyn.System, state: dyn.State, tau: np.ndarray, wrench: np.ndarray | None = None) -> None:
    """Every form answers as the reference does; refusals are named, and only of what rounding may decide."""
    sure = known(system, state, tau, wrench, 0 if system.is_held else ROUNDINGS)
    if system.is_held:
        try:
            state = dyn.project(system, state)
        except NAMED as error:
            if sure is not None:
                raise AssertionError(f"project refuses what can be closed: {error}") from error
            return
        sure = known(system, state, tau, wrench, ROUNDINGS)
    for name, form in forms(system, state, tau, wrench).items():
        try:
            found, forces = form()
        except NAMED as error:
            open_chain = isinstance(error, dyn.SingularConfigurationError) and sure is not None and sure[0].left > 1e-8
            if not (sure is None or open_chain):
                raise AssertionError(f"{name} refuses what can be solved: {error}") from error
            continue
        assert np.all(np.isfinite(found)), f"{name} answers what is no number"
        assert forces is None or np.all(np.isfinite(forces)), f"{name} finds forces that are no numbers"
        if sure is None:
            continue
        exact, allowed = sure
        assert exact.left < CLEARLY_OUT, f"{name} answers where no force closes the chain"
        answer = replace(exact, acceleration=found, force=own(exact, forces))
        for gap, limit, what in zip(apart(answer, exact, exact), allowed, ("accelerations", "forces"), strict=True):
            limit = max(limit, FAR) if name in WITNESSES else limit
            assert gap <= limit, f"{name}'s {what} are off by {gap:.3g}, allowed are {limit:.3g}"


def known(
    system: dyn.System, state: dyn.State, tau: np.ndarray, wrench: np.ndarray | None, roundings: int
) -> tuple[ExactSolution, NDArray[np.float64]] | None:
    """What the system does, and how far from it accelerations and forces may be; None where rounding decides."""
    try:
        exact = dense_reference(system, state, tau, None, wrench)
        if exact.grey[1] > 1e-13 or exact.grey[0] < 1e-8:
            return None  # whether such a direction counts
        condition = OPERATIONS * EPSILON * (1.0 / np.array([exact.grey[0], exact.grey[0] ** 2]) + 1.0 / exact.firm)
        if not 10.0 * condition[0] < 1e-2:  # so nearly massless that it says nothing of what a form may answer
            return None
        rng = np.random.default_rng(0)
        near = [dense_reference(system, state, tau, rng, wrench) for _ in range(roundings)]
    except NotDefinite:
        return None
    if any(len(one.force) != len(exact.force) for one in near):
        return None
    shifted = np.max([condition, *(apart(one, exact, exact) for one in near)], axis=0)
    allowed = np.maximum(FLOOR, 10.0 * shifted)
    return (exact, allowed) if allowed[0] < 1e-2 else None


def own(exact: ExactSolution, forces: np.ndarray | None) -> np.ndarray:
    """Forces at contacts in the contacts' own directions."""
    if forces is None or not len(exact.force):
        return exact.force
    c = exact.directions  # C f = x, where the rows of C need be neither orthogonal nor of one length
    root = cholesky(c @ c.T, 0.0)
    return backward(root, forward(root, c @ forces.ravel()))


def apart(found: ExactSolution, exact: ExactSolution, like: ExactSolution) -> tuple[float, float]:
    """How far accelerations and forces are apart, whitened, of the largest there is."""
    size = max(like.size, float(np.abs(exact.acceleration * like.motion_unit).max(initial=0.0))) or 1.0
    gap = float(np.abs((found.acceleration - exact.acceleration) * like.motion_unit).max(initial=0.0)) / size
    if not len(exact.force):
        return gap, 0.0
    whole = max(size, float(np.abs(exact.force * like.force_unit).max()))
    return gap, float(np.abs((found.force - exact.force) * like.force_unit).max()) / whole


def forms(system: dyn.System, state: dyn.State, tau: np.ndarray, wrench: np.ndarray | None) -> dict[str, object]:
    """Each way to accelerations, packed, and contact forces, those of the contacts in turn."""
    tips = [contact.tip for contact in system.contacts]

    def by(method: str) -> object:
        def solve() -> tuple[np.ndarray, np.ndarray | None]:
            found = dyn.forward_dynamics(system, state, tau, method, wrench)
            return found.packed_acceleration, None if found.contact_force is None else found.contact_force[tips]

        return solve

    def by_solver() -> tuple[np.ndarray, np.ndarray | None]:
        solver = dyn.solver(system)
        x, v = system.pack(state)
        found = solver(x, v, tau).copy()
        return found, solver.stages["contact"]["contact_force"][tips] if system.is_held else None

    def by_batch() -> tuple[np.ndarray, np.ndarray | None]:
        found = dyn.forward_dynamics_batch(
            system, np.tile(state.q, (3, 1)), state.qd, tau, base_pose=state.base_pose,
            base_velocity=state.base_velocity, object_pose=state.object_pose, object_velocity=state.object_velocity,
            external_forces=wrench,
        )  # fmt: skip
        parts = [found.joint_acceleration, found.base_acceleration, found.object_acceleration]
        packed = np.concatenate([part[2].ravel() for part in parts if part is not None])
        return packed, None if found.contact_force is None else found.contact_force[2][tips]

    def by_run() -> tuple[np.ndarray, np.ndarray | None]:
        pace = max(1.0, float(np.abs(system.pack(state)[1]).max(initial=0.0)))
        run = dyn.simulate(system, state, tau=tau, duration=2e-6 / pace, dt=1e-6 / pace, external_forces=wrench)
        return run.acceleration[0], None

    made = {method: by(method) for method in dyn.methods(system) if method != "lagrange" or system.n_joints < 5}
    made |= {"batch": by_batch, "simulate": by_run}
    return made if wrench is not None else made | {"solver": by_solver}


FOUND = {
    "as many answers as ways to come near": Case(
        536870912, (3, 1, 3, 2, 2, 2), ("soft_finger", "rigid", "rigid", "rigid", "rigid", "rigid"),
        floating=True, branching=True, stretched=16, speed=-3.0,
    ),
    "an arm that keeps 1e-17 of its inertia": Case(
        135, (4, 3), ("rigid", "rigid"), planar=True, massless=True, stretched=8,
    ),
    "an object that hardly resists": Case(1, (1,), ("rigid",), floating=True, branching=True, decades=6.0, speed=2.0),
    "two arms of a hundredth of a millimetre": Case(7, (3, 3), ("rigid", "rigid"), planar=True, units=(-4, -12, 0)),
    "a tree of which several tips hold": Case(822070210, (7, 1), ("soft_finger", "rigid"), branching=True, speed=2.0),
    "a locked machine that comes to rest": Case(
        2677529549, (6, 5, 6), ("rigid", "soft_finger", "rigid"), branching=True, decades=1.0, stretched=8,
        speed=4.0, units=(-5, -1, -6),
    ),
    "a pivot that keeps a ten-thousandth": Case(
        3069200679, (1, 1, 3, 1, 2, 3), ("point", "point", "point", None, "soft_finger", "point"), decades=3.0,
        speed=2.0,
    ),
    "slow beside its torques": Case(19277886, (3,), ("rigid",), branching=True, stretched=8, speed=1.0),
    "a direction with a millionth of its own": Case(
        2586824351, (3, 2, 1), ("point", "point", "rigid"), massless=True, decades=3.0, stretched=6, speed=-3.0,
    ),
    "no inertia but rounding": Case(
        154367366, (7, 7), ("rigid", "soft_finger"), planar=True, massless=True, units=(4, 2, -5),
    ),
    "a heavy object on a tip that lies on its joint's axis": Case(
        24104492, (5, 1), (None, "soft_finger"), branching=True, speed=4.0, lengths=1.0, shape="point",
        inner=True, square=True, carried=6.0,
    ),
    "a heavy object beside a tip a hair off its joint's axis": Case(
        0, (3, 4, 3, 1), (None, "drawn", None, "soft_finger"), speed=2.0, units=(-3, 0, -1), lengths=1.0,
        shape="disc", carried=6.0,
    ),
    "masses of six decades between two points": Case(
        14055, (4, 2), ("point", "point"), decades=6.0, stretched=6, speed=1.0, lengths=1.0, shape="ball",
        square=True, carried=3.0,
    ),
    "a grip whose pivots are just firm, all of them": Case(
        3, (6,), ("rigid",), massless=True, decades=6.0, stretched=2, speed=-3.0, lengths=2.0, square=True,
    ),
    "a gap that is nothing to a heavy object's weight": Case(
        975, (4, 3, 3, 4), ("soft_finger", "soft_finger", "soft_finger", "soft_finger"), floating=True,
        branching=True, planar=True, stretched=8, speed=-3.0, shape="needle", inner=True, square=True,
        carried=6.0,
    ),
    "a straight chain, placed by centres of mass off its line": Case(
        0, (6, 7), ("point", "point"), planar=True, decades=3.0, stretched=8, speed=4.0, shape="point",
        carried=6.0,
    ),
    "straight chains that hold a heavy object four times": Case(
        177, (3, 1, 2, 1), ("soft_finger", "drawn", "rigid", "rigid"), planar=True, massless=True, stretched=8,
        speed=1.0, units=(4, 3, 3), carried=6.0,
    ),
    "what hardly moves by itself, held": Case(
        794, (6, 7), ("drawn", "point"), floating=True, branching=True, planar=True, massless=True, stretched=2,
        speed=-3.0, units=(4, -4, 1), shape="needle",
    ),
    "forces of a hundred million times what they move": Case(
        439, (2, 3, 4), ("rigid", "rigid", "soft_finger"), massless=True, stretched=4,
    ),
    "the same, of rigid hands": Case(439, (2, 3, 4), ("rigid", "rigid", "rigid"), massless=True, stretched=4),
    "the same, of two hands": Case(439, (2, 3, 4), ("rigid", None, "rigid"), massless=True, stretched=4),
    "the same, about a point": Case(439, (2, 3, 4), ("point", "rigid", "rigid"), massless=True, stretched=4),
}  # fmt: skip
