"""The result of a half-step in one sentence with its own numbers; the words stay while the numbers change."""

from __future__ import annotations

import html
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

import dynamics as dyn
from app.equations.rounding import Loads
from app.equations.sheet import Figures
from app.state.walk import CORRECTION, Place, called
from dynamics.reading import Reading

Array = NDArray[np.float64]
Number = Callable[[ArrayLike], str]
Value = Callable[..., Array]
ROUNDING = 1e-9
"""Share of the largest force below which another is only rounding."""


def did_html(reading: Reading, place: Place, figures: Figures) -> str:
    """The sentence; a number of a broken text may not be finite."""

    def number(value: ArrayLike) -> str:
        figures.put(value)
        return figures.one()

    loads = figures.loads or Loads.of(reading.system, reading.solution.stages)

    def value(name: str, stage: str = place.stage) -> Array:
        """A quantity at the step's link, from its own stage or another; 0 if it is rounding relative to the loads."""
        return loads.without_rounding(name, reading.solution.stages[stage][name])[place.link]

    sentence = {
        "filter": _filtered, "smoother": _smoothed, "smoother_final": _smoothed, "contact": _held,
        "filter_correction": _carried_in, "dual_filter": _from_base,
    }[place.stage](reading, place, number, value)  # fmt: skip
    return f"<p class='did'>{sentence}</p>"


def _filtered(reading: Reading, place: Place, number: Number, value: Value) -> str:
    system, k = reading.system, place.link
    stage, link = reading.solution.stages["filter"], system.link_models
    P = stage["articulated_inertia"]
    if k >= system.n_joints:
        mass = sum(body.mass for body in link)
        felt = number(_mean(P[k]))
        return (
            f"Accelerated one way only at the base, the machine feels like {felt} kg, its joints free; it weighs "
            f"{number(mass)} kg."
        )
    joint = _joint(system, k)
    if place.half != CORRECTION:
        return (
            f"Accelerated one way only at {joint}, {_link(system, k)} and what hangs on it feel like "
            f"{number(_mean(P[k]))} kg; by itself {_link(system, k)} weighs {number(link[k].mass)} kg."
        )
    unit, torque, rate = _units(system, k)
    outboard = [c for c in range(system.n_joints) if int(system.inboard[c]) == k]
    felt, before = number(stage["joint_inertia"][k]), ""
    if len(outboard) == 1 and _units(system, outboard[0]) == (unit, torque, rate):
        (c,) = outboard
        before = f", where {_joint(system, c)} feels {number(stage['joint_inertia'][c])}"
    left, start = number(value("innovation")), number(value("residual"))
    return (
        f"{joint} feels {felt} {unit}{before}, so the {left} {torque} by which its torque, less losses, exceeds the "
        f"predicted one would start it at {start} {rate} if the body inboard did not accelerate."
    )


def _smoothed(reading: Reading, place: Place, number: Number, value: Value) -> str:
    system, k = reading.system, place.link
    if k >= system.n_joints:
        return f"The base, which nothing holds, accelerates with {_motion(value('acceleration'), number)}."
    joint, is_free = _joint(system, k), system.is_held and place.stage == "smoother"
    is_on_ground = system.inboard[k] < 0
    if place.half != CORRECTION:
        body = "the bolted base" if is_on_ground else "the body inboard"
        side = f"With empty hands {body}" if is_free else f"{body[:1].upper()}{body[1:]}"
        moved = _motion(value("acceleration_inboard"), number)
        return f"{side} carries {joint} along with {moved}, centripetal acceleration apart."
    rate = _units(system, k)[2]
    now = number(value("joint_acceleration"))
    if place.stage == "smoother_final":
        alone = number(value("joint_acceleration", "smoother"))
        return f"With the object held {joint} accelerates at {now} {rate}; with empty hands it would at {alone}."
    accelerates = f"With empty hands {joint} would accelerate" if is_free else f"{joint} accelerates"
    if is_on_ground:
        return f"{accelerates} at {now} {rate}, as the filter found: nothing inboard takes it along."
    alone = number(value("residual", "filter"))
    return (
        f"{accelerates} at {now} {rate}; without acceleration inboard it would at {alone}: "
        "the rest is what the links inboard take along."
    )


def _held(reading: Reading, place: Place, number: Number, value: Value) -> str:
    system, stage = reading.system, reading.solution.stages["contact"]
    tip = [each.link for each in system.tips].index(place.link)
    arm = "The arm" if system.n_arms == 1 else f"Arm {place.arm + 1}"
    who = arm if system.n_tips == system.n_arms else _link(system, place.link)
    forces = np.stack([stage["predicted_contact_force"], stage["corrected_contact_force"]])
    most = max(system.task_object.mass, np.abs(forces).max())  # the object's weight at 1 m/s^2 is something
    predicted, applied = forces[:, tip]
    change = _unless_rounding(applied - predicted, most)
    predicted, applied = _unless_rounding(predicted, most), _unless_rounding(applied, most)
    if place.half != CORRECTION:
        free = stage["free_tip_acceleration"]
        moved = _unless_rounding(free[tip], max(1.0, np.abs(free).max()))
        return (
            f"{who}, its hand empty, would accelerate its tip with {_motion(moved, number)}; "
            f"if the object did not accelerate, the tip would press on it with {_force(predicted, number)}."
        )
    return (
        f"{who} predicted {_force(predicted, number)}; the correction changes it by {_force(change, number)}, "
        f"and {_force(applied, number)} are applied."
    )


def _carried_in(reading: Reading, place: Place, number: Number, value: Value) -> str:
    system, k = reading.system, place.link
    if place.half != CORRECTION or k >= system.n_joints:
        where = _joint(system, k) if k < system.n_joints else "the base"
        return f"The contact force arrives at {where} as {_force(value('force_correction'), number)}."
    before, now = number(value("innovation", "filter")), number(value("modified_innovation"))
    return f"The contact force turns the {before} {_units(system, k)[1]} left over at {_joint(system, k)} into {now}."


def _from_base(reading: Reading, place: Place, number: Number, value: Value) -> str:
    system, k = reading.system, place.link
    stages = reading.solution.stages
    stage = stages["dual_filter"]
    if place.half != CORRECTION and k < system.n_joints:
        S = stage["dual_articulated_inertia_predicted"][k]
        return (
            f"Accelerated one way only at {_joint(system, k)}, which is locked, all that is not outboard feels like "
            f"{number(_mean(S))} kg."
        )
    P, S = stages["filter"]["articulated_inertia"][k], stage["dual_articulated_inertia"][k]
    from_tip, from_base = number(_mean(P)), number(_mean(S))
    return (
        f"Accelerated one way only, {html.escape(called(system, k))} feels like {from_tip} kg from the tip's side and "
        f"{from_base} kg from the base's: with both it accelerates with {_motion(value('acceleration'), number)}."
    )


def _mean(inertia: Array) -> float:
    """Mean mass in kg over the three directions."""
    return float(np.trace(inertia[3:, 3:])) / 3.0


def _motion(acceleration: Array, number: Number) -> str:
    turning, going = np.linalg.norm(acceleration[:3]), np.linalg.norm(acceleration[3:])
    return f"{number(turning)} rad/s² and {number(going)} m/s²"


def _unless_rounding(values: Array, most: float) -> Array:
    return np.where(np.abs(values) <= ROUNDING * most, 0.0, values)


def _force(force: Array, number: Number) -> str:
    return f"{number(np.linalg.norm(force[3:]))} N"


def _units(system: dyn.System, k: int) -> tuple[str, str, str]:
    """Units of inertia, torque and acceleration at a joint."""
    if system.joint_models[k].kind == "prismatic":
        return "kg", "N", "m/s²"
    return "kg m²", "N m", "rad/s²"


def _joint(system: dyn.System, k: int) -> str:
    return html.escape(system.joint_names[k])


def _link(system: dyn.System, k: int) -> str:
    return html.escape(system.link_names[k])
