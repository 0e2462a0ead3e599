"""The address of a moment: what a link says so that another page shows the same. Nothing that it says is trusted."""

from __future__ import annotations

import base64
import binascii
import math
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

import dynamics as dyn
from app.motion.interventions import Intervention, Pushed, Released, Taken
from app.motion.presets import PRESETS
from app.motion.setup import Setup, machine_of_preset
from app.state.session import Session

LONGEST = 24_000
"""Characters of a link that are read; a browser and a server carry as many."""
MOST_BYTES = 400_000
"""Of unpacked interventions."""
MOST_INTERVENTIONS = 1000
"""Each of them begins a simulation."""
HEAD = struct.Struct("<Bdh")  # kind, time in s, how many forces follow (-1: none act)
FORCE = struct.Struct("<H6d")  # body, [moment; force]
INTERVENTIONS = "happenings"
"""What links say, and have said."""
KINDS = {Released: 0, Taken: 1, Pushed: 2}


class AddressError(ValueError):
    """A link that says something impossible."""


def query_of(session: Session) -> dict[str, str]:
    """What the session shows now, as the parameters of an address."""
    setup, cursor = session.setup, session.cursor
    found = {"preset": setup.machine.preset.name or "file"}
    if setup.mass is not None:
        found["mass"] = repr(setup.mass)
    if setup.torques:
        known = list(session.system.joint_names)
        found["torques"] = ",".join(f"{known.index(name)}:{value!r}" for name, value in setup.torques.items())
    if setup.posture is not None:
        found["posture"] = ",".join(repr(float(q)) for q in setup.posture)
    if setup.interventions:
        packed = packed_interventions(setup.interventions)
        if len(packed) < LONGEST // 2:
            found[INTERVENTIONS] = packed
    found |= {
        "t": f"{session.time:.3f}",
        "stage": cursor.stage,
        "link": str(cursor.link),
        "half": str(cursor.half),
        "layers": ",".join(session.layers),
        "block": session.block,
        "around": session.around,
        "speed": f"{session.speed:g}",
        "play": "1" if session.playing else "0",
    }
    if session.breaks:
        found["breaks"] = ",".join(sorted(session.breaks))
    return found


def restore(session: Session, query: Mapping[str, str]) -> None:
    """Shows what a link asks for; a link that asks for something impossible changes nothing and is answered in words.

    Cost: one look at the parameters, and the start of one run.
    """
    if not query.get("preset"):
        return
    try:
        if sum(map(len, query.values())) > LONGEST:
            raise AddressError(f"it is longer than {LONGEST} characters")
        session.show(*_asked(query, session))
    except (AddressError, dyn.ModelError, dyn.StateError, dyn.SingularConfigurationError) as error:
        session.message = f"This link cannot be followed: {error}."


def _asked(query: Mapping[str, str], session: Session) -> tuple[Setup, dict[str, Any], dict[str, Any]]:
    """The setup, the cursor and the other values of a link."""
    preset = query["preset"]
    if preset == "file":
        raise AddressError("it shows a robot file that is not part of a link; open the file in the tab Model")
    if preset not in PRESETS:
        raise AddressError(f"there is no preset {preset!r}")
    setup = Setup(machine_of_preset(PRESETS[preset]))
    system = setup.machine.system
    if "mass" in query:
        setup = replace(setup, mass=_number(query, "mass", 1e-6, 1e6))
    if "torques" in query:
        setup = replace(setup, torques=MappingProxyType(dict(_torques(query["torques"], system.joint_names))))
    if "posture" in query:
        posture = tuple(_float(part, "posture", -1e3, 1e3) for part in query["posture"].split(","))
        if len(posture) != system.n_joints:
            raise AddressError(f"posture has {len(posture)} numbers; this machine has {system.n_joints} joints")
        setup = replace(setup, posture=posture)
    if INTERVENTIONS in query:
        setup = replace(setup, interventions=tuple(unpacked_interventions(query[INTERVENTIONS], system)))
    link = int(_number(query, "link", 0, system.n_links - 1, 0))
    cursor: dict[str, Any] = {
        "time": _number(query, "t", 0.0, setup.machine.preset.duration, 0.0),
        "link": link,
        "arm": max(int(system.arm_of_link[link]), 0),
        "half": int(_number(query, "half", 0, 1, 0)),
    }
    if query.get("stage") in {stage for stage, _ in dyn.registry}:
        cursor["stage"] = query["stage"]
    other: dict[str, Any] = {"speed": _number(query, "speed", 0.01, 10.0, 1.0), "playing": query.get("play") == "1"}
    if "layers" in query:
        known = set(session.param.layers.objects)
        other["layers"] = [layer for layer in query["layers"].split(",") if layer in known]
    for name in ("block", "around"):
        if query.get(name) in session.param[name].objects:
            other[name] = query[name]
    if "breaks" in query:
        other["breaks"] = breaks = frozenset(query["breaks"].split(","))
        dyn.altered_source("arm", breaks)  # refuses what the text does not have
    return setup, cursor, other


def _float(text: str, name: str, least: float, most: float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not least <= value <= most:
        raise AddressError(f"{name} is {text[:40]!r}; expected a number from {least:g} to {most:g}")
    return value


def _number(query: Mapping[str, str], name: str, least: float, most: float, default: float = math.nan) -> float:
    return _float(query[name], name, least, most) if name in query else default


def _torques(text: str, joints: tuple[str, ...]) -> Iterator[tuple[str, float]]:
    for part in text.split(","):
        number, _, value = part.partition(":")
        k = int(_float(number, "torques", 0, len(joints) - 1))
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
        AddressError: for anything else.
    """
    try:
        inflate = zlib.decompressobj()
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        data = inflate.decompress(packed, MOST_BYTES)
        if not inflate.eof:
            raise AddressError("what happened in the run is cut off or too long")
        at, before, total = 0, 0.0, 0
        while at < len(data):
            total += 1
            if total > MOST_INTERVENTIONS:
                raise AddressError(f"more than {MOST_INTERVENTIONS} things happened in the run")
            kind, time, count = HEAD.unpack_from(data, at)
            at += HEAD.size
            wrench = None if count < 0 else np.zeros((system.n_links + 1, 6))
            for _ in range(count):
                body, *force = FORCE.unpack_from(data, at)
                at += FORCE.size
                assert wrench is not None
                wrench[body] = force
            if not before <= time <= 1e4 or (wrench is not None and not np.all(np.abs(wrench) < 1e9)):
                raise AddressError("what happened in the run makes no sense")
            before = time
            yield (Released(time), Taken(time), Pushed(time, wrench))[kind]
    except (binascii.Error, zlib.error, struct.error, ValueError, IndexError) as error:
        if isinstance(error, AddressError):
            raise
        raise AddressError("what happened in the run cannot be read") from None
