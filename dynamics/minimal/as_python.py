"""A reproduction as a short program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from dynamics.robot.model import Frame, Joint, Link, Robot
from dynamics.system.state import State
from dynamics.system.system import System

if TYPE_CHECKING:
    from dynamics.minimal.reproduction import MinimalReproduction

MOST_NAME = 60


def python_of(found: MinimalReproduction) -> str:
    """The program: the machine, the moment, their numbers, and the comparison."""
    system = found.system
    robots = [line for at, robot in enumerate(system.robots) for line in _robot_lines(at, robot)]
    lines = [
        '"""Where two algorithms part: the smallest machine, the roundest numbers. Made by Armsweep."""',
        "",
        "import numpy as np",
        "",
        "import dynamics as dyn",
        "",
        *robots,
        "",
        *_system_lines(system, found.state),
        f"tau = {_array(found.tau)}  # N m or N, from tip to base, as q and qd",
        f"external_forces = {_array(found.external_forces) if found.external_forces.any() else None}",
        "",
        f"# What {_name(found.name)} gave here; in its place call it yourself, with system, state and tau.",
        "theirs = {",
        *(f"    {name!r}: {_array(array)}," for name, array in found.theirs.items()),
        "}",
        f"print(dyn.compare(system, state, theirs, tau, external_forces, tolerance={found.comparison.tolerance!r}))",
        "",
    ]
    return "\n".join(lines)


def _name(name: str) -> str:
    return name[:MOST_NAME] if name.isidentifier() else "your function"


def _array(values: ArrayLike) -> str:
    array = np.asarray(values, float) + 0.0
    if not array.any():
        return f"np.zeros({array.shape!r})"
    if array.ndim == 2 and array.shape[0] == array.shape[1] and np.array_equal(array, np.eye(len(array))):
        return f"np.eye({len(array)})"
    return f"np.array({array.tolist()!r})"


def _robot_lines(at: int, robot: Robot) -> list[str]:
    return [
        f"robot_{at + 1} = dyn.Robot(",
        f"    name={robot.name!r},",
        "    links=(  # from tip to base",
        *(f"        {_link(link)}," for link in robot.links),
        "    ),",
        "    joints=(",
        *(f"        {_joint(joint)}," for joint in robot.joints),
        "    ),",
        f"    inboard={robot.inboard!r},",
        f"    root={_link(robot.root)},",
        f"    tips=({''.join(f'{_tip(tip)}, ' for tip in robot.tips)}),",
        ")",
    ]


def _link(link: Link) -> str:
    return f"dyn.Link({link.name!r}, {link.mass!r}, {_array(link.center_of_mass)}, {_array(link.inertia)})"


def _tip(tip: Frame) -> str:
    return f"dyn.Frame({tip.name!r}, {tip.link!r}, {_array(tip.pose)})"


def _joint(joint: Joint) -> str:
    losses = {
        "damping": joint.damping,
        "friction": tuple(joint.friction) if any(joint.friction) else (),
        "rotor_inertia": joint.rotor_inertia,
        "mimic": joint.mimic,
    }
    told = "".join(f", {name}={value!r}" for name, value in losses.items() if value)
    return f"dyn.Joint({joint.name!r}, {joint.kind!r}, {_array(joint.axis)}, {_array(joint.origin)}{told})"


def _system_lines(system: System, state: State) -> list[str]:
    robots = [f"robot_{at + 1}" for at in range(system.n_arms)]
    gravity, poses = _array(system.gravity), _array(system.base_poses)
    lines = []
    match system.kind:
        case "single_arm":
            lines.append(f"system = dyn.single_arm({robots[0]}, {gravity}, {_array(system.base_poses[0])})")
        case "free_flyer":
            lines.append(f"system = dyn.free_flyer({robots[0]}, {gravity})")
        case _:
            thing = system.task_object
            if thing is not None:
                lines.append(f"thing = dyn.TaskObject({thing.mass!r}, {_array(thing.inertia)})")
            given = f"[{', '.join(robots)}], {poses}, {'None' if thing is None else 'thing'}, {gravity}"
            lines.append(f"system = dyn.multi_arm({given}, {list(system.floating)!r})")
    lines.append(f"state = system.state({', '.join(_state(state))})")
    if system.is_held:
        holding = {contact.tip: contact for contact in system.contacts}
        grips = [
            "None" if tip not in holding else repr(kind) if (kind := holding[tip].kind) != "selection"
            else _array(holding[tip].selection)
            for tip in range(system.n_tips)
        ]  # fmt: skip
        lines.append(f"system = dyn.grasp(system, state, [{', '.join(grips)}])")
    return lines


def _state(state: State) -> list[str]:
    parts = {name: getattr(state, name) for name in ("q", "qd", "base_pose", "base_velocity", "object_pose",
                                                     "object_velocity")}  # fmt: skip
    return [f"{name}={_array(value)}" for name, value in parts.items() if value is not None]
