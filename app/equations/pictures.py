"""The pictures of a sheet: an inertia before and after its joint is crossed, and a contact's forces as a triangle."""

from __future__ import annotations

import html
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.sheet import Figures
from scenes import palette

Array = NDArray[np.float64]
SMALL = 1e-9  # Smallest share whose direction is meaningful: of an inertia, or of the forces


@dataclass(frozen=True, eq=False)
class Crossing:
    """The rotational and the translational block, in that order.

    An inertia block B is drawn as the outline of {B^(1/2) u: |u| = 1}, whose axes are the square roots of its
    eigenvalues. Seen along one direction the outline is the ellipse of the block's projection.

    Attributes:
        before, after: (2, 3), xx, xy, yy of each block projected on the plane, in kg m^2 and kg.
        freed: (2, 2), the direction that each block loses, projected; zero if it loses none.
        before_values, after_values: (2, 3), eigenvalues of each block, in descending order.
        axis: (2,), the joint axis, projected.
    """

    before: Array
    after: Array
    freed: Array
    before_values: Array
    after_values: Array
    axis: Array

    @property
    def numbers(self) -> Array:
        """All numbers, one block after the other: 3 + 3 + 2 + 3 + 3, and the axis."""
        blocks = np.hstack([self.before, self.after, self.freed, self.before_values, self.after_values])
        return np.append(blocks, self.axis)


def crossing(before: Array, after: Array, axis: Array) -> Crossing:
    """How an inertia (6, 6) changes at a joint.

    The plane of view holds the joint axis and the direction of the force that a torque about it meets, so that
    both losses are seen in full.

    Args:
        axis: H, (6,); one half of it is zero.
    """
    turns = bool(np.any(axis[:3]))
    h, losses = axis[:3] if turns else axis[3:], (before @ axis).reshape(2, 3)
    plane = _plane(h, losses[1 if turns else 0], before)
    blocks = np.array([[inertia[:3, :3], inertia[3:, 3:]] for inertia in (before, after)])
    outlines = (plane @ blocks @ plane.T)[..., [0, 0, 1], [0, 1, 1]]
    lengths = np.linalg.norm(losses, axis=1, keepdims=True)
    is_lost = lengths > SMALL * np.abs(before).max()
    freed = np.divide(losses, lengths, out=np.zeros((2, 3)), where=is_lost) @ plane.T
    values = np.linalg.eigvalsh(blocks)[..., ::-1]
    return Crossing(outlines[0], outlines[1], freed, values[0], values[1], plane @ h)


def _plane(h: Array, other: Array, inertia: Array) -> Array:
    """(2, 3): right is the joint axis, up the normal part of ``other`` or, if that vanishes, of the longest axis."""
    across = other - (other @ h) * h
    if np.linalg.norm(across) <= SMALL * np.abs(inertia).max():
        longest = np.linalg.eigh(inertia[3:, 3:] + inertia[:3, :3])[1][:, ::-1].T
        across = max((v - (v @ h) * h for v in longest), key=lambda v: float(np.linalg.norm(v)))
    return np.array([h, across / np.linalg.norm(across)])


CORRECTED = "corrected_contact_force"
FORCES = ("predicted_contact_force", CORRECTED, "contact_force")  # Quantities with the forces' colors in the 3D view
UP = np.array([0.0, 0.0, 1.0])
ROWS = ("predicted", "correction", "applied")
NOTE = (
    "Dashed, predicted; then dotted, the correction; thick, applied: it closes the triangle. Each is seen at right "
    "angles to its own plane, the world's up as far as it can be; beside it their tips, enlarged."
)

BALANCED = (
    "<p>Here nothing is corrected: the tips predict just what the object needs, as far as they have a hold on it.</p>"
)
"""Shown above the drawing when there is no correction."""
RELEASED = "<p>The arms hold nothing at this moment.</p>"  # Shown instead of the drawing when there is no force


def triangle(predicted: Array, applied: Array) -> Array:
    """(2, 2): the two forces, N, in the plane that contains both, right and up.

    Three vectors, one the sum of the others, lie in one plane: seen at right angles to it they have their
    true lengths and angles. Up is the projection of the world's up, or the longer force if that vanishes.
    """
    longer, other = sorted((predicted, applied), key=lambda force: -float(np.linalg.norm(force)))
    size = float(np.linalg.norm(longer))
    if size == 0.0:
        return np.zeros((2, 2))
    along = longer / size
    across = other - (other @ along) * along
    if np.linalg.norm(across) <= SMALL * size:  # all on one line: any plane through it does, preferably a vertical one
        across = min(np.eye(3), key=lambda axis: abs(float(axis @ along))) if abs(along @ UP) > 1.0 - SMALL else UP
        across = across - (across @ along) * along
    across = across / np.linalg.norm(across)
    up = (UP @ along) * along + (UP @ across) * across
    up = along if np.linalg.norm(up) <= 1e-3 else up / np.linalg.norm(up)
    right = (across @ up) * along - (along @ up) * across
    right = right if right[np.argmax(np.abs(right))] > 0.0 else -right
    return np.array([[force @ right, force @ up] for force in (predicted, applied)])


def contact_titles(system: dyn.System) -> list[str]:
    """A title for each contact of the object, with arms numbered as on the page."""
    arms = [contact.arm for contact in system.contacts]
    return [
        f"arm {one.arm + 1}" + (f", {system.link_names[one.link]}" if arms.count(one.arm) > 1 else "")
        for one in system.contacts
    ]


def triangle_html(predicted: Array, applied: Array, title: str, figures: Figures) -> str:
    """The triangle of one contact, both forces (3,) in N; empty if there is no prediction."""
    if not (np.isfinite(predicted).all() and np.isfinite(applied).all()):
        return ""
    first, title = figures.count, html.escape(title, quote=True)
    figures.put(triangle(predicted, applied))
    figures.count += 4
    sizes = np.array([np.linalg.norm(force) for force in (predicted, applied - predicted, applied)])
    figures.put(np.where(sizes > SMALL * sizes.max(), sizes, 0.0))  # less is rounding
    rows = "".join(
        f"<tr><th scope='row'><svg class='sample' viewBox='0 0 26 8' aria-hidden='true'><line class='{name}' x1='1' "
        f"y1='4' x2='25' y2='4'/></svg> {name}</th><td>{figures.one()} N</td></tr>"
        for name in ROWS
    )
    arrows = "".join(f"<line class='{name}'/><path class='{name} head'/>" for name in ROWS)
    drawing = (
        f"<svg viewBox='-64 -64 128 128' role='img' data-triangle='{first}' aria-label='Predicted force, correction "
        f"and applied force of {title} as a closed triangle'>{arrows}</svg>"
        f"<svg class='near' viewBox='-64 -64 128 128' aria-hidden='true' data-triangle='{first}'>{arrows}</svg>"
    )
    return (
        f"<figure><figcaption>{title} <small class='times' data-times='{first}'></small></figcaption>"
        f"<div>{drawing}<table class='eigenvalues'><tbody>{rows}</tbody></table></div></figure>"
    )


def _pushed(solution: dyn.Solution) -> tuple[Array, Array]:
    """Predicted and applied forces, (contacts, 6) each."""
    stage, tips = solution.stages["contact"], [contact.tip for contact in solution.system.contacts]
    return stage["predicted_contact_force"][tips], stage[CORRECTED][tips]


def balanced_html(solution: dyn.Solution) -> str:
    """Explains a missing correction, if it is rounding compared with the applied forces; else empty.

    Separate from the triangles, whose words are the same at every instant: a replay stores those once.
    """
    predicted, applied = _pushed(solution)
    is_nothing = np.abs(applied - predicted).max(initial=0.0) <= SMALL * np.abs(applied).max(initial=0.0)
    return BALANCED if is_nothing else ""


def triangles_html(solution: dyn.Solution, theme: palette.Theme, figures: Figures) -> str:
    """The triangles of all contacts of a solution with a contact stage; empty if no force was predicted."""
    forces = (each[:, 3:] for each in _pushed(solution))
    drawings = "".join(
        triangle_html(predicted, applied, title, figures)
        for predicted, applied, title in zip(*forces, contact_titles(solution.system), strict=True)
    )
    if not drawings:
        return ""
    colors = "; ".join(f"--{name}: {palette.quantity(key, theme)}" for name, key in zip(ROWS, FORCES, strict=True))
    return (
        f"<section class='crossing triangles' style='{colors}'><h4>Predicted + correction = applied</h4>"
        f"<div class='figures'>{drawings}</div><p class='note'>{NOTE}</p></section>"
    )
