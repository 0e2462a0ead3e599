"""What a run is called: its machine, and what was changed of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from app.kept.kept_run import name_of
from app.motion.interventions import Gripped, Pushed, Released, Taken
from app.motion.setup import Setup

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
