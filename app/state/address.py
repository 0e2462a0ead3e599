"""The address of a moment: what a link says so that another page shows the same. Nothing that it says is trusted."""

from __future__ import annotations

import base64
import binascii
import math
import reprlib
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

import dynamics as dyn
from app.motion.drives import DRIVES
from app.motion.interventions import Intervention, Pushed, Released, Taken
from app.motion.own_file import OwnFile
from app.motion.presets import PRESETS
from app.motion.run import ERRORS, on_step
from app.motion.setup import Machine, Setup, machine_of_preset
from app.number_text import read_index, read_number
from app.state.arrangement import asked_arrangement, query_of_arrangement
from app.state.opening import Found, RefusedError, Wanted
from app.state.session import Session
from app.wording import Kind, Message, in_words

LONGEST = 24_000
"""Characters of a link that are read; a browser and a server carry as many."""
MOST_BYTES = 400_000
"""Of unpacked interventions."""
MOST_INTERVENTIONS = 1000
"""Each of them begins a simulation."""
LATEST = 120.0
"""Seconds into a run without an end that a link leads at most: all of them are computed before its moment is shown."""
MOST_CHANGES = 100
"""Of them, how often the object is let go or taken: each makes another system, some milliseconds of work."""
TOUCH = 1e-6
"""rad or m: a joint this near to its stop is at it, to the digits of a closure."""
HEAD = struct.Struct("<Bdh")  # kind, time in s, how many forces follow (-1: none act)
FORCE = struct.Struct("<H6d")  # body, [moment; force]
FILE = "file"
"""Stands for the preset of a file of the user's own."""
LONGEST_TIME = 1e7
LATE = (
    "Its moment is {:.0f} s into a run without an end, of which a page computes no more than "
    f"{LATEST:g} s at once: it begins at the start."
)
INTERVENTIONS = "happenings"
"""What links say, and have said."""
KINDS = {Released: 0, Taken: 1, Pushed: 2}


def query_of(session: Session) -> dict[str, str]:
    """What the session shows now, as the parameters of an address."""
    setup, cursor = session.setup, session.cursor
    found = {"preset": setup.machine.preset.name or FILE}
    if setup.machine.file is not None:
        found |= {"file": setup.machine.file.digest, "name": setup.machine.file.name}
    if setup.mass is not None:
        found["mass"] = repr(setup.mass)
    if setup.torques:
        known = list(session.system.joint_names)
        found["torques"] = ",".join(f"{known.index(name)}:{value!r}" for name, value in setup.torques.items())
    if setup.drive:
        found["drive"] = setup.drive
    if setup.posture is not None:
        found["posture"] = ",".join(repr(float(q)) for q in setup.posture)
    if setup.interventions:
        packed = packed_interventions(setup.interventions)
        if len(packed) < LONGEST // 2:
            found[INTERVENTIONS] = packed
    found |= {
        # Of a run that is still being computed, where it is to be shown.
        "t": f"{session.time if session.run.complete else on_step(cursor.time):.3f}",
        "stage": cursor.stage,
        "link": str(cursor.link),
        "half": str(cursor.half),
        "layers": ",".join(session.layers),
        "block": session.block,
        "around": session.around,
        "speed": f"{session.speed:g}",
        "play": "1" if session.playing else "0",
    }
    if session.endless:
        found["endless"] = "1"
    if session.breaks:
        found["breaks"] = ",".join(sorted(session.breaks))
    return found | query_of_arrangement(session)


def opened(query: Mapping[str, str], first: str) -> Session:
    """A session as a page begins: with the plain motion that a link names; what else the link asks for comes after.

    That is computed in a thread, and taken in by the session's clock: nobody waits for somebody else's link.

    Args:
        first: the preset of an address that names none.
    """
    preset = query.get("preset", "")
    session = Session(preset if preset in PRESETS else first)
    if (wanted := wanted_by(query, session)) is not None:
        session.opening.want(wanted)
    elif preset:
        session.playing = False
        session.opening.link(partial(asked, dict(query), session))
    return session


def wanted_by(query: Mapping[str, str], session: Session) -> Wanted | None:
    """The file that a link needs beside what it says, if it names one."""
    file = OwnFile.named(query.get("name", ""), query.get("file", ""))
    if query.get("preset") != FILE or file is None:
        return None
    return Wanted(file, partial(asked, dict(query), session))


def restore(session: Session, query: Mapping[str, str]) -> None:
    """Shows at once what a link asks for; one that asks for something impossible changes nothing but the message.

    Cost: one look at the parameters, and the start of one run.
    """
    if query.get("preset"):
        try:
            asked(query, session).show(session)
        except (RefusedError, *ERRORS) as error:
            session.message = f"This link cannot be followed: {in_words(error)}"


def asked(query: Mapping[str, str], session: Session, machine: Machine | None = None) -> Found:
    """What a link asks for, its run begun; of the session only what can be chosen at all is asked.

    Args:
        machine: of the file that the link needs, where it needs one.

    Raises:
        RefusedError, ModelError, StateError, SingularConfigurationError: for what cannot be.
    """
    if sum(map(len, query.values())) > LONGEST:
        raise RefusedError(f"it is longer than {LONGEST} characters.")
    preset = query["preset"]
    if machine is None and preset == FILE:
        raise RefusedError("it shows a robot file that is not part of a link; open the file in the tab Model.")
    if machine is None and preset not in PRESETS:
        raise RefusedError(f"there is no preset {reprlib.repr(preset)}.")
    setup = Setup(machine or machine_of_preset(PRESETS[preset]))
    system = setup.machine.system
    if "mass" in query:
        setup = replace(setup, mass=_number(query, "mass", 1e-6, 1e6))
    if "torques" in query:
        setup = replace(setup, torques=MappingProxyType(dict(_torques(query["torques"], system.joint_names))))
    if "drive" in query:
        setup = replace(setup, drive=_drive(query["drive"], setup))
    words = ""
    if "posture" in query:
        parts = query["posture"].split(",", system.n_joints)
        if len(parts) != system.n_joints:
            raise RefusedError(f"posture has not the {system.n_joints} numbers of this machine's joints.")
        posture = [_float(part, "posture", -1e3, 1e3) for part in parts]
        setup, words = _posed(setup, posture)
    if INTERVENTIONS in query:
        setup = replace(setup, interventions=tuple(unpacked_interventions(query[INTERVENTIONS], system)))
    link = _index(query.get("link", "0"), "link", system.n_links - 1)
    endless = query.get("endless") == "1"
    time = _number(query, "t", 0.0, LONGEST_TIME if endless else setup.duration, 0.0)
    if time > max(LATEST, setup.duration):
        words, time = f"{words} {LATE.format(time)}".strip(), 0.0
    cursor: dict[str, Any] = {
        "time": time,
        "link": link,
        "arm": max(int(system.arm_of_link[link]), 0),
        "half": _index(query.get("half", "0"), "half", 1),
    }
    if query.get("stage") in {stage for stage, _ in dyn.registry}:
        cursor["stage"] = query["stage"]
    other: dict[str, Any] = {"endless": endless}
    other |= {"speed": _number(query, "speed", 0.01, 10.0, 1.0), "playing": query.get("play") == "1"}
    if "layers" in query:
        known = set(session.param.layers.objects)
        other["layers"] = [layer for layer in query["layers"].split(",") if layer in known]
    for name in ("block", "around"):
        if query.get(name) in session.param[name].objects:
            other[name] = query[name]
    other |= asked_arrangement(query, LATEST if endless else setup.duration)
    if "breaks" in query:
        other["breaks"] = breaks = frozenset(query["breaks"].split(","))
        dyn.altered_source("arm", breaks)  # refuses what the text does not have
    return Found(setup, setup.run(), cursor, {**other, "message": Message(Kind.LINK_IN_PART, words)})


def _drive(name: str, setup: Setup) -> str:
    if name not in DRIVES:
        raise RefusedError(f"there is no drive {reprlib.repr(name)}.")
    return "" if name == setup.machine.preset.actuation else name


def _posed(setup: Setup, posture: list[float]) -> tuple[Setup, str]:
    """The setup with a start posture, as far as the machine has it; what it has not, in words."""
    system = setup.machine.system
    kept = [min(max(q, joint.lower), joint.upper) for q, joint in zip(posture, system.joint_models, strict=True)]
    beyond = [name for name, q, at in zip(system.joint_names, posture, kept, strict=True) if q != at]
    words = f"This link's posture is beyond the stops of {', '.join(beyond)}: there it begins at the stop."
    words = words if beyond else ""
    if not system.is_held:
        return replace(setup, posture=tuple(kept)), words
    # The arms close on the object as near to the posture as they can, and that may be beyond a stop again.
    posed = replace(setup, posture=tuple(kept))
    try:
        state = posed.first_leg()[0].state
        over = [
            name
            for name, q, joint in zip(system.joint_names, state.q, system.joint_models, strict=True)
            if not joint.lower - TOUCH <= q <= joint.upper + TOUCH
        ]
    except dyn.SingularConfigurationError as error:
        return setup, f"This link's posture is left out: {in_words(error)}"
    if over:
        return setup, f"This link's posture is left out: with it, {', '.join(over)} would be beyond the stops."
    return posed, words


def _float(text: str, name: str, least: float, most: float) -> float:
    value = read_number(text)
    if value is None or not least <= value <= most:
        raise RefusedError(f"{name} is {reprlib.repr(text)}; expected a number from {least:g} to {most:g}.")
    return value


def _index(text: str, name: str, most: int) -> int:
    index = read_index(text)
    if index is None or index > most:
        raise RefusedError(f"{name} is {reprlib.repr(text)}; expected a whole number up to {most}.")
    return index


def _number(query: Mapping[str, str], name: str, least: float, most: float, default: float = math.nan) -> float:
    return _float(query[name], name, least, most) if name in query else default


def _torques(text: str, joints: tuple[str, ...]) -> Iterator[tuple[str, float]]:
    for part in text.split(","):
        number, _, value = part.partition(":")
        k = _index(number, "torques", len(joints) - 1)
        yield joints[k], _float(value, f"torques of {joints[k]}", -1e6, 1e6)


def packed_interventions(interventions: tuple[Intervention, ...]) -> str:
    """Interventions as letters, digits, ``-`` and ``_``; every digit of a force is kept."""
    out = bytearray()
    for one in interventions:
        wrench = one.wrench if isinstance(one, Pushed) else None
        bodies = [] if wrench is None else np.flatnonzero(np.abs(wrench).max(axis=1)).tolist()
        out += HEAD.pack(KINDS[type(one)], one.time, -1 if wrench is None else len(bodies))
        for body in bodies:
            assert wrench is not None
            out += FORCE.pack(body, *wrench[body])
    return base64.urlsafe_b64encode(zlib.compress(bytes(out), 9)).decode().rstrip("=")


def unpacked_interventions(text: str, system: dyn.System) -> Iterator[Intervention]:
    """The interventions of ``packed_interventions``.

    Raises:
        RefusedError: for anything else.
    """
    try:
        inflate = zlib.decompressobj()
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        data = inflate.decompress(packed, MOST_BYTES)
        if not inflate.eof:
            raise RefusedError("what happened in the run is cut off or too long.")
        at, before, total, changes = 0, 0.0, 0, 0
        while at < len(data):
            total += 1
            if total > MOST_INTERVENTIONS:
                raise RefusedError(f"more than {MOST_INTERVENTIONS} things happened in the run.")
            kind, time, count = HEAD.unpack_from(data, at)
            changes += kind != KINDS[Pushed]
            if changes > MOST_CHANGES:
                raise RefusedError(f"the object was let go or taken more than {MOST_CHANGES} times.")
            at += HEAD.size
            wrench = None if count < 0 else np.zeros((system.n_links + 1, 6))
            for _ in range(count):
                body, *force = FORCE.unpack_from(data, at)
                at += FORCE.size
                assert wrench is not None
                wrench[body] = force
            if not before <= time <= LONGEST_TIME or (wrench is not None and not np.all(np.abs(wrench) < 1e9)):
                raise RefusedError("what happened in the run makes no sense.")
            before = time
            yield (Released(time), Taken(time), Pushed(time, wrench))[kind]
    except (binascii.Error, zlib.error, struct.error, ValueError, IndexError) as error:
        if isinstance(error, RefusedError):
            raise
        raise RefusedError("what happened in the run cannot be read.") from None
