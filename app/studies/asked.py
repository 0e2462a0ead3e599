"""A question of many states, or motions, as the page asks it: what varies and how far, what is watched, how many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from scipy import stats

import dynamics as dyn
from app.motion.bounds import MOST_BODIES, TORQUE
from app.motion.numerics import FIXED, STEPS
from app.motion.run import Run
from app.motion.setup import posed
from app.number_text import read_number
from app.studies.motion import MILLI, Motion, read_motion, steps_of, written
from app.studies.watched import Watch, is_of_motion

COUNTS = (1_000, 10_000, 100_000, 1_000_000)
COUNTS_OF_MOTIONS = (100, 1_000, 10_000)
LISTED = ("dt", "method")
"""Of motions alone: each state goes on in each of these steps, by each of these integrators."""
INTEGRATORS = f"Integrators: {', '.join(title.partition(',')[0] for title, _ in FIXED.values())}"
WHOLE = 6
"""Directions that a rigid grip transmits."""


@dataclass(frozen=True)
class Kind:
    """What may vary.

    Attributes:
        words: with the unit of how far.
        far: how far, unless something else is said.
        least, most: how far it may be; of what only varies as a whole the same.
    """

    words: str
    far: float
    least: float
    most: float

    @property
    def is_whole(self) -> bool:
        """Whether there is nothing to be said of how far."""
        return self.least == self.most


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "q": Kind("Postures, ± rad or m", 3.14, 1e-3, 6.3),
        "tau": Kind("Torques, ± N m or N", 10.0, 1e-3, TORQUE),
        "mass": Kind("Masses of links, ± %", 5.0, 0.01, 90.0),
        "object_mass": Kind("Object, times lighter or heavier", 10.0, 1.01, 1e3),
        "gravity": Kind("Gravity, none to m/s²", 9.81, 1e-3, 100.0),
        "dt": Kind("Steps, from the shortest to ms", MILLI * max(STEPS), MILLI * STEPS[1], MILLI * max(STEPS)),
        "method": Kind(INTEGRATORS, *3 * [float(len(FIXED))]),
    }
)


@dataclass(frozen=True)
class Asked:
    """A question.

    Attributes:
        over: kind -> how far.
        find: as ``dyn.study`` calls it.
        count: states that are drawn, where any are.
        motion: how each goes on; None where states are looked at alone.
    """

    over: Mapping[str, float]
    find: str
    count: int
    motion: Motion | None = None

    @property
    def is_drawn(self) -> bool:
        """Whether anything varies by chance."""
        return not set(self.over) <= set(LISTED)

    @property
    def states(self) -> int:
        """In which it is asked: where nothing varies by chance, there is but one."""
        return self.count if self.is_drawn else 1

    @property
    def text(self) -> str:
        """As a link says it."""
        numbers = {**self.over, **({} if self.motion is None else written(self.motion))}
        return f"{','.join(f'{kind}:{far:.6g}' for kind, far in numbers.items())};{self.find};{self.count}"


def start_of(run: Run) -> tuple[dyn.System, dyn.State]:
    """The machine and the state that a study varies: those of the start of the run, at rest."""
    system, state = run.actuation.system, run.start
    return system, posed(system, state, state.q)


def kinds_of(system: dyn.System) -> tuple[str, ...]:
    """What may vary so that the page can show every state of it; what is ``LISTED``, of motions alone."""
    found = ["tau"]
    rigid = max((len(contact.selection) for contact in system.contacts), default=WHOLE) == WHOLE
    if rigid and not (system.is_held and system.is_floating):
        found.insert(0, "q")
    bodies = system.n_links + (system.task_object is not None)
    if bodies <= MOST_BODIES and all(link.mass > 0.0 for link in system.link_models):
        found.append("mass")
    if system.task_object is not None:
        found.append("object_mass")
    return (*found, "gravity", *LISTED)


def counts_of(motion: Motion | None) -> tuple[int, ...]:
    """How many states may be drawn."""
    return COUNTS if motion is None else COUNTS_OF_MOTIONS


def read(text: str, known: Mapping[str, Watch], kinds: tuple[str, ...]) -> Asked | None:
    """What a link asks, if this machine can be asked it."""
    parts, _, rest = text.partition(";")
    find, _, number = rest.rpartition(";")
    said = dict(part.partition(":")[::2] for part in parts.split(","))
    is_of_motions = not said.keys().isdisjoint(("duration", "step"))
    motion = read_motion(said.pop("duration", ""), said.pop("step", "")) if is_of_motions else None
    if is_of_motions != (motion is not None) or find not in known or is_of_motion(find) != is_of_motions:
        return None
    over = {kind: value for kind, far in said.items() if (value := _far(kind, far, kinds, motion)) is not None}
    count = next((one for one in counts_of(motion) if str(one) == number), None)
    return None if count is None or not over or len(over) < len(said) else Asked(over, find, count, motion)


def _far(kind: str, text: str, kinds: tuple[str, ...], motion: Motion | None) -> float | None:
    """How far something varies, if it may so."""
    value = read_number(text)
    if kind not in kinds or value is None or (kind in LISTED and motion is None):
        return None
    return value if KINDS[kind].least <= value <= KINDS[kind].most else None


def ranges(asked: Asked, system: dyn.System, state: dyn.State) -> dict[str, Any]:
    """The same as ``dyn.study`` is told it: postures within the joints' limits, torques that their motors can give.

    Raises:
        ModelError: where nothing varies, or a motion would take too long.
    """
    found: dict[str, Any] = {}
    over = asked.over
    if "q" in over:
        for name, joint, now in zip(system.joint_names, system.joint_models, state.q.tolist(), strict=True):
            low, high = max(joint.lower, now - over["q"]), min(joint.upper, now + over["q"])
            if low < high:
                found[f"q:{name}"] = (low, high)
    if "tau" in over:
        for name, joint in zip(system.joint_names, system.joint_models, strict=True):
            if (most := min(joint.effort, over["tau"])) > 0.0:
                found[f"tau:{name}"] = (-most, most)
    if "mass" in over:
        found["mass"] = (1.0 - over["mass"] / 100.0, 1.0 + over["mass"] / 100.0)
    if "object_mass" in over and system.task_object is not None:
        mass, times = system.task_object.mass, over["object_mass"]
        found["object_mass"] = stats.loguniform(mass / times, mass * times)
    if "gravity" in over:
        found["gravity"] = (0.0, over["gravity"])
    if asked.motion is not None:
        found |= _listed(over, asked.motion, system)
    if not found:
        raise dyn.ModelError("nothing varies: choose what may be otherwise than it is.")
    return found


def _listed(over: Mapping[str, float], motion: Motion, system: dyn.System) -> dict[str, Any]:
    """In which steps each state goes on, and by which integrators, where these vary.

    Raises:
        ModelError: where all of that would take too long.
    """
    steps = steps_of(system, motion, over["dt"] / MILLI) if "dt" in over else [motion.numerics.step]
    slowest = motion.in_steps(steps[-1] if steps else over["dt"] / MILLI)
    if words := slowest.why_not(system):
        raise dyn.ModelError(words)
    return ({"dt": steps} if "dt" in over else {}) | ({"method": list(FIXED)} if "method" in over else {})
