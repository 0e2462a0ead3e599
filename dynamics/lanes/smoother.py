"""``outward_smoother`` in lanes, for speed: see ``kinematics``; for the rows ``one_call`` and ``long_chain``.

``smoothed`` is its single step, which the other outward sweeps in lanes use too.
"""

from __future__ import annotations

from dynamics.compiler.kernels import inlined, kernel
from dynamics.lanes.filter import arms_outward, moved
from dynamics.lanes.layout import ARTICULATED_INERTIA, BIAS_ACCELERATION, GAIN_INBOARD, JOINT_AXIS, LEVER
from dynamics.spatial.lanes import dot, everywhere, join, load3, load6, spread, store
from dynamics.spatial.small_matrices import solve_packed
from dynamics.system.layout import FREE, INBOARD, KIND


@inlined
def packed_symmetric(table, k, c):
    """The 21 numbers of a symmetric matrix that is kept as six columns."""
    return (
        table[k, c], table[k, c + 8], table[k, c + 16], table[k, c + 9], table[k, c + 17], table[k, c + 18],
        table[k, c + 24], table[k, c + 32], table[k, c + 40],
        table[k, c + 25], table[k, c + 33], table[k, c + 41],
        table[k, c + 26], table[k, c + 34], table[k, c + 42],
        table[k, c + 28], table[k, c + 36], table[k, c + 44], table[k, c + 37], table[k, c + 45], table[k, c + 46],
    )  # fmt: skip


@inlined
def acceleration_inboard(tree, results, k, before, motion):
    """alpha(k+1): that of the link visited before, of another link if the tree branches, or the world's."""
    n_links, inboard = tree.shape[0], tree[k, INBOARD]
    if inboard == n_links:
        return no_motion()
    return before if inboard == k + 1 else load6(results, inboard, motion)


@inlined
def smoothed(links, k, alpha, residual, bias, effect):
    """theta''(k) and alpha(k) from alpha(k+1), for every outward sweep here.

    Args:
        residual: nu(k), before ``effect`` is subtracted.
        bias: a(k), or zero in the response to forces alone.
        effect: D^-1 r times the force at the tip, component by component; its sum is the force's effect on nu(k).
    """
    taken = load6(links, k, GAIN_INBOARD) * alpha + effect
    along = residual - dot(everywhere(1.0), taken)  # JR (2.13b), G' phi' alpha(k+1)
    alpha = moved(arms_outward(load3(links, k, LEVER)), alpha)  # R87 (45)
    return along, alpha + bias + along * load6(links, k, JOINT_AXIS)  # R87 (47)


@inlined
def no_motion():
    """The world's acceleration."""
    zero = spread(0.0, 0.0, 0.0)
    return join(zero, zero)


@kernel
def base_acceleration(links, k, z):
    """-P^-1 z of a free link, JR Algorithm 3."""
    p = packed_symmetric(links, k, ARTICULATED_INERTIA)
    a, b = solve_packed(p, (-z[0], -z[1], -z[2]), (-z[4], -z[5], -z[6]))
    return join(spread(a[0], a[1], a[2]), spread(b[0], b[1], b[2]))


@kernel
def lane_smoother(tree, n_joints, links, results, residual, force, bias, motion, joint, acceleration):
    """R87 (44)-(47), JR Algorithm 3: theta'' = nu - G' alpha+, alpha = alpha+ + H' theta'' + a.

    Args:
        results: the table with the columns below, ``links`` itself or that of a held object.
        residual: column of nu(k).
        force: column of the predicted force z of a free link.
        bias: 1.0 with the bias acceleration a(k); 0.0 for the response to forces alone.
        motion, joint: columns of alpha and theta'', outputs.
        acceleration: packed like a velocity, an output: joints and free links.

    Returns:
        The sum of all |theta''|, which is NaN if one of them is.
    """
    n_links = tree.shape[0]
    alpha = no_motion()
    total = 0.0
    for k in range(n_links - 1, -1, -1):
        if tree[k, KIND] == FREE:
            alpha = base_acceleration(links, k, load6(results, k, force))
            at = n_joints + 6 * (k - n_joints)
            for i in range(3):
                acceleration[at + i] = alpha[i]
                acceleration[at + 3 + i] = alpha[4 + i]
            total += abs(dot(alpha, alpha))
        else:
            alpha = acceleration_inboard(tree, results, k, alpha, motion)
            a = bias * load6(links, k, BIAS_ACCELERATION)
            along, alpha = smoothed(links, k, alpha, results[k, residual], a, no_motion())
            results[k, joint] = along
            acceleration[k] = along
            total += abs(along)
        store(results, k, motion, alpha)
    return total
