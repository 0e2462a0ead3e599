"""``command`` on what the sweeps in lanes keep, so that integration needs no other sweep: see ``lanes.kinematics``."""

from __future__ import annotations

from dynamics.compiler.compiled import kernel
from dynamics.lanes import layout as lane
from dynamics.lanes.contacts import contact_geometry_in_full, contact_wrench
from dynamics.lanes.filter import arms_inward, moved
from dynamics.lanes.workspace import opened
from dynamics.motion.control_law import carry, joint_torques, progress, within_effort
from dynamics.numbers.lanes import cross, dot, join, load3, load6, spread, store
from dynamics.system.layout import CONTACT_LINK, FREE, INBOARD, KIND, MASS


@kernel
def is_constant(law):
    """Whether the law gives the same torques whatever the state and the time."""
    if law.switches[0] > 0.0 or law.switches[1] > 0.0:
        return False
    for k in range(law.feedforward.shape[0]):
        if law.joint_stiffness[k] != 0.0 or law.joint_damping[k] != 0.0:
            return False
    return True


@kernel
def lane_command(arena, law, t, x, v, tau):
    """Write the joint torques of the law at time t; after ``lane_motion_state``."""
    tables, work, lanes = opened(arena)
    place, rate = progress(law.timing, t)
    joint_torques(law, place, rate, x, v, tau)
    held = tables.contacts.shape[0] > 0
    compensates = law.switches[0] > 0.0
    if compensates or (held and law.switches[1] > 0.0):
        if held:
            if lanes.grips.shape[0] > 0:
                contact_geometry_in_full(arena)
            carry(tables, law, place, rate, x, v, work)
        lane_static_torques(arena, compensates, held, tau)
    within_effort(tables.model, tau)


@kernel
def lane_static_torques(arena, compensates, held, tau):
    """Add the torques that hold the links' weight and press the contact forces onto the object.

    One inward sweep; it borrows the columns of the smoother's acceleration, which is written later.
    """
    tables, work, lanes = opened(arena)
    tree, links = tables.tree, lanes.links
    n_links = tree.shape[0]
    g = spread(tables.gravity[0], tables.gravity[1], tables.gravity[2])
    zero = spread(0.0, 0.0, 0.0)
    for k in range(n_links + 1):
        weight = zero
        if compensates and k < n_links:
            weight = zero - tables.model[k, MASS] * g
        store(links, k, lane.ACCELERATION, join(cross(load3(links, k, lane.LEVER_TO_MASS), weight), weight))
    if held:
        for i in range(tables.contacts.shape[0]):
            k = tables.contacts[i, CONTACT_LINK]
            f = contact_wrench(work.contacts, i)
            store(links, k, lane.ACCELERATION, f + load6(links, k, lane.ACCELERATION))
    for k in range(n_links):
        if tree[k, KIND] == FREE:
            break
        f = load6(links, k, lane.ACCELERATION)
        tau[k] += dot(load6(links, k, lane.JOINT_AXIS), f)
        f = moved(arms_inward(load3(links, k, lane.LEVER)), f)
        inboard = tree[k, INBOARD]
        store(links, inboard, lane.ACCELERATION, f + load6(links, inboard, lane.ACCELERATION))
