"""A link shows the same moment in another session, and a bad one is answered in words."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode

import numpy as np
import pytest

import dynamics as dyn
from app.motion.interventions import Pushed, Released
from app.state import Session
from app.state.address import packed_interventions, query_of, restore

P_LINE = "inward_filter.prediction.P"


def compute(session: Session, until: float) -> None:
    while session.run.end < until - 1e-9:
        session.run.accept(session.run.compute())


def through_a_browser(query: dict[str, str]) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlencode(query, safe=",:")).items()}


def test_a_link_brings_back_the_moment_to_the_last_digit() -> None:
    session = Session("two_arms_and_box")
    compute(session, 0.5)
    session.set_mass(1.37 * session.mass)
    session.set_torque(session.system.joint_names[3], -1.0 / 3.0)
    session.change(posture=tuple(session.setup.machine.state.q + 0.01))
    compute(session, 0.5)
    wrench = np.zeros((session.system.n_links + 1, 6))
    wrench[2] = 0.1, 0.2, 0.3, 4.0, 5.0, 1.0 / 7.0
    session.intervene(Pushed(0.1, wrench))
    session.intervene(Pushed(0.2, None))
    session.intervene(Released(0.3))
    compute(session, 0.5)
    session.playing = False
    session.seek(0.45)
    session.select_link(9)
    session.select_stage("smoother")
    session.param.update(layers=["contact_force"], block="rotational", around="link")
    session.speed = 0.25

    other = Session("puma560")
    restore(other, through_a_browser(query_of(session)))
    assert other.message == ""
    compute(other, 0.5)
    assert (other.time, other.playing, other.speed, other.layers) == (0.45, False, 0.25, ["contact_force"])
    assert (other.block, other.around) == ("rotational", "link")
    assert (other.cursor.link, other.cursor.arm, other.cursor.stage) == (9, 1, "smoother")
    assert other.mass == session.mass
    assert other.torques == session.torques
    for t in (0.0, 0.15, 0.25, 0.45):
        np.testing.assert_allclose(
            other.run.solution_at(t).packed_acceleration,
            session.run.solution_at(t).packed_acceleration,
            rtol=1e-9,
            atol=1e-9,
        )
    assert query_of(other) == query_of(session)


def test_what_is_broken_in_the_text_is_part_of_a_link() -> None:
    session = Session("puma560")
    keys = [line.breaks[0].key for line in dyn.textbook_lines(session.system)[2:5]]
    session.breaks = frozenset(keys)
    other = Session("two_arms_and_box")
    restore(other, through_a_browser(query_of(session)))
    assert other.breaks == frozenset(keys)
    assert not other.message


def test_the_plainest_link_opens_a_preset() -> None:
    session = Session("puma560")
    restore(session, {"preset": "free_flyer"})
    assert session.message == ""
    assert session.mode == "Free-flying"


@pytest.mark.parametrize(
    ("query", "word"),
    [
        ({"preset": "no such thing"}, "no preset"),
        ({"preset": "file"}, "not part of a link"),
        ({"preset": "puma560", "mass": "nan"}, "mass"),
        ({"preset": "puma560", "mass": "-1"}, "mass"),
        ({"preset": "puma560", "mass": "1e400"}, "mass"),
        ({"preset": "puma560", "torques": "99:1"}, "torques"),
        ({"preset": "puma560", "torques": "0:inf"}, "torques"),
        ({"preset": "puma560", "torques": "zero"}, "torques"),
        ({"preset": "puma560", "posture": "0,0"}, "joints"),
        ({"preset": "puma560", "posture": "0,0,0,0,0,x"}, "posture"),
        ({"preset": "puma560", "link": "-3"}, "link"),
        ({"preset": "puma560", "t": "11"}, "t is"),
        ({"preset": "puma560", "happenings": "!!!!"}, "happened"),
        ({"preset": "puma560", "happenings": "AAAA"}, "happened"),
        ({"preset": "puma560", "happenings": "A" * 30_000}, "longer"),
        ({"preset": "puma560", "speed": "1e9"}, "speed"),
        ({"preset": "puma560", "breaks": f"{P_LINE}~M~explode"}, "nothing to break"),
        ({"preset": "puma560", "breaks": ",".join(f"{P_LINE}~M~{kind}" for kind in ("drop", "negate"))}, "choose"),
    ],
)
def test_a_bad_link_changes_nothing_and_is_answered(query: dict[str, str], word: str) -> None:
    session = Session("planar_chain")
    before = (session.setup, session.run, session.cursor.time)
    restore(session, query)
    assert word in session.message
    assert (session.setup, session.run, session.cursor.time) == before


def test_happenings_that_do_not_fit_the_machine_are_refused() -> None:
    """Forces on a body that is not there, times out of order, a bomb of zeros."""
    wrench = np.zeros((40, 6))
    wrench[30] = 1.0
    for interventions in ((Pushed(0.1, wrench),), (Released(0.2), Released(0.1)), (Released(float("nan")),)):
        session = Session("puma560")
        restore(session, {"preset": "puma560", "happenings": packed_interventions(interventions)})
        assert "happened" in session.message
    bomb = packed_interventions(tuple(Released(0.0) for _ in range(100_000)))
    session = Session("puma560")
    restore(session, {"preset": "puma560", "happenings": bomb})
    assert session.message
