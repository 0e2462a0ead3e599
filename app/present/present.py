"""The button with which a lecturer presents, the address that followers open, and the run that they get."""

from __future__ import annotations

import html
import re
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

import panel as pn
import panel_material_ui as pmui
import param
import segno
from panel.viewable import Viewable, Viewer

from app.asking import Asking
from app.asking.asked import Said
from app.component import Component
from app.job import Job
from app.lecture import Lecture
from app.present.broker import broker
from app.present.card import Card
from app.present.code import code_of, is_token, new_token
from app.present.handout import Handout, Part
from app.present.lead import Lead
from app.present.presentation import PRESENTATIONS, Presentation
from app.replay import copy_of
from app.replay.save_button import Panels
from app.state import Session
from app.views.buttons import Button
from app.views.style import STYLE

SLICE = 0.5
"""Seconds of work at a time."""
MOST_AT_ONCE = 2
"""Handouts that one server makes at a time; others wait for their turn."""
REST = 0.3
"""Seconds for which a run or a moment must stay as it is before it is made for followers."""
LONGEST = 300
"""Characters of an address."""
PAGE = re.compile(r"[\w.-]{0,60}", re.ASCII)
"""The last part of the page's own address."""
BUSY = "This server presents for as many as it can; try again later."
SEEN = (
    "Whoever opens this address sees your run in a player, live: with your time, your step of the walk and its "
    "equation, your layers (a step's own at the scale of the whole run), camera and machine, and the title and note of "
    "a lecture's moment. The instruments and what else you open stay with you."
)
HERE = re.compile(r"https?://(localhost|[^/:]*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])[:/]", re.IGNORECASE)
"""Addresses that mean whichever machine opens them."""
HERE_ALONE = (
    "Only this machine can open it: for others, start the server with <code>"
    "--allow-websocket-origin 192.0.2.7{port}</code>, but with this machine's own address in your network in place of "
    "192.0.2.7, and open this page by that address."
)
WHOLE = "code { display: inline-block; overflow-wrap: anywhere; } svg { max-width: 100%; height: auto; }"
"""A command stays on one line, and a QR code is as large as ever, where there is room for it."""
BUTTON = {True: ("cancel_presentation", "Stop presenting"), False: ("podcasts", "Present: others follow this page")}


def here_alone(address: str) -> str:
    """What to do about an address that only this machine can open."""
    port = re.search(r":\d{1,5}(?=/)", address)
    return HERE_ALONE.format(port=port.group() if port else "")


class Lecturer(Component):
    """The lecturer's browser."""

    presenting = param.Boolean(default=False, doc="Whether somebody may follow.")

    _esm = "present.js"

    def __init__(self, hear: Any) -> None:
        self._hear = hear
        super().__init__(width=0, height=0, margin=0)

    def keep(self, token: str) -> None:
        """Remembers what leads the presentation, for as long as the tab is open."""
        self._send_msg({"keep": token})

    def _handle_msg(self, data: object) -> None:
        if isinstance(data, Mapping):
            self._hear(data)


class Present(Viewer):
    """Begins and ends a presentation, and keeps its followers with the session.

    Args:
        panels: those of the page's plots, by tab.
        lecture: whose moments followers are told.

    Attributes:
        asking: what the class is asked.
        card: where one follows, and how many do.
    """

    _making: ClassVar[set[Present]] = set()
    """Those whose handout is being made, of all sessions of this process."""

    def __init__(
        self, session: Session, panels: Callable[[], Panels], lecture: Lecture | None = None, **params: object
    ) -> None:
        super().__init__(**params)
        self._session, self._panels, self._lecture = session, panels, lecture
        self._browser = Lecturer(self._hear)
        self._home = self._page = self._brought = ""
        self._presentation: Presentation | None = None
        self._lead: Lead | None = None
        self._job: Job[tuple[list[Part], bool]] = session.jobs.new("The run could not be made for followers")
        self._handout: Handout | None = None
        self._run, self._begun = 0, False
        self._still: tuple[object, float] = (None, 0.0)
        self.asking = Asking(session, self._stir)
        self.button = Button(BUTTON[False][1], self.toggle, icon=BUTTON[False][0])
        self._sheet = pn.pane.HTML("", stylesheets=[STYLE, WHOLE], sizing_mode="stretch_width")
        self._stop = pmui.Button(label="Stop presenting", icon="cancel_presentation", margin=(8, 0))
        self.dialog = pmui.Dialog(
            pn.Column(self._sheet, self._stop, sizing_mode="stretch_width"), title="Follow this page",
            close_on_click=True, show_close_button=True, sizing_mode="stretch_width", width_option="xs",
        )  # fmt: skip
        self.card = Card(session, self.asking, lambda: self.dialog.param.update(open=True))
        self._stop.on_click(lambda _: self.end())
        self._show()

    # ---- beginning and end ----

    def toggle(self) -> None:
        """Begins, or ends."""
        if self._presentation is None:
            self.begin(new_token())
            self.dialog.open = self._presentation is not None
        else:
            self.end()

    def begin(self, token: str) -> None:
        """Lets followers in, under the code that the token makes."""
        lead = Lead(self._session, self._stir, self._lecture)
        code = code_of(token)
        self._presentation = PRESENTATIONS.open(
            code, lambda: {**lead.state(), "page": self._page, "question": self.asking.told}
        )
        if self._presentation is None:
            lead.stop()
            self._session.message = BUSY
            return
        self._presentation.take = self._take
        if (others := broker()) is not None:
            self._presentation.relay = others.relay(self._presentation.code, self._take)
        self._lead = lead
        self._run, self._handout = 0, None
        self.asking.begin(code)
        self._browser.presenting = True
        self._browser.keep(token)
        self._show()

    def end(self, word: str = "over") -> None:
        """Lets them go; what they have stays theirs."""
        if not self._let_go(word):
            return
        self._browser.presenting = False
        if word == "over":
            self._browser.keep("")
        self.dialog.open = False
        self._show()

    def _let_go(self, word: str) -> bool:
        """Ends the presentation; whether there was one."""
        presentation, lead = self._presentation, self._lead
        if presentation is None or lead is None:
            return False
        self._presentation = self._lead = self._handout = None
        self.asking.end(is_over=word == "over")
        lead.stop()
        self._rest()
        PRESENTATIONS.close(presentation, word)
        return True

    def stop(self) -> None:
        """The session is over, and its page gone: only followers are told; the lecturer may come back."""
        self._let_go("away")

    def _hear(self, said: Mapping[str, Any]) -> None:
        """What the lecturer's browser says."""
        home, page, token = said.get("home"), said.get("page"), said.get("token")
        if isinstance(home, str) and len(home) < LONGEST and home.startswith(("http://", "https://")):
            self._home = home
        if isinstance(page, str) and PAGE.fullmatch(page):
            self._page = page
        if is_token(token):
            self._brought = str(token)
        if self._lead is not None:
            self._lead.hold(said.get("moment"))
            self._lead.turn(said.get("camera"))

    async def _take(self, said: Said) -> None:
        """What a follower answers."""
        self.asking.take(said)

    def _stir(self) -> None:
        if self._presentation is not None:
            self._presentation.stir()

    # ---- the run for followers ----

    def draw(self) -> None:
        """Has made what followers lack, and counts them."""
        if self._brought and self._presentation is None:
            self.begin(self._brought)
        self._brought = ""  # only now is the page there that shows it
        presentation, lead = self._presentation, self._lead
        if presentation is None or lead is None:
            return
        if presentation.ended:  # another page has come with the same token
            self.end("away")
            return
        if lead.run != self._run:
            self._run, self._handout, self._begun = lead.run, None, False
            self._rest()
        self._attend(lead)
        self.card.count(presentation.followers)
        self.asking.draw(presentation.names)

    def _attend(self, lead: Lead) -> None:
        session = self._session
        in_hand = session.point_force is not None or session.aim is not None
        stands = not session.playing and not session.scrubbing
        what = (lead.run, in_hand, stands, session.cursor.time if stands else None)
        now = time.monotonic()
        if what != self._still[0]:
            self._still = (what, now)
        has_turn = self in self._making or len(self._making) < MOST_AT_ONCE
        if session.endless and not self._begun:
            self._begun = True
            session.message = "A run without an end cannot be followed: switch its end on again (the button ∞)."
        if in_hand or not session.run.complete or now - self._still[1] < REST or not has_turn:
            return
        if self._handout is None and not self._begun:
            self._begun = True
            try:
                self._handout = Handout(copy_of(session), self._panels())
            except ValueError as refusal:  # a run that is too short or too long
                session.message = f"This run cannot be followed: {refusal}"
                return
            self._make(self._handout.make(), is_first=True)
        elif self._handout is not None and stands and self._handout.ask(session.cursor.time) and not self._job.busy:
            self._make(self._handout.make())

    def _make(self, steps: Iterator[Part | None], is_first: bool = False) -> None:
        """A slice after the other, as long as it is this run."""
        handout = self._handout
        self._making.add(self)

        def work() -> tuple[list[Part], bool]:
            found: list[Part] = []
            until = time.monotonic() + SLICE
            while not found and time.monotonic() < until and handout is self._handout:
                step = next(steps, steps)
                if step is steps:
                    return found, True
                if isinstance(step, Part):
                    found.append(step)
            return found, False

        def take(made: tuple[list[Part], bool]) -> None:
            parts, done = made
            self._hand_out(parts, is_first)
            if done:
                self._rest()
            else:
                self._make(steps, is_first and not parts)

        self._job.start(work, take, self._fail)

    def _fail(self, words: str) -> None:
        self._rest()
        self._session.message = words

    def _rest(self) -> None:
        """Nothing is made any more."""
        self._making.discard(self)
        self._job.cancel()

    def _hand_out(self, parts: list[Part], is_first: bool) -> None:
        presentation, lead = self._presentation, self._lead
        if presentation is None or lead is None:
            return
        for number, part in enumerate(parts):
            if is_first and number == 0:
                presentation.begin(lead.run, lead.machine, part.packed)
            else:
                presentation.add(part.packed, part.is_lasting)

    # ---- what the lecturer sees ----

    @property
    def address(self) -> str:
        """What followers open."""
        return "" if self._presentation is None else f"{self._home}{self._presentation.code}"

    def _show(self) -> None:
        presenting = self._presentation is not None
        icon, words = BUTTON[presenting]
        self.button.update(icon=icon, words=words)
        if presenting:
            code = segno.make(self.address, micro=False).svg_inline(scale=8, border=4, dark="#000", light="#fff")
            warned = f"<p><b>{here_alone(self.address)}</b></p>" if HERE.match(self.address) else ""
            self._sheet.object = (
                f"<p>{SEEN}</p>{warned}"
                f"<p style='font-size: 1.2rem; word-break: break-all'><b>{html.escape(self.address)}</b></p>"
                f"<div role='img' aria-label='QR code of the address'>{code}</div>"
            )
            self.card.begin(self.address)
        else:
            self.card.end()

    def __panel__(self) -> Viewable:
        return self._browser
