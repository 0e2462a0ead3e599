"""What a study can watch of a machine, by the names of ``dyn.study``: of a state, of a motion, and where that ends."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import dynamics as dyn
from app.motion.numerics import Numerics

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
    if system.task_object is not None:
        thing, words = "object", "the object"
    else:
        thing, words = ("tip", "the tip") if system.n_tips == 1 else ("tip_1", "tip 1")
    ends = {f"{END}position:{thing}.{axis}": Watch(f"Where {words} ends, {axis}", "m") for axis in "xyz"}
    ends |= {f"{END}{name}": replace(watch, words=f"In the end: {watch.words}") for name, watch in of_states.items()}
    gaps = {f"{RUN}drift": Watch("Gap of the closure"), f"{RUN}rate_drift": Watch("Gap of its velocities")}
    energy = {f"{RUN}unexplained_energy": Watch("Energy unexplained", "J")}
    return of_states | (gaps if system.is_held else {}) | energy | ends


def _of_states(system: dyn.System, solution: dyn.Solution) -> dict[str, Watch]:
    found = {
        "agreement": Watch("Methods apart, relative", tab=CHECK, sound=(ROUNDING, math.inf)),
        "identity": Watch("Largest residual of an identity", tab=CHECK, sound=(ROUNDING, math.inf)),
        CONDITION: Watch("Condition of the mass matrix", tab=CHECK, sound=SINGULAR),
        "tip_acceleration": Watch("Acceleration of a tip", "m/s²", "smoother_final" if system.is_held else "smoother"),
    }
    holding = system.contacts[0].link if system.contacts else 0
    if system.is_held:
        found |= {
            "rho": Watch("ρ of the staggered step", tab=CONTACT),
            "squeeze": Watch("Squeeze force on the object", "N", "contact", holding),
            "contact.omega:condition": Watch("Condition number of Ω", "", "contact", holding, sound=SINGULAR),
        }
    for k, (joint, model) in enumerate(zip(system.joint_names, system.joint_models, strict=True)):
        unit = "kg m²" if model.kind == "revolute" else "kg"
        found[f"filter.joint_inertia:{joint}"] = Watch(f"D of {joint}", unit, "filter", k)
    for (stage, name), quantity in dyn.registry.items():
        if name in solution.stages.get(stage, {}):
            words = f"Norm of {quantity.mechanics_name}, {stage.replace('_', ' ')}"
            found[f"{stage}.{name}"] = Watch(words, "", stage, holding if stage == "contact" else 0)
    return found


def value_at(solution: dyn.Solution, find: str, duration: float = 0.0, numerics: Numerics | None = None) -> float:
    """What is watched, at one moment: a study of that state alone, or of the motion that begins there.

    Args:
        solution: of the moment; for what is told of the end of a motion, of that end.
        duration: s, and
        numerics: of the motion; None of a state.

    Raises:
        ModelError, StateError, SingularConfigurationError: where it has no number.
    """
    system, name, how = solution.system, find.removeprefix(END), dict[str, Any]()
    joints = zip(system.joint_names, solution.tau.tolist(), strict=True)
    over: dict[str, Any] = {f"tau:{joint}": [value] for joint, value in joints}
    if numerics is not None and name.startswith(RUN):
        over["method"] = [numerics.method]
        how = {"duration": duration, "dt": numerics.step}
    return dyn.study(system, over, name, 1, state=solution.state, **how).found[name].mean
