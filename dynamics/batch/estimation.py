"""The estimation problem itself, sampled: are innovations and smoothed errors as uncertain as inertias say?"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dynamics.batch.forward_dynamics import forward_dynamics_batch
from dynamics.errors import ModelError
from dynamics.system.grasp import release
from dynamics.system.plain_kinematics import joint_rows, plain_kinematics, shift, spatial_inertias
from dynamics.system.state import State
from dynamics.system.system import System

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

    R87 Sections III and IX read the arm as this problem. Here it is drawn, and filtered and smoothed by the very
    sweeps that move an arm: draws are states of a batch.

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
    bare, n = release(system) if system.is_held else system, system.n_joints
    motion, nothing = plain_kinematics(system, state), np.zeros(3)
    nothing.flags.writeable = False
    still = replace(bare, gravity=nothing, tables=bare.tables._replace(gravity=nothing))
    rng = np.random.default_rng(seed)
    x, torque = np.zeros((n_samples, n, 6)), np.zeros((n_samples, n))
    values, vectors = np.linalg.eigh(spatial_inertias(system, motion.pose, motion.mass_lever))
    roots = vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :]
    rows, phi = joint_rows(system, motion.axis), shift(motion.lever)
    for k, joint in enumerate(system.joint_models):
        x[:, k] += rng.standard_normal((n_samples, 6)) @ roots[k].T
        torque[:, k] = x[:, k] @ rows[k] + np.sqrt(joint.rotor_inertia) * rng.standard_normal(n_samples)
        if system.inboard[k] >= 0:
            x[:, system.inboard[k]] += x[:, k] @ phi[k].T
    # An arm at rest without weight: its forces are states, its torques measurements, and no term is left over.
    stages = forward_dynamics_batch(still, state.q, np.zeros(n), torque, "stages").stages
    z, smoothed = stages["filter"]["predicted_force"], stages["smoother"]["force"]
    return EstimationSamples(stages["filter"]["innovation"].copy(), x - z, x - smoothed)
