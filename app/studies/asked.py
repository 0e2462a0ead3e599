"""A question of many states as the page asks it: what varies and how far, what is watched, and how many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from scipy import stats

import dynamics as dyn
from app.motion.bounds import MOST_BODIES, TORQUE
from app.motion.run import Run
from app.motion.setup import posed
from app.number_text import read_number

COUNTS = (1_000, 10_000, 100_000, 1_000_000)
CHECK, CONTACT = "Check", "Contact"
"""Instruments that show what the walk does not."""
WHOLE = 6
"""Directions that a rigid grip transmits."""


@dataclass(frozen=True)
class Kind:
    """What may vary.

    Attributes:
        words: with the unit of how far.
        far: how far, unless something else is said.
        least, most: how far it may be.
    """

    words: str
    far: float
    least: float
    most: float


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "q": Kind("Postures, ± rad or m", 3.14, 1e-3, 6.3),
        "tau": Kind("Torques, ± N m or N", 10.0, 1e-3, TORQUE),
        "mass": Kind("Masses of links, ± %", 5.0, 0.01, 90.0),
        "object_mass": Kind("Object, times lighter or heavier", 10.0, 1.01, 1e3),
        "gravity": Kind("Gravity, none to m/s²", 9.81, 1e-3, 100.0),
    }
)


@dataclass(frozen=True)
class Watch:
    """What can be watched.

    Attributes:
        words: what it is.
        unit: of its number; empty where it has none.
        stage, link: where the walk computes it; of another number an empty stage.
        tab: the instrument that shows it, if that is not the walk.
    """

    words: str
    unit: str = ""
    stage: str = ""
    link: int = 0
    tab: str = ""


@dataclass(frozen=True)
class Asked:
    """A question.

    Attributes:
        over: kind -> how far.
        find: as ``dyn.study`` calls it.
        count: states.
    """

    over: Mapping[str, float]
    find: str
    count: int

    @property
    def text(self) -> str:
        """As a link says it."""
        return f"{','.join(f'{kind}:{far:.6g}' for kind, far in self.over.items())};{self.find};{self.count}"


@dataclass(frozen=True)
class Ready:
    """A question that is ready to be asked."""

    words: str
    over: Mapping[str, float]
    find: str
    count: int


def start_of(run: Run) -> tuple[dyn.System, dyn.State]:
    """The machine and the state that a study varies: those of the start of the run, at rest."""
    system, state = run.actuation.system, run.start
    return system, posed(system, state, state.q)


def kinds_of(system: dyn.System) -> tuple[str, ...]:
    """What may vary so that the page can show every state of it."""
    found = ["tau"]
    rigid = max((len(contact.selection) for contact in system.contacts), default=WHOLE) == WHOLE
    if rigid and not (system.is_held and system.is_floating):
        found.insert(0, "q")
    bodies = system.n_links + (system.task_object is not None)
    if bodies <= MOST_BODIES and all(link.mass > 0.0 for link in system.link_models):
        found.append("mass")
    if system.task_object is not None:
        found.append("object_mass")
    return (*found, "gravity")


def watches_of(system: dyn.System, solution: dyn.Solution) -> Mapping[str, Watch]:
    """What can be watched of a machine, by the names of ``dyn.study``."""
    found = {
        "agreement": Watch("Methods apart, relative", tab=CHECK),
        "residual": Watch("Largest residual", tab=CHECK),
        "mass_matrix:condition": Watch("Condition of the mass matrix", tab=CHECK),
        "tip_acceleration": Watch("Acceleration of a tip", "m/s²", "smoother_final" if system.is_held else "smoother"),
    }
    if system.is_held:
        found |= {
            "rho": Watch("ρ of the staggered step", tab=CONTACT),
            "squeeze": Watch("Squeeze force on the object", "N", "contact", system.contacts[0].link),
            "contact.omega:condition": Watch("Condition number of Ω", "", "contact", system.contacts[0].link),
        }
    for k, joint in enumerate(system.joint_names):
        unit = "kg m²" if system.joint_models[k].kind == "revolute" else "kg"
        found[f"filter.joint_inertia:{joint}"] = Watch(f"D of {joint}", unit, "filter", k)
    for (stage, name), quantity in dyn.registry.items():
        if name in solution.stages.get(stage, {}):
            link = system.contacts[0].link if stage == "contact" and system.contacts else 0
            words = f"Norm of {quantity.mechanics_name}, {stage.replace('_', ' ')}"
            found[f"{stage}.{name}"] = Watch(words, "", stage, link)
    return MappingProxyType(found)


def ready_of(system: dyn.System) -> tuple[Ready, ...]:
    """Questions that are ready to be asked of a machine."""
    known = kinds_of(system)
    near = {"q": 0.3} if system.is_held else {"q": KINDS["q"].far}
    near = near if "q" in known else {}
    base = f"filter.joint_inertia:{system.joint_names[-1]}"
    found = [
        Ready("Smallest D at the base: where?", near, base, 100_000),
        Ready("Methods disagree most: where?", near | {"tau": 10.0}, "agreement", 1_000),
    ]
    if "mass" in known:
        found.append(Ready("The tip, masses known to 5 %", {"mass": 5.0}, "tip_acceleration", 1_000))
    if system.is_held:
        found += [
            Ready("Largest squeeze: which torques?", {"tau": 10.0}, "squeeze", 100_000),
            Ready("Largest contact gain 𝒢 near by", near, "contact.contact_kalman_gain", 10_000),
            Ready("ρ above 1: with which objects?", {"object_mass": 100.0}, "rho", 1_000),
        ]
    return tuple(one for one in found if one.over and set(one.over) <= set(known))


def read(text: str, known: Mapping[str, Watch], kinds: tuple[str, ...]) -> Asked | None:
    """What a link asks, if this machine can be asked it."""
    over, _, rest = text.partition(";")
    find, _, number = rest.rpartition(";")
    found: dict[str, float] = {}
    for part in over.split(","):
        kind, _, far = part.partition(":")
        value = read_number(far)
        if kind not in kinds or value is None or not KINDS[kind].least <= value <= KINDS[kind].most:
            return None
        found[kind] = value
    count = next((one for one in COUNTS if str(one) == number), None)
    return None if count is None or find not in known else Asked(found, find, count)


def ranges(asked: Asked, system: dyn.System, state: dyn.State) -> dict[str, Any]:
    """The same as ``dyn.study`` is told it.

    Raises:
        ModelError: where nothing varies.
    """
    found: dict[str, Any] = {}
    over = asked.over
    if "q" in over:
        for name, joint, now in zip(system.joint_names, system.joint_models, state.q.tolist(), strict=True):
            low, high = max(joint.lower, now - over["q"]), min(joint.upper, now + over["q"])
            if low < high:
                found[f"q:{name}"] = (low, high)
    if "tau" in over:
        found["tau"] = (-over["tau"], over["tau"])
    if "mass" in over:
        found["mass"] = (1.0 - over["mass"] / 100.0, 1.0 + over["mass"] / 100.0)
    if "object_mass" in over and system.task_object is not None:
        mass, times = system.task_object.mass, over["object_mass"]
        found["object_mass"] = stats.loguniform(mass / times, mass * times)
    if "gravity" in over:
        found["gravity"] = (0.0, over["gravity"])
    if not found:
        raise dyn.ModelError("nothing varies: choose what may be otherwise than it is.")
    return found


def value_at(solution: dyn.Solution, find: str) -> float:
    """What is watched, at one moment: a study of that state alone.

    Raises:
        ModelError, StateError, SingularConfigurationError: where it has no number.
    """
    system = solution.system
    tau = {f"tau:{name}": [value] for name, value in zip(system.joint_names, solution.tau.tolist(), strict=True)}
    return dyn.study(system, tau, find, 1, state=solution.state).found[find].mean
