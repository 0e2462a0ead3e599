"""A kept run, and the limits of a list of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from app.messages import one_line
from app.motion.interventions import ForceStep, GripChange, ObjectRelease, Regrasp
from app.motion.run import TIME_STEP, Run
from app.motion.setup import Setup

LETTERS = "ABCDEF"  # Labels of kept runs; there are no more runs than letters
MOST_BYTES = 64_000_000  # Memory of all their recordings together
LONGEST_NAME = 80  # Characters of a name
MOST_READ = 1000  # Characters of a given name that are read
FULL = f"{len(LETTERS)} runs are kept, the maximum. Remove one of them first."
NO_ROOM = "The kept runs take all the room there is for them. Remove one of them first."


@dataclass(frozen=True, eq=False)
class Ghost:
    """Another run that is drawn beside the current one."""

    run: Run
    title: str
    letter: str = ""  # its label; empty for a broken run
    since: float = 0.0  # s from which it is visible: before that, a broken run equals the true one

    @property
    def until(self) -> float:
        """s up to which it is visible, as soon as all of it is known."""
        return self.run.last


@dataclass(frozen=True, eq=False, kw_only=True)
class KeptRun(Ghost):
    """A run that the user has kept."""

    setup: Setup  # it decides the run
    shown: bool = True  # whether it is drawn beside the current one


def size_of(run: Run) -> int:
    """Approximate memory of a run's recordings in bytes, as soon as all of it is known."""
    recorded = 0
    for leg in run.legs:
        for part in leg.recording.segments:
            arrays = (part.times, part.x, part.v, part.acceleration, part.tau, part.drift, part.wrench)
            recorded += sum(array.nbytes for array in arrays)
    known, whole = (time + TIME_STEP for time in (run.end, run.duration))
    return round(recorded * max(whole / known, 1.0)) if math.isfinite(whole) else recorded


def why_not_kept(kept: Sequence[KeptRun], run: Run) -> str:
    """Why there is no room for another one, in words; empty if there is room."""
    if len(kept) >= len(LETTERS):
        return FULL
    runs = {id(each): each for each in (*(other.run for other in kept), run)}
    return NO_ROOM if kept and sum(map(size_of, runs.values())) > MOST_BYTES else ""


def name_of(text: str) -> str:
    """A user's name for a run: one printable line that no spreadsheet takes as a formula; possibly empty."""
    name = one_line(text[:MOST_READ]).lstrip("=+-@ ")
    if len(name) <= LONGEST_NAME:
        return name
    whole, _, _ = name[:LONGEST_NAME].rpartition(" ")  # the last word that fits, not a part of one
    return f"{(whole or name)[: LONGEST_NAME - 1].rstrip(' ,')}…"


WORDS = {ForceStep: "pushed", ObjectRelease: "let go", Regrasp: "taken again", GripChange: "gripped anew"}
UNIT = {"prismatic": "N"}


def described(setup: Setup) -> str:
    """The machine's title and the list of changes."""
    return name_of(", ".join((setup.machine.preset.title, *_changes(setup))))


def _changes(setup: Setup) -> Iterator[str]:
    yield from setup.changes
    if len(setup.torques) == 1:
        ((joint, torque),) = setup.torques.items()
        system = setup.machine.system
        kind = system.joint_models[system.joint_names.index(joint)].kind
        yield f"{torque:.3g} {UNIT.get(kind, 'N m')} at {joint}"
    elif setup.torques:
        yield f"torques at {len(setup.torques)} joints"
    if setup.posture is not None:
        yield "another start"
    seen: list[str] = []
    for each in setup.interventions:
        word = WORDS.get(type(each), "changed")
        if (type(each) is not ForceStep or each.wrench is not None) and word not in seen:
            seen.append(word)
            yield f"{word} at {each.time:.3g} s"


def told_apart(name: str, others: Iterable[str]) -> str:
    """A unique name: with a number appended if another one has it."""
    taken = set(others)
    numbered = (f"{name} ({k})" for k in range(2, len(taken) + 3))
    return next(each for each in (name, *numbered) if each not in taken)
