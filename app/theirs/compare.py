"""*Compare*: somebody's own arrays of the moment at the cursor, handed in as a file, and where they part from ours."""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import panel as pn
import panel_material_ui as pmui
from numpy.typing import NDArray
from panel.io.document import unlocked
from panel.viewable import Viewable

import dynamics as dyn
from app.equations.look import colors_of
from app.equations.sheet import Sheet
from app.motion.setup import Setup
from app.number_text import read_index
from app.service import counters
from app.state import Session
from app.state.walk import at_link, half_of, stages
from app.studies.course import Course
from app.theirs.handed_in import ENDINGS, HandedIn, check_ending
from app.theirs.moment_text import example_npz, moment_text
from app.theirs.words import LOOK, answer_html
from app.upload.file_button import FileButton
from app.upload.receiving import Refused, received
from app.views.copy_button import CopyButton
from app.views.instrument import Instrument
from app.views.progress_line import ProgressLine
from app.views.style import STYLE
from scenes import palette

NAME = "Compare"
LARGEST = 5 * 1024 * 1024
TOO_LARGE = f"Arrays of at most {LARGEST >> 20} MB can be compared here; leave only what is to be compared."
EMPTY = "This file is empty; one with arrays is expected."
LABEL = "Hand in your arrays"
EXAMPLE = "armsweep_moment.npz"
COMPARING = "Comparing, and looking for what it comes of: up to a minute …"
COMPILING = "Compiling what the comparison calls, once: half a minute, or minutes on a slow machine …"
TOLD = (
    "<h3>Your code beside ours</h3><p>Compute the moment at the cursor with your own code, and hand in the result: "
    f"arrays by name in a file ({', '.join(ENDINGS)}). The names P, D, G, z, eps, qdd, M … are known, and those that "
    "Pinocchio, MuJoCo, Drake and Featherstone’s book use; where an object is held, x_0, Lam_0 and alpha_C are known, "
    "too. Your order, axes, reference points, numbering and signs may be other than ours: they are found. The answer "
    "says where your arrays first differ from ours and, where it can be proven, what is wrong.</p>"
)


@dataclass(frozen=True, eq=False)
class Asked:
    """What was handed in."""

    solution: dyn.Solution
    setup: Setup
    time: float
    name: str


class Compare(Instrument):
    """What to compute, what is handed in, how far it is, and what came of it.

    Args:
        open_walk: brings the walk into sight.
    """

    def __init__(self, session: Session, open_walk: Callable[[], None] = lambda: None, **params: object) -> None:
        super().__init__(**params)
        self._session, self._open_walk = session, open_walk
        self.course = Course(session.jobs)
        self._sheet = Sheet(self._go)
        self._told = ProgressLine()
        self._asked: Asked | None = None
        self._words = ""
        self._shown: tuple[object, ...] = ()
        self._copy = CopyButton(self._moment, label="Copy this moment", what="The moment is", margin=(2, 12))
        self._example = pmui.FileDownload(
            callback=lambda: example_npz(self._held().solution()), filename=EXAMPLE,
            label="Save ours as an example (NPZ)", icon="download", size="small", margin=(6, 12),
        )  # fmt: skip
        self._example.variant = "outlined"  # given above, it would meet a default of the older widget
        self._file = FileButton(
            self._refuse, LARGEST, TOO_LARGE, EMPTY, label=LABEL, uploaded_label=LABEL, icon="upload_file",
            sizing_mode="stretch_width", margin=(6, 12),
        )  # fmt: skip
        self._file.hear(lambda data, name: self.take(data, name[-120:]))
        session.param.watch(self._follow, "run")

    @property
    def follows(self) -> bool:
        return False

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme."""
        self._sheet.css = colors_of(theme) + LOOK

    def _held(self) -> Session:
        """The session, which stays at its moment: what comes back is held against the moment at the cursor."""
        self._session.playing = False
        return self._session

    def _moment(self) -> str:
        session = self._held()
        return moment_text(session.solution(), session.run.wrench_at(session.time), session.time)

    def _follow(self, *_: object) -> None:
        """Of another motion, or another machine, what was found says nothing."""
        if self._asked is not None and self._asked.setup is not self._session.setup:
            self._forget()

    def _forget(self) -> None:
        self.course.cancel()
        self.course.answer, self.course.words = None, ""
        self._asked, self._words = None, ""

    def _refuse(self, words: str) -> None:
        self._forget()
        self._words = words
        self._draw_now()

    def take(self, data: object, name: str) -> None:
        """Begins to compare what a browser has sent, with the moment at the cursor; or says why not."""
        session = self._session
        sent = received(session, data, LARGEST, TOO_LARGE)
        if isinstance(sent, Refused):
            counters.uploads_refused.labels(sent.reason).inc()
            self._refuse(sent.words)
            return
        self._forget()
        solution = session.solution()
        try:
            check_ending(name)
        except dyn.StateError as error:
            self._refuse(f"{name or 'The file'}: {error}")
            return
        self._asked = Asked(solution, session.setup, session.time, name)
        wrench: NDArray[np.float64] | None = session.run.wrench_at(session.time)
        self.course.start(HandedIn(solution.system, solution.state, solution.tau, wrench, name, sent))
        self._draw_now()

    def _draw_now(self) -> None:
        with unlocked():  # a browser is heard without the document's lock
            self.draw()

    def _go(self, where: str) -> None:
        """What was clicked: ``stage n``, of what was handed in."""
        found, asked = self.course.answer, self._asked
        at = read_index(where.partition(" ")[2])
        if not isinstance(found, dyn.Comparison) or asked is None or at is None or at >= len(found.stages):
            return
        stage, session = found.stages[at], self._session
        session.playing = False
        session.seek(asked.time)
        link = link_of(found.system, stage)
        if stage.stage in stages(session.system_here):
            half = half_of(session.whole_reading(), stage.stage, link, own_name(stage))
            session.walk_to(at_link(session.system_here, replace(session.place, stage=stage.stage), link, half))
        else:
            session.select_link(link)
        self._open_walk()

    def draw(self) -> None:
        """How far it is, and what came of it."""
        course = self.course
        wanted = self._asked, course.busy, course.compiles, course.words, course.answer, self._words
        if wanted == self._shown:
            return
        self._shown = wanted
        self._told.say(self._progress())
        found = course.answer
        if not isinstance(found, dyn.Comparison) or self._asked is None:
            self._sheet.show("", ())
            return
        self._sheet.show(answer_html(found, ours_at(found, self._asked.solution)), ())

    def _progress(self) -> str:
        course, asked = self.course, self._asked
        if asked is None:
            return html.escape(self._words)
        if course.busy:
            return COMPILING if course.compiles else COMPARING
        if course.words:
            return html.escape(course.words)
        return html.escape(f"{asked.name}, at {asked.time:.3f} s.")

    def __panel__(self) -> Viewable:
        return pn.Column(
            pn.pane.HTML(TOLD, stylesheets=[STYLE], sizing_mode="stretch_width", margin=(4, 12, 0, 12)),
            self._copy,
            self._example,
            self._file,
            self._told,
            self._sheet,
            sizing_mode="stretch_both",
            scroll="y",
            margin=0,
        )


def ours_at(found: dyn.Comparison, solution: dyn.Solution) -> NDArray[np.float64] | None:
    """What we have where the two part first; None where we keep none of it link by link, or nothing parts."""
    stage = found.first_stage
    if stage is None or stage.stage == "contact" or found.left_out:
        return None
    name = own_name(stage)
    kept = solution.stages.get(stage.stage, {}).get(name, getattr(solution, name, None))
    return None if kept is None else np.asarray(kept)[found.first_link]


def own_name(stage: dyn.ComparedStage) -> str:
    """What a row's stage calls its quantity: alike, whether or not an object is held."""
    return stage.quantity.removeprefix("final_")


def link_of(system: dyn.System, stage: dyn.ComparedStage) -> int:
    """The link at which the walk shows a row of the answer; the object's is the first that holds it."""
    holding = [contact.link for contact in system.contacts]
    if stage.stage == "contact" and stage.first_link not in holding:
        return holding[0]
    return min(max(stage.first_link, 0), system.n_links - 1)
