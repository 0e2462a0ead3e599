"""Matrices, torques, accelerations and Jacobians with a column for each velocity, as another program writes them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dynamics.checks import Array
from dynamics.comparison.arrays import BODY, HALVES, ORDERS, QUANTITIES, Candidate, Rows
from dynamics.comparison.convention import AXES, Frame, Numbering
from dynamics.comparison.sweeps import Run
from dynamics.system.plain_kinematics import tilde
from dynamics.system.system import System

POINTS = {"joint": "origin", "mass centre": "mass_center", "world origin": "world_origin"}  # of Jacobians


class Basis(NamedTuple):
    """The map from their velocities v' to ours, v = T v', with T constant for joints; the rate of T; and v'."""

    T: Array
    rate: Array
    velocity: Array


def basis_of(run: Run, count: int, rows: Rows | None) -> Basis:
    """The basis for arrays of ``count`` columns, with those of floating bodies written as ``rows`` says."""
    n, state = run.system.n_joints, run.state
    T, rate = np.eye(count), np.zeros((count, count))
    bodies = list(zip(run.moved.pose[n:], run.moved.velocity[n:], strict=True))
    if state.object_pose is not None and state.object_velocity is not None:
        bodies.append((state.object_pose, state.object_velocity))
    if rows is not None:
        for at, (pose, velocity) in zip(range(n, count, 6), bodies, strict=False):
            turn = pose[:3, :3]
            for half, axes in ((0, rows.axes), (3, rows.linear_axes)):
                ours = slice(at + half, at + half + 3)
                theirs = slice(at + 3 - half, at + 6 - half) if rows.order == ORDERS[1] else ours
                T[ours, ours] = 0.0
                T[ours, theirs] = turn if axes == BODY else np.eye(3)
                rate[ours, theirs] = tilde(velocity[:3]) @ turn if axes == BODY else 0.0
    return Basis(T, rate, np.asarray(np.linalg.solve(T, run.system.pack(state)[1][:count]), dtype=np.float64))


def shown(candidate: Candidate, run: Run, frame: Frame, basis: Basis) -> Array:
    """Ours as theirs is written; NaN for a Jacobian in a frame that no program uses."""
    quantity, (T, rate, velocity) = QUANTITIES[candidate.quantity], basis
    count = len(T)
    if quantity.kind == "jacobian":
        if frame.axes == AXES[2] or frame.point not in POINTS:
            return np.full((len(candidate.array), count), np.nan)
        J = run.jacobian(candidate.of or 0, "body" if frame.axes == BODY else "inertial", POINTS[frame.point])
        half = HALVES.get(candidate.quantity)
        rows = J[half] if half else np.roll(J, 3, axis=0) if frame.order == ORDERS[1] else J
        return np.asarray(rows[:, :count] @ T)
    if quantity.kind == "rates":
        alpha = run.accelerations_of_points[run.system.n_joints :].ravel()
        return np.asarray(np.linalg.solve(T, np.append(run.letter("theta_dd"), alpha) - rate @ velocity))
    value = run.letter(quantity.letter)[(slice(count),) * (1 + (quantity.kind == "matrix"))]
    if quantity.letter == "M_q_inverse":
        back = np.linalg.inv(T)
        return np.asarray(back @ value @ back.T)
    turning = run.letter("M_q")[:count, :count] @ rate
    if quantity.letter == "C_q":
        return np.asarray(run.velocity_factor * T.T @ (value @ T + turning))
    if quantity.kind == "matrix":
        return np.asarray(T.T @ value @ T)
    return np.asarray(T.T @ (value + (turning @ velocity if quantity.letter in ("Cv", "nle") else 0.0)))


def ours(candidate: Candidate, array: Array, run: Run, basis: Basis) -> Array | None:
    """An array in our own convention, the inverse of ``shown``; None for accelerations and Jacobians."""
    quantity, (T, rate, velocity) = QUANTITIES[candidate.quantity], basis
    if quantity.kind in ("rates", "jacobian"):
        return None
    if quantity.letter == "M_q_inverse":
        return np.asarray(T @ array @ T.T)
    back, turning = np.linalg.inv(T), run.letter("M_q")[: len(T), : len(T)] @ rate
    if quantity.kind == "matrix":
        return np.asarray((back.T @ array - (turning if quantity.letter == "C_q" else 0.0)) @ back)
    return np.asarray(back.T @ array - (turning @ velocity if quantity.letter in ("Cv", "nle") else 0.0))


def by_our_columns(system: System, candidate: Candidate, numbering: Numbering) -> Array:
    """An array with its columns (for a matrix also its rows) in our order: joints, floating bases, the object."""
    n, places, payload = system.n_joints, list[int](), candidate.rows.payload if candidate.rows else ""
    for k in numbering.links:
        places += [k] if k < n else range(n + 6 * (k - n), n + 6 * (k - n) + 6)
    of_object = range(n + 6 * system.n_bases, n + 6 * system.n_bases + 6)
    places = [*of_object, *places] if payload == "first" else [*places, *of_object] if payload == "last" else places
    found = np.empty_like(candidate.array)
    if QUANTITIES[candidate.quantity].kind == "matrix":
        found[np.ix_(places, places)] = candidate.array
    else:
        found[..., places] = candidate.array
    return found


def by_body(n: int, candidate: Candidate, array: Array) -> Array:
    """Rows to compare as units: a matrix's row, a Jacobian's column, a joint's number, a floating body's six."""
    kind = QUANTITIES[candidate.quantity].kind
    if kind in ("matrix", "jacobian"):
        return array if kind == "matrix" else array.T
    found = np.zeros((n + (len(array) - n) // 6, 6))
    found[:n, 0], found[n:] = array[:n], array[n:].reshape(-1, 6)
    return found


def gaps_by_body(n: int, gaps: Array) -> Array:
    """Differences of rows or columns, with the six of each floating body merged."""
    return np.concatenate([gaps[:n], gaps[n:].reshape(-1, 6).max(axis=1)])
