"""What the contact stage would do with a lighter or heavier object, with gravity or without."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import numpy as np
import panel as pn
from bokeh.models import BoxAnnotation, ColumnDataSource, Range1d, Span
from numpy.typing import NDArray

import dynamics as dyn
from app.instruments.small_plot import LOOK, hatched, legend_html, legend_pane, line, small_plot
from app.motion.world import in_world
from app.views.components import figure_pane
from dynamics.solve import ContactGain, contact_gain
from scenes import palette

Array = NDArray[np.float64]
MOST = 4.0  # Largest number of decades by which the object is made lighter or heavier
OUTWEIGHING = 1e9
DECADES = np.linspace(-MOST, MOST, 33)
NEAR = 0.1  # Distance of a share from its limit within which the limit counts as reached


def what_if(solution: dyn.Solution, wrench: Array | None, decade: float, gravity: bool) -> dyn.Solution:
    """The same instant and torques with the object's mass and inertia times 10^decade.

    Raises:
        ModelError, SingularConfigurationError: if such an object is impossible.
    """
    system = solution.system
    if decade and system.task_object is not None:
        payload = system.task_object
        system = dyn.with_task_object(system, payload.with_mass(payload.mass * 10.0**decade))
    if not gravity:
        system = in_world(system, (0.0, 0.0, 0.0), 0.0)
    if system is solution.system:
        return solution
    return dyn.forward_dynamics(system, solution.state, solution.tau, external_forces=wrench)


@dataclass(frozen=True)
class Directions:
    """The numbers of the object's six directions in which the arms decide everything, or nothing, whatever its mass."""

    locked: int  # in which the arms cannot give way
    loose: int  # in which the arms have no hold

    def shared(self, shares: Array) -> Array:
        """The descending shares that depend on the object's weight, clipped to between 0 and 1."""
        return np.clip(shares[..., self.locked : 6 - self.loose], 0.0, 1.0)


def directions(solution: dyn.Solution) -> Directions:
    """Found with a very heavy object, for which the arms decide only what is locked, and with a very light one."""

    def decided(times: float) -> int:
        payload = solution.system.task_object
        assert payload is not None
        other = dyn.with_task_object(solution.system, payload.with_mass(payload.mass * times))
        return int(np.count_nonzero(contact_gain(other, solution.state).shares > 0.5))

    return Directions(locked=decided(OUTWEIGHING), loose=6 - decided(1.0 / OUTWEIGHING))


@dataclass(frozen=True, eq=False)
class Sweep:
    """Results along ``DECADES``; NaN without a solution."""

    carried: float  # kg, mass of the actual object
    shares: Array  # (decades, 6), descending, the eigenvalues of A gain
    gain: Array  # (decades,), largest correction in newtons, over all tips together, per newton of error
    error: Array  # (decades,), N, |b(C) - A x_FREE|, force part
    correction: Array  # (decades,), N, |x(0) - x_FREE|, force parts
    acceleration: Array  # (decades,), m/s^2, of the object
    free_acceleration: Array  # (decades,), m/s^2, of the released object


def reached(found: Sweep, ways: Directions) -> tuple[float, float]:
    """Decades up to which the object is as good as weightless, and from which on too heavy; NaN if not reached."""
    shares = ways.shared(found.shares)
    if not shares.shape[1]:
        return np.nan, np.nan
    light, heavy = DECADES[shares[:, -1] > 1.0 - NEAR], DECADES[shares[:, 0] < NEAR]
    return float(light.max()) if len(light) else np.nan, float(heavy.min()) if len(heavy) else np.nan


def sweep(solution: dyn.Solution, wrench: Array | None, gravity: bool) -> Sweep:
    """Solves one instant for 33 objects over eight decades of mass.

    Cost: 33 times that of one solution.
    """
    rows = [_row(solution, wrench, float(decade), gravity) for decade in DECADES]
    shares, *others = (np.array([row[i] for row in rows]) for i in range(6))
    payload = solution.system.task_object
    assert payload is not None
    return Sweep(payload.mass, shares, *others)


def _row(solution: dyn.Solution, wrench: Array | None, decade: float, gravity: bool) -> tuple[Array | float, ...]:
    try:
        found = what_if(solution, wrench, decade, gravity)
        gain = contact_gain(found.system, found.state)
    except (dyn.ModelError, dyn.StateError, dyn.SingularConfigurationError):
        return (np.full(6, np.nan), *[np.nan] * 5)
    stage = found.stages["contact"]
    error = stage["measured_object_force"] - stage["predicted_object_force"]
    correction = stage["contact_force"] - stage["predicted_contact_force"]
    forces = gain.by_mobility.reshape(-1, 6, 6)[:, 3:, 3:].reshape(-1, 3)
    return (
        gain.shares,
        float(np.linalg.norm(forces, 2)),
        float(np.linalg.norm(error[3:])),
        float(np.linalg.norm(correction[:, 3:])),
        float(np.linalg.norm(stage["object_acceleration"][3:])),
        float(np.linalg.norm(free_acceleration(found, gain)[3:])),
    )


def free_acceleration(solution: dyn.Solution, gain: ContactGain) -> Array:
    """alpha_b = -M^-1(C) b(C), R88 (9.2): of the released object."""
    return np.asarray(-np.linalg.solve(gain.object_inertia, solution.stages["contact"]["measured_object_force"]))


HEIGHT, FIRST_HEIGHT = 160, 118
WAITS = "<p class='note'>From light to heavy: the curve is computed when the motion is paused.</p>"
PLOTS = (
    ("over mass × 10ˣ: arms' share; gain, N per N", "linear", ("gain", "corrected_contact_force")),
    ("N²: squared error, squared correction", "log", ("measured_object_force", "corrected_contact_force")),
    ("m/s²: object held, and let go", "log", ("acceleration", "axis")),
)
"""Title, scale, and palette names of the lines."""
LETTERS = (("eigenvalues of A𝒢", "‖𝒢‖ of forces"), ("|b(C) − A x_FREE|²", "|x(0) − x_FREE|²"), ("|α(C)|", "|α_b|"))
LIMITS = (("weightless", "."), ("too heavy", "/"))  # Labels and hatches of the limits at either end
LEAST = 1e-9  # Smallest plotted value of a logarithmic axis, as a share of the largest


class SweepPlots:
    """Curves over the decades, with a mark at the object on trial.

    Attributes:
        first: the plot beside the object's controls; it keeps its space while it is empty.
        view: the other plots.
    """

    def __init__(self) -> None:
        span = Range1d(float(DECADES[0]), float(DECADES[-1]))
        empty = np.full(len(DECADES), np.nan)
        lines = ([f"share{i}" for i in range(6)] + ["gain"], ["error", "correction"], ["acceleration", "free"])
        self._source = ColumnDataSource({"decade": DECADES} | dict.fromkeys(chain(*lines), empty))
        self._here = [Span(location=0.0, dimension="height", line_width=2.0) for _ in PLOTS]
        self._zero = [Span(location=0.0, dimension="height", line_width=1.0, line_dash="dotted") for _ in PLOTS]
        self._limits = [
            [BoxAnnotation(visible=False, fill_alpha=0.0, line_alpha=0.0, hatch_pattern=hatch, hatch_alpha=0.25,
                           hatch_scale=8.0, level="underlay") for _, hatch in LIMITS]
            for _ in PLOTS
        ]  # fmt: skip
        self._plots, self._lines = [], []
        for k, ((title, scale, _), names) in enumerate(zip(PLOTS, lines, strict=True)):
            size = Range1d(-0.05, 1.05) if k == 0 else Range1d(1e-3, 1.0)
            height = HEIGHT if k else FIRST_HEIGHT
            look = {"min_border_right": 14, "x_range": span, "y_axis_type": scale, "y_range": size}
            plot = small_plot(f"object {k}", height, title, **look)
            plot.yaxis.ticker.desired_num_ticks = 4
            styles = ["solid"] * (len(names) - 1) + ["dashed"]
            drawn = [
                plot.line("decade", name, source=self._source, line_width=2.0, line_dash=dash)
                for name, dash in zip(names, styles, strict=True)
            ]
            self._lines.append(drawn)
            for box in self._limits[k]:
                plot.add_layout(box)
            plot.add_layout(self._here[k])
            plot.add_layout(self._zero[k])
            self._plots.append(plot)
        self._plots[-1].xaxis.axis_label = "object's mass and inertia, times 10ˣ"
        self._plots[-1].height = HEIGHT + 24
        self._legends = [legend_pane() for _ in PLOTS]
        later = pn.pane.HTML(WAITS, stylesheets=[LOOK], sizing_mode="stretch_width", margin=(0, 12))
        self.first = pn.Column(later, sizing_mode="stretch_width", margin=0, min_height=FIRST_HEIGHT + 30)
        self.view = pn.Column(sizing_mode="stretch_width", margin=0)

    def paint(self, theme: palette.Theme) -> None:
        for (_, _, names), lines in zip(PLOTS, self._lines, strict=True):
            for i, each in enumerate(lines):
                each.glyph.line_color = palette.quantity(names[i >= len(lines) - 1], theme)
        for (_, _, names), letters, pane in zip(PLOTS, LETTERS, self._legends, strict=True):
            drawn = [line(palette.quantity(names[i], theme), ("solid", "dashed")[i]) for i in range(2)]
            marks = [(hatched(palette.INK[theme], hatch), words) for words, hatch in LIMITS]
            last = pane is self._legends[-1]  # one legend for all
            pane.object = legend_html(list(zip(drawn, letters, strict=True))) + (legend_html(marks) if last else "")
        for box in chain(*self._limits):
            box.hatch_color = palette.INK[theme]
        for span in self._here:
            span.line_color = palette.SELECTED[theme]
        for span in self._zero:
            span.line_color = palette.INK[theme]

    def point(self, decade: float) -> None:
        for span in self._here:
            span.location = decade

    def show(self, found: Sweep, ways: Directions) -> None:
        """Shows other curves, and the decades in which a limit is reached."""
        if not self.view.objects:
            shown = [figure_pane(plot) for plot in self._plots]
            self.first[:], *others = map(list, zip(shown, self._legends, strict=True))
            self.view[:] = [each for pair in others for each in pair]
        error, correction = found.error**2, found.correction**2
        self._source.data = {"decade": DECADES} | {f"share{i}": found.shares[:, i] for i in range(6)} | {
            "gain": found.gain, "error": error, "correction": correction,
            "acceleration": found.acceleration, "free": found.free_acceleration,
        }  # fmt: skip
        light, heavy = reached(found, ways)
        for first, second in self._limits:
            _mark(first, float(DECADES[0]), light)
            _mark(second, heavy, float(DECADES[-1]))
        self._plots[0].y_range.end = 1.05 * max(1.0, float(np.nanmax(found.gain, initial=0.0)))
        for plot, values in (
            (self._plots[1], (error, correction)),
            (self._plots[2], (found.acceleration, found.free_acceleration)),
        ):
            there = np.concatenate(values)
            there = there[np.isfinite(there) & (there > 0.0)]
            if len(there):
                most = float(there.max())
                least = max(float(there.min()), LEAST * most)
                plot.y_range.update(start=least / 2.0, end=most * 2.0)


def _mark(box: BoxAnnotation, left: float, right: float) -> None:
    """Marks where a limit is reached; hides the mark if it is not."""
    box.visible = bool(np.isfinite(right - left))
    if box.visible:
        box.update(left=left, right=right)
