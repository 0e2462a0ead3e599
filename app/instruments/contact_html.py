"""The text of *Contact*: how the arms hold, the gain and its limits, the chain, and the step without a gain."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import panel as pn
from bokeh.models import ColumnDataSource, Range1d
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.equation_html import value_html
from app.equations.formula import formula
from app.equations.pictures import contact_titles
from app.equations.rounding import sizes_by_unit
from app.equations.sheet import Figures, buttons_html
from app.instruments.contact_sweep import DECADES, MOST, NEAR, Directions, Sweep, free_acceleration
from app.instruments.small_plot import legend_html, legend_pane, line, small_plot
from app.motion.interventions import DIRECTIONS, GRIPS, passing
from app.number_text import number_text, size_of
from app.views.components import figure_pane, text_pane
from dynamics.papers import staggered_sweeps
from dynamics.solve import ContactGain
from dynamics.system import Contact
from scenes import palette
from scenes.contact_ways import MOST_HIDDEN, hidden_forces

Array = NDArray[np.float64]
MOBILITY, INERTIA = "mobility", "inertia"
FORMS: Mapping[str, str] = {
    MOBILITY: r"C'\Omega^{-1}C A' M^{-1}(C)", INERTIA: r"\mathcal{P} A' [A \mathcal{P} A' + M(C)]^{-1}",
}  # fmt: skip
"""The gain's two forms, below (9.1)."""
GAIN, SHARES = r"\mathcal{G}", r"A\mathcal{G}"
AXES = ("moment x", "moment y", "moment z", "force x", "force y", "force z")
SEEN = 0.3  # A component of a direction is named from this share of the strongest on
MOST_PARTS = 6
HALVES = (slice(3, 6), slice(3))  # Slices of six numbers: forces, then moments
NOTHING = 1e-9  # Share of the applied force below which a part of it is rounding
HEAVY, LIGHT = 0.01, 0.99  # Shares below and above which the object counts as too heavy for the arms, or as weightless
MANY = 1e4  # Mass in kg from which on it is written in groups of three digits instead of as a power of ten


WEIGHS = (
    " The heavier it is, the smaller the gain but the larger the error, so a correction remains; without gravity and "
    "spin there is none."
)


def told_html(gain: ContactGain, ways: Directions, weighs: bool = False) -> str:
    """What the gain does to this object, as dimensionless shares.

    Args:
        weighs: whether gravity acts on it.
    """
    shares = ways.shared(gain.shares)
    if not len(shares):
        sentence = "The object's weight does not change how much the arms decide."
        return f"<p class='told'><b>{sentence}</b>{_of_others(ways)}</p>"
    least, most = (f"{100.0 * share:.3g} %" for share in (shares[-1], shares[0]))
    if shares[0] < HEAVY:
        where = ", where they can give way: there the gain" if ways.locked else ": the gain"
        sentence = (
            f"Too heavy for the arms{where} is nearly 0. Almost none of the error is corrected, and the object "
            "moves as its own forces would move it."
        ) + (WEIGHS if weighs else "")
    elif shares[-1] > LIGHT:
        where = ", where they have a hold on it" if ways.loose else ""
        sentence = (
            f"Almost weightless compared with the arms{where}: the object goes where they go. Nearly all of the error "
            "is corrected: together they only balance what pushes on it."
        )
    else:
        sentence = "Object and arms decide together."
    those = "all" if len(shares) == 6 else f"{len(shares)} of its"
    return (
        f"<p class='told'><b>{sentence}</b> In {those} six directions the arms decide {least} to {most} of "
        f"what it does: the eigenvalues of {formula(SHARES)}, which have no unit.{_of_others(ways)}</p>"
    )


def uncorrected_html(solution: dyn.Solution) -> str:
    """Explains why the tips' prediction is not corrected; empty if it is."""
    stage = solution.stages["contact"]
    predicted, measured = stage["predicted_object_force"], stage["measured_object_force"]
    correction = stage["contact_force"] - stage["predicted_contact_force"]
    if size_of(correction) > NOTHING * max(map(size_of, (stage["contact_force"], predicted, measured))):
        return ""
    why = (
        "there is no error, because the predicted forces are exactly what the object needs"
        if size_of(measured - predicted) <= NOTHING * size_of([predicted, measured])
        else "the arms have no hold on the object in the error's direction, whatever it weighs"
    )
    return f"<p class='told'><b>Nothing is corrected here:</b> {why}.</p>"


def _of_others(ways: Directions) -> str:
    """Directions in which the object's mass changes nothing."""
    said = ""
    if ways.locked:
        said += f" In {ways.locked} they cannot give way, whatever it weighs."
    if ways.loose:
        said += f" In {ways.loose} they have no hold on it."
    return said


def grips_html(system: dyn.System) -> str:
    """How each tip holds, and how else it could from this instant on."""
    rows = ""
    for contact, title in zip(system.contacts, contact_titles(system), strict=True):
        arm = html.escape(title, quote=True)
        offered = [(f"grip {contact.tip} {kind}", word, f"{arm}: {word}") for kind, word in GRIPS.items()]
        buttons = buttons_html(offered, [f"grip {contact.tip} {contact.kind}"])
        label = f"role='group' aria-label='How {arm} holds'"
        rows += f"<div class='tools' {label}><span>{arm}</span>{buttons}</div>{_directions(contact, arm)}"
    return (
        "<h4>How they hold, from here on</h4><p class='note'>Rigid: all forces and moments pass. Point with friction: "
        "forces alone, it turns freely. Soft finger: the moment about the object's normal, too. Any other selection: "
        "press a direction to let it pass, or to leave it free; z is the object's outward normal.</p>" + rows
    )


def _directions(contact: Contact, arm: str) -> str:
    offered = [
        (f"pass {contact.tip} {k}", f"{name[0]}<sub>{name[1]}</sub>", f"{arm}: {name} passes")
        for k, name in enumerate(DIRECTIONS)
    ]
    buttons = buttons_html(offered, [f"pass {contact.tip} {k}" for k, on in enumerate(passing(contact)) if on == "1"])
    label, count = f"role='group' aria-label='What passes at {arm}'", len(contact.selection)
    return (
        f"<div class='tools directions' {label}>{buttons}<small>passes {count}, leaves {6 - count} free</small></div>"
    )


def squeeze_html(solution: dyn.Solution, gain: ContactGain, figures: Figures) -> str:
    """The parts of the contact forces that carry the object and that only squeeze it."""
    contacts = solution.system.contacts
    if len(contacts) < 2:
        return ""
    applied = solution.stages["contact"]["contact_force"][[contact.tip for contact in contacts]]
    squeeze = (gain.squeezing @ applied.ravel()).reshape(-1, 6)
    rows = ""
    for title, whole, part in zip(contact_titles(solution.system), applied, squeeze, strict=True):
        sizes = np.array([np.linalg.norm(force[half]) for half in HALVES for force in (whole - part, part)])
        least = NOTHING * np.repeat([np.linalg.norm(whole[half]) for half in HALVES], 2)
        figures.put(np.where(sizes > least, sizes, 0.0))
        cells = "".join(f"<td>{figures.one()}</td>" for _ in sizes)
        rows += f"<tr><th scope='row'>{html.escape(title)}</th>{cells}</tr>"
    heads = "".join(f"<th scope='col'>{head}</th>" for _ in HALVES for head in ("carries", "squeezes"))
    return (
        "<h4>Carry and squeeze</h4><p class='note'>The part that squeezes cancels out in the object, arm against arm. "
        "The part that carries does all that the applied forces do, with the least effort: free arms would give way "
        "least to it.</p><table class='squeeze'><thead><tr><th></th><th colspan='2'>force, N</th><th colspan='2'>"
        f"moment, N m</th></tr><tr><th></th>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    )


def hidden_html(solution: dyn.Solution) -> str:
    """Contact forces that the motion does not reveal, in words; empty if there are none."""
    null = hidden_forces(solution)
    if not null.shape[-1]:
        return ""
    titles = contact_titles(solution.system)
    rows = []
    for direction in np.moveaxis(null, -1, 0):
        strongest = np.abs(direction).max()
        parts = [
            f"{AXES[k]} {'+' if direction[i, k] > 0.0 else '−'} at {html.escape(titles[i])}"
            for i, k in zip(*np.nonzero(np.abs(direction) > SEEN * strongest), strict=True)
        ]
        rows.append(f"<li>{', '.join(parts[:MOST_PARTS])}{' …' if len(parts) > MOST_PARTS else ''}</li>")
    drawn = f" The world shows the first {MOST_HIDDEN}." if len(rows) > MOST_HIDDEN else ""
    return (
        f"<h4>What no motion reveals</h4><p class='note'>In {len(rows)} direction{'s' * (len(rows) > 1)} the arms may "
        "press against each other by any amount: neither they nor the object can give way, so the motion does not show "
        f"it. The forces here are the smallest of all that fit.{drawn}</p><ul class='limits'>{''.join(rows)}</ul>"
    )


def forms_html(gain: ContactGain, form: str) -> str:
    """The choice between the two forms of the gain, and how far they differ."""
    if gain.by_inertia is None:
        return (
            f"<p>{formula(FORMS[MOBILITY])} is the gain's only form here: a contact leaves a direction free, or the "
            "tips together cannot accelerate in every direction.</p>"
        )
    apart = float(np.abs(gain.by_inertia - gain.by_mobility).max() / np.abs(gain.by_mobility).max())
    offered = [(f"form {name}", formula(latex), f"The gain by {name}") for name, latex in FORMS.items()]
    return (
        f"<div class='tools' role='group' aria-label='Form of the gain'>{buttons_html(offered, [f'form {form}'])}</div>"
        f"<p>Both forms of the gain agree to <b>{apart:.0e}</b>.</p>"
    )


def weight_text(mass: float) -> str:
    return f"{mass:.4g}" if mass < MANY else f"{mass:,.0f}"


FAR = "the eight decades do not reach this limit."


def limits_html(found: Sweep, gravity: bool, ways: Directions) -> str:
    """Both ends of the eight decades in words: the object's mass there, and the computed numbers."""
    known, shares = np.flatnonzero(np.isfinite(found.acceleration)), ways.shared(found.shares)
    if not len(known) or not shares.shape[1]:
        return f"<p>The object's weight does not change how much the arms decide.{_of_others(ways)}</p>"
    light, heavy = known[0], known[-1]
    beside = size_of((found.acceleration, found.free_acceleration))

    def said(value: float) -> str:
        return f"{number_text(float(value), beside, digits=3)} m/s²"

    def weigh(k: int) -> str:
        return f"{weight_text(found.carried * 10.0 ** float(DECADES[k]))} kg"

    fall = (
        "Its weight grows with its mass: it falls as if let go, and carries the tips along. The correction of the "
        "forces vanishes, as R88 has it, only where the object by itself would not accelerate: try it without gravity."
        if gravity
        else "It has no weight: it keeps its motion, and unless it tumbles the tips push as they predict, "
        "as if against a wall."
    )
    others = f"<li>{_of_others(ways)}</li>" if ways.locked or ways.loose else ""
    holds = f"where they have a hold on it, {formula(SHARES)}" if ways.loose else formula(SHARES)
    gives = f"where the arms give way, {formula(SHARES)}" if ways.locked else formula(GAIN)
    lightly = "the arms move it as if it had no mass, at" if shares[light, -1] > 1.0 - NEAR else f"{FAR} It moves at"
    heavily = "it moves at" if shares[heavy, 0] < NEAR else f"{FAR} It moves at"
    return (
        f"<ul class='limits'><li><b>Light</b>, {weigh(light)}: {holds} → 1 (the arms decide at least "
        f"{100.0 * shares[light, -1]:.4g} %): {lightly} {said(found.acceleration[light])}.</li>"
        f"<li><b>Heavy</b>, {weigh(heavy)}: {gives} → 0 (the arms decide at most {100.0 * shares[heavy, 0]:.3g} %): "
        f"{heavily} {said(found.acceleration[heavy])}; its own forces alone would have it move at "
        f"{said(found.free_acceleration[heavy])}. {'' if ways.locked or shares[heavy, 0] > NEAR else fall}</li>"
        f"{others}</ul>"
    )


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
