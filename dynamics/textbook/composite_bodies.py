"""The mass matrix from composite bodies: the covariance of a state without measurements; R87 Section VII."""

import numpy as np


def composite_bodies(joints, outboard, phi, M):
    """Each link and all outboard of it as one rigid body."""
    r = np.zeros((len(joints), 6, 6))

    def body(k):
        r[k] = sum(phi(k, j) @ r[j] @ phi(k, j).T for j in outboard(k)) + M[k]  # R87 (29)

    for k in joints:
        body(k)
    return (r,)


def mass_matrix(joints, inward, phi, H, I_r, r):
    """One joint accelerates a composite body; its force acts on every joint on the path inward."""
    X, mass = np.zeros((len(joints), len(joints), 6, 1)), np.zeros((len(joints), len(joints), 1, 1))

    def own(k):
        X[k, k] = r[k] @ H[k].T  # R87 (32)
        mass[k, k] = H[k] @ X[k, k] + I_r[k]  # R87 (32)

    def carried(k, s, j):
        X[k, j] = phi(k, s) @ X[s, j]  # R87 (32)
        mass[k, j] = H[k] @ X[k, j]  # R87 (32)
        mass[j, k] = mass[k, j]  # R87 (30)

    for j in joints:
        own(j)
        for s, k in inward(j):
            carried(k, s, j)
    return X, mass
