"""The question of *Study*: what varies and how far, what is watched, how many states, and how long each moves."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from types import MappingProxyType
from typing import Any, NamedTuple

from scipy import stats

import dynamics as dyn
from app.motion.run import Run
from app.motion.setup import posed
from app.motion.world import FIXED, MOST_BODIES, STEPS, TIME_STEP, TORQUE, Numerics, check_effort
from app.number_text import read_number
from dynamics.studies import Moment

CHECK, CONTACT = "Check", "Contact"  # instruments for results that the walk does not show
RUN, END = "run:", "end."  # prefixes of names that concern a motion, and the state at its end
CONDITION = "mass_matrix:condition"
ROUNDING = 1e-11  # relative: smaller differences count as none
SINGULAR = (1.0, 1.0 / ROUNDING)  # condition numbers; a matrix with a larger one is singular


@dataclass(frozen=True)
class Watch:
    """A number that can be watched."""

    words: str
    unit: str = ""  # of its number; empty if it has none
    stage: str = ""  # where the walk computes it, and at which link; empty for another number
    link: int = 0
    tab: str = ""  # the instrument that shows it, if it is not the walk
    sound: tuple[float, float] = (-math.inf, math.inf)  # range of meaningful values; others are rounding errors


def is_of_motion(find: str) -> bool:
    return find.startswith((RUN, END))


def watches_of(system: dyn.System, solution: dyn.Solution) -> Mapping[str, Watch]:
    """Everything that can be watched of a machine: first of its states, then of its motions."""
    of_states = _of_states(system, solution)
    if system.task_object is not None:
        part, words = "object", "the object"
    else:
        part, words = ("tip", "the tip") if system.n_tips == 1 else ("tip_1", "tip 1")
    ends = {f"{END}position:{part}.{axis}": Watch(f"Where {words} ends, {axis}", "m") for axis in "xyz"}
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
            "squeeze": Watch("Contact forces that cancel", "N", "contact", holding),
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
    """The watched number at one moment: a study of that state alone, or of the motion that begins there.

    For a number at the end of a motion, the solution is of that end.
    """
    system, name, how = solution.system, find.removeprefix(END), dict[str, Any]()
    joints = zip(system.joint_names, solution.tau.tolist(), strict=True)
    over: dict[str, Any] = {f"tau:{joint}": [value] for joint, value in joints}
    if numerics is not None and name.startswith(RUN):
        over["method"] = [numerics.method]
        how = {"duration": duration, "dt": numerics.step}
    return dyn.study(system, over, name, 1, state=solution.state, **how).found[name].mean


COUNTS, COUNTS_OF_MOTIONS = (1_000, 10_000, 100_000, 1_000_000), (100, 1_000, 10_000)
LISTED = ("dt", "method")  # only for motions: each state moves with each of these steps, by each of these integrators
SHORTEST, LONGEST = 0.01, 10.0  # limits of a motion's duration, s
MOST_STEPS = 20_000  # of a motion
MOST_DRAWN = 40_000_000  # numbers that a study may hold in memory
MILLI, SAME = 1e3, 1e-9  # steps are shown in ms; steps nearer to each other than this, s, are equal


class Kind(NamedTuple):
    """A variable: in words with the unit of its range, the default range, and its bounds."""

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
        "dt": Kind("Steps, from the shortest to ms", MILLI * max(STEPS), MILLI * STEPS[1], MILLI * max(STEPS)),
        "method": Kind("Integrators: Runge–Kutta 4, Heun, Euler", *3 * [float(len(FIXED))]),
    }
)


@dataclass(frozen=True)
class Query:
    """A question as in the form or a link."""

    over: Mapping[str, float]  # kind -> range
    find: str  # name in ``dyn.study``
    count: int  # number of drawn states, if any
    duration: float = 0.0  # s that each moves; zero for states alone
    step: float = TIME_STEP  # s, integration step of the motion

    @property
    def counts(self) -> tuple[int, ...]:
        return COUNTS_OF_MOTIONS if self.duration else COUNTS

    @property
    def is_drawn(self) -> bool:
        """Whether anything varies randomly; otherwise there is only one state."""
        return not set(self.over) <= set(LISTED)

    @property
    def rows(self) -> str:
        return "motions" if self.duration else "states"

    @property
    def text(self) -> str:
        numbers = {**self.over, **({"duration": self.duration, "step": MILLI * self.step} if self.duration else {})}
        return f"{','.join(f'{kind}:{far:.6g}' for kind, far in numbers.items())};{self.find};{self.count}"

    def numerics(self, moment: Moment) -> Numerics | None:
        """Integrator settings of a row's motion: its own step and integrator, if these vary."""
        own = Numerics(step=self.step)
        step, method = moment.drawn.get("dt"), moment.drawn.get("method")
        own = replace(own, step=step) if isinstance(step, float) else own
        own = replace(own, method=method) if isinstance(method, str) else own
        return own if self.duration else None


def read(text: str, known: Mapping[str, Watch], kinds: tuple[str, ...]) -> Query | None:
    """The question of a link, if it applies to this machine."""
    parts, _, rest = text.partition(";")
    find, _, number = rest.rpartition(";")
    said = dict(part.partition(":")[::2] for part in parts.split(","))
    moves = not said.keys().isdisjoint(("duration", "step"))
    duration, step = read_number(said.pop("duration", "0")), read_number(said.pop("step", str(MILLI * TIME_STEP)))
    own = next((one for one in STEPS if step is not None and abs(one - step / MILLI) < SAME), None)
    if duration is None or own is None or (moves and not SHORTEST <= duration <= LONGEST):
        return None
    over = {kind: value for kind, far in said.items() if (value := read_number(far)) is not None}
    if not over or len(over) < len(said) or find not in known or is_of_motion(find) != moves:
        return None
    if not all(kind in kinds and KINDS[kind].least <= far <= KINDS[kind].most for kind, far in over.items()):
        return None
    asked = Query(over, find, 0, on_raster(duration), own)
    count = next((one for one in asked.counts if str(one) == number), None)
    if count is None or (not moves and not over.keys().isdisjoint(LISTED)):
        return None
    return replace(asked, count=count)


def on_raster(duration: float) -> float:
    """s, the nearest time that consists of whole steps of every size."""
    return round(duration / max(STEPS)) * max(STEPS)


def start_of(run: Run) -> tuple[dyn.System, dyn.State]:
    """The machine and the state that a study varies: those at the start of the run, at rest."""
    system, state = run.actuation.system, run.start
    return system, posed(system, state, state.q)


def kinds_of(system: dyn.System) -> tuple[str, ...]:
    """Variables whose every state the page can show; those in ``LISTED``, only for motions."""
    rigid = all(len(contact.selection) == 6 for contact in system.contacts)
    with_postures = rigid and not (system.is_held and system.is_floating)
    bodies = system.n_links + (system.task_object is not None)
    with_masses = bodies <= MOST_BODIES and all(link.mass > 0.0 for link in system.link_models)
    left_out = {"q": not with_postures, "mass": not with_masses, "object_mass": system.task_object is None}
    return tuple(kind for kind in KINDS if not left_out.get(kind, False))


def ready_of(system: dyn.System) -> dict[str, Query]:
    """Preset questions for a machine, by their words."""
    known = kinds_of(system)
    near = {"q": 0.3 if system.is_held else KINDS["q"].far}
    base = f"filter.joint_inertia:{system.joint_names[-1]}"
    found = {
        "Smallest D at the base: where?": Query(near, base, 100_000),
        "Methods disagree most: where?": Query({**near, "tau": 10.0}, "agreement", 1_000),
        "The tip, masses known to 5 %": Query({"mass": 5.0}, "tip_acceleration", 1_000),
    }
    if system.is_held:
        found |= {
            "Most force that cancels: which torques?": Query({"tau": 10.0}, "squeeze", 100_000),
            "Largest contact gain 𝒢 near by": Query(near, "contact.contact_kalman_gain", 10_000),
            "ρ above 1: with which objects?": Query({"object_mass": 100.0}, "rho", 1_000),
            "Drift of the closure: in which steps?": Query({"dt": KINDS["dt"].far}, "run:drift", 100, 1.0),
        }
    return {words: asked for words, asked in found.items() if set(asked.over) <= set(known)}


def ranges(asked: Query, system: dyn.System, state: dyn.State) -> dict[str, Any]:
    """The ranges for ``dyn.study``: postures within the joints' limits, torques that their motors can give.

    Raises:
        ModelError: if nothing varies, a motion would take too long, or the result would not fit into memory.
    """
    found: dict[str, Any] = {}
    over = asked.over
    for name, joint, now in zip(system.joint_names, system.joint_models, state.q.tolist(), strict=True):
        if "q" in over and (low := max(joint.lower, now - over["q"])) < (high := min(joint.upper, now + over["q"])):
            found[f"q:{name}"] = (low, high)
        if "tau" in over and (most := min(joint.effort, over["tau"])) > 0.0:
            found[f"tau:{name}"] = (-most, most)
    if "mass" in over:
        found |= {f"mass:{name}": (1 - over["mass"] / 100, 1 + over["mass"] / 100) for name in system.link_names}
    if "object_mass" in over and system.task_object is not None:
        mass, times = system.task_object.mass, over["object_mass"]
        found["object_mass"] = stats.loguniform(mass / times, mass * times)
    if "gravity" in over:
        found["gravity"] = (0.0, over["gravity"])
    if asked.duration:
        found |= _listed(asked, system)
    if not found:
        raise dyn.ModelError("nothing varies: choose what may change.")
    most = MOST_DRAWN // (len(found) * prod(len(one) for one in found.values() if isinstance(one, list)))
    if asked.is_drawn and asked.count > most:
        raise dyn.ModelError(
            f"{asked.count:,} {asked.rows} in which {len(found)} numbers vary are more than a study here looks at. "
            f"Choose at most {most:,}, or let fewer things vary."
        )
    return found


def _listed(asked: Query, system: dyn.System) -> dict[str, Any]:
    """Step sizes and integrators of each state's motion, if these vary; ModelError if they take too long."""
    longest = asked.over.get("dt", MILLI * asked.step) / MILLI
    steps = [step for step in STEPS if step < longest + SAME and not _why_not(asked, system, step)]
    if words := _why_not(asked, system, steps[-1] if steps else longest):
        raise dyn.ModelError(words)
    return {
        **({"dt": steps} if "dt" in asked.over else {}), **({"method": list(FIXED)} if "method" in asked.over else {})
    }  # fmt: skip


def _why_not(asked: Query, system: dyn.System, step: float) -> str:
    """Why a motion would take too long; empty if it would not."""
    count = round(asked.duration / step)
    if count > MOST_STEPS:
        return (
            f"{asked.duration:g} s in steps of {MILLI * step:g} ms are {count:,} steps; a study's motion takes "
            f"{MOST_STEPS:,} at most. Choose longer steps, or a shorter motion."
        )
    try:
        check_effort(system, Numerics(step=step))
    except dyn.ModelError as error:
        return str(error)
    return ""
