"""The mass centre of everything that moves, and the momentum about it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dynamics.checks import Array, numbers, real_array
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.record import Record
from dynamics.solve.formulations import mass_matrix
from dynamics.system.plain_kinematics import forward_kinematics, spatial_inertias
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.witness.equation_of_motion import object_inertia


@dataclass(frozen=True, eq=False)
class CenterOfMass(Record):
    """The mass centre of links and object at one instant; inertial axes, SI units.

    Attributes:
        mass: kg, of links and object; bodies that are bolted to the world do not count.
        position: (3,) m.
        velocity: (3,) m/s.
        linear_momentum: (3,) N s, mass times velocity.
        angular_momentum: (3,) N m s about the mass centre.
        gravity: (3,) m/s^2, of the system.
    """

    mass: float
    position: Array
    velocity: Array
    linear_momentum: Array
    angular_momentum: Array
    gravity: Array

    @public
    def coast(self, times: ArrayLike) -> Array:
        """Its future path if gravity is the only external force: a straight line without gravity.

        r(t) = r + v t + g t^2 / 2, whatever the joints do.

        Args:
            times: (m,) s from this instant; negative ones look back.

        Returns:
            (m, 3) m, inertial axes.

        Raises:
            StateError: for times that are not finite numbers.

        Cost: a few array operations.
        """
        given = real_array(times, "a list of seconds", "times").ravel()
        t = numbers(given, given.shape, "times")[:, None]
        return self.position + t * self.velocity + 0.5 * t**2 * self.gravity


@public
def center_of_mass(system: System, state: State) -> CenterOfMass:
    """The mass centre of links and object, and the momentum about it.

    By definition r = sum m_k r_k / sum m_k; by the law of moments h = h_0 - r x p, with h_0 the angular momentum about
    the world's origin.

    Args:
        system: any.
        state: of this system.

    Returns:
        Position, velocity and momentum, inertial axes; bodies that are bolted to the world do not count.

    Raises:
        StateError: for a state of another system, or if nothing that moves has mass.

    Cost: one pass over the links.
    """
    motion = forward_kinematics(system, state)
    inertias = spatial_inertias(system, motion.pose, motion.mass_lever)
    masses, points = inertias[:, 5, 5], motion.pose[:, :3, 3]
    centers, momenta = points + motion.mass_lever, np.einsum("kij,kj->ki", inertias, motion.velocity)
    if system.task_object is not None and state.object_pose is not None and state.object_velocity is not None:
        masses, place = np.append(masses, system.task_object.mass), state.object_pose[:3, 3]
        centers, points = np.vstack([centers, place]), np.vstack([points, place])
        momenta = np.vstack([momenta, object_inertia(system, state) @ state.object_velocity])
    mass, linear = float(masses.sum()), momenta[:, 3:].sum(axis=0)
    position = masses @ centers / mass
    angular = (momenta[:, :3] + np.cross(points - position, momenta[:, 3:])).sum(axis=0)
    return CenterOfMass(mass, position, linear / mass, linear, angular, np.asarray(system.gravity, float))


@public
def velocity_without_momentum(system: System, state: State) -> Array:
    """The velocity of a free flyer's base with the given joint rates and zero momentum: this is how falling cats turn.

    By the conservation of momentum, which is the base's rows of the mass matrix: M_bb V + M_bj theta' = 0 (JR (2.4)).

    Args:
        system: a free flyer.
        state: only its posture and joint rates are used.

    Returns:
        (6,), the base's spatial velocity at its origin, inertial axes, rad/s and m/s.

    Raises:
        ModelError: for a system that is not a free flyer.
        StateError: for a state of another system.

    Cost: that of the mass matrix.
    """
    if system.kind != "free_flyer":
        raise ModelError("only a free flyer's base is moved by its joints; this system is bolted down.")
    system.require_own(state)
    n, matrix = system.n_joints, mass_matrix(system, state)
    return np.asarray(-np.linalg.solve(matrix[n:, n:], matrix[n:, :n] @ state.qd), dtype=np.float64)
