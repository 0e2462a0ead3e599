"""The contact stage as a chain with its numbers, R88 Fig. 9.3: (9.1) and (9.2) term by term, and what they rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.equation_html import value_html
from app.equations.formula import formula
from app.equations.rounding import sizes_by_unit
from app.equations.sheet import Figures
from app.instruments.contact_html import INERTIA
from app.instruments.contact_sweep import free_acceleration
from app.number_text import number_text, size_of

Array = NDArray[np.float64]
FORCES = r"x(0) = x_{\mathrm{FREE}} + \mathcal{G}\,[b(C) - A x_{\mathrm{FREE}}]"
ACCELERATIONS = r"\alpha(C) = \alpha_b + \mathcal{G}'\,[\bar{\lambda} - A' \alpha_b]"
ERROR = r"b(C) - A x_{\mathrm{FREE}}"
CORRECTION = rf"\mathcal{{G}}\,[{ERROR}]"
PROBLEMS = (
    "The contact forces are estimated: what the free arms predict is the prior, with their inertia at the tips for "
    "covariance, and the object's own equation is the measurement.",
    "The dual problem: the object's acceleration is estimated. How it would move when let go is the prior, and "
    "the free "
    "tips' accelerations are the measurement.",
)
"""Of (9.1), and of (9.2)."""
UNITS = (
    "Contact after contact; moment x y z in N m, then force x y z in N; inertial axes. The gain's tiles are "
    "pale where it "
    "is small beside that of the object that is carried; a click opens their digits.",
    "Angular x y z in rad/s², then linear x y z in m/s²; inertial axes. The gain's tiles are pale where it is "
    "small beside "
    "that of the object that is carried; a click opens their digits.",
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
    """A bracket, which no line ends within."""
    return f"<span class='together'>{_sign('[')}{whole}{_sign('−')}{less}{_sign(']')}</span>"


def chain_html(solution: dyn.Solution, gain: dyn.ContactGain, form: str, figures: Figures, share: float = 1.0,
    dual: bool = False,
) -> str:  # fmt: skip
    """(9.1) or (9.2) with its numbers, contact after contact; what is rounding beside any term of a sum is 0.

    Args:
        share: of the gain, beside that of the object that is carried.
        dual: whether it is (9.2).
    """
    shown = gain.by_inertia if form == INERTIA and gain.by_inertia is not None else gain.by_mobility
    text = (_of_acceleration if dual else _of_forces)(solution, gain, shown, figures, share)
    source, equation = ("R88 (9.2)", formula(ACCELERATIONS)) if dual else ("R88 (9.1)", formula(FORCES))
    return (
        f"{problem_html(dual)}<section class='equation' style='--own: var(--shade)'><header>{equation}<span "
        f"class='source'>{source}</span></header>{text}</section><p class='note'>{UNITS[dual]}</p>"
    )


def _of_forces(solution: dyn.Solution, gain: dyn.ContactGain, shown: Array, figures: Figures, share: float) -> str:
    stage, tips = solution.stages["contact"], [contact.tip for contact in solution.system.contacts]
    applied, free = (stage[name][tips].ravel() for name in ("contact_force", "predicted_contact_force"))
    measured, predicted = stage["measured_object_force"], stage["predicted_object_force"]
    force = _sizes(applied, free, measured, predicted)
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
    )
    return f"<div class='numbers'>{terms}</div>{_correction(stage, tips, figures, force)}"


def _of_acceleration(
    solution: dyn.Solution, gain: dyn.ContactGain, shown: Array, figures: Figures, share: float
) -> str:
    stage, tips = solution.stages["contact"], [contact.tip for contact in solution.system.contacts]
    let_go = free_acceleration(solution, gain)
    relative = (stage["free_tip_acceleration"] - stage["contact_bias_acceleration"])[tips].ravel()
    carried, moved = gain.grasp_map.T @ let_go, stage["object_acceleration"]
    # if the arms pushed as they predict
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


def problem_html(dual: bool) -> str:
    """Which of two problems the words prior and measurement belong to, and a switch to the other."""
    buttons = "".join(
        f"<button type='button' data-go='dual {each:d}' aria-pressed='{str(each == dual).lower()}'>{name}</button>"
        for each, name in ((False, "Forces estimated"), (True, "Acceleration estimated"))
    )
    return f"<div class='tools' role='group' aria-label='What is estimated'>{buttons}</div><p>{PROBLEMS[dual]}</p>"


def _sizes(*terms: Array) -> Array:
    """Of what is added up: angular parts, and linear ones."""
    return np.asarray(np.max([sizes_by_unit(term[:, None]) for term in terms], axis=0))


def _correction(stage: Mapping[str, Array], tips: Sequence[int], figures: Figures, force: Array) -> str:
    """The error and what the gain makes of it, part by part and in one sentence."""
    error = stage["measured_object_force"] - stage["predicted_object_force"]
    added = (stage["contact_force"] - stage["predicted_contact_force"])[list(tips)]
    beside = size_of([stage[name] for name in ("measured_object_force", "predicted_object_force")])
    sizes = [number_text(float(np.linalg.norm(part)), beside) for part in (error[3:], added[:, 3:])]
    terms = _term(ERROR, error, figures, "error", force) + _term(
        CORRECTION, added.ravel(), figures, "correction", force
    )
    return (
        f"<div class='numbers'>{terms}</div><p class='correction'>An error of <b>{sizes[0]} N</b> corrects the contact "
        f"forces by <b>{sizes[1]} N</b>.</p>"
    )


def omega_html(gain: dyn.ContactGain, figures: Figures) -> str:
    """What the gain divides by: how arms and object give way together to each force that is transmitted."""
    return (
        f"<section class='equation' style='--own: var(--shade)'><header>{formula(OMEGA)}<span class='source'>R88 (8.3)"
        f"</span></header><div class='numbers'>{value_html(gain.omega, figures)}</div><p class='note'>How the contacts "
        "part for each force that they transmit: the arms give way by Λ(0), the object by A′M⁻¹(C)A.</p></section>"
    )
