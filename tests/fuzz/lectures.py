"""Lecture files that no page has saved: moments and parts lost, of other kinds or absurd, and texts that were cut."""

import warnings

from hypothesis import strategies as st

from app.classroom.lecture import FORMAT, LONGEST_NOTE, MOST, VERSION, Lecture, picture_of, written
from app.motion.errors import ERRORS
from app.state.machine_loader import RefusedError
from app.state.session import Session
from tests.app.classroom.test_lecture import CAMERA, SEEN, read
from tests.fuzz.addresses import asking, queries
from tests.fuzz.files import require_brief
from tests.fuzz.sessions import robot, spoilt


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
    whole = {"format": FORMAT, "version": VERSION, "moments": moments, "files": [{"name": "a.urdf", "text": text}]}
    return spoilt(draw, whole)


def opens_or_refuses(data: bytes) -> None:
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
        saved = written(lecture)
        again.replace(*read(saved.encode(), asking()), "")
        assert written(again) == saved
