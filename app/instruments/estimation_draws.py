"""How many draws, the button that draws them, how far they are, and to which moment they belong."""

from __future__ import annotations

import html
from functools import partial

import panel as pn
import panel_material_ui as pmui
from panel.viewable import Viewable, Viewer

import dynamics as dyn
from app.binding import Binding
from app.draws.drawing import Drawing, Slice
from app.job import Job
from app.motion.errors import ERRORS
from app.motion.run import Run
from app.number_text import read_index
from app.state import Session
from app.views.progress_line import ProgressLine

COUNTS = {f"{count:,}": count for count in (10, 100, 1_000, 10_000, 100_000)}
FIRST = COUNTS["1,000"]
DRAW, STOP = "Draw", "Stop"


class Draws(Viewer):
    """Draws at the posture of the cursor, a slice at a time; another posture or another run ends it."""

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self.drawing: Drawing | None = None
        self._run: Run | None = None
        self._number = 0
        self._count = pmui.RadioButtonGroup(options=COUNTS, value=FIRST, size="small", margin=(6, 4, 6, 12), sx=EVEN)
        self._counts = Binding(self._count, lambda: self._wanted, self._want)
        self._button = pmui.Button(label=DRAW, icon="casino", variant="outlined", size="small", margin=(6, 12, 6, 4))
        self._button.on_click(lambda _: self.draw_or_stop())
        self._told = ProgressLine()
        self._job: Job[Slice] = session.jobs.new("nothing more can be drawn", self._fail, ERRORS)
        self._counts.follow()
        session.param.watch(lambda _: self._counts.follow(), "sampled")
        session.param.watch(self._follow, "run")
        session.cursor.param.watch(self._follow, "time")

    @property
    def _wanted(self) -> int:
        """How many are drawn next."""
        said = read_index(self._session.sampled) or FIRST
        return said if said in COUNTS.values() else FIRST

    def _want(self, count: int) -> None:
        if count in COUNTS.values():
            self._session.sampled = "" if count == FIRST else str(count)

    @property
    def busy(self) -> bool:
        """Whether draws are being made."""
        return self._job.busy

    @property
    def is_here(self) -> bool:
        """Whether what is drawn belongs to the moment of the page."""
        drawing, session = self.drawing, self._session
        return drawing is not None and self._run is session.run and drawing.time == session.time

    def draw_or_stop(self) -> None:
        """What the button does."""
        if self.busy:
            self._end("Stopped")
        else:
            self.start(self._count.value)

    def start(self, wanted: int) -> None:
        """Draws at the posture of the cursor, and holds the motion there; what was drawn before is forgotten."""
        session = self._session
        at = session.time
        session.playing = False
        session.seek(at)
        self.drawing = Drawing(session.solution(), at, wanted, self._number)
        self._run = session.run
        self._number += 1
        self._button.label = STOP
        self._tell("")
        self._job.start(self.drawing.look, partial(self._accept, self.drawing))

    def _accept(self, drawing: Drawing, found: Slice) -> None:
        """Takes a slice in, and has the next one drawn."""
        drawing.accept(found)
        self._job.report(drawing.drawn / drawing.wanted)
        if drawing.done:
            self._button.label = DRAW
        else:
            self._job.start(drawing.look, partial(self._accept, drawing))
        self._tell("")

    def _end(self, why: str) -> None:
        self._job.cancel()
        self._button.label = DRAW
        self._tell(why)

    def _fail(self, words: str) -> None:
        self._button.label = DRAW
        self._told.say(f"{html.escape(words[:1].upper() + words[1:])}.")

    def _follow(self, *_: object) -> None:
        """Another moment: what is being drawn there is given up, and what was drawn says where it belongs."""
        drawing = self.drawing
        if drawing is None:
            return
        if self._run is not self._session.run and names_of(drawing.system) != names_of(self._session.system):
            self.drawing = self._run = None  # of another machine: no link of it is here
            self._job.cancel()
            self._button.label = DRAW
            self._told.say("")
        elif self.busy and not self.is_here:
            self._end("Stopped")

    def _tell(self, why: str) -> None:
        drawing = self.drawing
        if drawing is None:
            return
        drawn, wanted = drawing.drawn, drawing.wanted
        if why:
            self._told.say(f"{why} after {drawn:,} of {wanted:,} draws.")
        elif drawing.done:
            seeds = drawing.seeds
            which = f"seed {seeds[0]}" if len(seeds) == 1 else f"seeds {seeds[0]} to {seeds[-1]}"
            self._told.say(f"{drawn:,} draws, {which}.")
        else:
            share = f"{100 * drawn / wanted:.0f} %"
            bar = f"<progress max='{wanted}' value='{drawn}' aria-label='Draws'></progress>"
            self._told.say(f"{share}: {drawn:,} of {wanted:,} draws. {bar}")

    @property
    def moment(self) -> str:
        """When the draws are of, in words."""
        if self.drawing is None:
            return ""
        before = "" if self._run is self._session.run else " of a run before"
        return f"t = {self.drawing.time:.3f} s{before}"

    def __panel__(self) -> Viewable:
        return pn.Column(
            pn.FlexBox(self._count, self._button, align_items="center", margin=0),
            self._told,
            sizing_mode="stretch_width",
            margin=0,
        )


def names_of(system: dyn.System) -> tuple[object, ...]:
    """What is the same of machines whose links can be compared."""
    return tuple(system.link_names), tuple(system.joint_names), tuple(int(k) for k in system.inboard)


EVEN = {"& .MuiToggleButton-root": {"padding": "3px 8px", "textTransform": "none", "letterSpacing": 0}}
