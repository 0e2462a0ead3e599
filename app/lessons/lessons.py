"""*Lessons*: the list, or one step of a lesson; the page follows it, and goes back to where it was when asked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import panel as pn
import param
from panel.io.document import unlocked
from panel.viewable import Viewable

from app.classroom.ask import Asking
from app.equations.look import css
from app.lessons.earlier import earlier_html, heard
from app.lessons.fault import Fault, LessonError
from app.lessons.folder import offered, replaced
from app.lessons.for_class import asked_of
from app.lessons.leading import LEADING
from app.lessons.lesson import Lesson, Step, Task
from app.lessons.lesson_html import list_html, step_html
from app.lessons.lesson_sheet import LessonSheet
from app.lessons.linked import step_at
from app.lessons.marking import Mark, marked
from app.lessons.own_lesson import OwnLesson
from app.lessons.progress import Done, Progress, short_answer
from app.lessons.prose import spoken
from app.lessons.quantities import Known, Scope
from app.lessons.results import Stamp, file_name, name_of, results_csv, results_html
from app.lessons.staged import PREDICTED, Staged, found_of, staged
from app.lessons.values import ExpressionError
from app.motion.setup import Machine
from app.number_text import read_index
from app.state import Session
from app.state.opening import Found
from app.views.drawn import PAD_LOOK
from app.views.instrument import Instrument
from scenes import palette

NAME = "Lessons"
OWN = 1
"""Where the lesson of somebody's own stands below the list."""
MOST_OPENED = 12
NOT_FOR_CLASS = (
    "A class can be asked for a choice or a number. A curve, an order or a task each does on a page of their own: "
    "give them the address of this lesson."
)
LOOK = "".join(file.read_text(encoding="utf-8") for file in (PAD_LOOK, Path(__file__).with_name("lesson.css")))


class Lessons(Instrument):
    """The list of lessons, or a step; where a student is stands in the session, and so in the address.

    Args:
        asking: puts a step's question to a class, if there is one.
    """

    def __init__(self, session: Session, asking: Asking, **params: object) -> None:
        super().__init__(**params)
        self._session, self._asking = session, asking
        self._has_class = asking.is_possible
        asking.go_on = self._go_on
        self._lessons, self._faults, addresses = offered()
        self._opened = 0
        self._progress = Progress()
        self._sheet = LessonSheet(self._go, self._answer, self._take_kept, self._hand_in, css=css("light") + LOOK)
        self.own = OwnLesson(session, self._take_own, lambda: self._whole.scroll_to(OWN))
        self._whole = pn.Column(self._sheet, self.own, sizing_mode="stretch_both", scroll="y", margin=0)
        self._said: str | None = None
        self._at: tuple[Lesson, int] | None = None
        self._stage: Staged | None = None
        self._mark: Mark | None = None
        self._hints, self._is_revealed, self._failed, self._told = 0, False, "", ""
        self._judged, self._before = 0, Done()
        self._home: Callable[[], None] | None = None
        self._bare: Machine | None = None
        session.param.watch(self._give_back, "run")
        session.param.watch(lambda _: self._sheet.point(session.cursor.link), "clicks")
        self._ways = session.jobs.new("the addresses of lessons cannot be looked at")
        if addresses:
            self._ways.start(partial(LEADING.dead_ends, addresses, session), self._take_faults)
        self._job = session.jobs.new("this step cannot be shown", self._fail, (LessonError, ExpressionError))

    def _take_faults(self, faults: list[Fault]) -> None:
        """Of the lessons that this server adds, where they lead nowhere."""
        if faults:
            self._faults = [*self._faults, *faults]
            self._write()

    @property
    def follows(self) -> bool:
        """Its numbers are of its own moment, wherever the cursor is."""
        return False

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme."""
        self._sheet.css = css(theme) + LOOK

    def draw(self) -> None:
        """What the session says: the list, or a step that a link leads to."""
        session = self._session
        if session.lesson != self._said:
            self._said = session.lesson
            found = step_at(session.lesson, self._lessons)
            if found is None:
                session.lesson = self._said = ""
                self._leave()
            elif found != self._at:
                self._enter(*found)
            self._write()
        if self._has_class != self._asking.is_possible:
            self._has_class = self._asking.is_possible
            self._write()

    def _enter(self, lesson: Lesson, at: int) -> None:
        """Another step, as if nothing had been answered: its moments are computed in a thread."""
        self._at, self._stage, self._mark = (lesson, at), None, None
        self._before = self._progress.of(lesson, lesson.steps[at])
        self._session.taught = lesson.steps[at].title
        self._hints, self._is_revealed, self._failed, self._told = 0, False, "", ""
        self._job.start(partial(staged, lesson.steps[at], self._session), self._take)

    def _leave(self) -> None:
        self._at = self._stage = self._mark = None
        self._session.taught = ""
        self._job.cancel()

    def _take(self, stage: Staged) -> None:
        if self._at is None or stage.step is not self._step:
            return
        self._stage = stage
        if stage.step.question is None:
            self._note(shown=True)
        if self._earlier:
            self._session.whispered = heard(self._earlier)
        self._write()

    def _fail(self, words: str) -> None:
        self._failed = words
        self._write()

    @property
    def _step(self) -> Step:
        assert self._at is not None
        lesson, at = self._at
        return lesson.steps[at]

    @property
    def _earlier(self) -> str:
        """What was answered here before, until there is another answer."""
        return "" if self._stage is None or self._mark is not None else earlier_html(self._stage, self._before)

    @property
    def _is_answered(self) -> bool:
        return self._mark is not None or self._before.tries > 0

    @property
    def _where(self) -> str:
        assert self._at is not None
        lesson, at = self._at
        return f"{lesson.name}:{at + 1}"

    def _lead(self) -> None:
        """The page shows the moment of the step; the run before is a step back."""
        session, where, step = self._session, self._where, self._step
        query, key = (step.then, "then") if self._is_revealed else (step.show, "show")
        hides = step.question is not None and not self._is_revealed

        def read() -> Found:
            found = found_of(query, session, where, NAME, step.file, step.line_of(key), hides=hides)
            self._bare = found.setup.machine if hides else None
            return found

        session.opening.link(read, as_a_step=True)

    def _give_back(self, _: param.parameterized.Event) -> None:
        """Of another machine than the step's nothing is to be predicted: its layers and plots are there."""
        session = self._session
        hidden = not session.layers and session.panels == PREDICTED["panels"]
        if self._bare is None or session.opening.reads_link or session.setup.machine is self._bare:
            return
        self._bare = None
        if hidden:
            session.param.update(layers=session.param["layers"].default, plots="", panels="", plots_follow=True)

    def _go(self, what: str) -> None:
        """What was clicked; anything else is nothing."""
        kind, _, which = what.partition(" ")
        index = read_index(which)
        acts: dict[str, Callable[[], None]] = {
            "list": self._list,
            "home": self._go_home,
            "forget": self._forget,
        }
        of_a_step: dict[str, Callable[[], None]] = {
            "next": partial(self._turn, 1),
            "back": partial(self._turn, -1),
            "hint": self._hint,
            "reveal": self._reveal,
            "again": self._lead,
            "class": self._ask_class,
        }
        if kind == "open" and index is not None and index < len(self._lessons):
            self._begin(self._lessons[index])
        elif what in acts:
            acts[what]()
        elif what in of_a_step and self._at is not None:
            of_a_step[what]()

    def _begin(self, lesson: Lesson) -> None:
        """A lesson at the first step that is not over; where the page is now it can go back to."""
        if self._home is None:
            self._home = self._session.way_back()
        todo = (k for k, step in enumerate(lesson.steps) if not self._progress.is_over(lesson, step))
        self._open(lesson, next(todo, 0))

    def _open(self, lesson: Lesson, at: int) -> None:
        self._enter(lesson, at)
        self._session.lesson = self._said = self._where
        self._lead()
        self._write()

    def _turn(self, by: int) -> None:
        assert self._at is not None
        lesson, at = self._at
        if 0 <= at + by < len(lesson.steps):
            self._open(lesson, at + by)
        elif by > 0:
            self._list()

    def _list(self) -> None:
        self._leave()
        self._session.opening.leave_link()  # or it would bring the step back that one has just left
        self._session.lesson = self._said = ""
        self._write()

    def _go_home(self) -> None:
        """The page as it was when the lesson was begun, this panel open."""
        home, self._home = self._home, None
        self._list()
        if home is not None:
            home()
            self._session.param.update(lesson="", tab=NAME)
            self._session.whispered = "The page is where it was before the lesson."

    def _answer(self, answer: Any) -> None:
        stage = self._stage
        if stage is None or stage.step.question is None:
            return
        try:
            mark = marked(stage, answer, self._live(stage) if isinstance(stage.step.question, Task) else None)
        except ExpressionError as error:
            where = f"{stage.step.file}:{stage.step.line_of('kind')}"
            mark = Mark("none", f"This cannot be judged, by a fault of the lesson ({where}): {error}")
        self._judged += 1
        self._session.whispered = spoken(mark.words)
        if mark.verdict == "none":
            self._write(mark)
            return
        self._mark = mark
        done = self._progress.of(self._at[0], stage.step)  # type: ignore[index]
        counted: dict[str, Any] = {}
        if not (done.right or self._is_revealed):
            counted = {"tries": done.tries + 1, "answer": short_answer(answer)}
        self._note(**counted, right=done.right or (mark.verdict == "right" and not done.shown))
        if mark.verdict == "right" and not self._is_revealed:
            self._uncover()
        self._write()

    def _live(self, stage: Staged) -> Scope:
        """What the page shows just now, and the step's own moment as ``before``."""
        session = self._session
        now = Known(session.run, session.time, session.breaks)
        return stage.scope.beside(now).pointing(session.cursor.link + 1)

    def _hint(self) -> None:
        if self._stage is not None and self._hints < len(self._stage.hints):
            self._hints += 1
            assert self._at is not None
            self._note(hints=max(self._hints, self._progress.of(self._at[0], self._step).hints))
            self._write()
            self._session.whispered = f"Hint {self._hints} of {len(self._stage.hints)} is shown."

    def _reveal(self) -> None:
        """The solution, once an answer has been given."""
        if self._stage is not None and self._at is not None and self._is_answered and not self._is_revealed:
            if not self._progress.of(self._at[0], self._step).right:
                self._note(shown=True)
            self._uncover()
            if isinstance(self._step.question, Task):
                self._mark = None  # the page shows it now
            self._write()
            self._session.whispered = "The solution is shown below."

    def _uncover(self) -> None:
        self._is_revealed = True
        self._lead()

    def _ask_class(self) -> None:
        """Puts the question to the class."""
        if self._stage is None or self._at is None:
            return
        try:
            asked = asked_of(self._stage, self._where)
        except ExpressionError as error:
            self._session.message = f"This cannot be asked: {error}"
            return
        if asked is None:
            self._session.message = NOT_FOR_CLASS
        else:
            self._asking.ask(asked)

    def _go_on(self, where: str) -> None:
        """The class has its answer: so has the page, if it is still at that step."""
        if self._stage is not None and self._where == where and not self._is_revealed:
            self._uncover()
            self._write()

    def _note(self, **changes: Any) -> None:
        """Progress at this step, which the browser keeps."""
        assert self._at is not None
        self._progress.change(self._at[0], self._step, **changes)
        self._sheet.keep(self._progress.text())

    def _take_kept(self, text: object) -> None:
        self._progress.take(text)
        if self._at is not None and self._mark is None:
            self._before = self._progress.of(self._at[0], self._step)
            if self._earlier:
                self._session.whispered = heard(self._earlier)
        self._write()

    def _hand_in(self, how: object, given: object) -> None:
        """The result sheet, as a table or on paper; nothing of it where nothing is answered."""
        if how not in ("csv", "print"):
            return
        if not self._progress.is_begun(self._lessons):
            self._say("Nothing is answered yet in this browser.")
            return
        name, stamp = name_of(given), Stamp.now()
        nameless = "" if name else " Your name is not in it: write it above first, and do this again."
        if how == "csv":
            file = file_name(self._lessons, self._progress, name, stamp)
            self._sheet.save(file, results_csv(self._lessons, self._progress, name, stamp))
            self._say(f"Your results are saved as {file}.{nameless}")
        else:
            self._sheet.print(results_html(self._lessons, self._progress, name, stamp))
            words = "Your results are in the browser's print dialog, which also saves them as a PDF."
            self._say(f"{words}{nameless}")

    def _say(self, words: str) -> None:
        """Of the results, below their buttons."""
        self._told = self._session.whispered = words
        self._write()

    def _forget(self) -> None:
        self._progress = Progress()
        self._say("Your results are forgotten.")

    def _take_own(self, lesson: Lesson) -> str:
        """A lesson of this page alone; says what became of it."""
        others = [each for each in self._lessons if each.name != lesson.name]
        before = next((each for each in self._lessons if each.name == lesson.name), None)
        if before is None:
            self._opened += 1
        if self._opened > MOST_OPENED:
            return f"A page opens at most {MOST_OPENED} lessons; open it in another one."
        self._lessons = [*others, lesson]
        self._write()
        return f"{lesson.title} is open, the last of the list.{_in_place_of(lesson, before)}"

    def _write(self, passing: Mark | None = None) -> None:
        """Everything anew."""
        links: list[str] = []
        if self._stage is not None:
            links = [f"{k}: {name}" for k, name in enumerate(self._stage.link_names, 1)]
        if self._at is None:
            shown, step = (
                list_html(self._lessons, self._progress, self._faults, self._told, self._home is not None),
                "list",
            )
        else:
            lesson, at = self._at
            mark = passing or self._mark
            shown = step_html(
                lesson,
                at,
                self._stage,
                mark,
                self._hints,
                self._is_answered,
                self._is_revealed,
                self._failed,
                links,
                self._has_class,
                self._judged,
                self._earlier,
            )
            step = self._where
        with unlocked():  # a browser is heard without the document's lock
            self.own.show(self._at is None)
            if self._at is None:  # first: as html comes the sheet is written, and begins at its top with another
                self._sheet.step = step
            # A step is written again when it is computed, and only then to begin at its heading.
            self._sheet.param.update(html=shown, step=step)

    def __panel__(self) -> Viewable:
        return self._whole


def _in_place_of(lesson: Lesson, before: Lesson | None) -> str:
    """That another lesson is in the list no more, since its folder has the same name; "" where none is."""
    packaged = replaced(lesson)
    gone = packaged or before
    if gone is None:
        return ""
    which = f"the packaged lesson {gone.title}" if packaged else f"{gone.title}, which was there"
    return f" It stands in the place of {which}: both folders are called {lesson.name}. Rename yours to have both."
