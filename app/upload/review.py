"""What is wrong in a file that was sent or hardly meant, line by line, and the same robot with that mended."""

from __future__ import annotations

import html
from pathlib import PurePath

import panel as pn
import panel_material_ui as pmui
import param
from panel.viewable import Viewable, Viewer

import dynamics as dyn
from app.state import Session
from app.upload.kept_files import take
from app.views.style import STYLE

MOST_ROWS = 20


class Review(Viewer):
    """The findings on the last file, and a button that opens it with every remedy carried out."""

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, **params: object) -> None:
        self._list = pn.pane.HTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(4, 10))
        self._mend = pmui.Button(
            label="Open it mended", variant="outlined", icon="build", visible=False, sizing_mode="stretch_width",
            margin=(4, 10),
        )  # fmt: skip
        super().__init__(session=session, **params)
        self._mend.on_click(self._open)
        session.opening.param.watch(self._tell, "review")
        session.param.watch(self._tell, "setup")
        self._tell()

    @property
    def _review(self) -> dyn.RobotReport | None:
        """As long as the page says what became of that file."""
        return self.session.opening.review if self.session.opening.word else None

    def _tell(self, _: object = None) -> None:
        review = self._review
        self._list.object = "" if review is None else findings_html(review)
        self._mend.visible = review is not None and any(one.edits for one in review.findings)

    def _open(self, _: object) -> None:
        review, session = self._review, self.session
        if review is not None and session is not None and any(one.edits for one in review.findings):
            name = PurePath(review.name)
            take(session, review.repaired_text().encode(), f"{name.stem} mended{name.suffix}")

    def __panel__(self) -> Viewable:
        return pmui.Column(self._list, self._mend, sizing_mode="stretch_width", margin=0)


def findings_html(review: dyn.RobotReport) -> str:
    """Each with its weight, its line and its remedy; nothing for a file without any."""
    findings = [one for one in review.findings if one.kind != "left out"]  # which stands with the machine's parts
    if not findings:
        return ""
    rows = "".join(
        f"<li><b>{one.weight.capitalize()}</b>: {html.escape(one.text)}</li>" for one in findings[:MOST_ROWS]
    )
    more = len(findings) - MOST_ROWS
    rows += f"<li>and {more} more</li>" if more > 0 else ""
    return f"<h3>In this file</h3><ul class='remarks'>{rows}</ul>"
