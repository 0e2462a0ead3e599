"""Forward dynamics with a term of the algorithm altered: what it then computes, stage by stage."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dynamics.altered.alteration import AS_PUBLISHED, Alteration
from dynamics.altered.altered_contact import contact_stage, filter_correction, grasped, object_bias_force
from dynamics.altered.altered_filter import bias, costate_covariance, given, inward_filter, outward_smoother, solved
from dynamics.checks import numbers
from dynamics.methods.forward_dynamics import Forces, external_wrench
from dynamics.recursion.filter_smoother import motion_state
from dynamics.recursion.mechanical_energy import energy_and_momentum
from dynamics.system.layout import VELOCITY
from dynamics.system.solution import Solution, read_only
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.system.tables import Work, make_work
from dynamics.system.tip_poses import poses_from

Array = NDArray[np.float64]
METHOD = "altered_filter_smoother"


def altered_forward_dynamics(
    system: System,
    state: State,
    tau: ArrayLike | None = None,
    alteration: Alteration = AS_PUBLISHED,
    external_forces: Forces = None,
) -> Solution:
    """What ``forward_dynamics`` would compute if its lines read otherwise; ``altered_lines`` lists them.

    It is a twin in plain NumPy of the compiled sweeps and equals them where nothing is altered. A broken
    algorithm is answered as it answers: where it divides by zero the numbers are not finite, and where its
    contacts come apart the state may be off the closure. ``identities`` says what no longer holds.

    Args:
        system: any.
        state: of this system.
        tau: (joints,) N m or N, tip to base; default zero.
        alteration: which terms are dropped or turned; default none.
        external_forces: as for ``forward_dynamics``, inertial axes.

    Returns:
        a solution with every stage but the dual filter, its bias a(k) and b(k) altered too.

    Raises:
        StateError: for wrong shapes or numbers that are not finite.

    Cost: linear in the links, some 50 us each.
    """
    torque = numbers(np.zeros(system.n_joints) if tau is None else tau, (system.n_joints,), "tau")
    x, v = system.pack(state)
    work = make_work(system.tables)
    work.wrench[:] = external_wrench(system, external_forces)
    motion_state(system.tables, x, v, work)
    momentum = np.zeros(6)
    kinetic, potential = energy_and_momentum(system.tables, v, work, momentum)
    poses = poses_from(system, work.links[:-1])
    stages, a, b, thing = altered_stages(system, state, torque, work, alteration)
    final = stages["smoother_final" if system.is_held else "smoother"]
    n = system.n_joints
    bases = final["acceleration"][n:]
    return Solution(
        method=METHOD,
        system=system,
        state=state,
        tau=torque,
        joint_acceleration=final["joint_acceleration"],
        base_acceleration=(bases[0] if system.kind == "free_flyer" else bases) if system.is_floating else None,
        object_acceleration=thing,
        contact_force=None if thing is None else contact_force(system, stages),
        indeterminate=None,
        stages=read_only(stages),
        link_pose=poses,
        link_velocity=work.links[:-1, VELOCITY : VELOCITY + 6].copy(),
        bias_acceleration=a,
        bias_force=b,
        tip_pose=np.array([poses[tip.link] @ tip.pose for tip in system.tips]).reshape(-1, 4, 4),
        kinetic_energy=kinetic,
        potential_energy=potential,
        momentum=momentum,
    )


def contact_force(system: System, stages: dict[str, dict[str, Array]]) -> Array:
    """(tips, 6); zero for tips that hold nothing."""
    return stages["contact"]["contact_force"] if system.is_held else np.zeros((system.n_tips, 6))


def altered_stages(
    system: System, state: State, torque: Array, work: Work, alteration: Alteration
) -> tuple[dict[str, dict[str, Array]], Array, Array, Array | None]:
    """The five stages of R88 Section 9, the first two where nothing is held; after ``motion_state``.

    Returns:
        the stages, a(k), b(k), and the object's acceleration, None without an object.
    """
    g = given(system, state, torque, work)
    with np.errstate(all="ignore"):  # a broken algorithm may divide by zero, and then says so by its numbers
        a, b = bias(g, alteration)
        filtered = inward_filter(g, a, b, alteration)  # 1
        z = filtered["predicted_force"]
        smoothed = outward_smoother(g, filtered, a, filtered["residual"], z, alteration, "smoother")  # 2
        smoothed["costate_covariance"] = costate_covariance(g, filtered, alteration)
        stages = {"filter": filtered, "smoother": smoothed}
        if not system.is_held:
            if system.task_object is None:
                return stages, a, b, None
            thing = grasped(system, work)
            return stages, a, b, -solved(thing.inertia, object_bias_force(thing, alteration))
        del smoothed["force"]  # the force of the whole motion comes with the last stage
        thing = grasped(system, work)
        contact = contact_stage(system, g, thing, filtered, smoothed, alteration)  # 3
        x = contact["contact_force"][[held.tip for held in system.contacts]]
        correction, residual = filter_correction(g, thing, filtered, x, alteration)  # 4
        final = outward_smoother(
            g, filtered, a, residual, z + correction["force_correction"], alteration, "smoother_final"
        )  # 5
    stages |= {"contact": contact, "filter_correction": correction, "smoother_final": final}
    return stages, a, b, contact["object_acceleration"]
