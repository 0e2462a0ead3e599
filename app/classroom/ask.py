"""The lecturer's side of a question: a sheet to ask it, and to count, show and reveal the answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import panel as pn
import panel_material_ui as pmui
from panel.viewable import Viewer

from app.classroom.browser import HtmlView, template
from app.classroom.presentation import Presentation
from app.classroom.question import MOST, Poll, Question, QuestionError, typed_question
from app.equations.safe_html import flat
from app.equations.sheet_style import css
from app.state import Session
from scenes import palette

LOOK = Path(__file__).with_name("question.css").read_text("utf-8")
ASK = "Ask the class"
SHEET = {"& .MuiDialog-paper": {"width": "100%"}, "& .MuiIconButton-root": {"color": "inherit"}}


class PollPanel(Viewer):
    """A button and its ``dialog``: one question at a time, while there are followers, whose presentation has the poll.

    ``go_on`` is called with the step of a lesson whose answer is revealed.
    """

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self._presentation: Presentation | None = None
        self.go_on: Callable[[str], None] = lambda _: None
        self._board = HtmlView(self._do, label="The question", kind="asked board", margin=0)
        self._button = pmui.Button(label=ASK, icon="how_to_vote", variant="text", size="small", margin=(2, 8))
        self.dialog = pmui.Dialog(
            pn.Column(self._board, sizing_mode="stretch_width"), title="A question to the class", width_option="md",
            close_on_click=True, show_close_button=True, sx=SHEET,
        )  # fmt: skip
        self._button.on_click(lambda _: self.dialog.param.update(open=True))
        session.param.watch(lambda event: self._project(event.new), "projector")
        self.paint("light")

    def paint(self, theme: palette.Theme) -> None:
        self._board.css = css(theme) + LOOK

    def _project(self, is_projected: bool) -> None:
        self.dialog.full_screen = self._board.projected = is_projected

    @property
    def is_possible(self) -> bool:
        return self._presentation is not None

    @property
    def poll(self) -> Poll | None:
        return None if self._presentation is None else self._presentation.poll

    def begin(self, presentation: Presentation) -> None:
        """A presentation begins; a question asked before this page was reloaded continues."""
        self._presentation = presentation
        self._show()

    def end(self) -> None:
        self._presentation = None
        self._show()
        self.dialog.open = False

    def ask(self, question: Question) -> None:
        """Asks the class, replacing the previous question."""
        if self._presentation is not None:
            self._presentation.poll = Poll(question)
            self._show()
            self.dialog.open = True
            self._session.whispered = f"The class is asked: {flat(question.ask)}"

    def draw(self) -> None:
        poll, presentation, words = self.poll, self._presentation, ""
        if poll is not None and presentation is not None:
            words = f"{len(poll.answered)} of {len(poll.answered | presentation.names)} have answered"
        self._board.count = words if poll is not None and poll.phase == "open" else ""
        self._button.label = f"The question: {words}" if words else ASK

    def _show(self) -> None:
        poll = self.poll
        html = template("ask.html").render(most=MOST) if poll is None else poll.html(is_lecturer=True)
        self._board.param.update(html=html, word="")
        self.draw()
        if self._presentation is not None:
            self._presentation.stir()

    def _do(self, said: Mapping[str, Any]) -> None:
        poll, form = self.poll, said.get("form")
        match said.get("do"):
            case "ask" if isinstance(form, Mapping):
                try:
                    self.ask(typed_question(form))
                except QuestionError as error:
                    self._board.word = str(error)
            case "close" if poll is not None:
                poll.close()
                self._show()
                self._session.whispered = poll.tally.words
            case "reveal" if poll is not None and poll.can_reveal:
                poll.reveal()
                self._show()
                self._session.whispered = poll.verdict
                self.go_on(poll.question.step)
            case "end" if self._presentation is not None:
                self._presentation.poll = None
                self._show()

    def __panel__(self) -> pmui.Button:
        return self._button
