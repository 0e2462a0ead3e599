"""The mass matrix by strobing: one joint at a time accelerates, at rest and without weight; TML Sections 3 and 7."""

import numpy as np


def column_by_column(joints, inboard, outboard, carried, inward, phi, H, M, I_r):
    """Inverse dynamics of one unit acceleration: its torques are a column; the links inboard are at rest."""
    A, X = np.zeros((2, len(joints), len(joints), 6, 1))
    mass = np.zeros((len(joints), len(joints), 1, 1))

    def unit(j):
        A[j, j] = H[j].T  # TML (3.4)

    def outward(k, i, j):
        A[k, j] = phi(i, k).T @ A[i, j]  # TML (3.7)

    def moved(k, j):
        X[k, j] = sum(phi(k, s) @ X[s, j] for s in outboard(k)) + M[k] @ A[k, j]  # TML (3.12)

    def diagonal(j):
        mass[j, j] = H[j] @ X[j, j] + I_r[j]  # TML (2.11)

    def still(k, s, j):
        X[k, j] = phi(k, s) @ X[s, j]  # TML (3.12)
        mass[k, j] = H[k] @ X[k, j]  # TML (2.11)
        mass[j, k] = mass[k, j]  # TML Section 7

    for j in joints:
        unit(j)
        for k in carried(j)[1:]:
            outward(k, inboard(k), j)
        for k in reversed(carried(j)):
            moved(k, j)
        diagonal(j)
        for s, k in inward(j):
            still(k, s, j)
    return A, X, mass
