"""JR's Algorithm 7 beside the minimal coordinates: each link flies by itself, and its joints open slowly."""

from __future__ import annotations

import html

import numpy as np
import panel as pn
import panel_material_ui as pmui
from bokeh.models import ColumnDataSource, Range1d
from numpy.typing import NDArray

import dynamics as dyn
from app.instruments.legend import LOOK, legend_html, line
from app.instruments.small_plot import small_plot
from app.job import Job
from app.messages import in_words
from app.motion.errors import ERRORS
from app.number_text import number_text
from app.state import Session
from app.views.figure_pane import figure_pane
from app.views.style import STYLE
from dynamics.papers import run_redundant
from scenes import palette

Array = NDArray[np.float64]
SECONDS = 1.0
STEPS = (0.04, 0.02, 0.01)
"""s; each is half of the one before."""
DASHES = ("dotted", "dashed", "solid")
LEAST = 1e-16
"""m; what is less is drawn there."""
SOUND = 1e-12
"""m, from which on a gap is more than rounding."""
TITLE = "<h4>Each link by itself</h4>"
ABOUT = (
    f"{TITLE}<p class='note'>Both filters give every link its own acceleration, so every link could be integrated by "
    "itself (JR Algorithm 7); nothing but the accelerations then holds a joint together. The motion here has minimal "
    "coordinates, joints and one base: they cannot open.</p>"
)
START = "Let each link fly by itself"


def gaps(solution: dyn.Solution) -> list[Array] | str:
    """By how many metres joints have come apart along a second, for each of ``STEPS``; or why that is not known.

    Cost: four solutions by both filters a step.
    """
    try:
        runs = [run_redundant(solution.system, solution.state, solution.tau, SECONDS, dt) for dt in STEPS]
    except ERRORS as error:
        return in_words(error)
    return [np.array(run.gap) for run in runs]


def opened_html(found: list[Array], time: float, pushed: bool = False) -> str:
    """What a step, and one half as long, come to.

    Args:
        pushed: whether something pushed then, which these links do not feel.
    """
    last = [float(gap[-1]) for gap in found]
    said = ", ".join(
        f"<b>{number_text(gap, digits=2)} m</b> at steps of {1e3 * dt:g} ms"
        for gap, dt in zip(last, STEPS, strict=True)
    )
    share = last[-2] / last[-1] if last[-1] > SOUND else 0.0
    finer = f" Half the step leaves one part in {share:.2g}: only the integrator keeps them together." if share else ""
    alone = ", the push left out" if pushed else ""
    return (
        f"<p role='status'>From {time:.2f} s, its torques held{alone}: after {SECONDS:g} s the joints have opened by "
        f"up to {said}.{finer} In minimal coordinates: 0.</p>"
    )


class Apart:
    """A button, a sentence and a curve for each step."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._job: Job[list[Array] | str] = session.jobs.new("the links could not be flown by themselves")
        self._button = pmui.Button(label=START, icon="scatter_plot", variant="outlined", size="small", margin=(6, 12))
        self._button.on_click(lambda _: self.start())
        self._words = pn.pane.HTML(ABOUT, stylesheets=[STYLE], sizing_mode="stretch_width", margin=(0, 12))
        self._told = pn.pane.HTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(0, 12))
        self._legend = pn.pane.HTML("", stylesheets=[LOOK], sizing_mode="stretch_width", margin=(0, 12, 6, 12))
        self._sources = [ColumnDataSource({"time": [], "gap": []}) for _ in STEPS]
        self._plot = small_plot(
            "apart", "m, the widest joint against seconds", 170,
            x_range=Range1d(0.0, SECONDS), y_range=Range1d(LEAST, 1e-2), y_axis_type="log",
        )  # fmt: skip
        self._plot.yaxis.ticker.desired_num_ticks = 4
        self._lines = [
            self._plot.line("time", "gap", source=source, line_width=2.0, line_dash=dash)
            for source, dash in zip(self._sources, DASHES, strict=True)
        ]
        self._of: dyn.System | None = None
        self.view = pn.Column(self._words, self._button, self._told, sizing_mode="stretch_width", margin=0)

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme."""
        color = palette.quantity("dual_articulated_inertia", theme)
        for each in self._lines:
            each.glyph.line_color = color
        entries = [(line(color, dash), f"{1e3 * dt:g} ms") for dash, dt in zip(DASHES, STEPS, strict=True)]
        self._legend.object = legend_html(entries)

    def follow(self, system: dyn.System) -> None:
        """What was found of another machine goes."""
        if self._of is not None and self._of is not system:
            self._of, self._told.object, self.view[3:] = None, "", []

    def start(self) -> None:
        """Flies from the cursor on, unless it does already."""
        session = self._session
        if self._job.busy or session.system_here.kind != "free_flyer":
            return
        self._button.disabled = True
        solution, time = session.solution(), session.time
        pushed = bool(np.any(session.run.wrench_at(time)))
        self._of = solution.system
        self._job.start(lambda: gaps(solution), lambda found: self._take(found, time, pushed), self._fail)

    def _fail(self, words: str) -> None:
        self._button.disabled = False
        self._told.object = f"<p class='warning'>{html.escape(words)}</p>"

    def _take(self, found: list[Array] | str, time: float, pushed: bool) -> None:
        if isinstance(found, str):
            self._fail(found)
            return
        self._button.disabled = False
        if self._of is None:  # of a machine that was left meanwhile
            return
        if len(self.view.objects) == 3:
            self.view.extend([figure_pane(self._plot), self._legend])
        self._told.object = opened_html(found, time, pushed)
        for source, gap in zip(self._sources, found, strict=True):
            source.data = {"time": np.linspace(0.0, SECONDS, len(gap)), "gap": np.maximum(gap, LEAST)}
        self._plot.y_range.end = 3.0 * max(float(gap.max()) for gap in found)
