"""What a moment with *Contact* open has of it in print: the forces predicted, corrected and applied, tip after tip."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.formula import formula
from app.equations.triangle import RELEASED, contact_titles
from app.instruments.contact_html import weight_text
from app.instruments.contact_sweep import what_if
from app.instruments.contact_tried import Tried, object_html
from app.number_text import number_text, size_of

Array = NDArray[np.float64]
FORCES = r"x(0) = x_{\mathrm{FREE}} + \mathcal{G}\,[b(C) - A x_{\mathrm{FREE}}]"
HALVES = (("moment", slice(3), "N m"), ("force", slice(3, 6), "N"))


def contact_html(moment: dyn.Solution, wrench: Array | None, tried: Tried) -> str:
    """(9.1) and its three forces at every contact, as six numbers and their sizes; rounding beside them is 0.

    Args:
        wrench: what pushes there.
        tried: the object and the world that are looked at.

    Raises:
        ModelError, SingularConfigurationError: where such an object cannot be.
    """
    contacts = moment.system.contacts
    if not contacts:
        return RELEASED
    gravity = tried.gravity or not np.any(moment.system.gravity)
    solution = what_if(moment, wrench, tried.decade, gravity)
    thing = solution.system.task_object
    other = "" if solution is moment or thing is None else object_html(weight_text(thing.mass), gravity, True)
    stage, tips = solution.stages["contact"], [contact.tip for contact in contacts]
    predicted, applied = (stage[name][tips] for name in ("predicted_contact_force", "contact_force"))
    forces = {"predicted": predicted, "correction": applied - predicted, "applied": applied}
    rows = "".join(
        f"<tr><th scope='row'>{html.escape(title) if k == 0 else ''}</th><td>{name}</td>"
        f"{_numbers(force[i], (predicted, applied))}</tr>"
        for i, title in enumerate(contact_titles(solution.system))
        for k, (name, force) in enumerate(forces.items())
    )
    heads = "".join(f"<th scope='col'>{name} x y z, {unit}</th><th scope='col'>size</th>" for name, _, unit in HALVES)
    return (
        f"{other}<p><span class='formula'>{formula(FORCES)}</span> "
        "<span class='source'>R88 (9.1); inertial axes</span></p>"
        f"<table><thead><tr><th></th><th></th>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _numbers(force: Array, beside: Sequence[Array]) -> str:
    """[moment; force] in two cells each: three numbers, and how large they are together."""
    cells = ""
    for _, half, _ in HALVES:
        size = size_of([each[:, half] for each in beside])
        texts = [number_text(float(each), size) for each in (*force[half], np.linalg.norm(force[half]))]
        cells += f"<td class='number'>{', '.join(texts[:3])}</td><td class='number'>{texts[3]}</td>"
    return cells
