"""A moment: as text for other code, its arrays as an example file, and the question about a file of arrays."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

import dynamics as dyn
from app.instruments.study.process import SendMessage
from app.messages import printable
from dynamics.comparison import read_arrays

FILTER = (
    "articulated_inertia", "predicted_force", "joint_inertia", "kalman_gain", "innovation", "residual",
    "corrected_force", "articulated_inertia_updated",
)  # fmt: skip
AT_TIPS = ("tip_costate_covariance", "contact_force")


def moment_text(solution: dyn.Solution, wrench: NDArray[np.float64] | None, time: float) -> str:
    """The state, the object and its contacts, with all digits, as lines of Python."""
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
    bolted = [pose for pose, floats in zip(system.base_poses, system.floating, strict=True) if not floats]
    if bolted:
        lines.append(_line("bases", bolted, "(bolted arms, 4, 4), world <- root link"))
    if state.base_pose is not None:
        lines.append(_line("base_pose", state.base_pose, "world <- root link"))
    if state.base_velocity is not None:
        lines.append(_line("base_velocity", state.base_velocity, "[angular; linear], inertial axes"))
    if wrench is not None and np.any(wrench):
        lines.append(_line("pushes", wrench[: system.n_links], "(links, 6), [moment; force] on each link at O_k"))
    lines += [*_object_lines(system, state, wrench), *_contact_lines(system)]
    return "\n".join(lines) + "\n"


def _object_lines(system: dyn.System, state: dyn.State, wrench: NDArray[np.float64] | None) -> list[str]:
    payload = system.task_object
    if payload is None or state.object_pose is None or state.object_velocity is None:
        return []
    lines = [
        f"object_mass = {payload.mass!r}  # kg",
        _line("object_inertia", payload.inertia, "kg m^2, about the mass centre, the object's axes"),
        _line("object_pose", state.object_pose, "world <- object, its origin at the mass centre"),
        _line("object_velocity", state.object_velocity, "[angular; linear] of the mass centre, inertial axes"),
    ]
    if wrench is not None and np.any(wrench[system.n_links]):
        lines.append(_line("object_push", wrench[system.n_links], "[moment; force] on the object at its mass centre"))
    return lines


def _contact_lines(system: dyn.System) -> list[str]:
    """Lists with an entry for each contact."""
    held = system.contacts
    if not held:
        return []
    selections = ", ".join(f"np.array({contact.selection.tolist()!r})" for contact in held)
    return [
        f"holding = {[contact.link for contact in held]!r}  # links that hold, tip to base from 0, arm after arm",
        f"selections = [{selections}]  # what is transmitted: rows of [moment; force], in the axes of the contact",
        _line("contact_on_link", [contact.tip_pose for contact in held], "link <- contact"),
        _line("contact_on_object", [contact.object_pose for contact in held], "object <- contact; axes are these"),
    ]


def _line(name: str, values: ArrayLike, words: str) -> str:
    return f"{name} = np.array({np.asarray(values, float).tolist()!r})  # {words}"


def ours(solution: dyn.Solution) -> Mapping[str, NDArray[np.float64]]:
    """Results of filter and smoother, and quantities of the contacts, by names that ``dyn.compare`` knows."""
    stages, system = solution.stages, solution.system
    found = {name: np.asarray(stages["filter"][name]) for name in FILTER}
    if system.is_held:
        tips = [contact.tip for contact in system.contacts]
        found |= {name: np.asarray(stages["contact"][name])[tips] for name in AT_TIPS}
        found |= {
            "object_acceleration": np.asarray(stages["contact"]["object_acceleration"]),
            "modified_innovation": np.asarray(stages["filter_correction"]["modified_innovation"]),
            "final_acceleration": np.asarray(stages["smoother_final"]["acceleration"]),
        }
    return found | {
        "acceleration": np.asarray(stages["smoother"]["acceleration"]),
        "joint_acceleration": solution.joint_acceleration,
    }


def example_npz(solution: dyn.Solution) -> io.BytesIO:
    packed = io.BytesIO()
    np.savez(packed, **ours(solution))  # type: ignore[arg-type]
    packed.seek(0)
    return packed


@dataclass(frozen=True)
class Question:
    """A file of arrays, to be compared with ours at a moment by the process beside the page."""

    can_wait: ClassVar[bool] = False  # a user waits for the answer, some seconds

    system: dyn.System
    state: dyn.State
    tau: NDArray[np.float64]
    wrench: NDArray[np.float64] | None  # external forces, as ``dyn.forward_dynamics`` takes them
    name: str  # of the file; its suffix determines how it is read
    data: bytes

    def answer(self, send: SendMessage) -> None:
        """Reports the comparison; raises ``StateError`` or ``ModelError`` if there is none."""
        send("answer", dyn.compare(self.system, self.state, read_arrays(self.name, self.data), self.tau, self.wrench))
