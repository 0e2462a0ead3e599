"""Our numbers as another convention writes them: order, axes and point of reference of spatial vectors, and forms."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from dynamics.beside.held import SUFFIX
from dynamics.beside.quantities import QUANTITIES
from dynamics.beside.rerun import Run
from dynamics.checks import Array
from dynamics.system.axis_frames import axes_with_z_along
from dynamics.system.plain_kinematics import tilde
from dynamics.system.system import System

ORDERS = ("angular first", "linear first")
AXES = ("inertial axes", "link axes", "axes with z along the joint")
POINTS = ("joint", "mass centre", "world origin", "mass centre of the tree")
TRIANGLE = np.triu_indices(6)
TENSORS = {
    "xx yy zz xy xz yz": ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)),
    "xx xy yy xz yz zz": ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)),
    "xx xy xz yy yz zz": ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)),
}
"""Orders in which the six numbers of a tensor stand: MuJoCo and Drake; Pinocchio; row after row."""
PACKINGS = (
    "", "rows", "columns",
    *(f"m, m p, {tensor}" for tensor in TENSORS),
    *(f"{tensor}, m p, m" for tensor in TENSORS),
    *TENSORS,
)  # fmt: skip


class Frame(NamedTuple):
    """How spatial vectors are written.

    Attributes:
        order: which half comes first.
        axes: in which they are resolved.
        point: at which they are taken.
    """

    order: str
    axes: str
    point: str


FRAMES = tuple(Frame(order, axes, point) for point in POINTS for axes in AXES for order in ORDERS)
OURS = Frame("angular first", "inertial axes", "joint")


class View:
    """A run in a frame, with links as the system numbers them."""

    def __init__(self, system: System, run: Run, frame: Frame) -> None:
        self._system, self._run, self._frame = system, run, frame
        self._kept: dict[tuple[str, str], Array] = {}

    @cached_property
    def _levers(self) -> Array:
        """(links, 3), from O_k to the point of reference."""
        moved = self._run.moved
        at = moved.pose[:, :3, 3]
        match self._frame.point:
            case "mass centre":
                return moved.mass_lever
            case "world origin":
                return -at
            case "mass centre of the tree":
                return _tree_centers(self._system, self._run) - at
        return np.zeros_like(at)

    @cached_property
    def _turns(self) -> Array:
        """(links, 3, 3), their axes <- inertial ones."""
        turn = self._run.moved.pose[:, :3, :3].transpose(0, 2, 1)
        if self._frame.axes == "inertial axes":
            return np.broadcast_to(np.eye(3), turn.shape)
        if self._frame.axes == "link axes":
            return turn
        aligned = [axes_with_z_along(joint.axis) for joint in self._system.joint_models]
        aligned += [np.eye(3)] * (self._system.n_links - len(aligned))
        return np.asarray(np.array(aligned).transpose(0, 2, 1) @ turn)

    def _transform(self, of_forces: bool) -> Array:
        E, lever = self._turns, tilde(self._levers)
        matrix = np.zeros((len(E), 6, 6))
        matrix[:, :3, :3] = matrix[:, 3:, 3:] = E
        if of_forces:
            matrix[:, :3, 3:] = -E @ lever
        else:
            matrix[:, 3:, :3] = -E @ lever
        return np.roll(matrix, 3, axis=1) if self._frame.order == "linear first" else matrix

    @cached_property
    def motions(self) -> Array:
        """(links, 6, 6): theirs <- ours, of velocities and accelerations."""
        return self._transform(of_forces=False)

    @cached_property
    def forces(self) -> Array:
        """(links, 6, 6): the same of forces; its transpose leads motions back, and the other way round."""
        return self._transform(of_forces=True)

    @cached_property
    def _bent(self) -> Array:
        """(links, 6): by how much the acceleration of the point differs from that of O_k; none in spatial vectors."""
        bent = np.zeros((len(self._levers), 6))
        if not self._run.form.spatial:
            omega = self._run.letters["V"][:, :3]
            bent[:, 3:] = np.cross(omega, np.cross(omega, self._levers))
        return bent

    @cached_property
    def _bent_inboard(self) -> Array:
        inboard, bent = self._system.inboard, self._bent
        before = np.where(inboard[:, None] >= 0, bent[inboard], 0.0)
        return _times(self._run.carried, before)

    def offset(self, quantity: str) -> Array | float:
        """What the run's form at this point adds to a quantity in our own frame."""
        run, kept = self._run.letters, QUANTITIES[quantity].letter.removesuffix(SUFFIX)
        if self._run.form.spatial or self._frame.point == "joint":
            return 0.0
        n = self._system.n_joints
        printed = self._run.form.printed
        felt = _times(run["P"], self._bent if printed else self._bent_inboard)
        along = np.sum(run["H"] * felt[:n], axis=1)
        match kept:
            case "alpha":
                return self._bent
            case "a":
                return self._bent - self._bent_inboard
            case "b":
                return -_times(run["M"], self._bent)
            case "z":
                return -felt
            case "z_alone":
                return -_times(run["P"], self._bent)
            case "z_plus":
                return -_times(run["P_plus"], self._bent_inboard)
            case "eps":
                return along
            case "nu":
                return along / run["D"]
        return 0.0

    def shown(self, quantity: str, packing: str = "") -> Array:
        """A quantity in this frame, (links or joints, ...)."""
        if (quantity, packing) not in self._kept:
            value = self._shown(quantity)
            self._kept[quantity, packing] = packed(value, packing, self._frame.order) if packing else value
        return self._kept[quantity, packing]

    def _shown(self, quantity: str) -> Array:
        kept, run = QUANTITIES[quantity], self._run.letters
        if kept.kind == "pose":
            return self._run.moved.pose
        if kept.letter == "D_inverse":
            return 1.0 / run["D"]
        value = run["G"] * run["D"][:, None] if kept.letter == "U" else run[kept.letter]
        value = value + self.offset(quantity)
        n = len(value)
        match kept.kind:
            case "motion" | "axis":
                return _times(self.motions[:n], value)
            case "force" | "gain":
                return _times(self.forces[:n], value)
            case "inertia" | "body":
                return np.asarray(self.forces @ value @ self.forces.transpose(0, 2, 1))
            case "mobility":
                return np.asarray(self.motions @ value @ self.motions.transpose(0, 2, 1))
        return np.asarray(value)

    def ours(self, quantity: str, theirs: Array) -> Array:
        """What is written in this frame, in ours; the inverse of ``shown``."""
        n = len(theirs)
        match QUANTITIES[quantity].kind:
            case "motion" | "axis":
                found = _times(self.forces[:n].transpose(0, 2, 1), theirs)
            case "force" | "gain":
                found = _times(self.motions[:n].transpose(0, 2, 1), theirs)
            case "inertia" | "body":
                found = self.motions.transpose(0, 2, 1) @ theirs @ self.motions
            case "mobility":
                found = self.forces.transpose(0, 2, 1) @ theirs @ self.forces
            case _:
                found = theirs
        return np.asarray(found - self.offset(quantity))


def packed(value: Array, packing: str, order: str) -> Array:
    """Symmetric matrices (n, 6, 6), one row of numbers each."""
    if packing == "rows":
        return value[:, *TRIANGLE]
    if packing == "columns":
        return value[:, *TRIANGLE[::-1]]
    angular, linear = (slice(0, 3), slice(3, 6)) if order == "angular first" else (slice(3, 6), slice(0, 3))
    moment = value[:, angular, linear]  # m p~
    mass = value[:, linear, linear][:, :1, 0]
    first = np.stack([moment[:, 2, 1], moment[:, 0, 2], moment[:, 1, 0]], axis=1)
    places = next(places for tensor, places in TENSORS.items() if tensor in packing)
    tensor = np.stack([value[:, angular, angular][:, i, j] for i, j in places], axis=1)
    if packing in TENSORS:
        return tensor
    parts = [mass, first, tensor] if packing.startswith("m,") else [tensor, first, mass]
    return np.concatenate(parts, axis=1)


def unpacked(value: Array, packing: str, order: str) -> Array | None:
    """The matrices again; None where the numbers do not say all."""
    if packing in TENSORS:
        return None
    matrix = np.zeros((len(value), 6, 6))
    if packing in ("rows", "columns"):
        matrix[:, *(TRIANGLE if packing == "rows" else TRIANGLE[::-1])] = value
        matrix[:, *(TRIANGLE[::-1] if packing == "rows" else TRIANGLE)] = value
        return matrix
    mass_first = packing.startswith("m,")
    mass, first = (value[:, 0], value[:, 1:4]) if mass_first else (value[:, 9], value[:, 6:9])
    tensor = value[:, 4:] if mass_first else value[:, :6]
    places = next(places for name, places in TENSORS.items() if name in packing)
    for at, (i, j) in enumerate(places):
        matrix[:, i, j] = matrix[:, j, i] = tensor[:, at]
    matrix[:, :3, 3:], matrix[:, 3:, :3] = tilde(first), -tilde(first)
    matrix[:, 3:, 3:] = mass[:, None, None] * np.eye(3)
    return matrix if order == "angular first" else np.roll(matrix, 3, axis=(1, 2))


def _tree_centers(system: System, run: Run) -> Array:
    """(links, 3), the mass centre of everything that hangs on the same link next to the base."""
    mass = np.array([link.mass for link in system.link_models])
    centers = run.moved.pose[:, :3, 3] + run.moved.mass_lever
    roots = np.array([system.path_inward(k)[-1] for k in range(system.n_links)])
    together = roots[:, None] == roots
    return np.asarray(together @ (mass[:, None] * centers) / (together @ mass)[:, None])


def _times(matrices: Array, vectors: Array) -> Array:
    return np.asarray((matrices @ vectors[..., None])[..., 0])
