"""*Lessons*: the list, or one step of a lesson; the page follows it, and returns to its former state on request.

Below the list a lecturer opens a lesson of their own from a zip, or saves an example of one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import panel as pn
import panel_material_ui as pmui
import param
from panel.io.document import unlocked
from panel.viewable import Viewable

from app.classroom.ask import PollPanel
from app.clipboard import COPYING
from app.component import Component
from app.equations.sheet_style import css
from app.files.kept_files import FileButton, received
from app.lessons.check import faults_of
from app.lessons.exercise import PREDICTED, Exercise, Grade, asked_of, found_of, grade, prepare, shown_unit
from app.lessons.lesson import Fault, Lesson, LessonError, Question, Step
from app.lessons.library import EXAMPLE, LARGEST_ZIP, example_zip, offered, read_zip, step_at
from app.lessons.markdown import render, reply_html
from app.lessons.progress import Progress, Results, StepProgress
from app.lessons.quantities import Instant
from app.motion.setup import Machine
from app.number_text import beside_numbers, read_index
from app.service.routes import documentation_address
from app.state import Session
from app.state.machine_loader import Target
from app.views.components import PROGRESS, STYLE, Instrument
from app.views.print_page import PRINTING
from app.views.student_curve import PAD, PAD_LOOK
from scenes import palette

NAME = "Lessons"
NOT_FOR_CLASS = (
    "A class can be asked for a choice or a number. A curve, an order or a task is for each student's own page: give "
    "them the address of this lesson."
)
OWN, REFUSED = "Open a lesson of your own (zip)", "This lesson cannot be opened"
TOO_LARGE = f"A lesson has at most {LARGEST_ZIP >> 20} MB."
EMPTY = "This file is empty; a zip of a lesson's folder is expected."
MOST_LISTED, SECONDS = 100, 20.0  # lessons in a list, and s for checking an uploaded one
OWN_LOOK = ".told { border-left: 4px solid; padding-left: 9px; } a { color: inherit; } li { margin: 3px 0; }"
LOOK = "".join(file.read_text(encoding="utf-8") for file in (PAD_LOOK, Path(__file__).with_name("lesson.css")))


@dataclass(eq=False)
class Visit:
    """An open step: earlier progress, its exercise once that is computed, and the current attempt."""

    lesson: Lesson
    at: int
    before: StepProgress
    exercise: Exercise | None = None
    failed: str = ""
    grade: Grade | None = None
    judged: int = 0  # with each answer the sheet changes, and is sent again
    hints: int = 0
    is_revealed: bool = False

    @property
    def step(self) -> Step:
        return self.lesson.steps[self.at]

    @property
    def where(self) -> str:
        return f"{self.lesson.name}:{self.at + 1}"


class Lessons(Instrument):
    """The list of lessons, or a step; the student's place is in the session, and therefore in the address."""

    def __init__(self, session: Session, asking: PollPanel, **params: object) -> None:
        super().__init__(**params)
        self._session, self._asking = session, asking
        asking.go_on = self._go_on
        self._lessons, self._faults = offered()
        self._progress = Progress()
        self._sheet = LessonSheet(self._hear, css=css("light") + LOOK)
        self._own = pn.Column(sizing_mode="stretch_width", margin=0, styles={"flex": "none"})
        self._whole = pn.Column(self._sheet, self._own, sizing_mode="stretch_both", scroll="y", margin=0)
        self._has_class: bool | None = None
        self._visit: Visit | None = None
        self._words = ""
        self._home: Callable[[], None] | None = None
        self._bare: Machine | None = None
        session.param.watch(self._show_layers_again, "run")
        session.param.watch(lambda _: self._sheet.do(pointed=session.cursor.link), "clicks")
        self._job = session.jobs.new("this step cannot be shown", self._fail, (LessonError,))
        self._reading = session.jobs.new(REFUSED, self._report)
        self.own_message = self._add_own()

    def _add_own(self) -> pn.pane.HTML:
        """Adds two buttons below the list, with an explanation, and the result of the last file, which is returned."""
        wide: dict[str, Any] = {"sizing_mode": "stretch_width"}
        file = FileButton(
            self._report, LARGEST_ZIP, TOO_LARGE, EMPTY, label=OWN, uploaded_label=OWN, icon="upload_file",
            margin=(0, 12), **wide,
        )  # fmt: skip
        file.hear(lambda data, name: self.open_zip(data, (name or "lesson.zip")[-120:]))
        name, label = f"{EXAMPLE.name}.zip", "Save an example (zip)"
        example = pmui.FileDownload(
            callback=example_zip, filename=name, label=label, icon="download", margin=(6, 12), **wide
        )
        example.variant = "outlined"  # as an argument above, it would conflict with a default of the older widget
        own_message = pn.pane.HTML("", stylesheets=[STYLE, OWN_LOOK], margin=(0, 12), **wide)
        about = render("own_lesson", page=documentation_address("lessons.html"))
        below = pn.pane.HTML(about, stylesheets=[STYLE, OWN_LOOK], margin=(0, 12, 12, 12), **wide)
        self._own.objects = [file, own_message, example, below]
        return own_message

    @property
    def follows(self) -> bool:
        """Its numbers belong to its own moment, wherever the cursor is."""
        return False

    def paint(self, theme: palette.Theme) -> None:
        self._sheet.css = css(theme) + LOOK

    def draw(self) -> None:
        """Shows the session's place: the list, or a step to which a link leads."""
        session, has_class = self._session, self._asking.is_possible
        if session.lesson == self._where and self._has_class == has_class:
            return
        if session.lesson != self._where:
            if (found := step_at(session.lesson, self._lessons)) is not None:
                self._enter(*found)
            else:
                self._leave()
            session.lesson = self._where
        self._has_class = has_class
        self._write()

    @property
    def _where(self) -> str:
        return "" if self._visit is None else self._visit.where

    def _enter(self, lesson: Lesson, at: int) -> Visit:
        """Opens a step, unanswered: its moments are computed in a thread."""
        self._words = ""
        self._visit = visit = Visit(lesson, at, self._progress.of(lesson, lesson.steps[at]))
        self._session.taught = visit.step.title
        self._job.start(partial(prepare, visit.step, self._session), self._take)
        return visit

    def _leave(self) -> None:
        self._visit, self._session.taught = None, ""
        self._job.cancel()

    def _take(self, exercise: Exercise) -> None:
        if self._visit is not None and exercise.step is self._visit.step:
            self._visit.exercise = exercise
            if exercise.step.question is None:
                self._note(shown=1)
            self._write()

    def _fail(self, words: str) -> None:
        if self._visit is not None:
            self._visit.failed = words
            self._write()

    def _lead(self, visit: Visit) -> None:
        """Shows the moment of the step on the page; the former run is a step back."""
        session, key = self._session, "then" if visit.is_revealed else "show"
        hides = visit.step.question is not None and not visit.is_revealed

        def read() -> Target:
            found = found_of(visit.step, key, session, visit.where, NAME, hides)
            self._bare = found.setup.machine if hides else None
            return found

        session.opening.link(read, as_a_step=True)

    def _show_layers_again(self, _: param.parameterized.Event) -> None:
        """Shows layers and plots again for a machine other than the step's, as nothing is to be predicted there."""
        session, bare = self._session, self._bare
        if bare is not None and not session.opening.reads_link and session.setup.machine is not bare:
            self._bare = None
            if not session.layers and session.panels == PREDICTED["panels"]:
                session.param.update(layers=session.param["layers"].default, plots="", panels="", plots_follow=True)

    def _hear(self, said: object) -> None:
        """Handles what a browser sends, which may be anything."""
        match said:
            case str() if len(said) < 100:
                self._go(said)
            case {"answer": answer}:
                self._answer(answer)
            case {"kept": kept}:
                self._take_kept(kept)
            case {"results": how, "name": name}:
                self._hand_in(how, name)

    def _go(self, what: str) -> None:
        kind, _, which = what.partition(" ")
        match kind, self._visit:
            case "open", _ if (index := read_index(which)) is not None and index < len(self._lessons):
                self._begin(self._lessons[index])
            case "list", _:
                self._list()
            case "home", _:
                self._go_home()
            case "forget", _:
                self._progress = Progress()
                self._say("Your results are forgotten.")
            case "back", Visit(lesson=lesson, at=at) if at > 0:
                self._open(lesson, at - 1)
            case "next", Visit(lesson=lesson, at=at) if at + 1 < len(lesson.steps):
                self._open(lesson, at + 1)
            case "next", Visit():
                self._list()
            case "again", Visit() as visit:
                self._lead(visit)
            case "hint", Visit(exercise=Exercise(hints=hints)) as visit if visit.hints < len(hints):
                visit.hints += 1
                self._note(hints=max(visit.hints, self._done.hints))
                self._write()
                self._session.whispered = f"Hint {visit.hints} of {len(hints)} is shown."
            case "reveal", Visit(exercise=Exercise(), is_revealed=False) as visit if self._done.tries:
                self._reveal(visit)
            case "class", Visit(exercise=Exercise() as exercise) as visit:
                if (asked := asked_of(exercise, visit.where)) is not None:
                    self._asking.ask(asked)
                else:
                    self._session.message = NOT_FOR_CLASS

    def _begin(self, lesson: Lesson) -> None:
        """Begins a lesson at its first unfinished step, and stores the page's state to return to."""
        if self._home is None:
            self._home = self._session.way_back()
        todo = (k for k, step in enumerate(lesson.steps) if not self._progress.of(lesson, step).is_over)
        self._open(lesson, next(todo, 0))

    def _open(self, lesson: Lesson, at: int) -> None:
        visit = self._enter(lesson, at)
        self._session.lesson = visit.where
        self._lead(visit)
        self._write()

    def _list(self) -> None:
        self._leave()
        self._session.opening.leave_link()  # otherwise it would restore the step that was just left
        self._session.lesson = ""
        self._write()

    def _go_home(self) -> None:
        """Restores the page as it was when the lesson was begun, with this panel open."""
        home, self._home = self._home, None
        self._list()
        if home is not None:
            home()
            self._session.param.update(lesson="", tab=NAME)
            self._session.whispered = "The page is where it was before the lesson."

    @property
    def _done(self) -> StepProgress:
        assert self._visit is not None
        return self._progress.of(self._visit.lesson, self._visit.step)

    def _note(self, **changes: int) -> None:
        assert self._visit is not None
        self._progress.change(self._visit.lesson, self._visit.step, **changes)
        self._sheet.do(keep=self._progress.text())

    def _answer(self, answer: Any) -> None:
        visit, session = self._visit, self._session
        if visit is None or visit.exercise is None or visit.step.question is None:
            return
        shown = Instant(session.run, session.time, session.breaks)
        found = grade(visit.exercise, answer, shown, session.cursor.link)
        visit.grade, done = found, self._done
        visit.judged += 1
        session.whispered = re.sub(r"[$*]", "", found.words)
        if found.verdict != "none":
            tries = done.tries + (not done.right and not visit.is_revealed)
            is_right = found.verdict == "right"
            self._note(tries=tries, right=int(done.right or (is_right and not done.shown)))
            if is_right and not visit.is_revealed:
                self._uncover(visit)
        self._write()

    def _reveal(self, visit: Visit) -> None:
        """Shows the solution, once an answer has been given."""
        if not self._done.right:
            self._note(shown=1)
        self._uncover(visit)
        if visit.step.question.kind == "task":
            visit.grade = None  # the page shows it now
        self._write()
        self._session.whispered = "The solution is shown below."

    def _uncover(self, visit: Visit) -> None:
        visit.is_revealed = True
        self._lead(visit)

    def _go_on(self, where: str) -> None:
        """Shows the answer on the page, too, when the class has it and the page is still at that step."""
        visit = self._visit
        if visit is not None and visit.exercise is not None and visit.where == where and not visit.is_revealed:
            self._uncover(visit)
            self._write()

    def _take_kept(self, text: object) -> None:
        self._progress.take(text)
        if self._visit is not None and self._visit.grade is None:
            self._visit.before = self._done
        self._write()

    def _hand_in(self, how: object, name: object) -> None:
        """Delivers the results, as a table or for print; nothing if no question is answered."""
        results = Results(self._lessons, self._progress, name)
        nameless = "" if results.name else " Your name is not in it: write it above first, and do this again."
        if not results:
            self._say("Nothing is answered yet in this browser.")
        elif how == "csv":
            self._sheet.do(save=results.file_name, text=results.csv())
            self._say(f"Your results are saved as {results.file_name}.{nameless}")
        elif how == "print":
            self._sheet.do(show=results.html())
            self._say(f"Your results are in the browser's print dialog, which also saves them as a PDF.{nameless}")

    def _say(self, words: str) -> None:
        self._words = self._session.whispered = words
        self._write()

    def open_zip(self, data: object, name: str) -> None:
        """Reads and checks an uploaded zip, in a thread; or says why not."""
        sent = received(self._session, data, LARGEST_ZIP, TOO_LARGE, self._report)
        if sent is not None:
            self._report("Reading …")
            self._reading.start(partial(read_whole, sent, name, self._session), self._take_own)

    def _take_own(self, found: tuple[Lesson | None, Sequence[Fault]]) -> None:
        """Takes a lesson for this page alone, or shows its faults."""
        lesson, faults = found
        if lesson is None:
            self._report(f"{REFUSED}. {faults[0]}", faults)
            return
        gone = next((each for each in self._lessons if each.name == lesson.name), None)
        others = [each for each in self._lessons if each is not gone]
        if len(others) >= MOST_LISTED:
            self._report(f"A page lists at most {MOST_LISTED} lessons; open it in another one.")
            return
        self._lessons = [*others, lesson]
        instead = f" It replaces {gone.title}: both folders are called {lesson.name}." if gone else ""
        self._report(f"{lesson.title} is open, the last of the list.{instead}")
        self._write()

    def _report(self, words: str, faults: Sequence[Fault] = ()) -> None:
        """Shows the result of a zip, scrolled into view."""
        self._session.whispered = words
        with unlocked():  # messages of a browser arrive without the document's lock
            self.own_message.object = render("own_lesson", words=words, faults=faults)
        self._whole.scroll_to(1)

    def _write(self) -> None:
        visit = self._visit
        if visit is None:
            rows = [(each, self._progress.count(each)) for each in self._lessons]
            shown = render("list", rows=rows, faults=self._faults, words=self._words, is_away=self._home is not None)
        else:
            unit, reply = shown_unit(visit.step.question or Question("")), visit.grade and reply_html(visit.grade.words)
            shown = render("step", visit=visit, done=self._done, has_class=self._has_class, unit=unit, reply=reply)
        with unlocked():  # messages of a browser arrive without the document's lock
            self._own.visible = visit is None
            if visit is None:  # first: new html renders the sheet, from its top if the step changed
                self._sheet.step = "list"
            # A step is rendered again when it has been computed, and only then starts at its heading.
            self._sheet.param.update(html=shown, step=self._where or "list")

    def __panel__(self) -> Viewable:
        return self._whole


def read_whole(data: bytes, name: str, session: Session) -> tuple[Lesson | None, Sequence[Fault]]:
    """The lesson of a zip, or all faults that are found in time."""
    try:
        lesson = read_zip(data, name)
    except LessonError as error:
        return None, error.faults
    faults = faults_of(lesson, session, SECONDS)
    return None if faults else lesson, faults


class LessonSheet(Component):
    """Shows HTML; ``hear`` receives clicks on elements with ``data-go``, a form's answer, and what the browser kept."""

    html = param.String(default="", doc="Its HTML; names in it are escaped, texts cleaned.")
    css = param.String(default="")
    step = param.String(default="", doc="Which step it is; with another the sheet begins at its top.")

    _esm = beside_numbers(COPYING, PRINTING, PAD, PROGRESS, Path(__file__).with_name("lesson_sheet.js"))

    def __init__(self, hear: Callable[[object], None], **params: Any) -> None:
        super().__init__(sizing_mode="stretch_width", margin=0, **params)
        self._hear = hear

    def do(self, **what: object) -> None:
        """Lets the browser ``keep`` a progress, ``save`` a ``text``, ``show`` a page to print, or choose a link."""
        self._send_msg(what)

    def _handle_msg(self, data: object) -> None:
        self._hear(data)
