"""Moments over all instruments: kept one after the other, shown again by a projector, and printed."""

import base64
import json
import re
from collections.abc import Callable
from functools import partial
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import panel as pn
import pytest
from bokeh.document import Document
from panel.io.state import set_curdoc

import dynamics as dyn
from app.classroom import lecture_panel
from app.classroom.handout import handout_html
from app.classroom.lecture import Lecture
from app.classroom.lecture_panel import LectureControl
from app.page import Assembled, assembled
from app.state import Session
from tests.app.classroom.waiting import CAMERA, SEEN, settled

WALK, WRITE = "Walk", "Write it"
MOMENTS = (
    *(("puma560", name) for name in ("Lessons", WALK, "Influence", "Estimation", "Methods", "Cost", "Papers", "Check")),
    *(("puma560", name) for name in ("Break it", WRITE, "Compare", "Study", "Show", "Edit")),
    ("two_arms_and_box", "Contact"),
    ("free_flyer", "Two filters"),
)
HOME = "https://example.org/app"
NUMBERED = {WALK, "Influence", "Estimation", "Methods", "Break it", "Contact", "Two filters"}
"""Instruments whose numbers travel as numbers."""


def numbers_in(section: str) -> np.ndarray:
    """All numbers of a printed moment's sheets."""
    parts = re.findall(r"""<script type="application/json">(.*?)</script>""", section)
    packed = b"".join(base64.b64decode(json.loads(part)["numbers"] or "") for part in parts)
    return np.frombuffer(packed, dtype="<f8")


class Page:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(lecture_panel, "PERIOD", 0.0)
        self.whole: Assembled = assembled({"preset": "puma560", "t": "0.200", "play": "0"})
        self.session: Session = self.whole.session
        self.control = next(each for each in self.whole.clock._every_third if isinstance(each, LectureControl))
        self.lecture: Lecture = self.control._lecture
        self.told: list[dict[str, Any]] = []
        self.control._browser.tell = lambda **words: self.told.append(words)  # type: ignore[method-assign]

    async def wait(self, done: Callable[[], bool]) -> None:
        """Frame after frame."""
        frame = partial(self.whole.clock.tick, 0.0, 0)
        await settled(self.session, lambda: frame() is None and not self.session.jobs.running and done())


@pytest.mark.compiled_only
async def test_moments_of_all_instruments_are_kept_shown_and_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    pn.extension()
    with set_curdoc(Document()):
        page = Page(monkeypatch)
        session, lecture, instruments = page.session, page.lecture, page.whole.instruments
        accelerations = joint_inertia = 0.0
        for preset, name in MOMENTS:
            if preset != session.preset.name:
                session.open_preset(preset)
            instruments.open(name)
            await page.wait(lambda: session.run.end >= 0.2)
            session.playing = False
            session.seek(0.2)
            if name == WALK:
                session.walk_to_start()
                session.walk_half(1)  # the correction at the tip's joint
                joint_inertia = session.reading().letter("D")[session.place.link].item()
            await page.wait(lambda: True)
            moment = lecture.keep()
            assert moment is not None
            lecture.change(moment.number, title=f"This is {name}", note=f"Note of {name}")
            await page.wait(lambda number=moment.number: bool(page.control._printed.get(number)))
            if name == "Influence":
                solution = session.solution()
                accelerations = np.linalg.inv(dyn.mass_matrix(solution.system, solution.state))[0, 0]

        session.projector, heard = True, list[str]()
        session.param.watch(lambda event: heard.append(event.new), "whispered")
        lecture.at = 0  # as a lecture that has just been opened
        for k, (preset, name) in enumerate(MOMENTS, 1):
            lecture.step(1)
            await page.wait(lambda k=k: lecture.place(lecture.seen) == k)
            assert (session.preset.name, instruments.projected) == (preset, "" if name == WALK else name)
            assert lecture.caption == (f"{k} of {len(MOMENTS)} · This is {name}", f"Note of {name}")
            assert f"Moment {k} of {len(MOMENTS)}: This is {name}." in heard

        page.control._hear({"home": HOME, "text": "", "place": 0})
        page.control.print()
        _, *sections = next(words["show"] for words in page.told if "show" in words).split("<section")
        for k, ((preset, name), section) in enumerate(zip(MOMENTS, sections, strict=True), 1):
            assert f"<h2>{k}. This is {name}</h2>" in section
            assert f"preset={preset}" in section
            assert 'class="instrument"' in section, name
            assert np.isfinite(numbers_in(section)).any() == (name in NUMBERED), name
            if name == WALK:
                assert np.isclose(numbers_in(section), joint_inertia, rtol=1e-12).any()
            if name == "Influence":
                assert np.isclose(numbers_in(section), accelerations, rtol=1e-12).any()
        page.whole.clock.stop()


def test_what_a_lecturer_has_written_is_words_and_a_link_leads_back() -> None:
    session = Session("puma560")
    lecture = Lecture(session)
    moment = lecture.keep()
    lecture.change(moment.number, title="A <b>first</b> look", note="Ask.\nThen <show>.")
    lecture.picture(moment.number, CAMERA, SEEN)
    text = handout_html(lecture, HOME, {})
    for part in (
        "1. A &lt;b&gt;first&lt;/b&gt; look",
        "Ask.\nThen &lt;show&gt;.",
        f'<img src="{SEEN}"',
        "is printed where",
    ):
        assert part in text
    (link,) = (unescape(each) for each in re.findall('<a href="([^"]+)"', text))
    assert link.startswith(f"{HOME}?")
    query = dict(parse_qsl(urlsplit(link).query))
    assert (query["camera"], query["preset"]) == (CAMERA, "puma560")
