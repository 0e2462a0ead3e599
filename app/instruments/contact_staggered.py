"""The contact stage without its gain: sweeps of JZ's staggered step at one instant, and when they diverge."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import panel as pn
from bokeh.models import ColumnDataSource, Range1d
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.equation_html import value_html
from app.equations.formula import formula
from app.equations.rounding import sizes_by_unit
from app.equations.sheet import Figures, buttons_html
from app.instruments.contact_html import INERTIA
from app.instruments.contact_sweep import MOST, Directions, free_acceleration
from app.instruments.small_plot import legend_html, legend_pane, line, small_plot
from app.number_text import number_text, size_of
from app.views.components import figure_pane, text_pane
from dynamics.operators import ContactGain
from dynamics.papers import staggered_sweeps
from scenes import palette

Array = NDArray[np.float64]
SWEEPS = 12
RANGE = (1e-6, 1e6)  # Range of the plotted distance from the exact acceleration, relative to its magnitude
ROUNDING = 1e-9  # Relative distance above which it is more than rounding
ABOUT = (
    "<h3>Without the gain, sweep by sweep</h3><p>The staggered step (JZ 4.2) has no gain: every arm takes the object's "
    "acceleration from the sweep before, and the resulting forces give the next one.</p>"
)


@dataclass(frozen=True, eq=False)
class Sweeps:
    """The result of the sweeps.

    Attributes:
        distance: (SWEEPS + 1,), from the exact acceleration, in the norm of the object's inertia, relative to its size.
        radius: the factor by which a sweep multiplies the distance asymptotically.
        decade: of the object on trial: its mass is 10^decade times the actual one.
    """

    distance: Array
    radius: float
    decade: float


def sweeps(solution: dyn.Solution, gain: ContactGain, wrench: Array | None, decade: float) -> Sweeps:
    """Runs the sweeps at an instant with a known gain.

    Raises:
        ModelError, SingularConfigurationError, StateError: if there are none.

    Cost: cubic in the joints of an arm, for each sweep.
    """
    found = staggered_sweeps(solution.system, solution.state, solution.tau, SWEEPS, wrench)
    exact = solution.stages["contact"]["object_acceleration"]
    root = np.linalg.cholesky(gain.object_inertia)
    size = float(np.linalg.norm(exact @ root))
    apart = np.linalg.norm((found.object_acceleration - exact) @ root, axis=1)
    return Sweeps(apart / size if size else np.full(SWEEPS + 1, np.nan), found.radius, decade)


def verdict_html(found: Sweeps, shares: Array, ways: Directions) -> str:
    """Whether the sweeps converge, why, and from which object on."""
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
    """The error after each sweep, and the slope given by the radius."""

    def __init__(self) -> None:
        count = np.arange(SWEEPS + 1.0)
        nothing = np.full(SWEEPS + 1, np.nan)
        self._source = ColumnDataSource({"sweep": count, "error": nothing, "slope": nothing})
        self._plot = small_plot(
            "staggered", 170, "relative error of the object's acceleration", min_border_right=14,
            x_range=Range1d(0.0, float(SWEEPS)), y_range=Range1d(*RANGE), y_axis_type="log", x_axis_label="sweeps",
        )  # fmt: skip
        self._error = self._plot.line("sweep", "error", source=self._source, line_width=2.0)
        self._dots = self._plot.scatter("sweep", "error", source=self._source, size=5)
        self._slope = self._plot.line("sweep", "slope", source=self._source, line_width=2.0, line_dash="dashed")
        self._words, self._legend = text_pane(), legend_pane()
        self.view = pn.Column(self._words, sizing_mode="stretch_width", margin=0)

    def paint(self, theme: palette.Theme) -> None:
        color, ink = palette.quantity("acceleration", theme), palette.quantity("axis", theme)
        self._error.glyph.line_color = self._dots.glyph.line_color = self._dots.glyph.fill_color = color
        self._slope.glyph.line_color = ink
        self._legend.object = legend_html(
            [(line(color, "solid"), "staggered step"), (line(ink, "dashed"), "ρ per sweep")]
        )

    def show(self, found: Sweeps, shares: Array, ways: Directions) -> None:
        if len(self.view.objects) == 1:
            self.view.extend([figure_pane(self._plot), self._legend])
        self._words.object = ABOUT + verdict_html(found, shares, ways)
        sound = np.flatnonzero(found.distance > ROUNDING)
        last = int(sound[-1]) if len(sound) else 0
        slope = found.distance[last] * found.radius ** (self._source.data["sweep"] - last) if found.radius else np.nan
        self._source.data.update(
            {"error": found.distance, "slope": np.broadcast_to(slope, found.distance.shape).copy()}
        )

    def refuse(self, words: str) -> None:
        self._words.object = f"{ABOUT}<p class='warning'>{words}</p>"
        self._source.data.update({name: np.full(SWEEPS + 1, np.nan) for name in ("error", "slope")})


FORCES = r"x(0) = x_{\mathrm{FREE}} + \mathcal{G}\,[b(C) - A x_{\mathrm{FREE}}]"
ACCELERATIONS = r"\alpha(C) = \alpha_b + \mathcal{G}'\,[\bar{\lambda} - A' \alpha_b]"
ERROR = r"b(C) - A x_{\mathrm{FREE}}"
CORRECTION = rf"\mathcal{{G}}\,[{ERROR}]"
PROBLEMS = (
    "The contact forces are estimated: what the free arms predict is the prior, with their inertia at the tips for "
    "covariance, and the object's own equation is the measurement.",
    "The dual problem: the object's acceleration is estimated. How it would move when let go is the prior, and "
    "the free tips' accelerations are the measurement.",
)
"""Introductions to (9.1) and (9.2)."""
UNITS = (
    "Contact after contact; moment x y z in N m, then force x y z in N; inertial axes. The gain's tiles are "
    "pale where it is "
    "small beside that of the object that is carried; a click opens their digits.",
    "Angular x y z in rad/s², then linear x y z in m/s²; inertial axes. The gain's tiles are pale where it is "
    "small "
    "beside that of the object that is carried; a click opens their digits.",
)
OMEGA = r"\Omega = C\,[\Lambda(0) + A' M^{-1}(C)\, A]\, C'"


def _term(
    latex: str, value: Array, figures: Figures, words: str, parts: Array | None = None, share: float = 1.0
) -> str:
    matrix = value if value.ndim == 2 else value[:, None]
    return (
        f"<div class='term'><div class='words'>{words}</div><div class='symbol'>{formula(latex)}</div>"
        f"<div class='value'>{value_html(matrix, figures, parts, share=share)}</div></div>"
    )


def _sign(sign: str) -> str:
    return f"<span class='sign'>{sign}</span>"


def _difference(whole: str, less: str) -> str:
    """A bracket without a line break inside."""
    return f"<span class='together'>{_sign('[')}{whole}{_sign('−')}{less}{_sign(']')}</span>"


def chain_html(solution: dyn.Solution, gain: ContactGain, form: str, figures: Figures, share: float = 1.0,
    dual: bool = False,
) -> str:  # fmt: skip
    """(9.1) or (9.2) with its numbers, contact by contact; a number that is rounding relative to any term shows as 0.

    Args:
        share: of the gain, relative to that with the actual object.
        dual: whether to show (9.2).
    """
    shown = gain.by_inertia if form == INERTIA and gain.by_inertia is not None else gain.by_mobility
    text = (_of_acceleration if dual else _of_forces)(solution, gain, shown, figures, share)
    source, equation = ("R88 (9.2)", formula(ACCELERATIONS)) if dual else ("R88 (9.1)", formula(FORCES))
    offered = [("dual 0", "Forces estimated", ""), ("dual 1", "Acceleration estimated", "")]
    buttons = buttons_html(offered, [f"dual {dual:d}"])
    return (
        f"<div class='tools' role='group' aria-label='What is estimated'>{buttons}</div><p>{PROBLEMS[dual]}</p>"
        f"<section class='equation' style='--own: var(--shade)'><header>{equation}<span "
        f"class='source'>{source}</span></header>{text}</section><p class='note'>{UNITS[dual]}</p>"
    )


def _of_forces(solution: dyn.Solution, gain: ContactGain, shown: Array, figures: Figures, share: float) -> str:
    stage, tips = solution.stages["contact"], [contact.tip for contact in solution.system.contacts]
    applied, free = (stage[name][tips].ravel() for name in ("contact_force", "predicted_contact_force"))
    measured, predicted = stage["measured_object_force"], stage["predicted_object_force"]
    force, added = _sizes(applied, free, measured, predicted), shown @ (measured - predicted)
    rest = applied - free - added
    rest = rest * (np.linalg.norm(rest) > ROUNDING * np.linalg.norm(applied))
    terms = (
        _term("x(0)", applied, figures, "applied", force)
        + _sign("=")
        + _term(r"x_{\mathrm{FREE}}", free, figures, "predicted", force)
        + _sign("+")
        + _term(r"\mathcal{G}", shown, figures, "gain", share=share)
        + _difference(
            _term("b(C)", measured, figures, "measured", force),
            _term(r"A x_{\mathrm{FREE}}", predicted, figures, "predicted", force),
        )
        + (_sign("+") + _term(r"\rho", rest, figures, "correction", force) if rest.any() else "")
    )
    return f"<div class='numbers'>{terms}</div>{_correction(measured, predicted, added, figures, force)}"


def _of_acceleration(solution: dyn.Solution, gain: ContactGain, shown: Array, figures: Figures, share: float) -> str:
    stage, tips = solution.stages["contact"], [contact.tip for contact in solution.system.contacts]
    let_go = free_acceleration(solution, gain)
    relative = (stage["free_tip_acceleration"] - stage["contact_bias_acceleration"])[tips].ravel()
    carried, moved = gain.grasp_map.T @ let_go, stage["object_acceleration"]
    # acceleration if the arms pushed as predicted
    forced = np.asarray(np.linalg.solve(gain.object_inertia, stage["predicted_object_force"]))
    motion = _sizes(moved, let_go, relative, carried, forced)
    terms = (
        _term(r"\alpha(C)", moved, figures, "estimated", motion)
        + _sign("=")
        + _term(r"\alpha_b", let_go, figures, "predicted", motion)
        + _sign("+")
        + _term(r"\mathcal{G}'", shown.T, figures, "gain", share=share)
        + _difference(
            _term(r"\bar{\lambda}", relative, figures, "measured", motion),
            _term(r"A'\alpha_b", carried, figures, "predicted", motion),
        )
    )
    return f"<div class='numbers'>{terms}</div>"


def _sizes(*terms: Array) -> Array:
    """Largest magnitudes of the terms: angular and linear parts."""
    return np.asarray(np.max([sizes_by_unit(term[:, None]) for term in terms], axis=0))


def _correction(measured: Array, predicted: Array, added: Array, figures: Figures, force: Array) -> str:
    """The error and what the gain makes of it, part by part and in one sentence."""
    error, beside = measured - predicted, size_of((measured, predicted))
    sizes = [number_text(float(np.linalg.norm(part)), beside) for part in (error[3:], added.reshape(-1, 6)[:, 3:])]
    terms = _term(ERROR, error, figures, "error", force) + _term(CORRECTION, added, figures, "correction", force)
    return (
        f"<div class='numbers'>{terms}</div><p class='correction'>An error of <b>{sizes[0]} N</b> corrects the contact "
        f"forces by <b>{sizes[1]} N</b>.</p>"
    )


def omega_html(gain: ContactGain, figures: Figures) -> str:
    """The inverse inside the gain: how arms and object together yield to each transmitted force."""
    return (
        f"<section class='equation' style='--own: var(--shade)'><header>{formula(OMEGA)}<span class='source'>R88 (8.3)"
        f"</span></header><div class='numbers'>{value_html(gain.omega, figures)}</div><p class='note'>How the contacts "
        "part for each force that they transmit: the arms give way by Λ(0), the object by A′M⁻¹(C)A.</p></section>"
    )
