"""``inward_filter`` in lanes, for speed: see ``kinematics``. M(k) and b(k) are computed where they are needed.

Without it the rows ``one_call`` and ``long_chain`` would fail, and all that integrate. The other sweeps in lanes also
use its operations on spatial matrices kept by columns.
"""

from __future__ import annotations

from dynamics.compiler.kernels import inlined, kernel
from dynamics.lanes.kinematics import load9, rotated
from dynamics.lanes.layout import (
    ARTICULATED_INERTIA,
    BIAS_ACCELERATION,
    GAIN_INBOARD,
    INNOVATION,
    JOINT_AXIS,
    JOINT_INERTIA,
    KALMAN_GAIN,
    LEVER,
    LEVER_TO_MASS,
    LOSS_INERTIA,
    PREDICTED_FORCE,
    RESIDUAL,
    VELOCITY,
    WRENCH,
)
from dynamics.recursion.inward_filter import measured_torque
from dynamics.spatial.lanes import (
    angular,
    cross,
    dot,
    exchanged,
    join,
    linear,
    load3,
    load6,
    spread,
    store,
    tildes,
    turned,
)
from dynamics.system.layout import (
    DAMPING,
    FREE,
    FRICTION,
    GATHERS,
    INBOARD,
    KIND,
    MASS,
    REVOLUTE,
    ROTOR_INERTIA,
    SPREAD,
)


@inlined
def load36(table, k, c):
    """The six columns of a spatial matrix."""
    return (
        load6(table, k, c), load6(table, k, c + 8), load6(table, k, c + 16),
        load6(table, k, c + 24), load6(table, k, c + 32), load6(table, k, c + 40),
    )  # fmt: skip


@inlined
def store36(table, k, c, p):
    """Write the six columns of a spatial matrix."""
    for i in range(6):
        store(table, k, c + 8 * i, p[i])


@inlined
def add36(p, q):
    """P + Q, by columns."""
    return p[0] + q[0], p[1] + q[1], p[2] + q[2], p[3] + q[3], p[4] + q[4], p[5] + q[5]


@inlined
def times6(p, a):
    """P a, P kept by columns."""
    return (a[0] * p[0] + a[1] * p[1] + a[2] * p[2]) + (a[4] * p[3] + a[5] * p[4] + a[6] * p[5])


@inlined
def along_axis(columns, table, k, c, revolute):
    """X h for six columns X, which is P H' of a matrix, or H X for six rows; the joint axis is in a table's row."""
    if revolute:
        return rotated((columns[0], columns[1], columns[2]), table, k, c)
    return rotated((columns[3], columns[4], columns[5]), table, k, c + 4)


@inlined
def observed(p, table, k, c, revolute, rotor):
    """P H' and D of a joint, whose axis is in a table's row; D includes the rotor inertia."""
    u = along_axis(p, table, k, c, revolute)
    return u, dot(load6(table, k, c), u) + rotor  # R87 (38): D = H P H'


@inlined
def freed(p, u, gain):
    """P - u gain', by columns: the update that frees the joint, R87 (43) with u = P H' and gain = u D^-1."""
    return (
        p[0] - u[0] * gain, p[1] - u[1] * gain, p[2] - u[2] * gain,
        p[3] - u[4] * gain, p[4] - u[5] * gain, p[5] - u[6] * gain,
    )  # fmt: skip


@inlined
def freed_inboard(p, u, d_inverse, arms, lever):
    """phi P+ phi' and phi G: (43) and (37) in one, so that the shift need not wait for the division.

    phi P+ phi' = phi P phi' - (phi P H') D^-1 (phi P H')'.
    """
    u = moved(arms, u)
    gain = d_inverse * u
    return freed(shifted_inertia(p, arms, lever), u, gain), gain  # R87 (43), (37)


@inlined
def no_inertia():
    """Six columns of zeros."""
    zero = spread(0.0, 0.0, 0.0)
    none = join(zero, zero)
    return none, none, none, none, none, none


@inlined
def arms_inward(lever):
    """The lever's components in the form that ``moved`` needs for phi."""
    zero = spread(0.0, 0.0, 0.0)
    return join(turned(lever, 1), zero), join(turned(lever, 2), zero)


@inlined
def arms_outward(lever):
    """The lever's components in the form that ``moved`` needs for phi'."""
    zero = spread(0.0, 0.0, 0.0)
    return join(zero, turned(-lever, 1)), join(zero, turned(-lever, 2))


@inlined
def moved(arms, f):
    """phi f = [n + l x f; f], or phi' f = [a; b - l x a]."""
    return f + arms[0] * exchanged(f, 2) - arms[1] * exchanged(f, 1)


@inlined
def shifted_inertia(p, arms, lever):
    """phi P phi', by columns."""
    x, y, z = lever[0], lever[1], lever[2]
    d, e, f = moved(arms, p[3]), moved(arms, p[4]), moved(arms, p[5])
    return (
        moved(arms, p[0]) + y * f - z * e,
        moved(arms, p[1]) + z * d - x * f,
        moved(arms, p[2]) + x * e - y * d,
        d, e, f,
    )  # fmt: skip


@inlined
def rotated_inertia(rotation, model, k):
    """J of link k about O_k, by columns."""
    a, b, c = rotated(rotation, model, k, SPREAD), rotated(rotation, model, k, SPREAD + 3), model[k, SPREAD + 6]
    return (
        a[0] * a + b[0] * b + c * spread(1.0, 0.0, 0.0),
        a[1] * a + b[1] * b + c * spread(0.0, 1.0, 0.0),
        a[2] * a + b[2] * b + c * spread(0.0, 0.0, 1.0),
    )


@inlined
def with_link(p, j, moment, m):
    """P + M of a link, by columns."""
    x, y, z = tildes(moment, 0), tildes(moment, 1), tildes(moment, 2)
    return (
        p[0] + join(j[0], linear(x)),
        p[1] + join(j[1], linear(y)),
        p[2] + join(j[2], linear(z)),
        p[3] + join(angular(x), m * spread(1.0, 0.0, 0.0)),
        p[4] + join(angular(y), m * spread(0.0, 1.0, 0.0)),
        p[5] + join(angular(z), m * spread(0.0, 0.0, 1.0)),
    )


@kernel
def measured_torques(model, v, tau, links):
    """Every joint's ``measured_torque``, stored where the filter writes the innovation."""
    for k in range(tau.shape[0]):
        if model[k, FRICTION] == 0.0 and model[k, FRICTION + 1] == 0.0:
            links[k, INNOVATION] = tau[k] - model[k, DAMPING] * v[k]
        else:
            links[k, INNOVATION] = measured_torque(model, k, v[k], tau[k])


@kernel
def lane_filter(tree, model, gravity, v, tau, links):
    """R87 (35)-(43), JR Algorithm 2, with M(k) and b(k) of R87 (7); after ``lane_kinematics``.

    Returns:
        -1, or the first link whose joint has no positive inertia D.
    """
    n_links = tree.shape[0]
    measured_torques(model, v, tau, links)
    g = spread(gravity[0], gravity[1], gravity[2])
    zero = spread(0.0, 0.0, 0.0)
    nothing, empty = join(zero, zero), no_inertia()
    p_carried, z_carried = empty, nothing  # phi P+ phi' and phi z+ of the link before
    for k in range(n_links):
        rotation = load9(links, k)
        omega = angular(load6(links, k, VELOCITY))
        j, to_mass, m = rotated_inertia(rotation, model, k), load3(links, k, LEVER_TO_MASS), model[k, MASS]
        j_omega = omega[0] * j[0] + omega[1] * j[1] + omega[2] * j[2]
        turning = cross(join(omega, omega), join(j_omega, m * cross(omega, to_mass)))
        weight = m * g
        b = turning - join(cross(to_mass, weight), weight) - load6(links, k, WRENCH)  # R87 (7)
        p = with_link(p_carried, j, m * to_mass, m)
        z = z_carried + b
        if tree[k, GATHERS] > 0:
            p = add36(p, load36(links, k, ARTICULATED_INERTIA))
            z = z + load6(links, k, PREDICTED_FORCE)
        store36(links, k, ARTICULATED_INERTIA, p)
        z = z + times6(p, load6(links, k, BIAS_ACCELERATION))  # JR (2.13a): z = phi z+ + b + P a
        store(links, k, PREDICTED_FORCE, z)
        if tree[k, KIND] == FREE:
            p_carried, z_carried = empty, nothing
            continue

        rotor = model[k, ROTOR_INERTIA] + links[k, LOSS_INERTIA]
        u, d = observed(p, links, k, JOINT_AXIS, tree[k, KIND] == REVOLUTE, rotor)
        if not d > 0.0:
            return k
        d_inverse = 1.0 / d
        innovation = links[k, INNOVATION] - dot(load6(links, k, JOINT_AXIS), z)  # JR (2.13a): eps = tau - H z
        links[k, JOINT_INERTIA] = d
        store(links, k, KALMAN_GAIN, d_inverse * u)  # R87 (39): G = P H' D^-1
        links[k, INNOVATION] = innovation
        links[k, RESIDUAL] = d_inverse * innovation

        lever = load3(links, k, LEVER)
        arms = arms_inward(lever)
        p, gain = freed_inboard(p, u, d_inverse, arms, lever)
        store(links, k, GAIN_INBOARD, gain)
        z = moved(arms, z) + innovation * gain  # JR (2.13a): phi z+ = phi z + phi G eps
        inboard = tree[k, INBOARD]
        p_carried, z_carried = p, z
        if inboard != k + 1:
            if inboard < n_links:
                store36(links, inboard, ARTICULATED_INERTIA, add36(p, load36(links, inboard, ARTICULATED_INERTIA)))
                store(links, inboard, PREDICTED_FORCE, z + load6(links, inboard, PREDICTED_FORCE))
            p_carried, z_carried = empty, nothing
    return -1
