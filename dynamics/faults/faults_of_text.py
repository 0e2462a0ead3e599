"""Every part of the textbook's lines that can be broken, as a fault that somebody may have made."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dynamics.faults.alteration import Alteration, Form, right_side
from dynamics.reading.altered import altered_line
from dynamics.reading.breaks import Break, Kind, breaks_of
from dynamics.reading.lines import Line, lines_of

SWEEPS = ("bias", "inward_filter", "outward_smoother")
OF_FORM = {
    True: ("z_minus", "z_R", "e_minus", "e_plus"),
    False: ("z", "z_plus", "eps", "nu"),
}
"""Letters of the inward filter that only one form reads: as printed, and otherwise."""
DONE: dict[Kind, str] = {
    "drop": "{part} is left out",
    "negate": "{part} has the other sign",
    "omit": "the factor {part} is left out",
    "untranspose": "{part} is not transposed",
    "multiply": "{part} multiplies instead of dividing",
}


SAID = {
    "phi": "φ", "P_plus": "P⁺", "z_plus": "z⁺", "z_minus": "z", "z_R": "z⁺", "e_minus": "ε", "e_plus": "ν",
    "eps": "ε", "nu": "ν", "tau": "τ", "tau_loss": "the loss", "tau_bar": "τ̄", "alpha": "α", "alpha_plus": "α⁺",
    "theta_dd": "θ̈", "omega": "ω", "W": "ω×", "W_plus": "ω⁺×", "I_r": "the rotor's inertia", "stack": "the whole of it",
}  # fmt: skip
"""Letters as one says them; those of R87's printed form as the others, for nobody has both."""


def text_faults() -> Iterator[Alteration]:
    """One for each break of the arm's text."""
    for line in lines_of("arm"):
        if line.function in SWEEPS:
            for each in breaks_of(line):
                yield _fault(line, each)


def _fault(line: Line, each: Break) -> Alteration:
    source = right_side(altered_line(line, frozenset([each.key])))
    equation = line.source.partition("  # ")[2]
    part = " ".join(_said(letter) for letter in re.split(r"[-. ]", each.part))
    words = f"in the line of {_said(line.letter)}, {equation}, {DONE[each.kind].format(part=part)}"
    return Alteration(each.key, words, lines={line.key: source}, fits=lambda form: _fits(form, line))


def _said(letter: str) -> str:
    plain, _, number = letter.rpartition("_")
    return SAID.get(plain, plain) + " again" if number == "2" else SAID.get(letter, letter)


def _fits(form: Form, line: Line) -> bool:
    if line.function == "bias":
        return not form.spatial
    if line.function == "inward_filter":
        return line.letter not in OF_FORM[not form.printed]
    return True
