"""A run that is kept, and what a list of them may hold."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from app.messages import one_line
from app.motion.interventions import Gripped, Pushed, Released, Taken
from app.motion.run import TIME_STEP, Run
from app.motion.setup import Setup

LETTERS = "ABCDEF"
"""What kept runs are told apart by; there are no more of them than letters."""
MOST_BYTES = 64_000_000
"""What their recordings may take together."""
LONGEST_NAME = 80
"""Characters of a name."""
MOST_READ = 1000
"""Of what somebody calls it."""
FULL = f"{len(LETTERS)} runs are kept, which is the most. Remove one of them first."
NO_ROOM = "The runs that are kept take all the room there is for them. Remove one of them first."


@dataclass(frozen=True, eq=False)
class Ghost:
    """Another run that is seen beside the present one.

    Attributes:
        letter: by which it is told from others; none for a broken run.
        since: s, from where on it is seen: before that, a broken run is the true one.
    """

    run: Run
    title: str
    letter: str = ""
    since: float = 0.0

    @property
    def until(self) -> float:
        """s up to which it is seen, as soon as all of it is known."""
        return self.run.last


@dataclass(frozen=True, eq=False, kw_only=True)
class Kept(Ghost):
    """A run that somebody has kept.

    Attributes:
        setup: what decides it.
        shown: whether it is seen beside the present one.
    """

    setup: Setup
    shown: bool = True


def size_of(run: Run) -> int:
    """Bytes of memory that a run's recordings take, roughly, as soon as all of it is known."""
    recorded = 0
    for leg in run.legs:
        for part in leg.recording.segments:
            arrays = (part.times, part.x, part.v, part.acceleration, part.tau, part.drift, part.wrench)
            recorded += sum(array.nbytes for array in arrays)
    known, whole = (time + TIME_STEP for time in (run.end, run.duration))
    return round(recorded * max(whole / known, 1.0)) if math.isfinite(whole) else recorded


def why_not_kept(kept: Sequence[Kept], run: Run) -> str:
    """Why there is no place for another one, in words; empty where there is."""
    if len(kept) >= len(LETTERS):
        return FULL
    runs = {id(each): each for each in (*(other.run for other in kept), run)}
    return NO_ROOM if kept and sum(map(size_of, runs.values())) > MOST_BYTES else ""


def free_letter(kept: Sequence[Kept]) -> str:
    """The first letter that none has."""
    taken = {each.letter for each in kept}
    return next(letter for letter in LETTERS if letter not in taken)


def name_of(text: str) -> str:
    """What somebody calls a run: one line that can be printed, and no formula of a table; possibly nothing."""
    name = one_line(text[:MOST_READ]).lstrip("=+-@ ")
    if len(name) <= LONGEST_NAME:
        return name
    whole, _, _ = name[:LONGEST_NAME].rpartition(" ")  # the last word that fits, not a part of one
    return f"{(whole or name)[: LONGEST_NAME - 1].rstrip(' ,')}…"


WORDS = {Pushed: "pushed", Released: "let go", Taken: "taken again", Gripped: "gripped anew"}
UNIT = {"prismatic": "N"}


def described(setup: Setup) -> str:
    """The machine's title, and each thing that was changed."""
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
        if (type(each) is not Pushed or each.wrench is not None) and word not in seen:
            seen.append(word)
            yield f"{word} at {each.time:.3g} s"


def told_apart(name: str, others: Iterable[str]) -> str:
    """A name that none of the others has: with a number behind it where one has."""
    taken = set(others)
    if name not in taken:
        return name
    return next(f"{name} ({k})" for k in range(2, len(taken) + 3) if f"{name} ({k})" not in taken)
