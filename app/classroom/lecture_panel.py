"""A lecture on the page: its list on the rail, captions over the world, keys, files, print, and reload."""

from __future__ import annotations

import base64
import html
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import panel as pn
import panel_material_ui as pmui
import param
from panel.viewable import Viewable

from app.classroom.browser import HtmlView, LecturerBrowser, home_in, template
from app.classroom.lecture import MOST, NAME, Lecture, Moment, Texts, read_lecture, written
from app.equations import sheet
from app.equations.sheet import Sheet
from app.equations.sheet_style import colors_of
from app.files.kept_files import FileButton, received
from app.files.session_file import LARGEST, shown_by
from app.job import in_slices
from app.motion.errors import ERRORS
from app.motion.presets import FILE
from app.state import Session
from app.state.address import LONGEST
from app.state.arrangement import read_typed
from app.state.machine_loader import RefusedError
from app.views.components import ROWS_LOOK as ROWS
from app.views.components import STYLE, Instrument, Panes, RowTable
from app.views.notice import STAYS_LONG, Notifier
from app.views.print_page import printed_page
from scenes import palette

PERIOD = 1.0  # seconds between two readings of the instrument of a moment
TOO_LARGE = f"This file is larger than the {LARGEST >> 20} MB that a lecture may have."
EMPTY = "This file is empty; a lecture is expected."
NOT_KEPT = "This lecture is too large for the browser to keep it over a reload: save it as a file."
PRINTED = "The handout is in the browser's print dialog, which also saves it as a PDF."
AWAITED = "The handout is printed as soon as what its last moment shows has been computed."
OPEN = "Open a lecture"
ABOUT = (
    "<h3>Lecture</h3><p>Moments of this page, kept to come back to: <kbd>K</kbd> keeps one, <kbd>Page Down</kbd> and "
    "<kbd>Page Up</kbd>, or a presenter's remote, step through them.</p>"
)
LIST, CAPTION = (Path(__file__).with_name(name).read_text("utf-8") for name in ("moment_list.css", "caption.css"))


class LectureControl(Notifier):
    """Controls the lecture wherever it appears on the page.

    Its ``caption``, at the edge of a projected world, has a moment's position and title, and two lines of its note.
    ``pane`` returns an instrument, drawn, by its name in a link; None if it has not been opened yet.
    """

    def __init__(
        self, session: Session, lecture: Lecture, browser: LecturerBrowser, pane: Callable[[str], Viewable | None]
    ) -> None:
        super().__init__()
        self._session, self._lecture, self._browser, self._pane = session, lecture, browser, pane
        self._printed: dict[int, tuple[Part, ...]] = {}
        self._stands: Moment | None = None  # shown on the page, its instrument still to be read for print
        self._read_at = 0.0
        self._must_print = False  # as soon as that instrument has been read
        self._home = ""
        self._stored: tuple[object, ...] = ()
        self.caption = pn.pane.HTML("", stylesheets=[CAPTION], visible=False, margin=0)
        self._opening = session.jobs.new("This lecture cannot be opened", self.refuse, (*ERRORS, RefusedError))
        browser.hear(self._hear)
        lecture.param.watch(lambda event: setattr(browser, "count", len(event.new)), "moments")
        lecture.param.watch(self._kept, "kept")
        lecture.param.watch(self._shown, "shown")
        lecture.param.watch(self._say, "word")
        lecture.param.watch(self._write_caption, ["seen", "moments"])
        session.param.watch(self._write_caption, "projector")

    def _kept(self, event: param.parameterized.Event) -> None:
        self._browser.send(shoot=event.new.number)
        self._stands, self._read_at = event.new, 0.0

    def _shown(self, event: param.parameterized.Event) -> None:
        """A moment is shown: turns the camera, announces the title, and shows the note unless the page is projected."""
        lecture, moment = self._lecture, event.new
        self._browser.send(look=moment.camera)
        self._stands, self._read_at = moment, time.monotonic()
        where = f"{lecture.place(moment.number)} of {len(lecture.moments)}: {moment.title}"
        if self._session.projector or self._session.tab == NAME:
            self._notice.leave()
            self._session.whispered = f"Moment {where}."
        else:
            words = f"<b>{html.escape(where)}</b>\n{html.escape(moment.note)}".strip().replace("\n", "<br>")
            self._notice.say(words, "info", STAYS_LONG)

    def _say(self, event: param.parameterized.Event) -> None:
        if not event.new or self._session.tab == NAME:  # the list shows it
            return
        if self._session.projector:
            self._session.whispered = event.new
        else:
            self._notice.say(html.escape(event.new), "info")

    def _write_caption(self, *events: param.parameterized.Event) -> None:
        title, note = (html.escape(text) for text in self._lecture.caption)
        words = f"<p class='title'>{title}</p>{note and f'<p>{note}</p>'}"
        self.caption.param.update(object=words, visible=self._session.projector and bool(title))
        if any(event.name == "projector" and event.new for event in events):
            self._notice.leave()

    def draw(self) -> None:
        """Removes a message that has been read; stores changes for a reload, and the instrument for print."""
        super().draw()
        self._read_pane()
        if self._must_print and self._is_read:
            self.print()
        lecture, before = self._lecture, self._stored
        now = (lecture.moments, lecture.place(lecture.at))
        if not self._home or self._opening.busy or now == before:
            return
        self._stored = now
        keep: dict[str, object] = {"place": now[1]}
        if before[:1] != now[:1]:
            try:
                keep["text"] = written(lecture) if lecture.moments else ""
            except RefusedError:
                lecture.say(NOT_KEPT)
                return
        self._browser.send(keep=keep)

    def _read_pane(self) -> None:
        """Reads the instrument of a moment that stands still; the last reading counts, as some content is late.

        What is still computed when another instrument is opened is waited for.
        """
        session, moment, now = self._session, self._stands, time.monotonic()
        if moment is None or session.jobs.running or now < self._read_at + PERIOD:
            return
        shown, tab = shown_by(session)["moment"], moment.query.get("tab", "")
        self._read_at, is_left = now, shown.get("tab", "") != tab
        if session.playing or tab == NAME or not moment.is_shown(shown) or (pane := self._pane(tab)) is None:
            self._stands = None  # what was read stays
            return
        if not session.jobs.running:  # drawing it has requested nothing more
            self._printed[moment.number] = tuple(parts_of(pane))
            self._stands = None if is_left else moment

    @property
    def _is_read(self) -> bool:
        """Whether nothing is to be waited for before the handout is printed."""
        return self._stands is None or self._stands.number in self._printed or self._session.playing

    def _hear(self, said: Mapping[str, Any]) -> None:
        step, shot = said.get("step"), said.get("shot")
        if type(step) is int and step in (1, -1):
            self._lecture.step(step)
        elif type(shot) is int:
            seen = [said.get(name) for name in ("camera", "picture", "figure")]
            if all(isinstance(each, str) for each in seen):
                self._lecture.picture(shot, *map(str, seen))
        elif said.get("full") is True:
            self._lecture.say(NOT_KEPT)
        elif home := home_in(said):
            is_first, self._home = not self._home, home
            if is_first:
                self._begin_again(said.get("text"), said.get("place"))

    def _begin_again(self, text: object, place: object) -> None:
        """Restores what was kept before a reload, with all limits of a file, before anything else is kept."""
        data = text.encode(errors="replace") if isinstance(text, str) else b""
        if data and len(data) <= LARGEST and self._session.jobs.allowance.takes_upload():
            at = place if isinstance(place, int) else 0
            self._read(data, lambda moments, texts: self._lecture.begin_with(moments, texts, at))

    def save(self) -> None:
        try:
            text = written(self._lecture)
        except RefusedError as refusal:
            self._lecture.say(f"Not saved: {refusal}")
            return
        name = f"lecture-{time.strftime('%Y-%m-%d')}.armsweep.json"
        self._browser.send(save={"name": name, "text": text})
        self._lecture.say(f"Saved as {name}.")

    def take(self, data: object, name: str) -> None:
        sent = received(self._session, data, LARGEST, TOO_LARGE, self.refuse)
        if sent is None:
            return

        def done(moments: tuple[Moment, ...], texts: Texts) -> None:
            count = f"{len(moments)} moment{'s' if len(moments) > 1 else ''}"
            word = f"{name[-80:] or 'The lecture'} is open: {count}. Page Down shows the first."
            self._lecture.replace(moments, texts, word)

        self._lecture.say("Reading …")
        self._read(sent, done)

    def refuse(self, words: str) -> None:
        self._session.message = words
        self._lecture.say(words)

    def _read(self, data: bytes, done: Callable[[tuple[Moment, ...], Texts], None]) -> None:
        in_slices(self._opening, read_lecture(data, self._session), lambda whole: done(*whole))

    def print(self) -> None:
        self._must_print = not self._is_read
        if self._must_print:
            self._lecture.say(AWAITED)
        elif self._lecture.moments:
            self._browser.send(show=handout_html(self._lecture, self._home, self._printed))
            self._lecture.say(PRINTED)
        else:
            self._lecture.say("There is nothing to print: no moment is kept yet.")


class LecturePanel(Instrument):
    """The list of moments on the rail; passes user actions to the lecture, and shows its state."""

    def __init__(self, lecture: Lecture, control: LectureControl, **params: object) -> None:
        super().__init__(**params)
        self._lecture = lecture
        self._about = pn.pane.HTML(ABOUT, stylesheets=[STYLE], sizing_mode="stretch_width", margin=(4, 12))
        self._list = HtmlView(self._do, label="Moments of the lecture", margin=(4, 12))
        look: dict[str, Any] = {"variant": "outlined", "margin": 2}
        self._save = pmui.Button(label="Save as a file", icon="download", **look)
        self._print = pmui.Button(label="Handout: print, or save as PDF", icon="print", **look)
        self._open = FileButton(
            control.refuse, LARGEST, TOO_LARGE, EMPTY, label=OPEN, uploaded_label=OPEN, icon="upload_file", **look
        )
        self._save.on_click(lambda _: control.save())
        self._print.on_click(lambda _: control.print())
        self._open.hear(control.take)
        lecture.param.watch(lambda *_: self._write(), ["moments", "at", "word"])
        self.paint("light")
        self._write()

    @property
    def follows(self) -> bool:
        return False

    def paint(self, theme: palette.Theme) -> None:
        colors = f"--ink: {palette.INK[theme]}; --primary: {palette.PRIMARY[theme]};"
        self._list.css = f":host {{ {colors} }} {LIST}"

    def _write(self) -> None:
        lecture = self._lecture
        moments, is_full = lecture.moments, len(lecture.moments) >= MOST
        list_html = template("moment_list.html").render(
            moments=moments, at=lecture.at, undone=lecture.undone, is_full=is_full
        )
        pictures = {str(each.number): each.picture for each in moments if each.picture}
        self._list.param.update(html=list_html, pictures=pictures, word=lecture.word)
        self._save.disabled = self._print.disabled = not moments

    def _do(self, said: Mapping[str, Any]) -> None:
        """A page may send anything."""
        lecture, number, value = self._lecture, said.get("number"), said.get("value")
        if not isinstance(number, int):
            return
        match said.get("do"):
            case "keep":
                lecture.keep()
            case "next" | "before" as where:
                lecture.step(1 if where == "next" else -1)
            case "undo":
                lecture.undo()
            case "go":
                lecture.go(number)
            case "up" | "down" as where:
                lecture.move(number, 1 if where == "down" else -1)
            case "drop":
                lecture.drop(number)
            case "title" if isinstance(value, str):
                lecture.change(number, title=value)
            case "note" if isinstance(value, str):
                lecture.change(number, note=value)

    def __panel__(self) -> Viewable:
        files = pmui.Row(self._save, self._open, self._print, margin=(4, 10), sx={"flexWrap": "wrap"})
        return pn.Column(self._about, self._list, files, sizing_mode="stretch_both", scroll="y", margin=0)


MOST_PRINTED = 1_000_000  # characters and bytes of one moment's instrument in print
PAPER = """
:host { display: block; margin: 2mm 0; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.sheet { padding: 0; } .questions, .tools, .tip, button, input, select, textarea { display: none; }
"""
"""Controls are not usable on paper."""


class Part(NamedTuple):
    """A sheet, a table or a text of an instrument, as the server made it."""

    html: str
    css: str
    numbers: bytes | None = None  # of a sheet, float64, little-endian; None for anything without a sheet's look


def parts_of(view: Viewable) -> Iterator[Part]:
    """The visible parts of an instrument that can be read on paper, in order."""
    if not view.visible:
        return
    if isinstance(view, RowTable):
        yield Part(template("handout.html").module.table(view), ROWS)  # type: ignore[attr-defined]
    elif isinstance(view, pn.pane.HTML):
        yield Part(str(view.object), "".join(each for each in view.stylesheets if isinstance(each, str)))
    elif {"html", "css"} <= set(view.param):
        yield Part(view.html, view.css, view.numbers if isinstance(view, Sheet) else None)
    if isinstance(view, Panes) and view.active in view.made:
        yield from parts_of(view.panes[view.made.index(view.active)])
    for part in getattr(view, "objects", ()):
        yield from parts_of(part)


def handout_html(lecture: Lecture, home: str, shown: Mapping[int, Sequence[Part]]) -> str:
    """The complete page, with what instruments showed at moments, by number, that have stood still on the page."""
    moments = [_section(each, home, shown.get(each.number, ())) for each in lecture.moments]
    look = Path(sheet.__file__).with_suffix(".css").read_text("utf-8")
    body = template("handout.html").render(moments=moments, look=look, script=Sheet._esm)
    return printed_page("Armsweep lecture", body, Path(__file__).with_name("handout.css"))


def _section(moment: Moment, home: str, parts: Sequence[Part]) -> dict[str, Any]:
    query = moment.query
    tab = query.get("tab") or "Walk"
    has_link = query.get("preset") != FILE and sum(map(len, query.values())) <= LONGEST
    return {
        "moment": moment,
        "where": f"{tab}: {query.get('name') or query.get('preset')}, at {query.get('t', '0')} s",
        "typed": read_typed(query.get("typed", "")).values(),
        "parts": [_packed(part) for part in parts if part.html],
        "is_too_long": sum(len(part.html) + len(part.numbers or b"") for part in parts) > MOST_PRINTED,
        "is_unseen": not parts and tab != NAME,
        "is_of_file": query.get("preset") == FILE,
        "link": f"{home}?{urlencode(query)}" if has_link else "",
    }


def _packed(part: Part) -> str:
    """The data that the printed page's script draws."""
    numbers = None if part.numbers is None else base64.b64encode(part.numbers).decode()
    css = part.css + colors_of("light") + PAPER  # paper is white in any theme
    return json.dumps({"html": part.html, "css": css, "numbers": numbers}).replace("<", "\\u003c")
