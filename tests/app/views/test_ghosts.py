"""A ghost is seen as long as its motion is followed, and it is said how long that is."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from app.controls.transport import Transport
from app.kept import Ghost
from app.motion.interventions import Released
from app.motion.run import Run
from app.state import Session
from app.state.breakage import Breakage
from app.state.broken_run import Apart, apart, farthest
from app.state.manipulation import Manipulation
from app.views.look import shade
from app.views.outcome_html import apart_html
from app.views.scene_view import SceneView

pytestmark = pytest.mark.compiled_only
DROPPED = "inward_filter.prediction.P~phi-P_plus-phi~drop"


def compute(run: Run, until: float) -> None:
    while run.end < until and not run.complete:
        run.accept(run.compute())


def broken_from(start: float) -> tuple[Session, Breakage]:
    session = Session("planar_chain")
    compute(session.run, start + 2.0)
    session.playing = False
    session.seek(start)
    breakage = Breakage(session)
    breakage.toggle(DROPPED)
    breakage.show_motion()
    session.playing = False
    return session, breakage


def ghost_rows(view: SceneView, session: Session, time: float) -> np.ndarray:
    session.seek(time)
    scene = view._scene
    assert scene is not None
    drawn = view._transforms(session.solution(), time, ())
    return np.abs(drawn[scene.layers["ghost"]]).sum(axis=1) > 0.0


@pytest.mark.slow
def test_a_broken_motion_is_drawn_only_where_it_is_followed() -> None:
    session, breakage = broken_from(0.4)
    view = SceneView(session)
    view.draw()
    before = view._track()
    assert not ghost_rows(view, session, 1.0).any()  # not known yet
    compute(breakage.shown, 1.9)
    assert breakage.shown.complete
    assert view._track() != before  # the browser is given its pictures again
    seen = {time: ghost_rows(view, session, time) for time in (0.0, 0.38, 0.4, 1.2, 1.9, 1.92, 2.2)}
    assert {time for time, rows in seen.items() if rows.any()} == {0.4, 1.2, 1.9}
    view.draw()
    (legend,) = (each["name"] for each in view._view.legend if each["name"].startswith("ghost"))
    assert legend == "ghost: the text, broken, from 0.40 s on"


def test_its_stretch_is_marked_on_the_timeline_as_long_as_it_is_there() -> None:
    session, breakage = broken_from(0.4)
    transport = Transport(session, Manipulation(session))
    transport.draw()
    assert transport._timeline.span == pytest.approx([0.4, 1.9])
    breakage.mend_all()
    transport.draw()
    assert transport._timeline.span == []


def test_a_kept_run_that_ends_sooner_is_gone_from_there_and_its_name_says_so() -> None:
    session = Session("two_arms_and_box")
    compute(session.run, 0.5)
    session.keep()
    (kept,) = session.kept
    assert len(shade(kept, 0.5).link_pose)
    assert not len(shade(kept, kept.run.end + 0.02).link_pose)
    view = SceneView(session)
    session.seek(0.3)
    view.draw()
    assert view._view.legend[0]["name"] == f"ghost A: {kept.title}"
    most = kept.run.duration
    compute(session.run, most)
    session.seek(most - 0.5)
    session.intervene(Released(most - 0.5))
    assert session.run.duration > most
    view.draw()
    assert view._view.legend[0]["name"] == f"ghost A: {kept.title}, to {most:g} s"


@pytest.mark.slow
def test_the_largest_deviation_is_said_wherever_the_clock_is() -> None:
    session, breakage = broken_from(0.4)
    run, other = session.run, breakage.shown
    compute(other, 1.9)
    found = farthest(run, other, 0.4)
    assert found is not None
    at, gap = found
    assert gap == apart(run, other, at)
    assert gap.tip >= max(apart(run, other, time).tip for time in np.arange(0.41, 1.9, 0.1))
    for now in (0.0, 3.0):
        words = apart_html(other, 0.4, now, None, found)
        assert "seen from 0.40 s to 1.90 s" in words
        assert f"Farthest at {at:.2f} s: {gap.words}" in words


def test_a_ghost_that_nobody_sees_apart_is_told() -> None:
    """Its text may be right, or wrong in what no motion depends on."""
    run = SimpleNamespace(last=1.9, end=1.9, complete=True, failure="")
    gap = Apart("joint_1", 1e-9, slides=False, tip=2e-10, object=None)
    for most, is_told in ((gap, True), (replace(gap, tip=1e-3), False), (replace(gap, object=1e-2), False)):
        said = apart_html(run, 0.4, 0.4, None, (1.0, most))  # type: ignore[arg-type]
        assert ("It never leaves the true arm." in said) == is_told
        assert ("Farthest" in said) != is_told


def test_a_ghost_of_which_nothing_is_known_yet_has_no_farthest_instant() -> None:
    session, breakage = broken_from(0.4)
    assert farthest(session.run, breakage.shown, 0.4) is None
    assert not len(shade(Ghost(breakage.shown, "", since=0.4), 0.39).link_pose)


@pytest.mark.parametrize(
    ("end", "key", "words"),
    [
        (0.418, "a~drop", "over in 18 ms.*sign of that part"),
        (0.418, "a~negate", "over in 18 ms.*Another"),
        (1.9, "a~drop", ""),
    ],
)
def test_what_is_over_before_one_sees_it_says_so_and_what_lasts_longer(end: float, key: str, words: str) -> None:
    """On a free flyer what a dropped term leaves out makes the arm faster than any machine at once."""
    run = SimpleNamespace(last=end, end=end, complete=True, failure="stopped: faster than any machine")
    said = apart_html(run, 0.4, 0.4, None, None, False, frozenset([key]))  # type: ignore[arg-type]
    assert re.search(words, said)
    assert ("before one sees" in said) == bool(words)
