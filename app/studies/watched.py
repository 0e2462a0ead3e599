"""What a study can watch of a machine, by the names of ``dyn.study``: of a state, of a motion, and where that ends."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import dynamics as dyn
from app.studies.motion import Motion

CHECK, CONTACT = "Check", "Contact"
"""Instruments that show what the walk does not."""
RUN, END = "run:", "end."
"""What names begin with that tell of a motion, and of the state in which it ends."""
CONDITION = "mass_matrix:condition"
ROUNDING = 1e-11
"""Relative: smaller ones are no difference."""
SINGULAR = (1.0, 1.0 / ROUNDING)
"""Condition numbers; beyond these a matrix is singular."""


@dataclass(frozen=True)
class Watch:
    """What can be watched.

    Attributes:
        words: what it is.
        unit: of its number; empty where it has none.
        stage, link: where the walk computes it; of another number an empty stage.
        tab: the instrument that shows it, if that is not the walk.
        sound: between these a number means something; others are rounding.
    """

    words: str
    unit: str = ""
    stage: str = ""
    link: int = 0
    tab: str = ""
    sound: tuple[float, float] = (-math.inf, math.inf)


def is_of_motion(find: str) -> bool:
    """Whether it is watched of a motion."""
    return find.startswith((RUN, END))


def watches_of(system: dyn.System, solution: dyn.Solution) -> Mapping[str, Watch]:
    """All that can be watched of a machine; first of its states, then of its motions."""
    of_states = _of_states(system, solution)
    at_end = {name: replace(watch, words=f"In the end: {watch.words}") for name, watch in of_states.items()}
    places = {f"position:{place}": Watch(words, "m") for place, words in _places(system).items()}
    of_ends = {f"{END}{name}": watch for name, watch in (places | at_end).items()}
    return MappingProxyType(of_states | _of_runs(system) | of_ends)


def _of_states(system: dyn.System, solution: dyn.Solution) -> dict[str, Watch]:
    found = {
        "agreement": Watch("Methods apart, relative", tab=CHECK, sound=(ROUNDING, math.inf)),
        "residual": Watch("Largest residual", tab=CHECK, sound=(ROUNDING, math.inf)),
        CONDITION: Watch("Condition of the mass matrix", tab=CHECK, sound=SINGULAR),
        "tip_acceleration": Watch("Acceleration of a tip", "m/s²", "smoother_final" if system.is_held else "smoother"),
    }
    if system.is_held:
        found |= {
            "rho": Watch("ρ of the staggered step", tab=CONTACT),
            "squeeze": Watch("Squeeze force on the object", "N", "contact", system.contacts[0].link),
            "contact.omega:condition": Watch(
                "Condition number of Ω", "", "contact", system.contacts[0].link, sound=SINGULAR
            ),
        }
    for k, joint in enumerate(system.joint_names):
        unit = "kg m²" if system.joint_models[k].kind == "revolute" else "kg"
        found[f"filter.joint_inertia:{joint}"] = Watch(f"D of {joint}", unit, "filter", k)
    for (stage, name), quantity in dyn.registry.items():
        if name in solution.stages.get(stage, {}):
            link = system.contacts[0].link if stage == "contact" and system.contacts else 0
            words = f"Norm of {quantity.mechanics_name}, {stage.replace('_', ' ')}"
            found[f"{stage}.{name}"] = Watch(words, "", stage, link)
    return found


def _of_runs(system: dyn.System) -> dict[str, Watch]:
    """The worst of whole motions; gaps are in rad or shares of the machine's length, and of its speed."""
    of_grips = {
        f"{RUN}drift": Watch("Gap of the closure"),
        f"{RUN}rate_drift": Watch("Gap of its velocities"),
    }
    return (of_grips if system.is_held else {}) | {f"{RUN}unexplained_energy": Watch("Energy unexplained", "J")}


def _places(system: dyn.System) -> dict[str, str]:
    """Where a motion ends: coordinates of the object, or of the tip, as ``dyn.study`` and the page call them."""
    if system.task_object is not None:
        thing, words = "object", "the object"
    else:
        thing, words = "tip" if system.n_tips == 1 else "tip_1", "the tip" if system.n_tips == 1 else "tip 1"
    return {f"{thing}.{axis}": f"Where {words} ends, {axis}" for axis in "xyz"}


def value_at(solution: dyn.Solution, find: str, motion: Motion | None = None) -> float:
    """What is watched, at one moment: a study of that state alone, or of the motion that begins there.

    Args:
        solution: of the moment; for what is told of the end of a motion, of that end.

    Raises:
        ModelError, StateError, SingularConfigurationError: where it has no number.
    """
    system, name, how = solution.system, find.removeprefix(END), dict[str, Any]()
    over: dict[str, Any] = {
        f"tau:{joint}": [value] for joint, value in zip(system.joint_names, solution.tau.tolist(), strict=True)
    }
    if motion is not None and name.startswith(RUN):
        over["method"] = [motion.numerics.method]
        how = {"duration": motion.duration, "dt": motion.numerics.step}
    return dyn.study(system, over, name, 1, state=solution.state, **how).found[name].mean
