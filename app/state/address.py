"""The address of a moment: a link with which another page shows the same. Its content is never trusted."""

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
from app.messages import Kind, Message, in_words
from app.motion import world
from app.motion.actuation import DRIVES
from app.motion.build import (
    EDGES,
    FARTHEST,
    HEAVIEST,
    KINDS,
    LIGHTEST_THING,
    MOST_ARMS,
    OWN,
    THINNEST,
    TITLES,
    Base,
    Build,
    Payload,
)
from app.motion.build import LONGEST as LONGEST_EDGE
from app.motion.built_machine import machine_of_build
from app.motion.interventions import ForceStep, GripChange, Intervention, ObjectRelease, Regrasp, code_of, way_by
from app.motion.presets import BUILD, BUILT, FILE, INTERVENTIONS, PRESETS
from app.motion.robot_file import OwnFile
from app.motion.run import on_step
from app.motion.setup import Machine, Setup, common_run, machine_of_preset
from app.motion.world import Body, Numerics, body_names, body_of, main_body
from app.number_text import read_index, read_number
from app.state.arrangement import parse_arrangement, query_of_arrangement
from app.state.machine_loader import MissingFile, RefusedError, Target
from app.state.session import Session
from dynamics.reading import altered_source


def bounded_float(text: str, name: str, least: float, most: float) -> float:
    value = read_number(text)
    if value is None or not least <= value <= most:
        raise RefusedError(f"{name} is {reprlib.repr(text)}; expected a number from {least:g} to {most:g}.")
    return value


def bounded_index(text: str, name: str, most: int) -> int:
    index = read_index(text)
    if index is None or index > most:
        raise RefusedError(f"{name} is {reprlib.repr(text)}; expected a whole number up to {most}.")
    return index


def bounded_number(query: Mapping[str, str], name: str, least: float, most: float, default: float = math.nan) -> float:
    return bounded_float(query[name], name, least, most) if name in query else default


TURN = 10.0  # Largest turn of a base to either side, rad
PARTS = 4  # Parts of the text: the kind, the robots, which of them hold the object, and the bases


def text_of_build(build: Build) -> str:
    parts, payload = [build.kind, ",".join(build.robots)], build.payload
    if build.kind == "multi_arm":
        mass = [] if payload.mass is None else [f"{payload.mass!r}kg"]
        parts.append(",".join([payload.shape, *map(repr, payload.size), *mass]))
        if build.bases is not None:
            parts.append(",".join(f"{base.x!r},{base.y!r},{base.yaw!r}" for base in build.bases))
    return ";".join(parts)


def parse_build(text: str) -> Build:
    parts = text.split(";", PARTS)
    kind = next((one for one in KINDS if one == parts[0]), None)
    if kind is None or not 2 <= len(parts) <= (PARTS if kind == "multi_arm" else 2):
        raise RefusedError(f"the machine {reprlib.repr(text)} cannot be read.")
    robots = tuple(parts[1].split(",", MOST_ARMS))
    most = MOST_ARMS if kind == "multi_arm" else 1
    if len(robots) > most:
        raise RefusedError(f"the machine would have more than {most} arm{'s' if most > 1 else ''}.")
    for name in robots:
        if name not in TITLES and name != OWN:
            raise RefusedError(f"there is no robot {reprlib.repr(name)}.")
    payload = _payload(parts[2]) if len(parts) > 2 else Payload()
    values = _row(parts[3], "bases", [FARTHEST, FARTHEST, TURN] * len(robots)) if len(parts) > 3 else ()
    bases = tuple(Base(*values[k : k + 3]) for k in range(0, len(values), 3))
    return Build(kind, robots, payload, bases or None)


def _payload(text: str) -> Payload:
    shape, *numbers = text.split(",", PARTS)
    if shape not in EDGES:
        raise RefusedError(f"there is no object {reprlib.repr(shape)}.")
    mass = None
    if numbers and numbers[-1].endswith("kg"):
        mass = bounded_float(numbers.pop()[:-2], "the object's mass", LIGHTEST_THING, HEAVIEST)
    if len(numbers) not in (0, len(EDGES[shape])):
        raise RefusedError(f"the {shape} does not have {len(EDGES[shape])} sizes.")
    size = [bounded_float(one, name, THINNEST, LONGEST_EDGE) for one, name in zip(numbers, EDGES[shape], strict=False)]
    return Payload(shape, tuple(size), mass)


MOST_BYTES = 400_000  # Size limit of the unpacked interventions
MOST_INTERVENTIONS = 1000  # Limit of interventions; each begins a simulation
MOST_CHANGES = 100
"""How many interventions may release or grasp the object: each makes another system, some milliseconds of work."""
TOUCH = 1e-6  # rad or m: a joint this close to its stop counts as at it, within the accuracy of a loop closure
HEAD = struct.Struct("<Bdh")  # kind, time in s, how many forces follow (-1: none act)
FORCE = struct.Struct("<H6d")  # body, [moment; force]
LONGEST_TIME = 1e7  # Latest time in s that a link may give in a run without an end
KIND_CODES = {ObjectRelease: 0, Regrasp: 1, ForceStep: 2, GripChange: 3}


def query_of_setup(setup: Setup) -> dict[str, str]:
    """The setup as parameters of an address; defaults are left out."""
    machine, file, numerics = setup.machine, setup.machine.file, setup.numerics
    known, built = list(machine.system.joint_names), machine.built
    found = {
        "preset": machine.preset.name or (BUILT if file is None and built is not None else FILE),
        BUILD: "" if built is None else text_of_build(built.build),
        "file": "" if file is None else file.digest,
        "name": "" if file is None else file.name,
        **_query_of_bodies(setup),
        "gravity": ",".join(map(repr, setup.gravity or ())),
        "damping": repr(setup.damping) if setup.damping else "",
        "method": "" if numerics.method == world.RUNGE_KUTTA.method else numerics.method,
        "step": "" if numerics.step == world.RUNGE_KUTTA.step else repr(numerics.step),
        "torques": ",".join(f"{known.index(name)}:{value!r}" for name, value in setup.torques.items()),
        "drive": setup.drive,
        "posture": ",".join(repr(float(q)) for q in setup.posture or ()),
        INTERVENTIONS: packed_interventions(setup.interventions) if setup.interventions else "",
    }
    return {name: text for name, text in found.items() if text}


def parse_setup(query: Mapping[str, str], machine: Machine | None = None) -> tuple[Setup, str]:
    """The setup that a link describes, of a file's machine if it needs one; and what the machine cannot take of it."""
    preset = query["preset"]
    if machine is None and preset == FILE:
        raise RefusedError("it shows a robot file that is not part of a link; open the file in Model.")
    if preset not in (*PRESETS, FILE, BUILT):
        raise RefusedError(f"there is no preset {reprlib.repr(preset)}.")
    if preset in PRESETS and machine is None:
        machine = machine_of_preset(PRESETS[preset])
    elif BUILD in query:
        machine = machine_of_build(parse_build(query[BUILD]), machine)
    if machine is None:
        raise RefusedError("it does not say how its machine is put together.")
    setup, system = Setup(machine), machine.system
    setup = replace(setup, bodies=MappingProxyType(_bodies(query, system)), numerics=_numerics(query))
    setup = replace(setup, damping=bounded_number(query, "damping", 0.0, world.DAMPING, 0.0))
    if "gravity" in query:
        pull = _row(query["gravity"], "gravity", [world.GRAVITY] * 3)
        setup = replace(setup, gravity=None if pull == tuple(system.gravity.tolist()) else pull)
    if "torques" in query:
        setup = replace(setup, torques=MappingProxyType(dict(_torques(query["torques"], system.joint_names))))
    if (drive := query.get("drive", "")) not in ("", *DRIVES):
        raise RefusedError(f"there is no drive {reprlib.repr(drive)}.")
    setup = replace(setup, drive="" if drive == setup.machine.preset.actuation else drive)
    words = ""
    if "posture" in query:
        parts = query["posture"].split(",", system.n_joints)
        if len(parts) != system.n_joints:
            raise RefusedError(f"posture does not have the {system.n_joints} numbers of this machine's joints.")
        posture = [bounded_float(part, "posture", -world.DISPLACEMENT, world.DISPLACEMENT) for part in parts]
        setup, words = _posed(setup, posture)
    if INTERVENTIONS in query:
        setup = replace(setup, interventions=tuple(unpacked_interventions(query[INTERVENTIONS], system)))
    return setup, words


def _query_of_bodies(setup: Setup) -> dict[str, str]:
    """Only the mass for the main body if its inertia is in proportion; all values for the others."""
    found, system = dict[str, str](), setup.machine.system
    whole = []
    for k, body in setup.bodies.items():
        loaded = body_of(system, k)
        if k == main_body(system) and body.mass >= world.LIGHTEST and body == loaded.scaled(body.mass):
            found["mass"] = repr(body.mass)
        else:
            numbers = ",".join(map(repr, (body.mass, *body.center, *body.inertia)))
            whole.append(f"{k}:{numbers}")
    return found | ({"bodies": ";".join(whole)} if whole else {})


def _bodies(query: Mapping[str, str], system: dyn.System) -> dict[int, Body]:
    found: dict[int, Body] = {}
    if "mass" in query:
        main = main_body(system)
        found[main] = body_of(system, main).scaled(bounded_number(query, "mass", world.LIGHTEST, world.MASS))
    parts = query["bodies"].split(";", world.MOST_BODIES) if "bodies" in query else []
    if len(parts) > world.MOST_BODIES:
        raise RefusedError(f"more than {world.MOST_BODIES} bodies are changed.")
    for part in parts:
        number, _, values = part.partition(":")
        k = bounded_index(number, "bodies", len(body_names(system)) - 1)
        mass, *others = _row(
            values, f"bodies of {body_names(system)[k]}", [world.MASS, *[world.LENGTH] * 3, *[world.INERTIA] * 6]
        )
        found[k] = Body(mass, tuple(others[:3]), tuple(others[3:]))
    return {k: body for k, body in sorted(found.items()) if body != body_of(system, k)}


def _row(text: str, name: str, most: list[float]) -> tuple[float, ...]:
    parts = text.split(",", len(most))
    if len(parts) != len(most):
        raise RefusedError(f"{name} does not have {len(most)} numbers.")
    return tuple(bounded_float(part, name, -limit, limit) for part, limit in zip(parts, most, strict=True))


def _numerics(query: Mapping[str, str]) -> Numerics:
    method = query.get("method", world.RUNGE_KUTTA.method)
    if method not in (*world.FIXED, *world.ADAPTIVE):
        raise RefusedError(f"there is no integrator {reprlib.repr(method)}.")
    step = bounded_number(query, "step", min(world.STEPS), max(world.STEPS), world.RUNGE_KUTTA.step)
    if step not in world.STEPS:
        raise RefusedError(f"step is {step:g}; expected one of {', '.join(f'{one:g}' for one in world.STEPS)} s.")
    return Numerics(method, step)


def _posed(setup: Setup, posture: list[float]) -> tuple[Setup, str]:
    """The setup with a start posture, as far as the machine allows it, and in words what it does not allow."""
    system = setup.machine.system
    kept = [min(max(q, joint.lower), joint.upper) for q, joint in zip(posture, system.joint_models, strict=True)]
    beyond = [name for name, q, at in zip(system.joint_names, posture, kept, strict=True) if q != at]
    words = f"This link's posture is beyond the stops of {', '.join(beyond)}: there it begins at the stop."
    words = words if beyond else ""
    if not system.is_held:
        return replace(setup, posture=tuple(kept)), words
    # The arms close on the object as near to the posture as they can, which may exceed a stop again.
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


def _torques(text: str, joints: tuple[str, ...]) -> Iterator[tuple[str, float]]:
    for part in text.split(","):
        number, _, value = part.partition(":")
        k = bounded_index(number, "torques", len(joints) - 1)
        yield joints[k], bounded_float(value, f"torques of {joints[k]}", -world.TORQUE, world.TORQUE)


def packed_interventions(interventions: tuple[Intervention, ...]) -> str:
    """Interventions as letters, digits, ``-`` and ``_``; every digit of a force is kept."""
    out = bytearray()
    for one in interventions:
        wrench = one.wrench if isinstance(one, ForceStep) else None
        bodies = [] if wrench is None else np.flatnonzero(np.abs(wrench).max(axis=1)).tolist()
        if isinstance(one, GripChange):
            out += HEAD.pack(KIND_CODES[GripChange], one.time, one.tip) + bytes([code_of(one.kind)])
            continue
        out += HEAD.pack(KIND_CODES[type(one)], one.time, -1 if wrench is None else len(bodies))
        for body in bodies:
            assert wrench is not None
            out += FORCE.pack(body, *wrench[body])
    return base64.urlsafe_b64encode(zlib.compress(bytes(out), 9)).decode().rstrip("=")


def unpacked_interventions(text: str, system: dyn.System) -> Iterator[Intervention]:
    try:
        inflate = zlib.decompressobj()
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        data = inflate.decompress(packed, MOST_BYTES)
        if not inflate.eof:
            raise RefusedError("what happened in the run is cut off or too long.")
        at, before, total, changes = 0, 0.0, 0, 0
        while at < len(data):
            kind, time, count = HEAD.unpack_from(data, at)
            at, total, changes = at + HEAD.size, total + 1, changes + (kind != KIND_CODES[ForceStep])
            if total > MOST_INTERVENTIONS:
                raise RefusedError(f"more than {MOST_INTERVENTIONS} things happened in the run.")
            if changes > MOST_CHANGES:
                raise RefusedError(f"the object was let go, taken or gripped more than {MOST_CHANGES} times.")
            one: Intervention
            if kind == KIND_CODES[GripChange]:
                one, fits, at = GripChange(time, count, way_by(data[at])), 0 <= count < system.n_tips, at + 1
            else:
                wrench = np.zeros((system.n_links + 1, 6))
                for _ in range(count):
                    body, *force = FORCE.unpack_from(data, at)
                    wrench[body] = force
                    at += FORCE.size
                one = (ObjectRelease(time), Regrasp(time), ForceStep(time, None if count < 0 else wrench))[kind]
                fits = bool(np.all(np.abs(wrench) < 1e9))
            if not (fits and before <= time <= LONGEST_TIME):
                raise RefusedError("what happened in the run makes no sense.")
            before = time
            yield one
    except (binascii.Error, zlib.error, struct.error, ValueError, IndexError) as error:
        if isinstance(error, RefusedError):
            raise
        raise RefusedError("what happened in the run cannot be read.") from None


LONGEST = 24_000  # Most characters of a link that are read; browsers and servers carry as many
LATEST = 120.0
"""Latest time in s to which a link leads in a run without an end: everything before it has to be computed first."""
LATE = (
    "Its moment is {:.0f} s into a run without an end, of which a page computes no more than "
    f"{LATEST:g} s at once: it begins at the start."
)


def query_of(session: Session, whole: bool = False) -> dict[str, str]:
    """What the session shows now, as the parameters of an address; ``whole`` if there is room for a long history."""
    setup, cursor = session.setup, session.cursor
    found = query_of_setup(setup)
    if not whole and len(found.get(INTERVENTIONS, "")) >= LONGEST // 2:
        del found[INTERVENTIONS]
    found |= {
        # For a run that is still being computed, the time at which it is to be shown.
        "t": f"{session.time if session.run.complete else on_step(cursor.time):.3f}",
        "stage": cursor.stage,
        "link": str(cursor.link),
        "half": str(cursor.half),
        "layers": ",".join(session.layers),
        "block": session.block,
        "around": session.around,
        "speed": f"{session.speed:g}",
        "play": "1" if (session.playing if session.wish is None else session.wish) else "0",  # as the browser has it
    }
    others = {
        "torqued": str(session.torqued_here or ""),
        "walked": "1" if session.walked else "",
        "endless": "1" if session.endless else "",
        "breaks": ",".join(sorted(session.breaks)),
    }
    return found | {name: text for name, text in others.items() if text} | query_of_arrangement(session)


def opened(query: Mapping[str, str], first: str) -> Session:
    """A session as a page opens: with only the plain motion that a link names; the rest of the link follows.

    The rest is computed in a thread and taken over by the session's clock, so one page's link delays no other. An
    address that names no preset opens ``first``.
    """
    preset = query.get("preset", "")
    session = Session(preset if preset in PRESETS else first)
    file = OwnFile.named(query.get("name", ""), query.get("file", "")) if preset == FILE else None
    if file is not None:
        session.opening.want(MissingFile(file, partial(asked, dict(query), session)))
    elif not preset:
        session.playing = query.get("play") != "0"
        session.cursor.param.update(link=session.system.n_joints // 2, half=1)  # where P flattens most: the elbow
    else:
        session.playing = False
        session.opening.link(partial(asked, dict(query), session))
    return session


def asked(query: Mapping[str, str], session: Session, machine: Machine | None = None, longest: int = LONGEST) -> Target:
    """What a link of at most ``longest`` characters asks for, its run begun; ``session`` only supplies the options."""
    if sum(map(len, query.values())) > longest:
        raise RefusedError(f"it is longer than {longest} characters.")
    setup, words = parse_setup(query, machine)
    system = setup.machine.system
    link = bounded_index(query.get("link", "0"), "link", system.n_links - 1)
    endless = query.get("endless") == "1"
    time = bounded_number(query, "t", 0.0, LONGEST_TIME if endless else setup.duration, 0.0)
    if time > max(LATEST, setup.duration):
        words, time = f"{words} {LATE.format(time)}".strip(), 0.0
    cursor: dict[str, Any] = {
        "time": time,
        "link": link,
        "arm": max(int(system.arm_of_link[link]), 0),
        "half": bounded_index(query.get("half", "0"), "half", 1),
    }
    if query.get("stage") in {stage for stage, _ in dyn.registry}:
        cursor["stage"] = query["stage"]
    other: dict[str, Any] = {
        "endless": endless,
        "speed": bounded_number(query, "speed", 0.01, 10.0, 1.0),
        "playing": query.get("play") == "1",
        "walked": query.get("walked") == "1",
        "torqued": bounded_index(query.get("torqued", "0"), "torqued", system.n_joints - 1),
    }
    if "layers" in query:
        known = set(session.param.layers.objects)
        other["layers"] = [layer for layer in dict.fromkeys(query["layers"].split(",")) if layer in known]
    for name in ("block", "around"):
        if query.get(name) in session.param[name].objects:
            other[name] = query[name]
    other |= parse_arrangement(query, LONGEST_TIME if endless else setup.duration)
    if (other["motion"] or 0.0) > max(LATEST, setup.duration):
        other["motion"] = None  # later than any time to which a link leads
    if "breaks" in query:
        other["breaks"] = breaks = frozenset(query["breaks"].split(","))
        altered_source("arm", breaks)  # refuses a break that the text does not have
    return Target(setup, common_run(setup), cursor, {**other, "message": Message(Kind.LINK_IN_PART, words)})
