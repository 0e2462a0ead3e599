"""The quantities of the arms that rigid grips need, from one inward sweep, for speed: integrators keep no stages.

Without it the row ``one_second_of_two_arms`` would fail: it replaces smoother, Lambda and correction.

psi(k, 1) = phi(k, k-1) (1 - G H) ... carries a force at O_1 of the holding link through the filter to link k. A
unit force there gives the innovation r(k) = H(k) psi(k, 1) at joint k, and with it, by R87 (44)-(47) and (67)-(68)
expanded from the base,

    Lambda(1)     = sum_k r(k)' D^-1(k) r(k)
    alpha_FREE(1) = sum_k r(k)' nu(k) + psi(k, 1)' a(k)
    nu(k) after the correction by a force x = nu(k) - D^-1(k) r(k) x

so that neither the smoother of the free arms, nor Lambda's outward sweep, nor the filter's correction is needed.
"""

from __future__ import annotations

from dynamics.compiler.kernels import inlined, kernel
from dynamics.lanes import layout as lane
from dynamics.lanes.filter import along_axis, no_inertia, store36
from dynamics.lanes.smoother import acceleration_inboard, no_motion, smoothed
from dynamics.spatial.lanes import join, load3, load6, spread, store
from dynamics.system.layout import ARM, CONTACT_LINK, INBOARD, KIND, MIDDLE, REVOLUTE


@inlined
def combined(rows, a):
    """a' X, with X kept by rows."""
    return (a[0] * rows[0] + a[1] * rows[1] + a[2] * rows[2]) + (a[4] * rows[3] + a[5] * rows[4] + a[6] * rows[5])


@inlined
def carried_inward(rows, lever, gain, seen):
    """phi X - (phi G) r, with X by rows."""
    x, y, z = lever[0], lever[1], lever[2]
    return (
        rows[0] + y * rows[5] - z * rows[4] - gain[0] * seen,
        rows[1] + z * rows[3] - x * rows[5] - gain[1] * seen,
        rows[2] + x * rows[4] - y * rows[3] - gain[2] * seen,
        rows[3] - gain[4] * seen,
        rows[4] - gain[5] * seen,
        rows[5] - gain[6] * seen,
    )


@kernel
def lane_propagation(tree, contacts, links, held, grips):
    """Lambda(1) and alpha_FREE(1) of every arm that holds, and D^-1 r of its links; after ``lane_filter``."""
    n_links = tree.shape[0]
    zero = spread(0.0, 0.0, 0.0)
    nothing = join(zero, zero)
    x, y, z = spread(1.0, 0.0, 0.0), spread(0.0, 1.0, 0.0), spread(0.0, 0.0, 1.0)
    one = (join(x, zero), join(y, zero), join(z, zero), join(zero, x), join(zero, y), join(zero, z))
    for i in range(contacts.shape[0]):
        k = contacts[i, CONTACT_LINK]
        psi, q, alpha = one, no_inertia(), nothing
        while k < n_links:
            seen = along_axis(psi, links, k, lane.JOINT_AXIS, tree[k, KIND] == REVOLUTE)  # H psi
            answer = (1.0 / links[k, lane.JOINT_INERTIA]) * seen
            store(held, k, lane.TIP_RESPONSE, answer)
            q = (
                q[0] + seen[0] * answer, q[1] + seen[1] * answer, q[2] + seen[2] * answer,
                q[3] + seen[4] * answer, q[4] + seen[5] * answer, q[5] + seen[6] * answer,
            )  # fmt: skip
            alpha = alpha + links[k, lane.RESIDUAL] * seen + combined(psi, load6(links, k, lane.BIAS_ACCELERATION))
            psi = carried_inward(psi, load3(links, k, lane.LEVER), load6(links, k, lane.GAIN_INBOARD), seen)
            k = tree[k, INBOARD]
        store36(grips, i, lane.GRIP_MOBILITY, q)
        store(grips, i, lane.GRIP_FREE_ACCELERATION, alpha)


@inlined
def final_motion(tree, links, held, k, before, force, acceleration):
    """``smoothed`` of link k after the correction by the force at its arm's tip."""
    alpha = acceleration_inboard(tree, held, k, before, lane.FINAL_ACCELERATION)
    effect = load6(held, k, lane.TIP_RESPONSE) * force
    a = load6(links, k, lane.BIAS_ACCELERATION)
    along, alpha = smoothed(links, k, alpha, links[k, lane.RESIDUAL], a, effect)
    store(held, k, lane.FINAL_ACCELERATION, alpha)
    acceleration[k] = along
    return alpha


@kernel
def gripped_smoother(tree, links, held, tip_forces, acceleration):
    """Stages 4 and 5 of R88 Section 9 in one outward sweep; the arms in two halves that need not wait for each other.

    Args:
        acceleration: packed like a velocity; the joints' part is an output.
    """
    n_links, middle = tree.shape[0], tree[0, MIDDLE]
    first = second = no_motion()
    for j in range(max(middle, n_links - middle)):
        k = middle - 1 - j
        if k >= 0:
            first = final_motion(tree, links, held, k, first, load6(tip_forces, tree[k, ARM], 0), acceleration)
        k = n_links - 1 - j
        if k >= middle:
            second = final_motion(tree, links, held, k, second, load6(tip_forces, tree[k, ARM], 0), acceleration)
