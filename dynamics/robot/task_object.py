"""The rigid body that the arms carry."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dynamics.checks import Array, brief, listed, number, numbers, pose, text
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.record import Record
from dynamics.robot.model import Geometry
from dynamics.robot.validity import check_kinds

MASS = "a positive mass in kg"
SHAPES = "shapes, each a Geometry"
SIZES = {"box": 3, "cylinder": 2, "sphere": 1, "capsule": 2, "mesh": 3}


@dataclass(frozen=True, eq=False, init=False)
class TaskObject(Record):
    """A rigid body; its frame has its origin at the mass centre.

    Attributes:
        mass: kg.
        inertia: (3, 3) about the mass centre, in the object's axes, kg m^2.
        geometry: its shapes, in the object's frame; the first also determines the normal at a contact.
        name: its name in messages.
    """

    mass: float
    inertia: Array
    geometry: tuple[Geometry, ...]
    name: str

    @public
    def __init__(
        self, mass: float, inertia: ArrayLike, geometry: tuple[Geometry, ...] = (), name: str = "object"
    ) -> None:
        """Checks the values and creates the body.

        Args:
            mass: kg, above zero.
            inertia: (3, 3), kg m^2, about the mass centre, in the object's axes.
            geometry: shapes in the object's frame.
            name: its name in messages.

        Raises:
            ModelError: for a mass that is not positive, an inertia that no distribution of mass has, or an invalid
                shape.

        Cost: the eigenvalues of three numbers.
        """
        label = _label(text(name, "name", ModelError))
        mass = number(mass, f"{label}: mass", MASS, ModelError)
        if mass <= 0.0:
            raise ModelError(f"{label}: mass is {mass}; expected {MASS}.")
        tensor = numbers(inertia, (3, 3), f"{label}: inertia", ModelError)
        if np.abs(tensor - tensor.T).max() > 1e-9 * np.abs(tensor).max():
            raise ModelError(f"{label}: inertia is not symmetric: {brief(tensor.tolist())}.")
        tensor = 0.5 * (tensor + tensor.T)
        moments = np.linalg.eigvalsh(tensor)
        if moments[0] <= 0.0:
            raise ModelError(f"{label}: principal moments of inertia {moments.tolist()}; all must be positive.")
        if moments[0] + moments[1] < moments[2] * (1.0 - 1e-9):
            raise ModelError(
                f"{label}: principal moments {moments.tolist()} violate the triangle inequality: no mass "
                "distribution has them; the largest may not exceed the sum of the others."
            )
        shapes = listed(geometry, f"{label}: geometry", SHAPES, ModelError)
        if not all(isinstance(shape, Geometry) for shape in shapes):
            raise ModelError(f"{label}: geometry is {brief(geometry)}; expected {SHAPES}.")
        for shape in shapes:
            check_kinds(shape, f"{label}: a shape")
            numbers(shape.size, (SIZES[shape.kind],), f"{label}: size of a {shape.kind}", ModelError)
            pose(shape.pose, f"{label}: pose of a {shape.kind}", ModelError)
        self.__setstate__({"mass": mass, "inertia": tensor, "geometry": shapes, "name": name})

    @classmethod
    @public
    def box(cls, size: ArrayLike, mass: float, name: str = "box") -> TaskObject:
        """A uniform box.

        Args:
            size: (3,), its edges along the axes of its frame, m.
            mass: kg.
            name: its name in messages.

        Returns:
            The box with its shape and inertia.

        Raises:
            ModelError: for an edge or a mass that is not above zero.

        Cost: that of any task object.
        """
        label = _label(text(name, "name", ModelError))
        edges = numbers(size, (3,), f"{label}: size", ModelError)
        if edges.min() <= 0.0:
            raise ModelError(f"{label}: size is {edges.tolist()}; every edge must be longer than zero.")
        x, y, z = edges**2
        shape = Geometry("box", tuple(edges.tolist()), np.eye(4))
        own = number(mass, f"{label}: mass", MASS, ModelError)
        return cls(own, np.diag([y + z, z + x, x + y]) * own / 12.0, (shape,), name)

    @public
    def with_mass(self, mass: float) -> TaskObject:
        """The same body with another density: mass and inertia scaled together.

        Args:
            mass: kg.

        Returns:
            A new body of the same shape and name.

        Raises:
            ModelError: for a mass that is not above zero.

        Cost: that of any task object.
        """
        own = number(mass, f"{_label(self.name)}: mass", MASS, ModelError)
        return TaskObject(own, self.inertia * (own / self.mass), self.geometry, self.name)

    @public
    def outward_normal(self, point: Array) -> Array:
        """The unit outward normal at the surface point nearest to a point.

        Args:
            point: (3,), m, in the object's frame.

        Returns:
            (3,), in the object's frame; for a mesh the direction away from its origin, without a
            shape from the mass centre.

        Raises:
            StateError: for an invalid point.

        Cost: none.
        """
        point = numbers(point, (3,), "point")
        direction = point
        if self.geometry:
            shape = self.geometry[0]
            local = shape.pose[:3, :3].T @ (point - shape.pose[:3, 3])
            if shape.kind == "box":
                half = 0.5 * np.array(shape.size)
                axis = int(np.argmax(np.abs(local) - half))
                local = np.where(np.arange(3) == axis, np.copysign(1.0, local), 0.0)
            elif shape.kind in ("cylinder", "capsule"):
                beyond_end = abs(local[2]) - 0.5 * shape.size[1]
                if shape.kind == "cylinder" and beyond_end > np.hypot(local[0], local[1]) - shape.size[0]:
                    local = np.array([0.0, 0.0, np.copysign(1.0, local[2])])
                else:
                    local = np.array([local[0], local[1], np.copysign(max(beyond_end, 0.0), local[2])])
            direction = shape.pose[:3, :3] @ local
        length = float(np.linalg.norm(direction))
        return direction / length if length > 1e-12 * np.linalg.norm(point) else np.array([0.0, 0.0, 1.0])


def _label(name: str) -> str:
    """A body's name in messages, without quotes and limited in length."""
    return brief(name)[1:-1]
