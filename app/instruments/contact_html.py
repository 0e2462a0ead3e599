"""The text beside the chain of *Contact*: how the arms hold, the form of the gain, and its limits."""

from __future__ import annotations

import html
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.formula import formula
from app.equations.pictures import contact_titles
from app.equations.sheet import Figures, buttons_html
from app.instruments.contact_sweep import DECADES, NEAR, Directions, Sweep
from app.motion.interventions import DIRECTIONS, GRIPS, passing
from app.number_text import number_text, size_of
from dynamics.operators import ContactGain
from dynamics.system import Contact
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
