"""How another program writes its numbers: order, axes and point of spatial vectors, form, numbering, signs.

``View`` writes ours in any frame, ``in_words`` describes a convention, ``libraries`` lists who uses it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from dynamics.checks import Array, brief, choices, names
from dynamics.comparison.arrays import BODY, FRAMED, INERTIAL, ORDERS, QUANTITIES, Kind
from dynamics.comparison.sweeps import HELD, WORLD, Form, Run
from dynamics.errors import StateError
from dynamics.system.axis_frames import axes_with_z_along
from dynamics.system.plain_kinematics import tilde
from dynamics.system.system import System

AXES = (INERTIAL, BODY, "axes with z along the joint")
POINTS = {
    "joint": "at the joint",
    "mass centre": "at the link's mass centre",
    "world origin": "at the world's origin",
    "mass centre of the tree": "at the mass centre of the whole tree",
}


class Frame(NamedTuple):
    """How spatial vectors are written: which half comes first, in which axes, at which point."""

    order: str
    axes: str
    point: str


FRAMES = tuple(Frame(order, axes, point) for point in POINTS for axes in AXES for order in ORDERS)
OUR_FRAME = FRAMES[0]


class Numbering(NamedTuple):
    """An order of links: in words, and our index of each of their links and joints."""

    words: str
    links: tuple[int, ...]
    joints: tuple[int, ...]


class Convention(NamedTuple):
    """How one array is written; ``sign`` is -1 if forces have the opposite sign."""

    frame: Frame
    form: Form
    numbering: Numbering
    sign: int


def numberings(system: System, joints: Sequence[str] | None = None) -> tuple[Numbering, ...]:
    """All that are tried: from tip or base, for trees depth first or breadth first; or the order of ``joints``."""
    n, count = system.n_joints, range(system.n_links)
    if joints is not None:
        named = names(joints, "joints")
        if sorted(named) != sorted(system.joint_names):
            raise StateError(f"joints is {brief(named)}; expected each of {choices(system.joint_names)} once.")
        own, bases = tuple(system.joint_names.index(name) for name in named), tuple(range(n, system.n_links))
        return (
            Numbering("as the joints were named", (*bases, *own), own),
            Numbering("as the joints were named, floating bodies last", (*own, *bases), own),
        )
    orders = [("from tip to base", list(count)), ("from base to tip", list(reversed(count)))]
    sorts: list[tuple[str, Callable[[int], Any]]] = [
        ("", lambda k: -k),
        ("", lambda k: k),
        (", by the links' names", lambda k: system.link_names[k]),
        (", by the joints' names", lambda k: system.joint_names[k] if k < n else ""),  # as Pinocchio sorts
    ]
    for words, sort in sorts:
        outboard = {i: sorted((k for k in count if system.inboard[k] == i), key=sort) for i in (WORLD, *count)}
        orders.append((f"from the base, branch after branch{words}", _depth_first(outboard, WORLD)))
        level = list(outboard[WORLD])
        for k in level:
            level += outboard[k]
        orders.append((f"from the base, level by level{words}", level))
    distinct: dict[tuple[int, ...], str] = {}
    for words, order in orders:
        distinct.setdefault(tuple(order), words)
    return tuple(Numbering(words, order, tuple(k for k in order if k < n)) for order, words in distinct.items())


def _depth_first(outboard: Mapping[int, list[int]], root: int) -> list[int]:
    return [k for j in outboard[root] for k in (j, *_depth_first(outboard, j))]


class View:
    """A run in a frame, with links as the system numbers them; the frame applies to contacts and the object too."""

    def __init__(self, system: System, run: Run, frame: Frame) -> None:
        self._system, self._run, self._frame = system, run, frame
        self._known: dict[str, Array] = {}

    def shown(self, quantity: str) -> Array:
        """A quantity in this frame, (links, joints or contacts, ...)."""
        if quantity not in self._known:
            kind, letter = QUANTITIES[quantity].kind, QUANTITIES[quantity].letter
            value = self._run.letter(letter) + self._offset(letter.removesuffix(HELD))
            self._known[quantity] = _transformed(kind, *self._transforms(letter), value) if kind in FRAMED else value
        return self._known[quantity]

    def ours(self, quantity: str, theirs: Array) -> Array:
        """An array in this frame converted to ours: the inverse of ``shown``."""
        kind, letter = QUANTITIES[quantity].kind, QUANTITIES[quantity].letter
        if kind in FRAMED:
            X, X_force = (each.transpose(0, 2, 1) for each in self._transforms(letter))
            theirs = _transformed(kind, X_force, X, theirs)
        return np.asarray(theirs - self._offset(letter.removesuffix(HELD)))

    @cached_property
    def _of_links(self) -> tuple[Array, Array]:
        return self._both(self._turns, self._levers)

    @cached_property
    def _of_contacts(self) -> tuple[Array, Array]:
        moved, object_turn = self._run.moved, self._object_pose[:3, :3]
        turns = np.array([(object_turn @ contact.object_pose[:3, :3]).T for contact in self._system.contacts])
        if self._frame.axes == INERTIAL:
            turns = np.broadcast_to(np.eye(3), turns.shape)
        levers = {"joint": 0.0 * moved.object_lever, "world origin": -moved.contact_pose[:, :3, 3]}
        return self._both(turns, levers.get(self._frame.point, -moved.object_lever))

    @cached_property
    def _of_object(self) -> tuple[Array, Array]:
        turn = np.eye(3) if self._frame.axes == INERTIAL else self._object_pose[:3, :3].T
        return self._both(turn[None], self._object_lever[None])

    @cached_property
    def _object_pose(self) -> Array:
        assert self._run.state.object_pose is not None
        return self._run.state.object_pose

    @cached_property
    def _object_lever(self) -> Array:
        """(3,), from the object's mass centre to the reference point: the mass centre itself or the world's origin."""
        return -self._object_pose[:3, 3] * (self._frame.point == "world origin")

    def _transforms(self, letter: str) -> tuple[Array, Array]:
        """Theirs <- ours, (links, contacts or 1, 6, 6): of motions, and of forces."""
        if letter == "alpha_C":
            return self._of_object
        return self._of_contacts if letter in ("x_0", "Lam_0") else self._of_links

    def _both(self, turns: Array, levers: Array) -> tuple[Array, Array]:
        X = np.zeros((2, len(turns), 6, 6))
        X[..., :3, :3] = X[..., 3:, 3:] = turns
        X[0, :, 3:, :3] = X[1, :, :3, 3:] = -turns @ tilde(levers)
        X = np.roll(X, 3, axis=2) if self._frame.order == ORDERS[1] else X
        return X[0], X[1]

    @cached_property
    def _levers(self) -> Array:
        """(links, 3), from O_k to the reference point."""
        system, moved = self._system, self._run.moved
        at = moved.pose[:, :3, 3]
        if self._frame.point == "mass centre":
            return moved.mass_lever
        if self._frame.point == "world origin":
            return -at
        if self._frame.point == "mass centre of the tree":  # of all links with the same root
            mass = np.array([link.mass for link in system.link_models])
            roots = np.array([system.path_inward(k)[-1] for k in range(system.n_links)])
            together = roots[:, None] == roots
            centers = together @ (mass[:, None] * (at + moved.mass_lever)) / (together @ mass)[:, None]
            return np.asarray(centers - at)
        return np.zeros_like(at)

    @cached_property
    def _turns(self) -> Array:
        """(links, 3, 3), their axes <- inertial axes."""
        turn = self._run.moved.pose[:, :3, :3].transpose(0, 2, 1)
        if self._frame.axes == INERTIAL:
            return np.broadcast_to(np.eye(3), turn.shape)
        if self._frame.axes == BODY:
            return turn
        return np.asarray(_aligned(self._system) @ turn)

    @cached_property
    def _centripetal(self) -> Array:
        """(links + 1, 6): the reference point's acceleration minus that of O_k; the world's row is last."""
        omega, found = self._run.moved.velocity[:, :3], np.zeros((self._system.n_links + 1, 6))
        found[:-1, 3:] = np.cross(omega, np.cross(omega, self._levers))
        return found

    def _offset_of_object(self) -> Array:
        """The same for the object; a run gives the acceleration of its mass centre in every form."""
        form, velocity, found = self._run.form, self._run.state.object_velocity, np.zeros((1, 6))
        assert velocity is not None
        omega = velocity[:3]
        found[0, 3:] = -np.cross(omega, velocity[3:] if form.spatial else np.cross(self._object_lever, omega))
        found[0, 3:] -= self._system.gravity if form.lifted else 0.0
        return found

    def _offset(self, letter: str) -> Array | float:
        """What a reference point other than O_k adds to a quantity; zero if accelerations are spatial vectors."""
        if letter == "alpha_C":
            return self._offset_of_object()
        if self._run.form.spatial or self._frame.point == "joint" or letter not in ACCELERATED:
            return 0.0
        run, own = self._run, self._centripetal[:-1]
        carried = _times(run.carried, self._centripetal[self._system.inboard])
        n = self._system.n_joints
        if letter in ("alpha", "a"):
            return own if letter == "alpha" else own - carried
        if letter == "b":
            return -_times(run.letter("M"), own)
        if letter == "z_plus":
            return -_times(run.letter("P_plus"), carried)
        felt = _times(run.letter("P"), own if run.form.printed or letter == "z_alone" else carried)
        if letter in ("z", "z_alone"):
            return -felt
        along = np.sum(run.letter("H") * felt[:n], axis=1)
        return np.asarray(along if letter == "eps" else along / run.letter("D"))


@lru_cache(maxsize=4)
def _aligned(system: System) -> Array:
    """(links, 3, 3), axes with z along the joint axis <- link axes."""
    found = [axes_with_z_along(joint.axis) for joint in system.joint_models]
    found += [np.eye(3)] * (system.n_links - len(found))
    return np.array(found).transpose(0, 2, 1)


ACCELERATED = ("a", "b", "z", "z_alone", "z_plus", "eps", "nu", "alpha", "alpha_C")
"""Letters that depend on how accelerations are written."""


def _transformed(kind: Kind, X: Array, X_force: Array, value: Array) -> Array:
    """A quantity transformed by the matrices of motions and forces; joints use those of the first links."""
    side = X_force if kind in ("force", "gain", "inertia") else X
    if kind in ("inertia", "mobility"):
        return np.asarray(side @ value @ side.transpose(0, 2, 1))
    if kind == "tips":  # a block for each pair of contacts
        blocks = value.reshape(len(X), 6, len(X), 6)
        return np.einsum("cij,cjdk,dlk->cidl", X, blocks, X).reshape(len(X), 6, -1)
    return _times(side[: len(value)], value)


def _times(matrices: Array, vectors: Array) -> Array:
    return np.asarray((matrices @ vectors[..., None])[..., 0])


FEATHERSTONE = Form(spatial=True, lifted=True, printed=True)
LIBRARIES: Mapping[str, tuple[Frame, Form]] = {
    "Featherstone's book, spatial_v2 and RBDL": (Frame(ORDERS[0], BODY, "joint"), FEATHERSTONE),
    "Pinocchio (local)": (Frame(ORDERS[1], BODY, "joint"), FEATHERSTONE),
    "Pinocchio (world)": (Frame(ORDERS[1], "inertial axes", "world origin"), FEATHERSTONE),
    "Pinocchio (local, world aligned) and KDL's Jacobian": (Frame(ORDERS[1], INERTIAL, "joint"), FEATHERSTONE),
    "MuJoCo": (Frame(ORDERS[0], "inertial axes", "mass centre of the tree"), FEATHERSTONE),
    "Drake": (OUR_FRAME, Form(printed=True)),
    "Rodriguez, Jain and Kreutz, as Armsweep does": (OUR_FRAME, Form()),
    "Rodriguez, Jain and Kreutz in link axes": (Frame(ORDERS[0], BODY, "joint"), Form()),
}


def in_words(convention: Convention, quantities: Iterable[str]) -> str:
    """The parts of a convention that affect some quantities, in words."""
    several = [QUANTITIES[quantity] for quantity in quantities]
    letters, kinds = {each.letter.removesuffix(HELD) for each in several}, {each.kind for each in several}
    spatial, lifted, printed = convention.form
    words, (order, axes, point) = [], convention.frame
    place, at_contacts = POINTS[point], all(each.stage == "contact" for each in several)
    if at_contacts:
        axes = INERTIAL if axes == INERTIAL else BODY
        place = {"joint": "at the contact", "world origin": place}.get(point, "at the object's mass centre")
    if kinds & set(FRAMED):
        words.append(f"{order}, in {axes}, {place}")
    if letters & set(ACCELERATED):
        words.append("accelerations of spatial vectors" if spatial else "accelerations of the point itself")
        words.append("gravity as an acceleration of the base" if lifted else "gravity as a weight on each link")
    if letters & {"z", "z_alone", "eps", "nu"}:
        corrected = "z without P a, ε with it" if "z_alone" in letters else "z with P a in it"
        words.append("z without P a" if printed else corrected)
    if "force" in kinds and convention.sign < 0:
        words.append("forces with the other sign")
    return "; ".join(words if at_contacts else [*words, f"links {convention.numbering.words}"])


def libraries(convention: Convention, quantities: Iterable[str]) -> tuple[str, ...]:
    """The libraries that write these quantities in this convention."""
    quantities = tuple(quantities)
    if not {QUANTITIES[quantity].kind for quantity in quantities} & set(FRAMED):
        return ()
    own = in_words(convention, quantities)
    return tuple(
        name
        for name, (frame, form) in LIBRARIES.items()
        if in_words(convention._replace(frame=frame, form=form, sign=1), quantities) == own
    )
