"""An independent algorithm: articulated bodies in link axes, as books on spatial vectors write it, and its faults."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np


class Machine(NamedTuple):
    """Links from base to tip; the pose of a joint in its inboard link, its axis, its body."""

    parent: list[int]
    sliding: list[bool]
    turn: list[np.ndarray]  # inboard axes <- own axes at zero
    place: list[np.ndarray]
    axis: list[np.ndarray]
    mass: list[float]
    center: list[np.ndarray]
    tensor: list[np.ndarray]  # about the mass centre
    rotor: list[float]
    damping: list[float]
    gravity: np.ndarray


SOURCE = """
def skew(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def about(axis, angle):
    s = skew(axis)
    return np.eye(3) + np.sin(angle) * s + (1 - np.cos(angle)) * s @ s


def plucker(E, r):
    return np.block([[E, np.zeros((3, 3))], [-E @ skew(r), E]])


def crm(v):
    return np.block([[skew(v[:3]), np.zeros((3, 3))], [skew(v[3:]), skew(v[:3])]])


def crf(v):
    return -crm(v).T


def body(m, c, I):
    C = skew(c)
    return np.block([[I + m * C @ C.T, m * C], [m * C.T, m * np.eye(3)]])


def joint(kind, axis, q):
    if kind:
        return plucker(np.eye(3), q * axis), np.append(np.zeros(3), axis)
    return plucker(about(axis, q).T, np.zeros(3)), np.append(axis, np.zeros(3))


def aba(model, q, qd, tau, push):
    N = len(q)
    X, S, v, c, I, IA, pA = ([None] * N for _ in range(7))
    U, d, u, Ia, pa, a = ([None] * N for _ in range(6))
    qdd = np.zeros(N)
    for i in range(N):
        p = model.parent[i]
        XJ, S[i] = joint(model.sliding[i], model.axis[i], q[i])
        XT = plucker(model.turn[i].T, model.place[i])
        X[i] = XJ @ XT
        vJ = S[i] * qd[i]
        v[i] = X[i] @ v[p] + vJ if p >= 0 else vJ
        c[i] = crm(v[i]) @ vJ
        I[i] = body(model.mass[i], model.center[i], model.tensor[i])
        IA[i] = I[i].copy()
        pA[i] = crf(v[i]) @ I[i] @ v[i] - push[i]
    for i in reversed(range(N)):
        p = model.parent[i]
        U[i] = IA[i] @ S[i]
        d[i] = S[i] @ U[i] + model.rotor[i]
        u[i] = tau[i] - model.damping[i] * qd[i] - S[i] @ pA[i]
        Ia[i] = IA[i] - np.outer(U[i], U[i]) / d[i]
        pa[i] = pA[i] + Ia[i] @ c[i] + U[i] * u[i] / d[i]
        if p >= 0:
            IA[p] = IA[p] + X[i].T @ Ia[i] @ X[i]
            pA[p] = pA[p] + X[i].T @ pa[i]
    base = np.append(np.zeros(3), -model.gravity)
    for i in range(N):
        p = model.parent[i]
        ap = X[i] @ (a[p] if p >= 0 else base) + c[i]
        qdd[i] = (u[i] - U[i] @ ap) / d[i]
        a[i] = ap + S[i] * qdd[i]
    return {"v": v, "c": c, "I": I, "IA": IA, "pA": pA, "U": U, "D": d, "u": u, "Ia": Ia, "pa": pa, "qdd": qdd, "a": a}
"""
FAULTS: Mapping[str, tuple[str, str]] = {
    # Where things are.
    "joint rotation transposed": ("about(axis, q).T", "about(axis, q)"),
    "tree rotation transposed": ("plucker(model.turn[i].T,", "plucker(model.turn[i],"),
    "joint before tree transform": ("X[i] = XJ @ XT", "X[i] = XT @ XJ"),
    "lever negated": ("-E @ skew(r)", "E @ skew(r)"),
    "lever on the wrong side": ("-E @ skew(r)", "-skew(r) @ E"),
    "lever left out of the tree transform": ("model.turn[i].T, model.place[i])", "model.turn[i].T, np.zeros(3))"),
    "angle taken for degrees": ("about(axis, q).T", "about(axis, np.radians(q)).T"),
    "slider does not move": ("plucker(np.eye(3), q * axis)", "plucker(np.eye(3), 0 * axis)"),
    "axis in the axes of the inboard link": ("model.axis[i], q[i])", "model.turn[i] @ model.axis[i], q[i])"),
    # Velocities.
    "velocity product left out": ("c[i] = crm(v[i]) @ vJ", "c[i] = 0 * v[i]"),
    "velocity product the other way round": ("c[i] = crm(v[i]) @ vJ", "c[i] = crm(vJ) @ v[i]"),
    "gyroscopic term left out": ("crf(v[i]) @ I[i] @ v[i] - push[i]", "-push[i]"),
    "gyroscopic term negated": ("crf(v[i]) @ I[i] @ v[i]", "-crf(v[i]) @ I[i] @ v[i]"),
    # Bodies.
    "Steiner left out": ("I + m * C @ C.T", "I"),
    "Steiner negated": ("I + m * C @ C.T", "I + m * C @ C"),
    "mass centre negated": ("C = skew(c)", "C = skew(-c)"),
    "mass centre at the joint": ("C = skew(c)", "C = skew(0 * c)"),
    "products of inertia negated": ("np.block([[I +", "np.block([[2 * np.diag(np.diag(I)) - I +"),
    "push added": ("- push[i]", "+ push[i]"),
    # The filter.
    "inertia not corrected": ("IA[i] - np.outer(U[i], U[i]) / d[i]", "IA[i]"),
    "inertia corrected the wrong way": ("IA[i] - np.outer", "IA[i] + np.outer"),
    "inertia transformed the wrong way": ("X[i].T @ Ia[i] @ X[i]", "X[i] @ Ia[i] @ X[i].T"),
    "inertia not transformed": ("X[i].T @ Ia[i] @ X[i]", "Ia[i]"),
    "Ia c left out": ("pA[i] + Ia[i] @ c[i] + U", "pA[i] + U"),
    "U u / D left out": (" + U[i] * u[i] / d[i]", ""),
    "force transformed the wrong way": ("X[i].T @ pa[i]", "X[i] @ pa[i]"),
    "force not transformed": ("X[i].T @ pa[i]", "pa[i]"),
    "torque plus bias": ("qd[i] - S[i] @ pA[i]", "qd[i] + S[i] @ pA[i]"),
    "damping drives": ("tau[i] - model.damping", "tau[i] + model.damping"),
    # The smoother.
    "gravity negated": ("np.append(np.zeros(3), -model.gravity)", "np.append(np.zeros(3), model.gravity)"),
    "velocity product left out on the way out": (" else base) + c[i]", " else base)"),
    "acceleration transformed by X transposed": ("ap = X[i] @ (a[p]", "ap = X[i].T @ (a[p]"),
    "U a' added": ("(u[i] - U[i] @ ap)", "(u[i] + U[i] @ ap)"),
}
"""What the text says, and what the fault says: each is among the usual faults."""
UNUSUAL: Mapping[str, tuple[str, str]] = {
    "own rate left out of the velocity": ("X[i] @ v[p] + vJ if", "X[i] @ v[p] if"),
    "first moment without the mass": ("m * C], [m * C.T,", "C], [C.T,"),
    "D of the link alone": ("d[i] = S[i] @ U[i]", "d[i] = S[i] @ I[i] @ S[i]"),
    "inertia of other branches overwritten": ("IA[p] = IA[p] + X[i].T", "IA[p] = I[p] + X[i].T"),
}
"""Faults that are only located."""
AS_KDL = (
    ("qd[i] - S[i] @ pA[i]", "qd[i] - S[i] @ (pA[i] + IA[i] @ c[i])"),
    ("pA[i] + Ia[i] @ c[i] + U", "pA[i] + IA[i] @ c[i] + U"),
    ("(u[i] - U[i] @ ap)", "(u[i] - U[i] @ (ap - c[i]))"),
)
"""The same algorithm as KDL and Bullet write it: with IA c in u, and not in pA."""


def run(
    machine: Machine, moment: tuple[np.ndarray, ...], fault: str = "", style: tuple[tuple[str, str], ...] = ()
) -> dict[str, np.ndarray]:
    """The algorithm's own arrays, from base to tip, in a style; with a fault in it where one is named."""
    source = SOURCE
    for old, new in (*style, *([{**FAULTS, **UNUSUAL}[fault]] if fault else [])):
        assert source.count(old) == 1, (fault, old)
        source = source.replace(old, new)
    names: dict[str, Any] = {"np": np}
    exec(source, names)
    with np.errstate(all="ignore"):
        return {name: np.array(value) for name, value in names["aba"](machine, *moment).items()}
