"""A moment as somebody else's code takes it in, and ours of it as an example of what to hand in."""

from __future__ import annotations

import io
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

import dynamics as dyn
from app.wording import printable

FILTER = (
    "articulated_inertia", "predicted_force", "joint_inertia", "kalman_gain", "innovation", "residual",
    "corrected_force", "articulated_inertia_updated",
)  # fmt: skip


def moment_text(solution: dyn.Solution, wrench: NDArray[np.float64] | None, time: float) -> str:
    """The state, with all digits, as lines of Python."""
    system, state = solution.system, solution.state
    robots = ", ".join(dict.fromkeys(robot.name for robot in system.robots))
    lines = [
        f"# {printable(robots)}, {time:.3f} s; joints and links from the tip to the base",
        "import numpy as np",
        "",
        f"joints = {list(system.joint_names)!r}",
        _line("q", state.q, "rad or m"),
        _line("qd", state.qd, "rad/s or m/s"),
        _line("tau", solution.tau, "N m or N"),
        _line("gravity", system.gravity, "m/s^2, inertial axes"),
    ]
    if state.base_pose is not None:
        lines.append(_line("base_pose", state.base_pose, "world <- root link"))
    if state.base_velocity is not None:
        lines.append(_line("base_velocity", state.base_velocity, "[angular; linear], inertial axes"))
    if wrench is not None and np.any(wrench):
        lines.append(_line("pushes", wrench[: system.n_links], "(links, 6), [moment; force] on each link at O_k"))
    return "\n".join(lines) + "\n"


def _line(name: str, values: ArrayLike, words: str) -> str:
    return f"{name} = np.array({np.asarray(values, float).tolist()!r})  # {words}"


def ours(solution: dyn.Solution) -> Mapping[str, NDArray[np.float64]]:
    """What our filter and smoother find, by the names by which it may be handed in."""
    stages = solution.stages
    found = {name: np.asarray(stages["filter"][name]) for name in FILTER}
    return found | {
        "acceleration": np.asarray(stages["smoother"]["acceleration"]),
        "joint_acceleration": solution.joint_acceleration,
    }


def example_npz(solution: dyn.Solution) -> io.BytesIO:
    """The same as a file."""
    packed = io.BytesIO()
    np.savez(packed, **ours(solution))  # type: ignore[arg-type]
    packed.seek(0)
    return packed
