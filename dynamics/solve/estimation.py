"""The estimation problem itself, sampled: do innovations and smoothed errors have the predicted covariances?

P, G and D come from the arm's own filter. The sweeps here estimate thousands of sampled states at once: z and the
costate alone, with neither b nor a; the tests compare them with dense conditioning of the same samples.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dynamics.checks import Array, whole_number
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.record import Record
from dynamics.recursion.transport import transport
from dynamics.system.plain_kinematics import forward_kinematics, spatial_inertias
from dynamics.system.state import State
from dynamics.system.system import System


@dataclass(frozen=True, eq=False)
class EstimationSamples(Record):
    """Samples of the random problem that shares its equations with the arm; its known input b is left out.

    Attributes:
        state: (samples, links, 6), x; R87 (52). measured: (samples, joints), T.
        innovation: (samples, joints), T(k) - H(k) z(k), (55). Its covariance is D(k), (57), white from joint to joint.
        base_innovation: (samples, floating bases, 6), x(n) - z(n) of a free base, which is measured in all six
            components, H = 1; covariance D(n) = P(n), JR (3.1)-(3.2). The covariance of measured T and x(n) together
            is the whole mass matrix.
        prediction_error: (samples, links, 6), x - z; covariance P(k), R87 (56).
        corrected_error: (samples, links, 6), x - z+; covariance P+(k), R87 (58).
        costate: (samples, links, 6), lambda(k); covariance Delta-(k), R87 (66).
        smoothed_error: (samples, links, 6), x - x smoothed; covariance P - P Delta- P, R87 (64)-(65).
    """

    state: Array
    measured: Array
    innovation: Array
    base_innovation: Array
    prediction_error: Array
    corrected_error: Array
    costate: Array
    smoothed_error: Array


@public
def sample_estimation(system: System, state: State, n_samples: int = 1000, seed: int = 0) -> EstimationSamples:
    """x(k) = phi x(k-1) + w(k), w ~ N(0, M(k)); measured T(k) = H(k) x(k) + v(k), v ~ N(0, rotor inertia).

    R87 (52)-(53), Section IX: the arm as an estimation problem. It is sampled here, filtered by the Kalman filter,
    whose z and z+ are the best estimates of R87 (54), (59), and smoothed to that of R87 (60) by (61)-(63), with only
    the gains that the dynamics computed. A free base is measured in all six components.

    Args:
        system: any; a held object is left out.
        state: only its posture is used.
        n_samples: number of samples.
        seed: of the random numbers; equal seeds give equal samples.

    Returns:
        Innovations (N m or N) and errors of prediction and smoothing at O_k in inertial axes, one row a sample.

    Raises:
        ModelError: for fewer than two samples, a seed that is not an integer, or a joint that moves no inertia.

    Cost: samples times links.
    """
    n_samples = whole_number(n_samples, "n_samples", "two or more: a covariance needs them", 2, ModelError)
    seed = whole_number(seed, "seed", "a whole number, zero or more", 0, ModelError, 2**53)
    t, n, links = transport(system, state), system.n_joints, system.n_links
    motion = forward_kinematics(system, state)
    inertias = spatial_inertias(system, motion.pose, motion.mass_lever)
    rotor = np.array([joint.rotor_inertia for joint in system.joint_models])
    rng = np.random.default_rng(seed)
    x, z, corrected, costate = np.zeros((4, n_samples, links, 6))
    innovation, measured = np.zeros((2, n_samples, n))
    for k in range(links):
        values, vectors = np.linalg.eigh(inertias[k])
        # the symmetric root, which is unique: eigenvectors are not, and differ from one processor to another
        root = vectors * np.sqrt(np.maximum(values, 0.0)) @ vectors.T
        x[:, k] += rng.standard_normal((n_samples, 6)) @ root
        if k >= n:  # a floating base: H = G = 1
            corrected[:, k] = x[:, k]
            continue
        measured[:, k] = x[:, k] @ t.rows[k] + np.sqrt(rotor[k]) * rng.standard_normal(n_samples)
        innovation[:, k] = measured[:, k] - z[:, k] @ t.rows[k]
        corrected[:, k] = z[:, k] + innovation[:, k, None] * t.gain[k]
        inner = t.inboard[k]
        if inner >= 0:
            x[:, inner] += x[:, k] @ t.shift[k].T
            z[:, inner] += corrected[:, k] @ t.shift[k].T
    for k in range(links - 1, -1, -1):
        if k >= n:
            costate[:, k] = np.linalg.solve(t.inertia[k], (x - z)[:, k].T).T
            continue
        inner = t.inboard[k]
        if inner >= 0:
            costate[:, k] = costate[:, inner] @ t.shift[k]  # R87 (62)
        costate[:, k] = smoothed_costate(costate[:, k], t.gain[k], t.rows[k], innovation[:, k] / t.joint_inertia[k])
    smoothed = z + np.einsum("ski,kij->skj", costate, t.inertia)  # x = z + P lambda, R87 (34), (61)
    errors = x - z
    return EstimationSamples(x, measured, innovation, errors[:, n:], errors, x - corrected, costate, x - smoothed)


@public
def smoothed_force_covariance(system: System, state: State) -> Array:
    """P - P D- P, R87 (65): the uncertainty of x(k) that remains once every torque has been measured.

    It is positive semidefinite, and zero along H, the measured direction, if the joint has no rotor.

    Args:
        system: any; contacts are ignored.
        state: only its posture is used.

    Returns:
        (links, 6, 6) at O_k, inertial axes; kg m^2, kg m and kg, as P itself.

    Raises:
        ModelError: for a joint that moves no inertia.

    Cost: linear in the links.
    """
    t = transport(system, state)
    return np.asarray(t.inertia - t.inertia @ t.covariance @ t.inertia)


def smoothed_costate(inboard: Array, gain: Array, row: Array, residual: Array) -> Array:
    """lambda- = (1 - G H)' lambda+ + H' e+, R87 (48) with lambda+ + n in place of lambda+, and (63)."""
    inward = np.einsum("...i,...i->...", inboard, gain)
    return np.asarray(inboard + (residual - inward)[..., None] * row)
