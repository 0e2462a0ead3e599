"""The contact stage without its gain: JZ's staggered step, sweep after sweep at one moment, and when it diverges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import panel as pn
from bokeh.models import ColumnDataSource, Range1d
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.formula import formula
from app.instruments.contact_sweep import MOST, Directions
from app.instruments.legend import LOOK, legend_html, line
from app.instruments.small_plot import small_plot
from app.number_text import number_text
from app.views.figure_pane import figure_pane
from app.views.style import STYLE
from dynamics.operators import ContactGain
from dynamics.papers import staggered_sweeps
from scenes import palette

Array = NDArray[np.float64]
SWEEPS = 12
RANGE = (1e-6, 1e6)
"""Of the distance from the exact acceleration, in that of the beginning, what is drawn."""
ROUNDING = 1e-9
"""Of the same, from which on it is more than rounding."""
TITLE = "<h3>Without the gain, sweep by sweep</h3>"
ABOUT = (
    "<p>The staggered step (JZ 4.2) has no gain: every arm takes the object's acceleration from the sweep before, and "
    "the forces that come out give the next one.</p>"
)


@dataclass(frozen=True, eq=False)
class Sweeps:
    """What the sweeps come to.

    Attributes:
        distance: (SWEEPS + 1,), from the exact acceleration, in the norm of the object's inertia, over its own size.
        radius: by which a sweep multiplies it in the end.
        decade: of the object that was looked at, as powers of ten of its mass.
    """

    distance: Array
    radius: float
    decade: float


def sweeps(solution: dyn.Solution, gain: ContactGain, wrench: Array | None, decade: float) -> Sweeps:
    """Those of a moment, whose gain is known.

    Raises:
        ModelError, SingularConfigurationError, StateError: where there are none.

    Cost: cubic in the joints of an arm, each sweep.
    """
    found = staggered_sweeps(solution.system, solution.state, solution.tau, SWEEPS, wrench)
    exact = solution.stages["contact"]["object_acceleration"]
    root = np.linalg.cholesky(gain.object_inertia)
    size = float(np.linalg.norm(exact @ root))
    apart = np.linalg.norm((found.object_acceleration - exact) @ root, axis=1)
    return Sweeps(apart / size if size else np.full(SWEEPS + 1, np.nan), found.radius, decade)


def verdict_html(found: Sweeps, shares: Array, ways: Directions) -> str:
    """Whether they converge, why, and from which object on."""
    rho = formula(r"\rho")
    shared = ways.shared(shares)
    if not found.radius or not len(shared):
        return "<p>The first sweep is right: the arms do not give way in any direction that they share.</p>"
    how = f"Each sweep multiplies the error by up to {rho} = <b>{number_text(found.radius, digits=3)}</b>"
    word = "it converges" if found.radius < 1.0 else "it <b>diverges</b>"
    edge = found.decade + float(np.log10(found.radius))
    beyond = ", which the slider does not reach" if abs(edge) > MOST else ""
    return (
        f"<p role='status'>{how}: {word}. {rho} = s/(1 − s), where s = {100.0 * shared[0]:.3g} % is the largest share "
        "above: the staggered step needs arms that decide less than half. Here that is an object of more than "
        f"10<sup>{number_text(edge, digits=3)}</sup> times the mass{beyond}. The gain is right at once, "
        "whatever the mass.</p>"
    )


class StaggeredPlot:
    """The error after so many sweeps, and the slope of the radius."""

    def __init__(self) -> None:
        count = np.arange(SWEEPS + 1.0)
        nothing = np.full(SWEEPS + 1, np.nan)
        self._source = ColumnDataSource({"sweep": count, "error": nothing, "slope": nothing})
        self._plot = small_plot(
            "staggered", "error of the object's acceleration, of its size", 170,
            x_range=Range1d(0.0, float(SWEEPS)), y_range=Range1d(*RANGE), y_axis_type="log", x_axis_label="sweeps",
        )  # fmt: skip
        self._error = self._plot.line("sweep", "error", source=self._source, line_width=2.0)
        self._dots = self._plot.scatter("sweep", "error", source=self._source, size=5)
        self._slope = self._plot.line("sweep", "slope", source=self._source, line_width=2.0, line_dash="dashed")
        self._about = pn.pane.HTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(0, 12))
        self._verdict = pn.pane.HTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(0, 12))
        self._legend = pn.pane.HTML("", stylesheets=[LOOK], sizing_mode="stretch_width", margin=(0, 12, 6, 12))
        self.view = pn.Column(self._about, self._verdict, sizing_mode="stretch_width", margin=0)

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme."""
        color, ink = palette.quantity("acceleration", theme), palette.quantity("axis", theme)
        self._error.glyph.line_color = self._dots.glyph.line_color = self._dots.glyph.fill_color = color
        self._slope.glyph.line_color = ink
        self._legend.object = legend_html(
            [(line(color, "solid"), "staggered step"), (line(ink, "dashed"), "ρ per sweep")]
        )

    def show(self, found: Sweeps, shares: Array, ways: Directions) -> None:
        """Those of another moment or object."""
        if len(self.view.objects) == 2:
            self.view.extend([figure_pane(self._plot), self._legend])
        self._about.object = TITLE + ABOUT
        self._verdict.object = verdict_html(found, shares, ways)
        sound = np.flatnonzero(found.distance > ROUNDING)
        last = int(sound[-1]) if len(sound) else 0
        slope = found.distance[last] * found.radius ** (self._source.data["sweep"] - last) if found.radius else np.nan
        self._source.data.update(
            {"error": found.distance, "slope": np.broadcast_to(slope, found.distance.shape).copy()}
        )

    def refuse(self, words: str) -> None:
        """Where there is nothing to show, and why."""
        self._about.object = TITLE + ABOUT
        self._verdict.object = f"<p class='warning'>{words}</p>"
        self._source.data.update({name: np.full(SWEEPS + 1, np.nan) for name in ("error", "slope")})
