"""Errors and doubtful values in an uploaded file, line by line, and the same robot with the ticked ones corrected."""

from __future__ import annotations

import html
from itertools import chain
from pathlib import PurePath

import panel as pn
import panel_material_ui as pmui
import param
from panel.viewable import Viewable, Viewer

import dynamics as dyn
from app.state import Session
from app.upload.kept_files import take
from app.views.components import STYLE
from dynamics.review import Finding

MOST_ROWS, MOST_CHANGES = 20, 4
"""Most findings of a weight, and lines of numbers of one; longer ones say how many are left out."""
WEIGHTS = {"wrong": "Wrong: no robot can be like this", "doubtful": "Doubtful: changed only if you tick it"}


class Review(Viewer):
    """The findings on the last file, with a tick box for each remedy, and a button that opens the corrected robot.

    Errors that prevent the file from opening are ticked initially; a robot that moves is changed only by what its
    user ticks.
    """

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, **params: object) -> None:
        self._list = pn.pane.HTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(4, 10))
        self._ticks = {
            weight: pmui.CheckBoxGroup(label=words, visible=False, sizing_mode="stretch_width", margin=(4, 10))
            for weight, words in WEIGHTS.items()
        }
        self._mend = pmui.Button(
            label="Open it mended", variant="outlined", icon="build", visible=False, sizing_mode="stretch_width",
            margin=(4, 10),
        )  # fmt: skip
        super().__init__(session=session, **params)
        self._mend.on_click(self._open)
        for ticks in self._ticks.values():
            ticks.param.watch(self._allow, "value")
        session.opening.param.watch(self._update, "review")
        session.param.watch(self._update, "setup")
        self._update()

    @property
    def _review(self) -> dyn.RobotReport | None:
        """The review, while the page shows the result of that file."""
        return self.session.opening.review if self.session.opening.word else None

    @property
    def _accepted(self) -> list[int]:
        return sorted(chain.from_iterable(ticks.value for ticks in self._ticks.values()))

    def _update(self, _: object = None) -> None:
        review = self._review
        self._list.object = "" if review is None else findings_html(review)
        for weight, ticks in self._ticks.items():
            options = {} if review is None else _mendable(review, weight)
            is_needed = weight == "wrong" and review is not None and review.robot is None
            chosen = list(options.values()) if is_needed else []
            ticks.param.update(options=options, value=chosen, visible=bool(options))
        self._mend.visible = any(ticks.options for ticks in self._ticks.values())
        self._allow()

    def _allow(self, _: object = None) -> None:
        self._mend.disabled = not self._accepted

    def _open(self, _: object) -> None:
        review, session, accepted = self._review, self.session, self._accepted
        if review is not None and session is not None and accepted:
            name = PurePath(review.name)
            take(session, review.repaired_text(accepted).encode(), f"{name.stem} mended{name.suffix}")

    def __panel__(self) -> Viewable:
        return pmui.Column(self._list, *self._ticks.values(), self._mend, sizing_mode="stretch_width", margin=0)


def _mendable(review: dyn.RobotReport, weight: str) -> dict[str, int]:
    """Findings with a remedy, in words with their numbers before and after, and their indices."""
    found = {k: one for k, one in enumerate(review.findings) if one.edits and one.weight == weight}
    return {f"{one.text} {_numbers(one)}".strip(): k for k, one in list(found.items())[:MOST_ROWS]}


def _numbers(finding: Finding) -> str:
    more = len(finding.changes) - MOST_CHANGES
    rest = [f"and {more} more"] if more > 0 else []
    return f"({'; '.join([*finding.changes[:MOST_CHANGES], *rest])})" if finding.changes else ""


def findings_html(review: dyn.RobotReport) -> str:
    """Every finding without a tick box, with its weight, line and remedy; empty if there are no findings."""
    ticked = {k for weight in WEIGHTS for k in _mendable(review, weight).values()}
    others = [one for k, one in enumerate(review.findings) if k not in ticked and one.kind != "left out"]
    if not ticked and not others:  # omitted parts are listed with the machine's parts
        return ""
    rows = "".join(f"<li><b>{one.weight.capitalize()}</b>: {html.escape(one.text)}</li>" for one in others[:MOST_ROWS])
    more = len(others) - MOST_ROWS
    rows += f"<li>and {more} more</li>" if more > 0 else ""
    return f"<h3>In this file</h3><ul class='remarks'>{rows}</ul>"
