"""Moments over all instruments: kept one after the other, shown again by a projector, and printed."""

import base64
import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import panel as pn
import pytest
from bokeh.document import Document
from panel.io.state import set_curdoc

import dynamics as dyn
from app.lecture import Lecture, Prompter, prompter
from app.page import Assembled, assembled
from app.state import Session
from tests.app.lecture.telling import settled

WALK, WRITE = "Walk", "Write it"
MOMENTS = (
    *(("puma560", name) for name in ("Lessons", WALK, "Influence", "Estimation", "Methods", "Cost", "Papers", "Check")),
    *(("puma560", name) for name in ("Break it", WRITE, "Compare", "Study", "Show", "Edit")),
    ("two_arms_and_box", "Contact"),
    ("free_flyer", "Two filters"),
)
NUMBERED = {"Influence", "Estimation", "Methods", "Break it", "Contact", "Two filters"}
"""Instruments whose numbers travel as numbers."""


def numbers_in(section: str) -> np.ndarray:
    """All numbers of a printed moment's sheets."""
    parts = re.findall("<script type='application/json'>(.*?)</script>", section)
    packed = b"".join(base64.b64decode(json.loads(part)["numbers"] or "") for part in parts)
    return np.frombuffer(packed, dtype="<f8")


class Page:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(prompter, "PERIOD", 0.0)
        self.whole: Assembled = assembled({"preset": "puma560", "t": "0.200", "play": "0"})
        self.session: Session = self.whole.session
        self.prompter = next(each for each in self.whole.clock._every_third if isinstance(each, Prompter))
        self.lecture: Lecture = self.prompter._lecture
        self.told: list[dict[str, Any]] = []
        self.prompter._browser.tell = lambda **words: self.told.append(words)  # type: ignore[method-assign]

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
        accelerations = 0.0
        for preset, name in MOMENTS:
            if preset != session.preset.name:
                session.open_preset(preset)
            instruments.open(name)
            await page.wait(lambda: session.run.end >= 0.2)
            session.playing = False
            session.seek(0.2)
            await page.wait(lambda: True)
            moment = lecture.keep()
            assert moment is not None
            lecture.change(moment.number, title=f"This is {name}", note=f"Note of {name}")
            if name not in (WALK, WRITE):
                await page.wait(lambda number=moment.number: bool(page.prompter._parts.get(number)))
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

        page.prompter._hear({"home": "https://example.org/app", "text": "", "place": 0})
        page.prompter.print()
        await page.wait(lambda: any("show" in words for words in page.told))
        _, *sections = next(words["show"] for words in page.told if "show" in words).split("<section")
        for k, ((preset, name), section) in enumerate(zip(MOMENTS, sections, strict=True), 1):
            assert f"<h2>{k}. This is {name}</h2>" in section
            assert f"preset={preset}" in section
            assert "Its numbers cannot be shown" not in section
            assert ("class='instrument'" in section) == (name not in (WALK, WRITE)), name
            assert np.isfinite(numbers_in(section)).any() == (name in NUMBERED), name
            if name == "Influence":
                assert np.isclose(numbers_in(section), accelerations, rtol=1e-12).any()
        page.whole.clock.stop()
