"""The parts of the text that a system needs, in order, and the stage arrays that they compute."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dynamics.system.system import System


@dataclass(frozen=True, eq=False)
class Part:
    """One sweep of the text within a stage."""

    stage: str  # as in ``Solution.stages``
    text: str  # the module of the text
    function: str  # in it
    renamed: Mapping[str, str] = field(default_factory=dict)  # what it reads under another name: parameter -> letter


BIAS = Part("filter", "arm", "bias")
FILTER = Part("filter", "arm", "inward_filter")
SMOOTHER = Part("smoother", "arm", "outward_smoother")
COVARIANCE = Part("smoother", "arm", "costate_covariance")
OBJECT = Part("contact", "contact", "object_bias")
TIPS = Part("contact", "contact", "contact_prediction")
FORCES = Part("contact", "contact", "contact_forces")
CORRECTION = Part("filter_correction", "contact", "filter_correction")
FINAL = Part("smoother_final", "arm", "outward_smoother", {"z": "z_new", "nu": "nu_new"})
DUAL = Part("dual_filter", "free_flyer", "dual_filter")
BOTH = Part("dual_filter", "free_flyer", "both_filters")


def parts_of(system: System) -> tuple[Part, ...]:
    """The parts that a system needs, in the order in which ``walk`` visits its stages."""
    held = (OBJECT, TIPS, FORCES, CORRECTION, FINAL) if system.is_held else ()
    alone = (OBJECT,) if system.task_object is not None and not system.is_held else ()
    dual = (DUAL, BOTH) if system.kind == "free_flyer" else ()
    return (BIAS, FILTER, SMOOTHER, COVARIANCE, *alone, *held, *dual)


def motion_parts(system: System, by_both: bool = False) -> tuple[Part, ...]:
    """The parts that the accelerations need: without the dual filter, and without the covariance if nothing is held.

    Args:
        by_both: whether to use the accelerations that both filters together give a free flyer.
    """
    skipped = {COVARIANCE} if by_both else {DUAL, BOTH} if system.is_held else {DUAL, BOTH, COVARIANCE}
    return tuple(part for part in parts_of(system) if part not in skipped)
