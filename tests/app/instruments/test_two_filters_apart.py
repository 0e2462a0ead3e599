"""Links that are integrated one by one come apart as Algorithm 7 says; what is shown is what it computed."""

from __future__ import annotations

import re

import numpy as np
import pytest

import dynamics as dyn
from app.instruments.two_filters_apart import SECONDS, STEPS, Apart, opened_html
from app.motion.interventions import Pushed
from app.number_text import number_text
from app.state import Session


def at(preset: str, time: float) -> tuple[Session, Apart]:
    session = Session(preset)
    while session.run.end < time:
        session.run.accept(session.run.compute())
    session.playing = False
    session.seek(time)
    shown = Apart(session)
    shown._job.start = lambda work, take, fail=None: take(work())
    shown.paint("dark")
    return session, shown


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "time"), [("free_flyer", 0.8), ("free_flyer_drifting", 0.3)])
def test_the_gaps_are_those_of_the_dynamics(preset: str, time: float) -> None:
    session, shown = at(preset, time)
    shown.start()
    there = session.solution()
    for source, dt in zip(shown._sources, STEPS, strict=True):
        gap = dyn.run_redundant(there.system, there.state, there.tau, SECONDS, dt).gap
        np.testing.assert_allclose(source.data["gap"], np.maximum(gap, 1e-16))
        assert source.data["time"][-1] == SECONDS
        assert f"<b>{number_text(float(gap[-1]), digits=2)} m</b> at steps of {1e3 * dt:g} ms" in shown._told.object
    last = [source.data["gap"][-1] for source in shown._sources]
    assert last[0] > 4.0 * last[1] > 16.0 * last[2] > 0.0  # it grows with the step, and is no constant
    assert not shown._button.disabled


def test_gaps_of_rounding_have_no_order() -> None:
    text = opened_html([np.full(2, 1e-15)] * 3, 0.0)
    assert "one part in" not in text
    assert len(re.findall("steps of", text)) == 3


def test_a_push_that_these_links_do_not_feel_is_said() -> None:
    session, shown = at("free_flyer", 0.2)
    shown._job.start = lambda work, take, fail=None: take([np.full(2, 1e-6)] * len(STEPS))
    shown.start()
    assert "the push left out" not in shown._told.object
    wrench = np.zeros((session.system_here.n_links + 1, 6))
    wrench[0, 3] = 5.0
    session.intervene(Pushed(session.time, wrench))
    session.playing = False
    shown.start()
    assert "its torques held, the push left out:" in shown._told.object


@pytest.mark.slow
def test_another_machine_takes_its_gaps_along_and_one_that_stands_has_none() -> None:
    session, shown = at("free_flyer", 0.2)
    shown.start()
    assert len(shown.view.objects) == 5
    session.open_preset("free_flyer_drifting")
    shown.follow(session.system_here)
    assert len(shown.view.objects) == 3
    assert shown._told.object == ""
    arm, shown = at("puma560", 0.1)
    shown.start()
    assert shown._told.object == ""
    assert arm.message == ""
