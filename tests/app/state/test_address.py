"""A link shows the same moment in another session; a bad one changes nothing and is answered in words."""

import base64
import zlib
from dataclasses import fields
from urllib.parse import parse_qs, parse_qsl, urlencode

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.motion.interventions import ForceStep, GripChange, ObjectRelease
from app.state import Session
from app.state.address import HEAD, KIND_CODES, opened, packed_interventions, query_of
from app.state.arrangement import INSTRUMENTS, InstrumentChoices, parse_arrangement
from app.state.machine_loader import RefusedError
from tests.app.arrival import computed, over, restore

P_LINE = "inward_filter.prediction.P"


def through_a_browser(query: dict[str, str]) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlencode(query, safe=",:")).items()}


def test_a_link_brings_back_the_moment_to_the_last_digit() -> None:
    session = Session("two_arms_and_box")
    computed(session.run, 0.5)
    session.set_mass(1.37 * session.mass)
    session.set_torque(session.system.joint_names[3], -1.0 / 3.0)
    session.change(posture=tuple(session.setup.machine.state.q + 0.01))
    computed(session.run, 0.5)
    wrench = np.zeros((session.system.n_links + 1, 6))
    wrench[2] = 0.1, 0.2, 0.3, 4.0, 5.0, 1.0 / 7.0
    session.intervene(ForceStep(0.1, wrench))
    session.intervene(ForceStep(0.2, None))
    session.intervene(GripChange(0.22, 1, "soft_finger"))
    session.intervene(GripChange(0.23, 0, "010111"))
    session.intervene(ObjectRelease(0.3))
    computed(session.run, 0.5)
    session.playing = False
    session.seek(0.45)
    session.select_link(9)
    session.select_stage("smoother")
    session.param.update(layers=["contact_force"], block="rotational", around="link")
    session.speed = 0.25
    other = Session("puma560")
    restore(other, through_a_browser(query_of(session)))
    assert other.message == ""
    computed(other.run, 0.5)
    assert (other.time, other.playing, other.speed, other.layers) == (0.45, False, 0.25, ["contact_force"])
    assert (other.block, other.around) == ("rotational", "link")
    assert ((other.cursor.link, other.cursor.arm, other.cursor.stage), other.mass) == ((9, 1, "smoother"), session.mass)
    assert other.torques == session.torques
    for t in (0.0, 0.15, 0.25, 0.45):
        ours, theirs = (each.run.solution_at(t).packed_acceleration for each in (session, other))
        np.testing.assert_allclose(theirs, ours, rtol=1e-9, atol=1e-9)
    assert query_of(other) == query_of(session)


def test_a_drive_is_part_of_a_link() -> None:
    """The preset's own is said by no word; one that does not fit, or is none, is refused by name."""
    session = Session("iiwa14")
    assert "drive" not in query_of(session)
    session.set_drive("circle")
    other = Session("two_arms_and_box")
    restore(other, through_a_browser(query_of(session)))
    assert (other.message, other.setup.drive) == ("", "circle")
    ends = [computed(each.run, 0.25).solution_at(0.25).state.q for each in (session, other)]
    np.testing.assert_array_equal(*ends)
    restore(other, {"preset": "iiwa14", "drive": "reach"})
    assert (other.message, other.setup.drive) == ("", "")


def test_a_bad_link_changes_nothing_and_is_answered() -> None:
    body = "0:1,0,0,0,1,1,1"
    for name, value, word in (
        ("mass", "nan", "mass"), ("mass", "-1", "mass"), ("mass", "1e400", "mass"), ("mass", "１", "mass is"),
        ("bodies", "99:1", "bodies"), ("bodies", body, "does not have 10 numbers"),
        ("bodies", f"{body},0,0,nan", "a number"),
        ("bodies", "0:1,0,0,0,9,1,1,0,0,0", "triangle inequality"),
        ("bodies", "0:-1,0,0,0,1,1,1,0,0,0", "mass is -1 kg"),
        ("bodies", ";".join([f"{body},0,0,0"] * 21), "more than 20"), ("gravity", "0,0", "does not have 3 numbers"),
        ("gravity", "0,0,-1e9", "gravity is"), ("damping", "-1", "damping"), ("method", "BDF2<b>", "no integrator"),
        ("step", "1e-9", "step is"), ("step", "3e-4", "expected one of"), ("torques", "99:1", "torques"),
        ("torques", "0:inf", "torques"), ("torques", "zero", "torques"), ("torques", "1_0:1", "torques is"),
        ("torques", "0.5:1", "torques is"), ("posture", "0,0", "joints"), ("posture", "0,0,0,0,0,x", "posture"),
        ("posture", "0,0,0,0,0,٣", "posture is"), ("drive", "<b>", "there is no drive '<b>'"),
        ("drive", "carry", "nothing is held"), ("link", "-3", "link"), ("link", "²", "link is"), ("t", "11", "t is"),
        ("t", "1_0", "t is '1_0'"), ("happenings", "!!!!", "happened"), ("happenings", "AAAA", "happened"),
        ("happenings", "A" * 30_000, "longer"), ("speed", "1e9", "speed"), ("tab", "<script>", "tab"),
        ("tab", "x" * 30, "tab"), ("plots", "Motion\n", "plots"), ("panels", "Filter;<b>", "panels"),
        ("panels", "-;" * 4000, "panels"), ("line", "filter/P", "line"), ("line", "filter/P/x", "line"),
        ("motion", "11", "motion"), ("motion", "nan", "motion"), ("breaks", f"{P_LINE}~M~explode", "nothing to break"),
        ("breaks", ",".join(f"{P_LINE}~M~{kind}" for kind in ("drop", "negate")), "choose"),
        ("preset", "no such thing", "no preset"), ("preset", "file", "not part of a link"),
        ("preset", "panda&damping=90", "too stiff"), ("preset", "free_flyer&drive=circle", "floats"),
        ("preset", "two_planar_arms&bodies=6:1,1001,0,0,1,1,1,0,0,0", "bodies of Object"),
    ):  # fmt: skip
        session = Session("planar_chain")
        before = (session.setup, session.run, session.cursor.time)
        value, _, more = value.partition("&")
        restore(session, {"preset": "puma560", name: value, **dict(parse_qsl(more))})
        assert word in session.message
        assert (session.setup, session.run, session.cursor.time) == before


def test_a_posture_beyond_the_stops_is_named_and_moves() -> None:
    """The joints are named and begin where they can; the rest of the link is as it says."""
    for preset, beyond in (
        ("panda", [0, 3]), ("puma560_falling", [0, 1, 2, 3, 4, 5]), ("free_flyer", [6]), ("two_arms_and_box", [5]),
    ):  # fmt: skip
        first = Session(preset)
        joints, q = first.system.joint_models, first.setup.machine.state.q.copy()
        q[beyond] = [joints[k].upper + 5.0 * (k + 1) for k in beyond]
        session = Session("planar_chain")
        restore(session, {"preset": preset, "posture": ",".join(map(repr, q.tolist())), "mass": "2.5", "t": "0.25"})
        assert all(first.system.joint_names[k] in session.message for k in beyond), session.message
        assert (session.preset.name, session.mass) == (preset, 2.5)
        start = session.run.solution_at(0.0).state.q
        assert all(joint.lower - 1e-6 <= at <= joint.upper + 1e-6 for joint, at in zip(joints, start, strict=True))
        if not first.is_held:
            np.testing.assert_array_equal(start[beyond], [joints[k].upper for k in beyond])
            np.testing.assert_array_equal(np.delete(start, beyond), np.delete(q, beyond))
        computed(session.run, 0.5)
        for time in np.linspace(0.0, 0.5, 11):
            session.run.solution_at(time)


async def test_a_page_plays_unless_its_address_says_otherwise() -> None:
    for query, plays in (({}, True), ({"play": "0"}, False), ({"play": "0 "}, True)):
        assert opened(query, "panda").playing is plays, query
    for query in ({"preset": "nothing"}, {"preset": "panda", "mass": "x" * 10_000}):
        session = opened(query, "puma560")
        await over(session, lambda session=session: session.opening.awaits_link)
        assert session.message.startswith("This link cannot be followed: ")
        assert len(session.message) < 200
        assert session.playing


def test_happenings_that_do_not_fit_the_machine_are_refused() -> None:
    wrench = np.zeros((40, 6))
    wrench[30] = 1.0
    often = tuple(ObjectRelease(0.0) for _ in range(100_000))
    grips = [(2, 0), (-1, 0), (30_000, 0), (0, 3), (0, 64), (0, 128), (0, 255)]
    heads = [HEAD.pack(KIND_CODES[GripChange], 0.1, tip) + bytes([kind]) for tip, kind in grips]
    refused = (ForceStep(0.1, wrench),), (ObjectRelease(0.2), ObjectRelease(0.1)), (ObjectRelease(np.nan),), often
    for text in (
        *map(packed_interventions, refused),
        *(base64.urlsafe_b64encode(zlib.compress(head)).decode().rstrip("=") for head in (*heads, heads[0][:-1])),
    ):
        session = Session("puma560")
        restore(session, {"preset": "two_arms_and_box", "happenings": text})
        assert "happened" in session.message or "more than" in session.message
        assert session.preset.name == "puma560"


def test_a_link_to_the_motion_that_is_shown_leaves_it_running() -> None:
    session = Session("stanford")
    setup, run = session.setup, session.run
    restore(session, {"preset": "stanford", "t": "0.5", "stage": "smoother", "link": "2", "play": "0"})
    assert session.run is run
    assert session.setup is setup
    assert (session.cursor.time, session.cursor.stage, session.cursor.link) == (0.5, "smoother", 2)
    restore(session, {"preset": "stanford", "t": "0.5", "torques": "1:2.5"})
    assert session.run is not run
    assert dict(session.setup.torques) == {session.system.joint_names[1]: 2.5}
    session.endless = True
    endless = session.run
    restore(session, {"preset": "stanford", "torques": "1:2.5"})
    assert session.run is not endless  # it has an end again
    assert not session.endless


def choices(kind: type[InstrumentChoices]) -> st.SearchStrategy[InstrumentChoices]:
    words = st.text(st.characters(categories=("L", "N"), include_characters=" _.-"), max_size=20)
    of = {
        "bool": st.booleans(),
        "int": st.integers(0, 99),
        "float": st.floats(-99.0, 99.0),
        "str": words.filter(bool),
        "int | None": st.none() | st.integers(0, 9999),
        "float | None": st.none() | st.floats(0.0, 1e6),
    }
    return st.builds(kind, **{each.name: of[str(each.type)] for each in fields(kind)})


@given(st.one_of(choices(kind) for kind in INSTRUMENTS.values()))
def test_what_is_chosen_in_an_instrument_is_said_and_read_again(chosen: InstrumentChoices) -> None:
    assert (type(chosen).read(chosen.query) or type(chosen)()) == chosen


def test_what_no_page_writes_of_an_instrument_is_refused() -> None:
    for name, text in (("moved", "x"), ("moved", "-1"), ("line", "a/b"), ("line", "<b>/b/0"), ("pushing", "1:nan.e:x")):
        with pytest.raises(RefusedError, match=name):
            parse_arrangement({name: text}, 1.0)
