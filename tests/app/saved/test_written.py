"""A session that is saved and opened is the same session, robot and kept runs included; a bad file changes nothing."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from app.motion.interventions import Pushed, Released
from app.motion.presets import PRESETS
from app.saved.read import MOST_PARTS, found_in
from app.saved.written import VERSION, written
from app.state import Session
from app.state.address import LONGEST, query_of
from app.state.opening import RefusedError
from app.state.posing import set_joint
from app.state.setup_text import INTERVENTIONS, query_of_setup
from tests.app.upload.test_upload import chain

Open = Callable[..., None]


def compute(session: Session, until: float) -> None:
    while session.run.end < until - 1e-9:
        session.run.accept(session.run.compute())


def reopened(text: str) -> Session:
    session = Session("planar_chain")
    found, _ = found_in(text.encode(), session)
    found.tried().show_as_a_step(session)
    return session


def changed(session: Session) -> None:
    """Much of what can be chosen, and two kept runs on the way."""
    joint = session.system.joint_names[-1]
    session.keep()
    session.set_mass(1.37 * session.mass)
    session.set_torque(joint, -1.0 / 3.0)
    at = float(session.run.solution_at(0.0).state.q[-1])
    set_joint(session, joint, at + 0.01)
    session.keep()
    session.change_kept("B", title="ma\u00dfvoll <b>", shown=False)
    compute(session, 0.25)
    wrench = np.zeros((session.system.n_links + 1, 6))
    wrench[0, 3:] = 0.1, -0.2, 1.0 / 7.0
    session.intervene(Pushed(0.1, wrench))
    session.intervene(Pushed(0.15, None))
    if session.system.is_held:
        session.intervene(Released(0.2))
    session.playing = False
    compute(session, 0.25)
    session.seek(0.22)
    session.param.update(tab="Check", plots="Motion", layers=["trails"], block="rotational")
    session.breaks = frozenset(line.breaks[0].key for line in dyn.textbook_lines(session.system)[2:4])


def same(one: Session, other: Session) -> None:
    assert other.message == ""
    assert query_of(other, whole=True) == query_of(one, whole=True)
    assert [(each.letter, each.title, each.shown) for each in other.kept] == [
        (each.letter, each.title, each.shown) for each in one.kept
    ]
    for mine, theirs in zip(one.kept, other.kept, strict=True):
        assert query_of_setup(theirs.setup) == query_of_setup(mine.setup)
        for run in (mine.run, theirs.run):
            while run.end < 0.25:
                run.accept(run.compute())
        np.testing.assert_array_equal(theirs.run.solution_at(0.2).state.q, mine.run.solution_at(0.2).state.q)
    compute(other, 0.25)
    mine, theirs = (session.run.solution_at(0.22).packed_acceleration for session in (one, other))
    np.testing.assert_allclose(theirs, mine, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_preset_comes_back_with_all_that_was_chosen(preset: str) -> None:
    session = Session(preset)
    changed(session)
    other = reopened(written(session))
    same(session, other)
    assert written(other) == written(session)
    other.undo()
    assert other.preset.name == "planar_chain"


def test_another_drive_comes_back() -> None:
    session = Session("iiwa14")
    session.keep()
    session.set_drive("circle")
    compute(session, 0.25)
    session.playing = False
    session.seek(0.2)
    other = reopened(written(session))
    same(session, other)
    assert (other.setup.drive, other.kept[0].setup.drive) == ("circle", "")


LATIN = b"<?xml version='1.0' encoding='latin-1'?>" + chain(2).replace(b"name='r'", b"name='r\xe9'")


@pytest.mark.parametrize(("text", "field"), [(chain(3), "text"), (LATIN, "base64")])
def test_a_robot_of_the_users_own_is_in_the_file(text: bytes, field: str, open_file: Open) -> None:
    session = Session("puma560")
    session.keep()  # a packaged one beside it
    open_file(session, text, "mi<n>e.urdf")
    assert session.opening.told == "mi<n>e.urdf is open."
    session.keep()
    session.set_torque(session.system.joint_names[0], 0.5)
    compute(session, 0.25)
    session.playing = False
    session.seek(0.2)
    saved = written(session)
    whole = json.loads(saved)
    (file,) = whole["files"]  # once, though two runs are of it
    assert set(file) == {"name", field}
    other = Session("planar_chain")
    found, texts = found_in(saved.encode(), other)
    found.tried().show_as_a_step(other)
    same(session, other)
    assert texts[other.setup.machine.file.digest] == text
    assert other.setup.machine.file == session.setup.machine.file
    assert other.kept[1].setup.machine is other.setup.machine  # read once
    assert written(other) == saved


def test_more_may_have_happened_than_a_link_has_room_for() -> None:
    session = Session("two_arms_and_box")
    random = np.random.default_rng(5)
    many = tuple(Pushed(0.001 * k, random.normal(size=(session.system.n_links + 1, 6))) for k in range(60))
    session.change(interventions=many)
    session.playing = False
    assert INTERVENTIONS not in query_of(session)
    assert len(query_of(session, whole=True)[INTERVENTIONS]) > LONGEST
    other = reopened(written(session))
    assert len(other.setup.interventions) == 60
    np.testing.assert_array_equal(other.setup.interventions[59].wrench, many[59].wrench)


FIRST_VERSION = """{
 "format": "armsweep session", "version": 1,
 "moment": {"preset": "puma560", "mass": "0.75", "posture": "0.1,-0.2,0.3,0,0.5,0", "torques": "0:1.5",
            "t": "0.500", "stage": "smoother", "link": "2", "half": "1", "layers": "trails", "block": "rotational",
            "around": "arm", "speed": "0.5", "play": "0", "tab": "Check", "plots": "Motion"},
 "kept": [{"letter": "C", "name": "heavy", "shown": false, "setup": {"preset": "two_arms_and_box", "mass": "5.0"}}],
 "files": []
}"""


def test_a_file_of_the_first_version_is_read() -> None:
    """As it was written then; nothing of this text is to be changed."""
    session = reopened(FIRST_VERSION)
    assert (session.preset.name, session.mass, session.cursor.time, session.cursor.link) == ("puma560", 0.75, 0.5, 2)
    assert (session.cursor.stage, session.around, session.tab) == ("smoother", "arm", "Check")
    assert session.layers == ["trails"]
    (kept,) = session.kept
    assert (kept.letter, kept.title, kept.shown) == ("C", "heavy", False)
    assert [body.mass for body in kept.setup.bodies.values()] == [5.0]


def variant(**parts: Any) -> bytes:
    return json.dumps({**json.loads(FIRST_VERSION), **parts}).encode()


PUMA = {"preset": "puma560"}
KEPT = {"letter": "A", "name": "", "shown": True, "setup": PUMA}
BAD = {
    "no JSON": (b"{", "damaged"),
    "no text": (b"\xff\xfe\x00", "damaged"),
    "another JSON": (b'{"a": 1}', "not the file of a session"),
    "a list": (b"[]", "not the file of a session"),
    "deep": (b"[" * 50_000, "damaged"),
    "very deep": (b"[" * (MOST_PARTS + 1), "larger"),
    "a number that is none": (variant().replace(b'"version": 1', b'"version": NaN'), "damaged"),
    "a number of ten thousand digits": (variant().replace(b'"version": 1', b'"version": ' + b"9" * 10_000), "damaged"),
    "no version": (variant(version=None), "version is None"),
    "a version that is true": (variant(version=True), "version is True"),
    "a later version": (variant(version=VERSION + 1), f"this page knows those up to {VERSION}"),
    "no moment": (variant(moment=None), "moment is no table"),
    "a moment of numbers": (variant(moment={"preset": 3}), "expected a text"),
    "a moment of nothing": (variant(moment={}), "no preset"),
    "a moment of too much": (variant(moment={**PUMA, **{f"x{k}": "" for k in range(90)}}), "moment is no table"),
    "a long moment": (variant(moment={**PUMA, "x": "y" * 1_000_001}), "longer"),
    "another machine's moment": (variant(moment={**PUMA, "link": "40"}), "link is '40'"),
    "an absurd mass": (variant(moment={**PUMA, "mass": "-1"}), "mass is"),
    "an instrument of markup": (variant(moment={**PUMA, "tab": "<script>"}), "tab"),
    "a break that is none": (variant(moment={**PUMA, "breaks": "x~y~z"}), "nothing to break"),
    "a file that is not there": (variant(moment={"preset": "file", "file": "0" * 32, "name": "<b>"}), "is not in it"),
    "kept runs that are no list": (variant(kept={}), "kept is no list"),
    "too many kept runs": (variant(kept=[KEPT] * 7), "kept is no list"),
    "a letter twice": (variant(kept=[KEPT, KEPT]), "expected each of ABCDEF once"),
    "a letter that is none": (variant(kept=[{**KEPT, "letter": "Z"}]), "letter of a kept run is 'Z'"),
    "a name that is no text": (variant(kept=[{**KEPT, "name": 4}]), "name is 4"),
    "a kept run that cannot be": (variant(kept=[{**KEPT, "setup": {**PUMA, "torques": "9:1"}}]), "kept run A, torques"),
    "a kept run of a file that is not there": (variant(kept=[{**KEPT, "setup": {"preset": "file"}}]), "is not in it"),
    "robots that are no list": (variant(files="x"), "files is no list"),
    "a robot of nothing": (variant(files=[{"name": "x"}]), "0 bytes"),
    "a robot that is no base64": (variant(files=[{"name": "x", "base64": "!"}]), "cannot be read"),
    "a robot of half a letter": (variant(files=[{"name": "x", "text": "\ud800"}]), "cannot be read"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_in_words(name: str) -> None:
    data, word = BAD[name]
    session = Session("planar_chain")
    before = (session.setup, session.run, session.kept, session.message)
    with pytest.raises((RefusedError, dyn.ModelError)) as refused:
        found_in(data, session)
    assert word in str(refused.value)
    assert len(str(refused.value)) < 400
    assert (session.setup, session.run, session.kept, session.message) == before


def test_a_robot_that_is_none_is_refused_by_the_mechanics() -> None:
    text = b"<robot name='x'>"
    from app.motion.own_file import OwnFile

    own = OwnFile.of(text, "x.urdf")
    data = variant(
        moment={"preset": "file", "file": own.digest, "name": own.name},
        files=[{"name": own.name, "base64": base64.b64encode(text).decode()}],
    )
    with pytest.raises(dyn.ModelError):
        found_in(data, Session("planar_chain"))


def test_runs_for_which_there_is_no_room_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from app.kept import kept_run

    monkeypatch.setattr(kept_run, "MOST_BYTES", 1000)
    kept = [{**KEPT, "letter": letter} for letter in "AB"]
    with pytest.raises(RefusedError, match="room"):
        found_in(variant(kept=kept), Session("planar_chain"))
