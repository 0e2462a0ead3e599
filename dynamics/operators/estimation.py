"""The estimation problem itself, sampled: are innovations and smoothed errors as uncertain as inertias say?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dynamics.errors import ModelError
from dynamics.operators.composite_inertia import link_inertias
from dynamics.recursion.transport import transport
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.system.tip_poses import link_poses

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class EstimationSamples:
    """Draws of the random problem that shares its equations with the arm.

    Attributes:
        innovation: (samples, joints), T(k) - H(k) z(k). Its covariance is D(k), and white from joint to joint.
        prediction_error: (samples, links, 6), x - z; covariance P(k).
        smoothed_error: (samples, links, 6), x - x smoothed; covariance P - P D- P, R87 (65).
    """

    innovation: Array
    prediction_error: Array
    smoothed_error: Array


def sample_estimation(system: System, state: State, n_samples: int = 1000, seed: int = 0) -> EstimationSamples:
    """x(k) = phi x(k-1) + w(k), w ~ N(0, M(k)); measured T(k) = H(k) x(k) + v(k), v ~ N(0, rotor inertia).

    R87 Sections III and IX read the arm as this problem. Here it is drawn, filtered by the Kalman filter
    and smoothed, with the gains that the dynamics computed and no other.

    Args:
        system: bolted-down arms.
        state: of which the posture alone counts.
        n_samples: how many draws.
        seed: of the random numbers; the same seed draws the same.

    Returns:
        Innovations (N m or N) and errors of prediction and smoothing at O_k in inertial axes, one row a draw.

    Raises:
        ModelError: for a free flyer, fewer than two samples, or a joint that moves no inertia.

    Cost: samples times links.
    """
    if system.is_floating:
        raise ModelError("a free flyer has no measured base; the sampled problem is written for bolted-down arms.")
    if n_samples < 2:
        raise ModelError(f"n_samples is {n_samples}; a covariance needs two or more.")
    t, n = transport(system, state), system.n_joints
    inertias = link_inertias(system, link_poses(system, state))
    rotor = np.array([joint.rotor_inertia for joint in system.joint_models])
    rng = np.random.default_rng(seed)
    x = np.zeros((n_samples, n, 6))
    z = np.zeros((n_samples, n, 6))
    corrected = np.zeros((n_samples, n, 6))
    innovation = np.zeros((n_samples, n))
    for k in range(n):
        values, vectors = np.linalg.eigh(inertias[k])
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        x[:, k] += rng.standard_normal((n_samples, 6)) @ root.T
        torque = x[:, k] @ t.rows[k] + np.sqrt(rotor[k]) * rng.standard_normal(n_samples)
        innovation[:, k] = torque - z[:, k] @ t.rows[k]
        corrected[:, k] = z[:, k] + innovation[:, k, None] * t.gain[k]
        inner = t.inboard[k]
        if inner >= 0:
            x[:, inner] += x[:, k] @ t.shift[k].T
            z[:, inner] += corrected[:, k] @ t.shift[k].T
    # The smoother: x_sm = z + P lambda, lambda- = tau bar' lambda+ + H' D^-1 eps, outward.
    costate = np.zeros((n_samples, n, 6))
    for k in range(n - 1, -1, -1):
        inner = t.inboard[k]
        if inner >= 0:
            costate[:, k] = costate[:, inner] @ t.shift[k]
        costate[:, k] = costate[:, k] @ t.reduction[k] + (innovation[:, k] / t.joint_inertia[k])[:, None] * t.rows[k]
    smoothed = z + np.einsum("kij,skj->ski", t.inertia, costate)
    return EstimationSamples(innovation, x - z, x - smoothed)
