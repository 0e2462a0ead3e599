"""Symbols and units as plain text, for titles and menus that cannot typeset them."""

from __future__ import annotations

import re

GREEK = {
    "alpha": "α", "epsilon": "ε", "nu": "ν", "theta": "θ", "lambda": "λ", "Lambda": "Λ", "eta": "η", "Omega": "Ω",
    "delta": "δ", "tau": "τ", "Delta": "Δ", "ker": "ker ", "phi": "φ", "psi": "ψ", "omega": "ω", "rho": "ρ",
}  # fmt: skip
MARKS = {r"\ddot": "\u0308", r"\dot": "\u0307", r"\tilde": "\u0303", r"\bar": "\u0304"}
SUBSCRIPTS = str.maketrans("0123456789s", "₀₁₂₃₄₅₆₇₈₉ₛ")
POWERS = {"^(1/2)": "^½", "^2": "²", "^4": "⁴"}


def plain(latex: str) -> str:
    """The symbol in Unicode: accents combined, super- and subscripts where Unicode has them."""
    text = latex.replace(r"\mathcal{G}", "𝒢").replace(r"\,", "").replace(r"\sqrt{D(k)}", "√D(k)")
    text = text.replace(r"\sqrt{D_s(k)}", "√Dₛ(k)").replace("^+", "⁺").replace(r"^{\prime}", "′")
    for command, mark in MARKS.items():
        for name, letter in GREEK.items():
            text = text.replace(f"{command}\\{name}", letter + mark)
    text = re.sub(r"\\([a-zA-Z]+)", lambda m: GREEK.get(m[1], m[1]), text)
    text = re.sub(r"_\{([A-Z]+)\}", r" \1", text)
    return re.sub(r"_([0-9s])", lambda m: m[1].translate(SUBSCRIPTS), text)


def spelled(latex: str) -> str:
    """The names of the letters in a symbol, to be searched for: ``epsilon``, ``theta``."""
    return " ".join(re.findall(r"\\([a-zA-Z]+)", latex))


def unit_text(unit: str) -> str:
    """A unit with raised exponents; nothing for a pure number."""
    if unit == "1":
        return ""
    for typed, raised in POWERS.items():
        unit = unit.replace(typed, raised)
    return unit
