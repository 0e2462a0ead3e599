"""Quantities of the method's stages at every sample of a run, eight samples side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dynamics.batch.forward_dynamics import forward_dynamics_batch
from dynamics.checks import Array, brief, is_among
from dynamics.errors import StateError
from dynamics.record import frozen
from dynamics.system.joint_vectors import joint_index
from dynamics.system.registry import REGISTRY
from dynamics.system.solution import quantity_in, quantity_key, require_joints
from dynamics.system.state import poses_of_rows
from dynamics.system.system import System

if TYPE_CHECKING:
    from dynamics.motion.recording import Segment

AT_ONCE = 2048
"""Samples that are computed together: all stages of all links of more samples would fill memory."""
ANSWERS = "joint_acceleration", "object_acceleration", "contact_force"
"""Quantities that a batch returns directly, whether the object is held or not."""


def stage_over_time(segments: Sequence[Segment], name: str, joint: str | None) -> Array:
    """(samples, ...) of a quantity; see ``Recording.stage``."""
    if joint is not None:
        require_joints(name)
    parts: list[Array] = []
    for segment in segments:
        try:
            parts += _parts(segment, name, joint)
        except StateError as error:
            since = f" This holds from {segment.times[0]:g} s on: cut the recording with until." if parts else ""
            raise StateError(f"{error}{since}") from error
    if len({part.shape[1:] for part in parts}) > 1:
        raise StateError(f"{brief(name)} does not have one shape over all samples; use solution_at(t).")
    return frozen(np.concatenate(parts))


def _parts(segment: Segment, name: str, joint: str | None) -> Iterator[Array]:
    system, quantity_name = segment.system, quantity_key(name)[1]
    n, bases = system.n_joints, system.n_bases
    row = ... if joint is None else (slice(None), joint_index(system, joint))
    for first in range(0, len(segment.times), AT_ONCE):
        x, v, tau = (array[first : first + AT_ONCE] for array in (segment.x, segment.v, segment.tau))
        bodies: dict[str, Any] = {}
        if bases:
            several = () if system.kind == "free_flyer" else (bases,)
            bodies["base_pose"] = poses_of_rows(x[:, n : n + 7 * bases].reshape(len(x), *several, 7))
            bodies["base_velocity"] = v[:, n : n + 6 * bases].reshape(len(x), *several, 6)
        if system.task_object is not None:
            bodies |= {"object_pose": poses_of_rows(x[:, -7:]), "object_velocity": v[:, -6:]}
        wrench = segment.wrench if segment.wrench.ndim == 2 else segment.wrench[first : first + AT_ONCE]
        found = forward_dynamics_batch(system, x[:, :n], v[:, :n], tau, "stages", external_forces=wrench, **bodies)
        answer = getattr(found, quantity_name) if is_among(name, ANSWERS) else quantity_in(found.stages, name)
        if answer is None:
            raise StateError(f"this machine has no {name}.")
        yield answer[row]


def about_stage(system: System, name: str) -> tuple[str, tuple[str, ...]]:
    """The unit of a quantity, and the labels of its rows."""
    quantity = REGISTRY[quantity_key(name)]
    tips = tuple(f"tip {tip + 1}" for tip in range(system.n_tips))
    rows = {"joints": system.joint_names, "links": system.link_names, "tips": tips}
    return quantity.unit, rows.get(quantity.shape.strip("(").partition(",")[0], ())
