"""Session and lecture files that no page has saved: parts lost, of other kinds or absurd, and texts that were cut."""

import copy
import json
import warnings
from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st

from app.classroom import lecture as lecture_file
from app.classroom.lecture import LONGEST_NOTE, MOST, Lecture, picture_of
from app.files.session_file import FORMAT, VERSION, found_in, written
from app.motion.errors import ERRORS
from app.motion.presets import PRESETS
from app.motion.robot_file import OwnFile
from app.state.address import query_of
from app.state.kept_run import LETTERS
from app.state.machine_loader import RefusedError
from app.state.session import Session
from tests.app.classroom.test_lecture import CAMERA, SEEN, read
from tests.fuzz.addresses import SCRAPS, asking, queries
from tests.fuzz.files import require_brief, text_of

VALUES = (
    st.none() | st.booleans() | st.integers(-3, 40) | st.floats() | st.sampled_from(SCRAPS) | st.sampled_from(LETTERS)
    | st.just([]) | st.just({}) | st.sampled_from((10**400, [[]], {"preset": "puma560"}, [{}] * 9))
)  # fmt: skip


@cache
def robot() -> tuple[str, str]:
    text = text_of("planar_chain")
    return text, OwnFile.of(text.encode(), "").digest


def places(whole: Any) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    for key, value in whole.items() if isinstance(whole, dict) else enumerate(whole) if isinstance(whole, list) else ():
        found += [(whole, key), *places(value)]
    return found


def spoilt(draw: st.DrawFn, whole: Any) -> bytes:
    """A file with up to four of its parts lost or made of anything, possibly cut or changed at a place."""
    for _ in range(draw(st.integers(0, 4))):
        holder, key = draw(st.sampled_from(places(whole)))
        if draw(st.booleans()):
            holder[key] = copy.deepcopy(draw(VALUES))  # what is drawn again is to be the same
        else:
            del holder[key]
        if not places(whole):
            break
    data = json.dumps(whole).encode()
    if draw(st.integers(0, 4)) == 0:
        at, length = draw(st.integers(0, len(data))), draw(st.sampled_from((0, 1, 40)))
        scrap = draw(st.sampled_from((b"", b"\xff", b"[" * 2000, b'"', b"NaN", b"{", b"\\ud800", b"9" * 5000)))
        data = data[:at] + scrap + data[at + length :]
    return data


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """The file of a page with up to four of its parts lost or made of anything, possibly cut or changed at a place."""
    text, digest = robot()
    moment = draw(queries())
    if draw(st.booleans()):
        moment |= {"preset": "file", "file": digest, "name": "a.urdf"}
    setups = draw(st.lists(st.sampled_from(sorted(PRESETS)).map(lambda name: {"preset": name}) | queries(), max_size=2))
    kept = [
        {"letter": letter, "name": draw(st.text(max_size=9)), "shown": draw(st.booleans()), "setup": dict(setup)}
        for letter, setup in zip(LETTERS, setups, strict=False)
    ]
    whole = {"format": FORMAT, "version": VERSION, "moment": moment, "kept": kept,
             "files": [{"name": draw(st.sampled_from(("a.urdf", "", "<b>"))), "text": text}]}  # fmt: skip
    return spoilt(draw, whole)


def opens_or_refuses(data: bytes) -> None:
    """A session that can be drawn and saved again as it is, or a refusal that changes nothing."""
    session = Session("puma560")
    before = {name: value for name, value in session.param.values().items() if name != "name"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            found, texts = found_in(data, asking())
            found.tried()
        except (RefusedError, *ERRORS) as error:
            require_brief(error)
            assert {name: value for name, value in session.param.values().items() if name != "name"} == before
            return
        assert all(OwnFile.of(text, "").digest == digest for digest, text in texts.items())
        found.show_as_a_step(session)
        for time in (0.0, found.run.end):
            assert np.all(np.isfinite(session.run.solution_at(time).joint_acceleration))
        assert len({each.letter for each in session.kept}) == len(session.kept) <= len(LETTERS)
        assert all(each.title.isprintable() and each.title for each in session.kept)
        again = Session("planar_chain")
        saved = written(session)
        found_in(saved.encode(), again)[0].tried().show(again)
        assert (query_of(again, whole=True), written(again)) == (query_of(session, whole=True), saved)


@st.composite
def lectures(draw: st.DrawFn) -> bytes:
    """A lecture with up to four of its parts lost or made of anything, possibly cut or changed at a place."""
    text, digest = robot()
    moments = []
    for _ in range(draw(st.integers(1, 3))):
        moment = draw(queries())
        if draw(st.booleans()):
            moment |= {"preset": "file", "file": digest, "name": "a.urdf"}
        if draw(st.booleans()):
            moment |= {"camera": draw(st.sampled_from((CAMERA, "<b>", "1 2 3")))}
        moments.append(
            {
                "title": draw(st.text(max_size=9)) or "x",
                "note": draw(st.text(max_size=40)),
                "picture": draw(st.sampled_from(("", SEEN))),
                "moment": moment,
                "kept": draw(st.sampled_from(([], [{"letter": "B", "setup": {"preset": "planar_chain"}}]))),
            }
        )
    whole = {
        "format": lecture_file.FORMAT,
        "version": lecture_file.VERSION,
        "moments": moments,
        "files": [{"name": "a.urdf", "text": text}],
    }
    return spoilt(draw, whole)


def lecture_opens_or_refuses(data: bytes) -> None:
    """A lecture that is saved and opened again as it is, or a refusal in brief words."""
    lecture, again = (Lecture(Session("planar_chain")) for _ in range(2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            moments, texts = read(data, asking())
        except (RefusedError, *ERRORS) as error:
            require_brief(error)
            return
        assert 0 < len(moments) <= MOST
        for each in moments:
            assert each.title.isprintable()
            assert each.title
            assert len(each.note) <= LONGEST_NOTE
            assert each.picture == picture_of(each.picture)
            assert each.camera in ("", CAMERA)
        lecture.replace(moments, texts, "")
        saved = lecture_file.written(lecture)
        again.replace(*read(saved.encode(), asking()), "")
        assert lecture_file.written(again) == saved


FOUND = {
    "nothing": b"",
    "a number": b"3",
    "a deep list": b"[" * 90_000,
    "a version of four thousand digits": b'{"format": "armsweep session", "version": ' + b"9" * 4200 + b"}",
}
