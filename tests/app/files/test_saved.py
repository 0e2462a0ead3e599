"""A session that is saved and opened is the same session, robot and kept runs included; a bad file changes nothing."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from app.files.session_file import MOST_PARTS, VERSION, SessionFile, found_in, written
from app.motion.interventions import ForceStep, ObjectRelease
from app.state import Session
from app.state.address import query_of, query_of_setup
from app.state.machine_loader import RefusedError
from app.state.manipulation import set_joint
from dynamics.reading import textbook_lines
from tests.app.arrival import computed, over
from tests.app.files.test_upload import chain

Open = Callable[..., None]
ARM = chain(1)


def reopened(text: str) -> Session:
    session = Session("planar_chain")
    found, _ = found_in(text.encode(), session)
    found.show_as_a_step(session)
    return session


def changed(session: Session) -> None:
    joint = session.system.joint_names[-1]
    session.keep()
    session.set_mass(1.37 * session.mass)
    session.set_torque(joint, -1.0 / 3.0)
    at = float(session.run.solution_at(0.0).state.q[-1])
    set_joint(session, joint, at + 0.01)
    session.keep()
    session.change_kept("B", title="ma\u00dfvoll <b>", shown=False)
    computed(session.run, 0.25)
    wrench = np.zeros((session.system.n_links + 1, 6))
    wrench[0, 3:] = 0.1, -0.2, 1.0 / 7.0
    session.intervene(ForceStep(0.1, wrench))
    session.intervene(ForceStep(0.15, None))
    if session.system.is_held:
        session.intervene(ObjectRelease(0.2))
    session.playing = False
    computed(session.run, 0.25)
    session.seek(0.22)
    session.param.update(tab="Check", plots="Motion", layers=["trails"], block="rotational")
    session.breaks = frozenset(line.breaks[0].key for line in textbook_lines(session.system)[2:4])


def same(one: Session, other: Session) -> None:
    assert (other.message, query_of(other, whole=True)) == ("", query_of(one, whole=True))
    assert [(each.letter, each.title, each.shown) for each in other.kept] == [
        (each.letter, each.title, each.shown) for each in one.kept
    ]
    for mine, theirs in zip(one.kept, other.kept, strict=True):
        assert query_of_setup(theirs.setup) == query_of_setup(mine.setup)
        mine, theirs = (computed(each.run, 0.25) for each in (mine, theirs))
        np.testing.assert_array_equal(theirs.solution_at(0.2).state.q, mine.solution_at(0.2).state.q)
    computed(other.run, 0.25)
    mine, theirs = (session.run.solution_at(0.22).packed_acceleration for session in (one, other))
    np.testing.assert_allclose(theirs, mine, rtol=1e-9, atol=1e-9)


def test_every_preset_comes_back_with_all_that_was_chosen() -> None:
    for preset in ("puma560", "free_flyer", "two_arms_and_box", "jazidie_1"):
        session = Session(preset)
        changed(session)
        other = reopened(written(session))
        same(session, other)
        assert written(other) == written(session)
        other.undo()
        assert other.preset.name == "planar_chain"


LATIN = b"<?xml version='1.0' encoding='latin-1'?>" + ARM.replace(b"name='r'", b"name='r\xe9'")


def test_a_robot_of_the_users_own_is_in_the_file(open_file: Open) -> None:
    for text, field in [(ARM, "text"), (LATIN, "base64")]:
        session = Session("puma560")
        session.keep()  # a packaged one beside it
        open_file(session, text, "mi<n>e.urdf")
        assert session.opening.outcome == "mi<n>e.urdf is open."
        session.keep()
        session.set_torque(session.system.joint_names[0], 0.5)
        computed(session.run, 0.25)
        session.playing = False
        session.seek(0.2)
        saved = written(session)
        whole = json.loads(saved)
        (file,) = whole["files"]  # once, though two runs are of it
        assert set(file) == {"name", field}
        other = Session("planar_chain")
        found, texts = found_in(saved.encode(), other)
        found.show_as_a_step(other)
        same(session, other)
        assert (texts[other.setup.machine.file.digest], other.setup.machine.file) == (text, session.setup.machine.file)
        assert other.kept[1].setup.machine is other.setup.machine  # read once
        assert written(other) == saved


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
    assert (session.preset.name, session.cursor.time, session.cursor.link) == ("puma560", 0.5, 2)
    assert [body.mass for body in session.setup.bodies.values()] == [0.75]
    assert (session.cursor.stage, session.around, session.tab) == ("smoother", "arm", "Check")
    assert session.layers == ["trails"]
    (kept,) = session.kept
    box = kept.setup.machine.system.n_links
    assert (kept.letter, kept.title, kept.shown, list(kept.setup.bodies)) == ("C", "heavy", False, [box])
    assert [body.mass for body in kept.setup.bodies.values()] == [5.0]


def variant(**parts: Any) -> bytes:
    return json.dumps({**json.loads(FIRST_VERSION), **parts}).encode()


PUMA = {"preset": "puma560"}
KEPT = {"letter": "A", "name": "", "shown": True, "setup": PUMA}


def test_a_bad_file_is_refused_in_words() -> None:
    first, robot = b'"version": 1', {"name": "x"}
    for data, word in (
        (b"{", "damaged"), (b"\xff\xfe\x00", "damaged"), (b'{"a": 1}', "not the file of a session"),
        (b"[" * 50_000, "damaged"), (b"[" * (MOST_PARTS + 1), "larger"),
        (variant().replace(first, b'"version": NaN'), "damaged"), (variant(version=None), "version is None"),
        (variant().replace(first, b'"version": ' + b"9" * 10_000), "damaged"),
        (variant(version=True), "version is True"),
        (variant(version=VERSION + 1), f"this page knows those up to {VERSION}"),
    ):  # fmt: skip
        refuses(data, word)
    for moment, word in (
        (None, "moment is not a table"), ({"preset": 3}, "expected a text"), ({}, "no preset"),
        ({**PUMA, "x": "y" * 1_000_001}, "longer"),
        ({**PUMA, "link": "40"}, "link is '40'"), ({**PUMA, "mass": "-1"}, "mass is"),
        ({**PUMA, "tab": "<script>"}, "tab"),
        ({"preset": "file", "file": "0" * 32, "name": "<b>"}, "is not in it"),
    ):  # fmt: skip
        refuses(variant(moment=moment), word)
    for kept, word in (
        ({}, "kept is not a list"), ([KEPT] * 7, "kept is not a list"), ([KEPT, KEPT], "expected each of ABCDEF once"),
        ([{**KEPT, "setup": {**PUMA, "torques": "9:1"}}], "kept run A, torques"),
        ([{**KEPT, "setup": {"preset": "file"}}], "is not in it"),
    ):  # fmt: skip
        refuses(variant(kept=kept), word)
    for files, word in (
        ("x", "files is not a list"), ([robot], "0 bytes"), ([{**robot, "base64": "!"}], "cannot be read"),
        ([{**robot, "text": "\ud800"}], "cannot be read"),
    ):  # fmt: skip
        refuses(variant(files=files), word)


def refuses(data: bytes, word: str) -> None:
    session = Session("planar_chain")
    before = (session.setup, session.run, session.kept, session.message)
    with pytest.raises((RefusedError, dyn.ModelError)) as refused:
        found_in(data, session)
    assert word in str(refused.value)
    assert len(str(refused.value)) < 400
    assert (session.setup, session.run, session.kept, session.message) == before


MARKUP = "<img src=x onerror=alert(1)>"


async def sent(view: SessionFile, session: Session, data: object, name: str) -> None:
    await over(session, lambda: session.opening._saved.busy, lambda: view.take(data, name))


async def test_what_is_saved_opens_in_another_page(open_file: Callable[..., None]) -> None:
    session, other = Session("puma560"), Session("two_arms_and_box")
    open_file(session, ARM, "mine.urdf")
    session.keep()
    view, theirs = SessionFile(session), SessionFile(other)
    saved: list[tuple[str, str]] = []
    view.browser.save = lambda *file: saved.append(file)  # type: ignore[method-assign]
    view.save()
    ((name, text),) = saved
    assert name == "mine_urdf.armsweep.json"
    kept: list[Any] = []
    other.opening.param.watch(lambda event: kept.append(event.new), "sent")
    theirs.dialog.open = True
    theirs_kept = other.keep()
    looks: list[str] = []
    theirs.browser.look = looks.append  # type: ignore[method-assign]
    camera = "1.5000 -2.0000 0.7500 0.0000 -0.0000 0.4000"
    whole = json.loads(text)
    whole["moment"]["camera"] = camera
    await sent(theirs, other, json.dumps(whole).encode(), MARKUP)
    assert looks == [camera]
    assert (other.title, other.message, theirs.dialog.open) == ("mine.urdf", "", False)
    assert theirs._notice._alert.object.startswith("&lt;img src=x onerror=alert(1)&gt; is open.")
    assert kept[0] == (other.setup.machine.file, ARM)  # for the browser, that a reload finds it
    opened_kept = other.kept
    assert [each.letter for each in opened_kept] == ["A"]
    other.undo()
    assert other.preset.name == "two_arms_and_box"
    assert other.kept == (theirs_kept,), "the runs that were kept then are back, too"
    other.redo()
    assert other.kept == opened_kept
    other.drop_kept("A")
    other.undo()
    assert other.kept == (), "what was done with them since is not undone"
