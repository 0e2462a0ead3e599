"""JZ: two arms in a plane and what they hold; Tables 1-3, Figs 1-9."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from dynamics.checks import Array
from dynamics.papers.jazidie_examples import (
    TABLE_1,
    TABLE_2,
    TABLE_3,
    PlanarRun,
    example_1,
    example_2,
    example_2_system,
)
from dynamics.papers.result import Entry, Found, PaperCurve, PaperFigure, PaperNumber, PaperResult, drawing
from dynamics.system.examples import example
from dynamics.system.tip_poses import tip_poses

SECONDS = range(6)
PLACES = (("X_o1", "m"), ("X_o2", "m"), ("X_o3", "rad"))
STEP = 5e-8
"""Half of the last digit of Table 2."""
INTEGRATED = (
    "each misses the wanted path by up to 1.7e-6 m, and not alike: the paper does not say how it integrates from one "
    "sample of 0.1 ms to the next, nor in which order it updates"
)
POSTURE = (
    "the starting posture stood only in Fig. 8, which the scan lost; the one that is used gives the printed contact "
    "angle and place, but the free end turns a little otherwise"
)
REACH = 1.3
"""m, the denominator of (46): both arms, and both levers of the object."""


@cache
def first() -> PlanarRun:
    """Example 1 as published."""
    return example_1("staggered")


@cache
def second() -> PlanarRun:
    """Example 2 as published."""
    return example_2("staggered")


def at_seconds(run: PlanarRun) -> Array:
    """Rows of t = 0, 1, ... 5 s."""
    return np.array([int(np.argmin(np.abs(run.times - t))) for t in SECONDS])


def table_1() -> Found:
    """The machine of the preset against the printed parameters."""
    system, state = example("two_planar_arms")
    thing = system.task_object
    assert thing is not None
    tips = tip_poses(system, state)[:, :3, 3]
    numbers = []
    for k, link in enumerate(system.link_models):
        c = np.asarray(link.center_of_mass)
        inertia = float(np.asarray(link.inertia)[2, 2])
        for column, unit, ours in (
            ("link mass", "kg", link.mass), ("link center of mass", "m", float(np.linalg.norm(c))),
            ("link inertia", "kg m²", inertia),
        ):  # fmt: skip
            numbers.append(PaperNumber(system.link_names[k], column, unit, TABLE_1[column], ours, 5e-5))
    for joint in (system.joint_models[0], system.joint_models[1]):
        length = float(np.linalg.norm(np.asarray(joint.origin)[:3, 3]))
        numbers.append(PaperNumber(joint.name, "link length", "m", TABLE_1["link length"], length, 5e-5))
    for column, unit, ours in (
        ("object length", "m", float(np.linalg.norm(tips[1] - tips[0]))),
        ("object mass", "kg", thing.mass),
        ("object inertia", "kg m²", float(np.asarray(thing.inertia)[2, 2])),
    ):
        numbers.append(PaperNumber("object", column, unit, TABLE_1[column], ours, 5e-5))
    return Found(tuple(numbers))


def fig_6() -> Found:
    """Where Example 1 starts."""
    _, state = example("two_planar_arms")
    assert state.object_pose is not None
    x, y = state.object_pose[:2, 3]
    turn = math.atan2(state.object_pose[1, 0], state.object_pose[0, 0])
    printed = (0.223205, 0.446410, 0.0)
    run = first()
    return Found(
        tuple(
            PaperNumber("X_o(0)", name, unit, value, float(ours), 5e-7)
            for (name, unit), value, ours in zip(PLACES, printed, (x, y, turn), strict=True)
        ),
        _sticks(run, [0]),
    )


def table_2() -> Found:
    """Wanted and simulated places, second by second."""
    run = first()
    rows = at_seconds(run)
    numbers = []
    for table, found, words in (
        (TABLE_2.desired, run.desired, "wanted"),
        (TABLE_2.simulated, run.simulated, "simulated"),
    ):
        for t, row in zip(SECONDS, rows, strict=True):
            for i, (name, unit) in enumerate(PLACES):
                printed, ours = float(table[t, i]), float(found[row, i])
                reason = INTEGRATED if words == "simulated" and abs(ours - printed) > STEP else ""
                numbers.append(PaperNumber(f"{t} s", f"{words} {name}", unit, printed, ours, STEP, reason))
    return Found(tuple(numbers))


def fig_7() -> Found:
    """The position error (46): ours as a line, that of Table 2's columns as points."""
    run = first()
    gap = TABLE_2.simulated - TABLE_2.desired
    printed = np.hypot(gap[:, 0], gap[:, 1]) / REACH + np.abs(gap[:, 2]) / (2.0 * math.pi)  # JZ (46)
    order = float(math.floor(math.log10(run.error.max())))
    numbers = [PaperNumber("largest", "order of magnitude, power of ten", "", -6.0, order)]
    for t, row in zip(SECONDS, at_seconds(run), strict=True):
        ours, rounding = float(run.error[row]), math.sqrt(2.0) * STEP / REACH
        reason = INTEGRATED if abs(ours - printed[t]) > rounding else ""
        numbers.append(PaperNumber(f"{t} s", "by Table 2's columns", "", float(printed[t]), ours, rounding, reason))
    curves = (
        PaperCurve("here, as published: step by step", run.times, run.error),
        PaperCurve("by the printed columns of Table 2", np.arange(6.0), printed, "points"),
    )
    return Found(tuple(numbers), PaperFigure(curves, "time, s", "position error (46)"))


def fig_8() -> Found:
    """Where Example 2 starts, and where it is to arrive."""
    _, state = example_2_system()
    assert state.object_pose is not None
    run = second()
    numbers = []
    start = (*state.object_pose[:2, 3], math.atan2(state.object_pose[1, 0], state.object_pose[0, 0]))
    for row, printed, ours in (
        ("X_o(0)", (0.203225, 0.598174, 0.0), start),
        ("wanted X_o(5 s)", (0.203225, 0.498174, math.pi / 3), run.desired[-1]),
    ):
        for (name, unit), value, found in zip(PLACES, printed, ours, strict=True):
            numbers.append(PaperNumber(row, name, unit, value, float(found), 5e-7))
    return Found(tuple(numbers), _sticks(run, [0]))


def fig_9() -> Found:
    """Stick pictures; the object arrives."""
    run = second()
    turned = run.simulated[-1, 2]
    number = PaperNumber(
        "object at 5 s", "turned", "rad", math.pi / 3, float(turned), 5e-7,
        "a spring and a damper lead it and never arrive quite; the paper prints where it is to be, not where it is",
    )  # fmt: skip
    rows = np.linspace(0, len(run.times) - 1, 9).astype(int)
    return Found((number,), _sticks(run, rows))


def table_3() -> Found:
    """Contact angles, second by second."""
    run = second()
    numbers = []
    for t, row in zip(SECONDS, at_seconds(run), strict=True):
        for arm, kind in enumerate(("rigid", "point")):
            published, ours = TABLE_3[t, arm], float(run.contact_angle[row, arm])
            reason = "" if abs(ours - published) <= 5e-7 else POSTURE
            numbers.append(PaperNumber(f"{t} s", f"arm {arm + 1}, {kind}", "rad", published, ours, 5e-7, reason))
    times, angles = run.times, run.contact_angle
    figure = PaperFigure(
        (
            PaperCurve("arm 1, rigid", times, angles[:, 0]),
            PaperCurve("arm 2, point contact", times, angles[:, 1], "dashed"),
            PaperCurve("Table 3", np.tile(np.arange(6.0), 2), TABLE_3.T.ravel(), "points"),
        ),
        "time, s",
        "contact angle, rad",
    )
    return Found(tuple(numbers), figure)


def _sticks(run: PlanarRun, rows: Array | list[int]) -> PaperFigure:
    arms = run.sticks[np.asarray(rows)].reshape(-1, run.sticks.shape[2], 2)
    ends = run.ends[np.asarray(rows)]
    curves = (
        PaperCurve("arms", arms[:, :, 0], arms[:, :, 1]),
        PaperCurve("object", ends[:, :, 0], ends[:, :, 1], "dashed"),
    )
    return PaperFigure(curves, "x, m", "y, m", equal=True)


RESULTS: tuple[Entry, ...] = (
    drawing("jz_fig_1", "JZ", "Fig. 1", "One arm, nothing held", "A drawing, which the scan lost."),
    drawing("jz_fig_2", "JZ", "Fig. 2", "One arm against its surroundings", "A drawing, which the scan lost."),
    drawing("jz_fig_3", "JZ", "Fig. 3", "Several arms and one object", "A drawing, which the scan lost."),
    drawing("jz_fig_4", "JZ", "Fig. 4", "Frames of arms, contacts and object", "A drawing, which the scan lost."),
    drawing("jz_fig_5", "JZ", "Fig. 5", "Object and arms taken apart, with the forces between them",
            "A drawing, which the scan lost. Contact shows these forces with their numbers."),
    (
        PaperResult("jz_table_1", "JZ", "Table 1", "Parameters of two planar arms and their object",
                    "The page's machine, measured: masses, levers, inertias, and the distance of its tips."),
        table_1,
    ),
    (
        PaperResult("jz_fig_6", "JZ", "Fig. 6", "Example 1 at its start",
                    "The scan lost the drawing and kept the object's place; the posture follows from it."),
        fig_6,
    ),
    (
        PaperResult("jz_table_2", "JZ", "Table 2", "Example 1: where the object is to be, and where it is",
                    "The torques by inverse dynamics at each sample of 0.1 ms, the motion by the published step. On "
                    "the page stiff springs lead the object along the same path, within 0.01 mm."),
        table_2,
    ),
    (
        PaperResult("jz_fig_7", "JZ", "Fig. 7", "Example 1: position error",
                    "The scan lost the curve. What it keeps are its size, and Table 2, whose columns give six points."),
        fig_7,
    ),
    (
        PaperResult("jz_fig_8", "JZ", "Fig. 8", "Example 2 at its start",
                    "The scan lost the drawing, and with it the posture; of the arms that reach the printed place with "
                    "the printed contact angle, one is drawn."),
        fig_8,
    ),
    (
        PaperResult("jz_fig_9", "JZ", "Fig. 9", "Example 2: stick pictures",
                    "The scan lost the drawing. Arm 1 holds rigidly, arm 2 by a point. A spring of 100 and a damper of "
                    "10 in each direction lead the object, PD control in task space, (47)-(48)."),
        fig_9,
    ),
    (
        PaperResult("jz_table_3", "JZ", "Table 3", "Example 2: angles between last links and object",
                    "The rigid grasp keeps its angle, the point contact turns."),
        table_3,
    ),
)  # fmt: skip
