"""The address of a moment: what a link says so that another page shows the same. Nothing that it says is trusted."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import dynamics as dyn
from app.messages import Kind, Message, in_words
from app.motion.errors import ERRORS
from app.motion.presets import FILE, INTERVENTIONS, PRESETS
from app.motion.robot_file import OwnFile
from app.motion.run import on_step
from app.motion.setup import Machine, common_run
from app.state.arrangement import parse_arrangement, query_of_arrangement
from app.state.machine_loader import Found, RefusedError, Wanted
from app.state.session import Session
from app.state.setup_text import LONGEST_TIME, bounded_index, bounded_number, parse_setup, query_of_setup
from dynamics.reading import altered_source

LONGEST = 24_000
"""Characters of a link that are read; a browser and a server carry as many."""
LATEST = 120.0
"""Seconds into a run without an end that a link leads at most: all of them are computed before its moment is shown."""
LATE = (
    "Its moment is {:.0f} s into a run without an end, of which a page computes no more than "
    f"{LATEST:g} s at once: it begins at the start."
)


def query_of(session: Session, whole: bool = False) -> dict[str, str]:
    """What the session shows now, as the parameters of an address.

    Args:
        whole: whether there is room for whatever happened in the run; a link has little.
    """
    setup, cursor = session.setup, session.cursor
    found = query_of_setup(setup)
    if not whole and len(found.get(INTERVENTIONS, "")) >= LONGEST // 2:
        del found[INTERVENTIONS]
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
        "play": "1" if session.will_play else "0",
    }
    if session.torqued_here:
        found["torqued"] = str(session.torqued_here)
    if session.walked:
        found["walked"] = "1"
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
    if (wanted := needed_file(query, session)) is not None:
        session.opening.want(wanted)
    elif not preset:
        session.playing = query.get("play") != "0"
        session.cursor.param.update(link=session.system.n_joints // 2, half=1)  # where P flattens most: the elbow
    else:
        session.playing = False
        session.opening.link(partial(asked, dict(query), session))
    return session


def needed_file(query: Mapping[str, str], session: Session) -> Wanted | None:
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


def asked(query: Mapping[str, str], session: Session, machine: Machine | None = None, longest: int = LONGEST) -> Found:
    """What a link asks for, its run begun; of the session only what can be chosen at all is asked.

    Args:
        machine: of the file that the link needs, where it needs one.
        longest: characters that are read.

    Raises:
        RefusedError, ModelError, StateError, SingularConfigurationError: for what cannot be.
    """
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
        other["motion"] = None  # as late as a moment that is not led to
    if "breaks" in query:
        other["breaks"] = breaks = frozenset(query["breaks"].split(","))
        altered_source("arm", breaks)  # refuses what the text does not have
    return Found(setup, common_run(setup), cursor, {**other, "message": Message(Kind.LINK_IN_PART, words)})
