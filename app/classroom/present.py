"""The button with which a lecturer presents, the followers' address and page, and the parts of the run for them."""

from __future__ import annotations

import functools
import gzip
import hashlib
import html
import json
import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urljoin

import panel as pn
import panel_material_ui as pmui
import segno
from jinja2 import Template

from app.classroom.ask import LOOK, PollPanel
from app.classroom.broker import Relay, broker
from app.classroom.browser import LecturerBrowser, home_in, template
from app.classroom.lecture import Lecture
from app.classroom.lecturer_state import Part, RunParts, SessionObserver
from app.classroom.presentation import PRESENTATIONS, Presentation, code_of, is_token, new_token
from app.equations.font import served_face
from app.equations.sheet import FIT
from app.equations.sheet_style import variables
from app.job import in_slices
from app.replay import copy_of
from app.replay.replay import Panels, own, scripts
from app.state import Session
from app.views.components import ELEMENTS, STYLE, Button, Buttons
from app.views.notice import BACKED, OVER

MOST_AT_ONCE = 2  # runs that one server prepares for followers at a time; others wait
REST = 0.3  # seconds without change of a run or a moment before it is prepared for followers
BUSY = "This server has no room for another presentation; try again later."
ENDLESS = "A run without an end cannot be followed: switch its end on again (the button ∞)."
HERE = re.compile(r"https?://(localhost|[^/:]*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d{1,5})?/", re.IGNORECASE)
"""Addresses that mean the machine that opens them."""
WHOLE = "code { display: inline-block; overflow-wrap: anywhere; } svg { max-width: 100%; height: auto; }"
"""A command stays on one line, and a QR code at full size, if there is room."""
BUTTON = {
    True: {"icon": "cancel_presentation", "words": "Stop presenting"},
    False: {"icon": "podcasts", "words": "Present: others follow this page"},
}


class Presenter:
    """Begins and ends a presentation, and prepares the run for its followers.

    ``asking`` is the question to the class; ``card`` has the address for followers and their number.
    """

    _making: ClassVar[set[Presenter]] = set()
    """The instances, of all sessions of this process, whose run is being prepared."""

    def __init__(
        self, session: Session, panels: Callable[[], Panels], lecture: Lecture, browser: LecturerBrowser
    ) -> None:
        self._session, self._panels, self._lecture, self._browser = session, panels, lecture, browser
        self._home = self._brought = ""
        self._presentation: Presentation | None = None
        self._observer: SessionObserver | None = None
        self._job = session.jobs.new("The run could not be made for followers", self._fail)
        self._made_for = (0, 0)  # the run and the machine
        self._parts: RunParts | None = None
        self._is_begun = False
        self._still: tuple[object, float] = (None, 0.0)
        self.asking = PollPanel(session)
        self.button = Button("", self.toggle)
        self._sheet = pn.pane.HTML("", stylesheets=[STYLE, WHOLE], sizing_mode="stretch_width")
        stop = pmui.Button(label="Stop presenting", icon="cancel_presentation", margin=(8, 0))
        stop.on_click(lambda _: self.end())
        self.dialog = pmui.Dialog(
            pn.Column(self._sheet, stop, sizing_mode="stretch_width"), title="Follow this page",
            close_on_click=True, show_close_button=True, sizing_mode="stretch_width", width_option="xs",
        )  # fmt: skip
        show = Button("Show the code", lambda: self.dialog.param.update(open=True), icon="qr_code_2")
        shrinks = {"overflow-wrap": "anywhere", "min-width": "0", "flex": "0 1 auto"}
        self._followers = pn.pane.HTML("", stylesheets=[STYLE], align="center", margin=(0, 4, 0, 12), styles=shrinks)
        tools = pmui.Row(self.asking, Buttons([show]), margin=0, styles={"flex": "none"})
        look = {"flexWrap": "wrap", "alignItems": "center", "borderRadius": "1.2rem", **BACKED}
        self.card = pmui.Row(self._followers, tools, visible=False, margin=0, styles=OVER, sx=look)
        browser.hear(self._hear)
        self._show()

    def toggle(self) -> None:
        if self._presentation is None:
            self.begin(new_token())
            self.dialog.open = self._presentation is not None
        else:
            self.end()

    def begin(self, token: str) -> None:
        """Admits followers, under the code of the token."""
        observer = SessionObserver(self._session, self._stir, self._lecture)
        presentation = PRESENTATIONS.open(code_of(token), observer.state)
        if presentation is None:
            observer.stop()
            self._session.message = BUSY
            return
        if (others := broker()) is not None:
            presentation.relay = Relay(others, presentation)
        self._presentation, self._observer = presentation, observer
        self._made_for, self._parts = (0, 0), None
        self.asking.begin(presentation)
        self._browser.presenting = True
        self._browser.send(token=token)
        self._show()

    def end(self, word: str = "over") -> None:
        """Releases the followers, who keep what they have received."""
        self._let_go(word)
        self._browser.presenting = False
        if word == "over":
            self._browser.send(token="")
        self.dialog.open = False
        self._show()

    def stop(self) -> None:
        """The session and its page are gone: only followers are notified; the lecturer may return."""
        self._let_go("away")

    def _let_go(self, word: str) -> None:
        presentation, observer = self._presentation, self._observer
        self._presentation = self._observer = self._parts = None
        self._rest()
        self.asking.end()
        if presentation is not None and observer is not None:
            observer.stop()
            PRESENTATIONS.close(presentation, word)

    def _hear(self, said: Mapping[str, Any]) -> None:
        if home := home_in(said):
            self._home = urljoin(home.rstrip("/"), "follow/")
        if is_token(token := said.get("token")):
            self._brought = str(token)
        if self._observer is not None:
            self._observer.hold(said.get("moment"))
            self._observer.turn(said.get("camera"))

    def _stir(self) -> None:
        if self._presentation is not None:
            self._presentation.stir()

    def draw(self) -> None:
        """Starts preparing what followers lack, and counts them."""
        if self._brought and self._presentation is None:
            self.begin(self._brought)
        self._brought = ""  # only now the page that shows it is there
        presentation, observer = self._presentation, self._observer
        if presentation is None or observer is None:
            return
        if presentation.ended:  # another page has opened it with the same token
            self.end("away")
            return
        if observer.run != self._made_for[0]:
            self._made_for, self._parts, self._is_begun = (observer.run, observer.machine), None, False
            self._rest()
        self._make_parts(observer.run)
        self._count(len(presentation.followers))
        self.asking.draw()

    def _make_parts(self, run: int) -> None:
        """Once everything is at rest, starts preparing the run's parts, or those missing at the lecturer's place."""
        session, now = self._session, time.monotonic()
        if session.endless and not self._is_begun:
            self._is_begun = True
            session.message = ENDLESS
        in_hand = session.point_force is not None or session.aim is not None
        at = None if session.playing or session.scrubbing else session.cursor.time
        if self._still[0] != (seen := (run, in_hand, at)):
            self._still = (seen, now)
        has_turn = self in self._making or len(self._making) < MOST_AT_ONCE
        if in_hand or not session.run.complete or now - self._still[1] < REST or not has_turn:
            return
        if not self._is_begun:
            self._is_begun = True
            try:
                self._parts = RunParts(copy_of(session), self._panels())
            except ValueError as refusal:  # the run is too short or too long
                session.message = f"This run cannot be followed: {refusal}"
                return
        elif self._parts is None or at is None or not self._parts.stand(at) or self._job.busy:
            return
        self._making.add(self)
        in_slices(self._job, self._parts.make(), self._hand_out, self._rest)

    def _hand_out(self, part: Part) -> None:
        presentation = self._presentation
        if presentation is not None and presentation.run != self._made_for[0]:
            presentation.begin(*self._made_for, part.packed)
        elif presentation is not None:
            presentation.add(part.packed, part.is_lasting)

    def _fail(self, words: str) -> None:
        self._rest()
        self._session.message = words

    def _rest(self) -> None:
        self._making.discard(self)
        self._job.cancel()

    @property
    def address(self) -> str:
        return "" if self._presentation is None else f"{self._home}{self._presentation.code}"

    def _show(self) -> None:
        address = self.address
        self.button.update(**BUTTON[bool(address)])
        self._count(0)
        self.card.visible = bool(address)
        if address:
            code = segno.make(address, micro=False).svg_inline(scale=8, border=4, dark="#000", light="#fff")
            here = HERE.match(address)
            port = (here[2] or "") if here else ""
            self._sheet.object = template("present.html").render(address=address, here=here, port=port, code=code)

    def _count(self, followers: int) -> None:
        self._followers.object = f"<b>{html.escape(self.address)}</b> · Followers now: {followers}"


@functools.cache
def page_text(views: str) -> str:
    """The follower's page, which loads scripts by this name."""
    here = Path(__file__)
    look, page = (here.with_name(f"follow.{kind}").read_text("utf-8") for kind in ("css", "html"))
    colors = f"#asked {{ {variables('light')} }} :root[data-theme='dark'] #asked {{ {variables('dark')} }}"
    files = FIT, ELEMENTS, here.with_name("answer.js"), here.with_name("follow.js")
    script = "".join(path.read_text("utf-8") for path in files)
    style = "".join((served_face("../"), own("replay.css"), look, colors, LOOK))
    return Template(page).render(style=style, views=views, script=script)


@functools.cache
def packed_views() -> tuple[str, bytes]:
    """The scripts' name, and all scripts compressed by gzip."""
    packed = gzip.compress(json.dumps(scripts()).encode(), 9, mtime=0)
    return hashlib.sha256(packed).hexdigest()[:16], packed
