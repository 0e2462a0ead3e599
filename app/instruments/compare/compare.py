"""*Compare*: a file of another program's arrays at the cursor's moment, and the first place where they differ."""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import panel as pn
import panel_material_ui as pmui
from numpy.typing import ArrayLike, NDArray
from panel.io.document import unlocked
from panel.viewable import Viewable

import dynamics as dyn
from app.equations.sheet import Sheet
from app.equations.sheet_style import colors_of
from app.files.kept_files import FileButton, received
from app.instruments.compare.moment import Question, example_npz, moment_text
from app.instruments.study.process import Course
from app.motion.setup import Setup
from app.number_text import number_text, read_index, size_of
from app.state import Session
from app.state.walk import at_link, called, half_of, stages
from app.views.components import STYLE, CopyButton, Instrument, ProgressLine
from dynamics.comparison import ComparedStage
from scenes import palette

NAME = "Compare"
LARGEST = 5 * 1024 * 1024
TOO_LARGE = f"Arrays of at most {LARGEST >> 20} MB can be compared here; leave only what is to be compared."
EMPTY = "This file is empty; one with arrays is expected."
LABEL = "Choose a file of your arrays"
EXAMPLE = "armsweep_moment.npz"
COMPARING = "Comparing, and looking for the cause: up to a minute …"
COMPILING = "Compiling what the comparison calls, once: half a minute, or minutes on a slow machine …"
INTRODUCTION = (
    "<h3>Your code beside ours</h3><p>Compute the moment at the cursor with your own code, and load the result: arrays "
    "by name in an NPZ or CSV file. The names P, D, G, z, eps, qdd, M … are known, and those of Pinocchio, MuJoCo, "
    "Drake, KDL and Featherstone’s book: nle, g, C, J, qfrc_bias, IA …; where an object is held, x_0, Lam_0 and "
    "alpha_C as well. Your order, axes, reference points, numbering and signs may differ: they are found. The "
    "answer says where your arrays first differ from ours and, where it can be proven, what is wrong.</p>"
)
LOOK = """
.pairs { border-collapse: collapse; margin: 4px 0; }
.pairs th { text-align: left; font-weight: 400; padding: 2px 14px 2px 0; }
.pairs td { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; padding: 1px 0 1px 10px; }
.pairs.stages td { text-align: left; white-space: normal; } .pairs.stages :is(th, td) { overflow-wrap: anywhere; }
.both { display: flex; flex-wrap: wrap; gap: 4px 28px; overflow-x: auto; }
.both td { font-size: 0.75rem; padding-left: 7px; } .sheet { padding-bottom: 4px; }
"""
MOST, DIGITS = 6, 4  # rows and columns shown of an array, and digits of a number


@dataclass(frozen=True, eq=False)
class ComparisonSubject:
    """The subject of a comparison."""

    solution: dyn.Solution
    setup: Setup
    time: float
    name: str


class Compare(Instrument):
    """What to compute, the file of arrays, the progress of the comparison, and its answer, with links to the walk."""

    def __init__(self, session: Session, open_walk: Callable[[], None] = lambda: None, **params: object) -> None:
        super().__init__(**params)
        self._session, self._open_walk = session, open_walk
        self.course = Course(session.jobs)
        self._sheet = Sheet(self._go)
        self._progress_line = ProgressLine()
        self._asked: ComparisonSubject | None = None
        self._words = ""
        self._shown: tuple[object, ...] = ()
        self._copy = CopyButton(self._moment, label="Copy this moment", what="The moment is", margin=(2, 12))
        self._example = pmui.FileDownload(
            callback=lambda: example_npz(self._held().solution()), filename=EXAMPLE,
            label="Save ours as an example (NPZ)", icon="download", size="small", margin=(6, 12),
        )  # fmt: skip
        self._example.variant = "outlined"  # as an argument above, it would conflict with a default of the older widget
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
        self._sheet.css = colors_of(theme) + LOOK

    def _held(self) -> Session:
        """The session, paused: a file is compared with the moment at the cursor."""
        self._session.playing = False
        return self._session

    def _moment(self) -> str:
        session = self._held()
        return moment_text(session.solution(), session.run.wrench_at(session.time), session.time)

    def _follow(self, *_: object) -> None:
        """Discards an answer, which does not apply to another motion or machine."""
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
        """Starts comparing an uploaded file with the moment at the cursor; or says why not."""
        session = self._session
        sent = received(session, data, LARGEST, TOO_LARGE, self._refuse)
        if sent is None:
            return
        self._forget()
        solution = session.solution()
        self._asked = ComparisonSubject(solution, session.setup, session.time, name)
        wrench: NDArray[np.float64] | None = session.run.wrench_at(session.time)
        self.course.start(Question(solution.system, solution.state, solution.tau, wrench, name, sent))
        self._draw_now()

    def _draw_now(self) -> None:
        with unlocked():  # messages of a browser arrive without the document's lock
            self.draw()

    def _go(self, where: str) -> None:
        """Handles a click on a row: ``stage n``."""
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
        course = self.course
        wanted = self._asked, course.busy, course.compiles, course.words, course.answer, self._words
        if wanted == self._shown:
            return
        self._shown = wanted
        self._progress_line.say(self._progress())
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
            pn.pane.HTML(INTRODUCTION, stylesheets=[STYLE], sizing_mode="stretch_width", margin=(4, 12, 0, 12)),
            self._copy,
            self._example,
            self._file,
            self._progress_line,
            self._sheet,
            sizing_mode="stretch_both",
            scroll="y",
            margin=0,
        )


def ours_at(found: dyn.Comparison, solution: dyn.Solution) -> NDArray[np.float64] | None:
    """Our array at the first difference; None if the solution does not have it per link, or there is none."""
    stage = found.first_stage
    if stage is None or stage.stage == "contact" or found.left_out:
        return None
    name = own_name(stage)
    value = solution.stages.get(stage.stage, {}).get(name, getattr(solution, name, None))
    return None if value is None else np.asarray(value)[found.first_link]


def own_name(stage: ComparedStage) -> str:
    """The name of a row's quantity in its stage, the same whether or not an object is held."""
    return stage.quantity.removeprefix("final_")


def link_of(system: dyn.System, stage: ComparedStage) -> int:
    """The link at which the walk shows a row; for the object, the first link that holds it."""
    holding = [contact.link for contact in system.contacts]
    if stage.stage == "contact" and stage.first_link not in holding:
        return holding[0]
    return min(max(stage.first_link, 0), system.n_links - 1)


def answer_html(found: dyn.Comparison, ours: ArrayLike | None) -> str:
    """The answer, its table, and both arrays at the first difference.

    Args:
        ours: our array at that place, or None.
    """
    verdict, *reasons = found.difference_in_words
    parts = [f"<h4>{html.escape(verdict)}</h4>", *(f"<p>{html.escape(line)}</p>" for line in reasons)]
    stage = found.first_stage
    if stage is not None and ours is not None and stage.quantity in found.converted:
        theirs = np.asarray(found.converted[stage.quantity])[found.first_link]
        where = html.escape(f"{stage.symbol}, {_place(found.system, found.first_link)}")
        parts.append(
            f"<div class='both'>{_array_html(theirs, f'Yours, in our convention: {where}')}"
            f"{_array_html(ours, f'Ours: {where}')}</div>"
        )
    rows = "".join(_row(found, at, each) for at, each in enumerate(found.stages))
    parts.append(
        "<table class='pairs stages'><thead><tr><th scope='col'>Your array</th><th scope='col'>What it is</th>"
        f"<th scope='col'>Compared with ours</th></tr></thead><tbody>{rows}</tbody></table>"
    )
    parts += [f"<p class='note'>{html.escape(line)}</p>" for line in found.convention_in_words]
    return "".join(parts)


def _row(found: dyn.Comparison, at: int, stage: ComparedStage) -> str:
    words = "It agrees."
    if not stage.agrees:
        words = f"It differs first at {_place(found.system, stage.first_link)}, {stage.size}."
    button = f"<span class='action' role='button' tabindex='0' data-go='stage {at}'>{html.escape(words)}</span>"
    what = html.escape(f"{stage.words} {stage.symbol}")
    return f"<tr><th scope='row'>{html.escape(stage.name)}</th><td>{what}</td><td>{button}</td></tr>"


def _place(system: dyn.System, link: int) -> str:
    return called(system, link) if link < system.n_links else "the object"


def _array_html(values: ArrayLike, title: str) -> str:
    """An array as a table; the title is HTML."""
    array = np.atleast_2d(np.asarray(values, float))[:MOST, :MOST]
    cells = [[number_text(value, size_of(array), DIGITS) for value in row] for row in array.tolist()]
    rows = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in cells)
    return f"<div><p>{title}</p><table class='pairs'><tbody>{rows}</tbody></table></div>"
