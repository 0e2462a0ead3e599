"""A lesson of somebody's own: opened from a zip, after an example that is saved here; and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import panel as pn
import panel_material_ui as pmui
from panel.io.document import unlocked
from panel.viewable import Viewable, Viewer

from app.lessons.example import FILE, example_zip
from app.lessons.fault import Fault, LessonError
from app.lessons.leading import LEADING
from app.lessons.lesson import Lesson
from app.lessons.packed import LARGEST, read_zip
from app.lessons.prose import escaped
from app.service import counters
from app.service.documentation import address_of
from app.state import Session
from app.upload.file_button import FileButton
from app.upload.receiving import Refused, received
from app.views.style import STYLE

LABEL = "Open a lesson of your own (zip)"
SAVE = "Save an example (zip)"
TOO_LARGE = f"A lesson has at most {LARGEST >> 20} MB."
EMPTY = "This file is empty; a zip of a lesson's folder is expected."
REFUSED = "This lesson cannot be opened"
PAGE = "lessons.html"
MOST_TOLD = 20
LOOK = """
code { font: 0.8125rem "Roboto Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
ul { margin: 4px 0; padding-inline-start: 1.2em; } li { margin: 3px 0; }
.told { border-left: 4px solid currentColor; padding-left: 9px; }
a { color: inherit; }
"""


class OwnLesson(Viewer):
    """Two buttons, what they are for, and what became of the last file.

    Args:
        take: takes a lesson without a fault, and says in words what became of it.
        lead: brings into sight what is told.
    """

    def __init__(
        self, session: Session, take: Callable[[Lesson], str], lead: Callable[[], None], **params: object
    ) -> None:
        super().__init__(**params)
        self._session, self._take, self._lead = session, take, lead
        self._job = session.jobs.new(REFUSED, self._tell)
        self._file = FileButton(
            self._tell, LARGEST, TOO_LARGE, EMPTY, label=LABEL, uploaded_label=LABEL, icon="upload_file",
            sizing_mode="stretch_width", margin=(0, 12),
        )  # fmt: skip
        self._example = pmui.FileDownload(
            callback=example_zip, filename=FILE, label=SAVE, icon="download", sizing_mode="stretch_width",
            margin=(6, 12),
        )  # fmt: skip
        self._example.variant = "outlined"  # given above, it would meet a default of the older widget
        self.told = pn.pane.HTML("", stylesheets=[STYLE, LOOK], sizing_mode="stretch_width", margin=(0, 12))
        about = pn.pane.HTML(
            about_html(), stylesheets=[STYLE, LOOK], sizing_mode="stretch_width", margin=(0, 12, 12, 12)
        )
        self._whole = pn.Column(
            self._file, self.told, self._example, about, sizing_mode="stretch_width", margin=0, styles={"flex": "none"}
        )
        self._file.hear(lambda data, name: self.open(data, (name or "lesson.zip")[-120:]))

    def show(self, is_shown: bool) -> None:
        """Beside the list, and not beside a step."""
        self._whole.visible = is_shown

    def open(self, data: object, name: str) -> None:
        """Reads what a browser has sent, and looks where it leads, in a thread; or says what is wrong with it."""
        sent = received(self._session, data, LARGEST, TOO_LARGE)
        if isinstance(sent, Refused):
            counters.uploads_refused.labels(sent.reason).inc()
            self._tell(sent.words)
            return
        self._tell("Reading …")
        self._job.start(partial(read_whole, sent, name, self._session), self._done)

    def _done(self, found: tuple[Lesson | None, list[Fault]]) -> None:
        lesson, faults = found
        self._tell(self._take(lesson) if lesson is not None else "", faults)

    def _tell(self, words: str, faults: Sequence[Fault] = ()) -> None:
        self._session.whispered = f"{REFUSED}. {faults[0]}" if faults else words
        with unlocked():  # a browser is heard without the document's lock
            self.told.object = told_html(words, faults)
        self._lead()

    def __panel__(self) -> Viewable:
        return self._whole


def read_whole(data: bytes, name: str, session: Session) -> tuple[Lesson | None, list[Fault]]:
    """The lesson of a zip, or all that is wrong with it: whatever is known of it without computing a motion.

    Args:
        session: only asked what it can show.
    """
    try:
        found = read_zip(data, name)
    except LessonError as error:
        return None, list(error.faults)
    faults = [*found.faults, *LEADING.dead_ends(found.addresses, session)]
    return None if faults else found.lesson(), faults


def told_html(words: str, faults: Sequence[Fault]) -> str:
    """What became of a file; of one that is refused every reason, with its file and line."""
    said = [f"<code>{escaped(str(fault))}</code>" for fault in faults]
    if len(said) == 1:
        return f"<p class='told'>{REFUSED}. {said[0]}</p>"
    if said:
        rows = "".join(f"<li>{each}</li>" for each in said[:MOST_TOLD])
        more = f"<p>and {len(said) - MOST_TOLD} more.</p>" if len(said) > MOST_TOLD else ""
        return f"<div class='told'><p>{REFUSED}, for {len(said)} reasons:</p><ul>{rows}</ul>{more}</div>"
    return f"<p class='told'>{escaped(words)}</p>" if words else ""


def about_html() -> str:
    """What the example is, and how one goes on from it."""
    page = address_of(PAGE)
    more = (
        f"; <a href='{page}' target='_blank' rel='noopener'>how a lesson is written</a> tells the rest" if page else ""
    )
    return (
        "<p>The example is a small whole lesson with a comment for each line: unpack it, write your own into it, have "
        "it checked by <code>python -m app.lessons check FOLDER</code>, zip the folder and open it here"
        f"{more}.</p>"
    )
