"""What arms that hold an object do: the contact stage of the text, and the sweeps once more with its forces."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from types import CodeType
from typing import Any, NamedTuple

import numpy as np

from dynamics.checks import Array
from dynamics.faults.alteration import Form, right_side
from dynamics.reading.lines import lines_of
from dynamics.system.plain_kinematics import PlainKinematics, tilde
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.textbook import blackboard, contact

SUFFIX = "_held"
AGAIN = ("z", "eps", "nu", "z_plus", "theta_dd", "alpha")
"""Letters that the sweeps leave a second time, under the contact forces: four of the filter, two of the smoother."""
OF_CONTACTS = ("Lam_0", "x_0", "alpha_C")
AXES = ("inertial axes", "contact axes", "the object's axes", "the link's axes")
POINTS = ("the contact", "the object's mass centre", "the joint")


def contact_stage(letters: Mapping[str, Any], swept: Mapping[str, Array], Lam: Array, form: Form) -> dict[str, Array]:
    """Forces on the object, its acceleration and how readily the tips give way, by the text; R88 Section 8.

    Args:
        letters: what the text is given.
        swept: the sweeps of arms that hold nothing, in a form.
        Lam: (links, 6, 6), the co-state covariance.
        form: of the sweeps; the contact stage has accelerations of points, and gravity as a weight.
    """
    alpha = accelerations_of_points(swept, letters["g"][:, 0], form)
    own = {**letters, "alpha": alpha[..., None], "Lam": Lam, "tau_bar": swept["tau_bar"]}
    for function, names in (
        (contact.object_bias, ("w_C", "b_C", "alpha_b")),
        (contact.contact_prediction, ("a_0", "lam_FREE", "eta", "lam_bar", "Lam_0")),
    ):
        asked = function.__code__.co_varnames[: function.__code__.co_argcount]
        own |= dict(zip(names, function(*(own[name] for name in asked)), strict=False))
    own["lam_bar"] = own["lam_bar"].reshape(-1, 1)
    own["Lam_0"] = own["Lam_0"].transpose(0, 2, 1, 3).reshape(own["C"].shape[1], -1)
    for letter, right in _forces():
        own[letter] = eval(right, {"solve": blackboard.solve, "least": blackboard.least}, own)
    return {"x_0": own["x_0"].reshape(-1, 6), "alpha_C": own["alpha_C"].reshape(1, 6), "Lam_0": own["Lam_0"]}


@functools.cache
def _forces() -> tuple[tuple[str, CodeType], ...]:
    """The text's lines up to the object's acceleration: forces as predicted and corrected are not compared."""
    lines = [line for line in lines_of("contact") if line.function == contact.contact_forces.__name__]
    count = 1 + [line.letter for line in lines].index("alpha_C")
    return tuple((line.letter, compile(right_side(line.source), "beside", "eval")) for line in lines[:count])


def accelerations_of_points(swept: Mapping[str, Array], gravity: Array, form: Form) -> Array:
    """(links, 6): accelerations of a run in a form as those of O_k, where gravity is a weight."""
    alpha = np.array(swept["alpha"])
    if form.spatial:
        alpha[:, 3:] += np.cross(swept["V"][:, :3], swept["V"][:, 3:])
    if form.lifted:
        alpha[:, 3:] += gravity
    return alpha


def pushed(letters: Mapping[str, Any], x_0: Array) -> Array:
    """The external forces with those of the object on the arms among them."""
    forces = np.array(letters["f"])
    for c, k in enumerate(letters["holding"]):
        forces[k] -= letters["phi_0"][c] @ x_0[c][:, None]
    return forces


class ContactWay(NamedTuple):
    """How what is at contacts is written.

    Attributes:
        order: which half comes first.
        axes: in which it is resolved.
        point: at which moments are taken.
        sign: 1 where forces are those on the object, -1 where on the arms; 0 of what has none.
    """

    order: str
    axes: str
    point: str = POINTS[0]
    sign: int = 1

    @property
    def words(self) -> str:
        """The same, as one says it."""
        on = ("", ", on the object", ", on the arm")[self.sign]
        return f"{self.order}, in {self.axes}, at {self.point}{on}"


class ObjectWay(NamedTuple):
    """How the object's acceleration is written.

    Attributes:
        order: which half comes first.
        axes: in which it is resolved.
        spatial: whether it is that of a spatial vector, at the mass centre.
        lifted: whether gravity is an acceleration of the base.
    """

    order: str
    axes: str
    spatial: bool
    lifted: bool

    @property
    def words(self) -> str:
        """The same, as one says it."""
        kind = "that of a spatial vector" if self.spatial else "that of the mass centre itself"
        return f"{self.order}, in {self.axes}, {kind}{', less gravity' if self.lifted else ''}"


def contact_ways(quantity: str, size: int) -> list[ContactWay]:
    """Those that are tried for an array with so many numbers at a contact."""
    orders = ("angular first", "linear first") if size != 3 else ("linear first",)
    points, signs = (POINTS, (1, -1)) if quantity == "contact_force" else (POINTS[:1], (0,))
    points = points if size != 3 else points[:1]
    return [ContactWay(*each) for each in ((o, a, p, s) for o in orders for a in AXES for p in points for s in signs)]


def object_ways() -> list[ObjectWay]:
    """Those of the object's acceleration."""
    flags = (False, True)
    axes = (AXES[0], AXES[2])
    orders = ("angular first", "linear first")
    return [ObjectWay(o, a, s, g) for o in orders for a in axes for s in flags for g in flags]


def force_transforms(system: System, state: State, moved: PlainKinematics, way: ContactWay) -> Array:
    """(contacts, 6, 6): theirs <- ours, of forces at contacts."""
    assert state.object_pose is not None
    found = []
    for c, held in enumerate(system.contacts):
        turns = {
            AXES[0]: np.eye(3),
            AXES[1]: state.object_pose[:3, :3] @ held.object_pose[:3, :3],
            AXES[2]: state.object_pose[:3, :3],
            AXES[3]: moved.pose[held.link, :3, :3],
        }
        levers = {POINTS[0]: np.zeros(3), POINTS[1]: moved.object_lever[c], POINTS[2]: moved.contact_lever[c]}
        matrix = twice(turns[way.axes].T)
        matrix[:3, 3:] = turns[way.axes].T @ tilde(levers[way.point])
        matrix = -matrix if way.sign < 0 else matrix
        found.append(np.roll(matrix, 3, axis=0) if way.order == "linear first" else matrix)
    return np.array(found)


def twice(turn: Array) -> Array:
    """(6, 6): a rotation of both halves."""
    matrix = np.zeros((6, 6))
    matrix[:3, :3] = matrix[3:, 3:] = turn
    return matrix


def contact_forces_shown(x_0: Array, transforms: Array, size: int) -> Array:
    """(contacts, size): contact forces as a way has them; of three numbers the force alone."""
    return np.asarray((transforms @ x_0[..., None])[:, :size, 0])


def mobility_shown(Lam_0: Array, transforms: Array, *, whole: bool) -> Array:
    """The inverse operational-space inertia as a way has it: whole, a contact's six rows each, or a block for each."""
    back = np.linalg.inv(transforms)
    blocks = np.einsum("cji,cdjk,dkl->cdil", back, _blocks(Lam_0, len(back)), back)
    if not whole:
        return np.asarray(blocks[range(len(back)), range(len(back))])
    return np.asarray(blocks.transpose(0, 2, 1, 3).reshape(len(back), 6, -1))


def _blocks(Lam_0: Array, count: int) -> Array:
    return Lam_0.reshape(count, 6, count, 6).transpose(0, 2, 1, 3)


def object_shown(alpha_C: Array, system: System, state: State, way: ObjectWay) -> Array:
    """(1, 6): the object's acceleration as a way has it."""
    assert state.object_pose is not None
    assert state.object_velocity is not None
    angular, linear = alpha_C[0, :3], alpha_C[0, 3:].copy()
    if way.spatial:
        linear -= np.cross(state.object_velocity[:3], state.object_velocity[3:])
    if way.lifted:
        linear -= system.gravity
    turn = np.eye(3) if way.axes == AXES[0] else state.object_pose[:3, :3].T
    halves = [turn @ angular, turn @ linear]
    return np.concatenate(halves if way.order == "angular first" else halves[::-1])[None]
