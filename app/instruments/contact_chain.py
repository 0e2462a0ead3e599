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
from dynamics.operators import ContactGain

Array = NDArray[np.float64]
FORCES = r"x(0) = x_{\mathrm{FREE}} + \mathcal{G}\,[b(C) - A x_{\mathrm{FREE}}]"
ACCELERATIONS = r"\alpha(C) = \alpha_b + \mathcal{G}'\,[\bar{\lambda} - A' \alpha_b]"
ERROR = r"b(C) - A x_{\mathrm{FREE}}"
CORRECTION = rf"\mathcal{{G}}\,[{ERROR}]"
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


def chain_html(solution: dyn.Solution, gain: ContactGain, form: str, figures: Figures, share: float = 1.0) -> str:
    """(9.1) and (9.2) with their numbers, contact after contact; what is rounding beside any term of a sum is 0.

    Args:
        share: of the gain, beside that of the object that is carried.
    """
    stage = solution.stages["contact"]
    tips = [contact.tip for contact in solution.system.contacts]
    applied, free = (stage[name][tips].ravel() for name in ("contact_force", "predicted_contact_force"))
    shown = gain.by_inertia if form == INERTIA and gain.by_inertia is not None else gain.by_mobility
    let_go = free_acceleration(solution, gain)
    relative = (stage["free_tip_acceleration"] - stage["contact_bias_acceleration"])[tips].ravel()
    measured, predicted = stage["measured_object_force"], stage["predicted_object_force"]
    carried = gain.grasp_map.T @ let_go
    force = _sizes(applied, free, measured, predicted)
    forces = (
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
    moved = stage["object_acceleration"]
    forced = np.asarray(np.linalg.solve(gain.object_inertia, predicted))  # if the arms pushed as they predict
    motion = _sizes(moved, let_go, relative, carried, forced)
    accelerations = (
        _term(r"\alpha(C)", moved, figures, "as it moves", motion)
        + _sign("=")
        + _term(r"\alpha_b", let_go, figures, "let go", motion)
        + _sign("+")
        + _term(r"\mathcal{G}'", shown.T, figures, "gain", share=share)
        + _difference(
            _term(r"\bar{\lambda}", relative, figures, "free tips", motion),
            _term(r"A'\alpha_b", carried, figures, "predicted", motion),
        )
    )
    return (
        f"<section class='equation' style='--own: var(--shade)'><header>{formula(FORCES)}<span class='source'>R88 (9.1)"
        f"</span></header><div class='numbers'>{forces}</div>{_correction(stage, tips, figures, force)}</section>"
        f"<section class='equation' style='--own: var(--shade)'><header>{formula(ACCELERATIONS)}<span class='source'>"
        f"R88 (9.2)</span></header><div class='numbers'>{accelerations}</div></section>"
        "<p class='note'>Contact after contact; moment x y z in N m, then force x y z in N; angular rad/s², then "
        "linear m/s²; inertial axes. The gain's tiles are pale where it is small beside that of the object "
        "that is carried; a click opens their digits.</p>"
    )


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


def omega_html(gain: ContactGain, figures: Figures) -> str:
    """What the gain divides by: how arms and object give way together to each force that is transmitted."""
    return (
        f"<section class='equation' style='--own: var(--shade)'><header>{formula(OMEGA)}<span class='source'>R88 (8.3)"
        f"</span></header><div class='numbers'>{value_html(gain.omega, figures)}</div><p class='note'>How the contacts "
        "part for each force that they transmit: the arms give way by Λ(0), the object by A′M⁻¹(C)A.</p></section>"
    )
