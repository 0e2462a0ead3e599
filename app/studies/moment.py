"""A state of a study as the page shows it: machine, posture and torques as a setup, and where in the walk to look."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

import dynamics as dyn
from app.motion.run import Run
from app.motion.setup import Setup
from app.state import walk
from app.state.machine_loader import Found
from app.studies.question import SAME, Asked
from app.studies.watched import END, Watch
from dynamics.studies import Moment

PREFIX = "mass:"


def setup_of(before: Setup, moment: Moment, asked: Asked) -> Setup:
    """The setup whose run starts in this moment, driven by its torques alone.

    Args:
        before: of the machine that the study varies.
        moment: a row, whose motion goes on as it is asked.
    """
    system, bodies = before.machine.system, dict(before.bodies)
    names = moment.system.link_names
    for name, value in moment.drawn.items():
        if name.startswith(PREFIX) and isinstance(value, float):
            k = names.index(name.removeprefix(PREFIX))
            bodies[k] = before.body(k).scaled(before.body(k).mass * value)
        elif name == "object_mass" and isinstance(value, float):
            bodies[system.n_links] = before.body(system.n_links).scaled(value)
    gravity = moment.drawn.get("gravity")
    torques = dict(zip(moment.system.joint_names, moment.tau.tolist(), strict=True))
    return replace(
        before,
        torques=MappingProxyType({name: tau for name, tau in torques.items() if tau}),
        posture=tuple(moment.state.q.tolist()),
        interventions=(),
        drive="" if before.machine.preset.actuation == "free" else "free",
        bodies=MappingProxyType(dict(sorted(bodies.items()))),
        gravity=(0.0, 0.0, -gravity) if isinstance(gravity, float) else before.gravity,
        numerics=asked.numerics(moment) or before.numerics,
    )


def place_of(solution: dyn.Solution, find: str, watch: Watch) -> walk.Place | None:
    """Where the walk computes what is watched; of a quantity of every link where it is largest."""
    system, find = solution.system, find.removeprefix(END)
    if watch.stage not in walk.stages(system):
        return None
    link, name = watch.link, find.partition(":")[0].rpartition(".")[2]
    array = solution.stages[watch.stage].get(name)
    if ":" not in find and array is not None and len(array) == system.n_links and watch.stage != "contact":
        link = int(np.abs(array.reshape(system.n_links, -1)).max(axis=1).argmax())
    place = walk.at_link(system, walk.Place(watch.stage, 0, link, walk.CORRECTION), link, walk.CORRECTION)
    reading = dyn.read_textbook(system, solution.state, solution.tau)
    return replace(place, half=walk.half_of(reading, place.stage, place.link, name))


def found_of(
    before: Setup, moment: Moment, asked: Asked, watch: Watch, beside: str
) -> tuple[Found, Mapping[str, bytes]]:
    """What the page is to show of a moment, tried; and the texts of robots of the user's own.

    What is watched of the end of a motion is opened there, in the page's own run.

    Args:
        beside: the instrument that stands beside what is opened.

    Raises:
        ModelError, StateError, SingularConfigurationError: for what the page cannot show.
    """
    setup = setup_of(before, moment, asked)
    run = setup.run()
    found = Found(setup, run).tried()
    time = _computed(run, asked.duration) if asked.find.startswith(END) else 0.0
    place = place_of(run.solution_at(time), asked.find, watch)
    cursor: dict[str, Any] = {"time": time}
    other = {"playing": False, "walked": True, "tab": watch.tab, "beside": beside}
    if place is not None:
        cursor |= {"stage": place.stage, "arm": place.arm, "link": place.link, "half": place.half}
    file = setup.machine.file
    texts = {} if file is None else {file.digest: zlib.decompress(setup.machine.source)}
    return replace(found, cursor=cursor, other=other), texts


def _computed(run: Run, time: float) -> float:
    """Has a run go on to an instant; s, how far it has come."""
    while run.end < time - SAME and not run.complete:
        run.accept(run.compute(time))
    return min(time, run.end)
