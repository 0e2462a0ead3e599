"""The lecturer's side: a sheet in which a question is asked, its answers counted, shown to the class, and revealed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import panel as pn
import panel_material_ui as pmui
import param
from panel.viewable import Viewer

from app.asking.asked import Asked, Refusal, Said
from app.asking.ballot import BALLOTS, Ballot
from app.asking.own import QuestionError, own_question
from app.component import Component
from app.equations.flat import flat
from app.equations.look import css
from app.number_text import beside_numbers
from app.state import Session
from app.views.drawn import PAD, PAD_LOOK
from app.views.elements import ELEMENTS, PROGRESS
from scenes import palette

HERE = Path(__file__)
QUESTION = ELEMENTS, PAD, HERE.with_name("question.js")
"""What both sides need to show a question."""
ANSWER = PROGRESS, HERE.with_name("answer.js")
"""A follower's side."""
LOOK = "".join(path.read_text("utf-8") for path in (PAD_LOOK, HERE.with_name("question.css")))
ASK = "Ask the class"
SHEET = {"& .MuiDialog-paper": {"width": "100%"}, "& .MuiIconButton-root": {"color": "inherit"}}


class Board(Component):
    """The sheet's contents; says what is pressed and typed in it."""

    css = param.String(default="")
    told = param.Dict(default={}, doc="The question as followers get it; empty where there is none.")
    answered = param.String(default="", doc="How many have answered.")
    can_reveal = param.Boolean(default=False)
    projected = param.Boolean(default=False, doc="Whether a class reads it from afar.")
    word = param.String(default="", doc="Why a question cannot be asked.")

    _esm = beside_numbers(*QUESTION, HERE.with_name("board.js"))

    def __init__(self, act: Callable[[Mapping[str, Any]], None], **params: Any) -> None:
        super().__init__(sizing_mode="stretch_width", margin=0, **params)
        self._act = act

    def _handle_msg(self, data: object) -> None:
        if isinstance(data, Mapping):
            self._act(data)


class Asking(Viewer):
    """A question at a time, as long as there are followers to ask.

    Args:
        stir: is called when followers are to be told something else.

    Attributes:
        dialog: the sheet, for the page's body.
        is_possible: whether there is a class.
        go_on: what the page does at the step of a lesson whose answer is revealed.
    """

    def __init__(self, session: Session, stir: Callable[[], None], **params: object) -> None:
        super().__init__(**params)
        self._session, self._stir = session, stir
        self.is_possible = self._is_brief = False
        self.go_on: Callable[[str], None] = lambda _: None
        self._code, self._key = "", object()  # a key, for what is held outlives the session
        self._ballot: Ballot | None = None
        self._class: frozenset[str] = frozenset()
        self._board = Board(self._do)
        self._button = pmui.Button(label=ASK, icon="how_to_vote", variant="text", size="small", margin=(2, 8))
        self.dialog = pmui.Dialog(
            pn.Column(self._board, sizing_mode="stretch_width"), title="A question to the class", width_option="md",
            close_on_click=True, show_close_button=True, sx=SHEET,
        )  # fmt: skip
        self._button.on_click(lambda _: self.dialog.param.update(open=True))
        session.param.watch(self._project, "projector")
        self.paint("light")

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme."""
        self._board.css = css(theme) + LOOK

    def _project(self, event: param.parameterized.Event) -> None:
        self.dialog.full_screen = self._board.projected = event.new

    def shrink(self, is_brief: bool) -> None:
        """Whether there is room for its button only while something is asked."""
        self._is_brief = is_brief
        self._count()

    # ---- the question ----

    def begin(self, code: str) -> None:
        """There is a class; what it was asked when this page was loaded anew it is asked still."""
        self.is_possible, self._code = True, code
        if (asked_before := BALLOTS.find(code)) is not None:
            self._put(asked_before)

    def end(self, is_over: bool) -> None:
        """There is none any more, and no question; unless it is over, the page may come back and find it."""
        if self.is_possible and not is_over:
            BALLOTS.leave(self._code, self._key)
            self._ballot = None
        self._put(None)
        self.is_possible = False
        self.dialog.open = False

    def ask(self, asked: Asked) -> None:
        """Asks the class, instead of what was asked before."""
        if self.is_possible:
            self._put(Ballot(asked))
            self.dialog.open = True
            self._session.whispered = f"The class is asked: {flat(asked.ask)}"

    @property
    def told(self) -> dict[str, Any] | None:
        """What followers are told of it."""
        return None if self._ballot is None else self._ballot.told

    def take(self, said: Said) -> None:
        """A follower's answer.

        Raises:
            Refusal: for one that does not count.
        """
        if self._ballot is None:
            raise Refusal(409, "Nothing is asked now.")
        self._ballot.take(said)

    def draw(self, class_: Collection[str]) -> None:
        """Counts who has answered of those who follow, or have."""
        if self._ballot is not None:
            self._class = self._ballot.answered.union(class_)
        self._count()

    def _put(self, ballot: Ballot | None) -> None:
        if ballot is not self._ballot:
            BALLOTS.hold(self._code, ballot, self._key)
        self._ballot = ballot
        self._class = frozenset()
        self._board.word = ""
        self._show()

    def _show(self) -> None:
        ballot = self._ballot
        self._count()
        self._board.param.update(
            told={} if ballot is None else ballot.told, can_reveal=ballot is not None and ballot.can_reveal
        )
        self._stir()

    def _count(self) -> None:
        ballot = self._ballot
        words = "" if ballot is None else f"{len(ballot.answered)} of {len(self._class)} have answered"
        label = ASK if ballot is None else f"The question: {words}"
        if self._board.answered != words:
            self._board.answered = words
        if self._button.label != label:
            self._button.label = label
        self._button.visible = ballot is not None or not self._is_brief

    # ---- what the lecturer does ----

    def _do(self, said: Mapping[str, Any]) -> None:
        ballot = self._ballot
        match said.get("do"):
            case "ask":
                self._ask_own(said)
            case "close" if ballot is not None:
                ballot.close()
                self._show()
                self._session.whispered = ballot.told["tally"]["words"]
            case "reveal" if ballot is not None and ballot.phase == "shown":
                self._reveal(ballot)
            case "end":
                self._put(None)

    def _ask_own(self, said: Mapping[str, Any]) -> None:
        try:
            asked = own_question(said)
        except QuestionError as error:
            self._board.word = ""
            self._board.word = str(error)
            return
        self.ask(asked)

    def _reveal(self, ballot: Ballot) -> None:
        ballot.reveal()
        self._show()
        if ballot.phase == "revealed":
            self._session.whispered = ballot.told["right"]["words"]
            self.go_on(ballot.asked.where)

    def __panel__(self) -> pmui.Button:
        return self._button
