"""The content of a dock panel, and the prepared panels of each tab."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.sampling.sampler import Trace

Array = NDArray[np.float64]

MOST_PANELS = 6
MOST_TRACES = 2  # Largest number of quantities in one panel; the second is dashed
CURSOR, ALL = "cursor", "all"


@dataclass(frozen=True)
class Panel:
    """One plot.

    Attributes:
        traces: key and component of each quantity; none for an empty panel.
        follow: ``cursor`` for the cursor's link or arm, ``all`` for one line per link or arm, or a row's number.
        bars: whether it shows the present values of all links instead of lines over time.
        logarithmic: whether its axis is logarithmic.
        full: whether the axis includes every peak.
        difference: whether it shows the present run minus the kept ones.
        title: its prepared name; empty once its quantities have changed, which then name it.
    """

    traces: tuple[Trace, ...] = ()
    follow: str = CURSOR
    bars: bool = False
    logarithmic: bool = False
    full: bool = False
    difference: bool = False
    title: str = ""


def _panel(title: str, *traces: str, follow: str = CURSOR, logarithmic: bool = False) -> Panel:
    """A panel of quantities written as ``stage/name:component``."""
    pairs = [trace.partition(":") for trace in traces]
    keys = tuple((key, component) for key, _, component in pairs)
    return Panel(keys, follow, logarithmic=logarithmic, title=title)


P, S = "filter/articulated_inertia", "dual_filter/dual_articulated_inertia"
BOTH = "dual_filter/operational_space_inertia"
FORCES = ("contact/predicted_contact_force", "contact/contact_force")
TABS: Mapping[str, Mapping[str, Panel]] = {
    "Filter": {
        "Gain": _panel("Kalman gain G(k)", "filter/kalman_gain:all"),
        "Joint inertia": _panel("Joint inertia D(k)", "filter/joint_inertia:value", follow=ALL, logarithmic=True),
        "Eigenvalues": _panel("Eigenvalues of P(k)", "filter/articulated_inertia/eigenvalues:all", logarithmic=True),
        "Innovation": _panel("Innovation ε(k)", "filter/innovation:value", follow=ALL),
    },
    "Contact": {
        "Force": _panel("Contact force", *(f"{key}:force" for key in reversed(FORCES))),
        "Moment": _panel("Contact moment", *(f"{key}:moment" for key in reversed(FORCES))),
        "Acceleration": _panel("Object acceleration α(C)", "contact/object_acceleration:linear"),
        "Turning": _panel("Object angular acceleration α(C)", "contact/object_acceleration:angular"),
    },
    "Motion": {
        "Acceleration": _panel("Joint acceleration θ̈(k)", "smoother/joint_acceleration:value", follow=ALL),
        "Energy": _panel("Energy, potential zero at the start", "motion/energy:since"),
        "Momentum": _panel("Linear momentum", "motion/momentum:linear"),
        "Turning": _panel("Angular momentum about the origin", "motion/momentum:angular"),
    },
    "Two filters": {
        "Traces": _panel("Trace of P(k) and of S(k), turning", f"{P}/trace:angular", f"{S}/trace:angular"),
        "Eigenvalues": _panel("Eigenvalues of P(k)+S(k), turning", f"{BOTH}/eigenvalues:angular", logarithmic=True),
        "Innovations": _panel(
            "Whitened innovations of both filters",
            "filter/innovation/whitened:value",
            "dual_filter/dual_innovation/whitened:value",
        ),
        "Joint inertias": _panel(
            "Joint inertias D(k) and Dₛ(k)",
            "filter/joint_inertia:value",
            "dual_filter/dual_joint_inertia:value",
            logarithmic=True,
        ),
    },
}
"""The prepared panels of each tab, by the names of their buttons; the tab opens with the first. A tab can be opened
if all its quantities are known."""
TURNING = "motion/base_turning"
OF_A_FLYER = {"Base": _panel("Angle of the base from its start", f"{TURNING}:all")}
"""Precedes those of *Motion* for a floating base, which moves without a motor."""
TAB_OF = {
    "filter": "Filter",
    "smoother": "Motion",
    "contact": "Contact",
    "filter_correction": "Contact",
    "smoother_final": "Motion",
    "dual_filter": "Two filters",
}
"""The tab with the results of each stage."""
OF_INSTRUMENT = {"Contact": "Contact", "Two filters": "Two filters", "Estimation": "Filter", "Change": "Motion"}
"""The tab that shows an instrument's quantities over time."""
HELD = {"smoother/joint_acceleration": "smoother_final/joint_acceleration"}
"""When an object is held, the last smoother finds the joints' motion; the first smoother is an intermediate step."""


def panels_of(tab: str, keys: Mapping[str, object]) -> dict[str, Panel]:
    """The prepared panels of a tab, by name, for a system with these quantities."""
    return {
        name: replace(
            panel, traces=tuple((HELD[key] if HELD.get(key) in keys else key, part) for key, part in panel.traces)
        )
        for name, panel in ({**OF_A_FLYER, **TABS[tab]} if tab == "Motion" and TURNING in keys else TABS[tab]).items()
    }


def first_tab(keys: Mapping[str, object]) -> str:
    """The tab that a system's plots open with."""
    return "Motion" if TURNING in keys else next(iter(TABS))


def can_open(tab: str, keys: Mapping[str, object]) -> bool:
    """Whether a system has all quantities of a tab."""
    return all(key in keys for panel in panels_of(tab, keys).values() for key, _ in panel.traces)


def at_times(wanted: Array, times: Array, values: Array) -> Array:
    """Values at other times than the sample times: the samples themselves, or linear interpolation between two."""
    if not len(times):
        return np.full(len(wanted), np.nan)
    found = np.interp(wanted, times, values, left=np.nan, right=np.nan)
    nearest = np.clip(np.searchsorted(times, wanted - 1e-9), 0, len(times) - 1)
    return np.where(np.abs(times[nearest] - wanted) < 1e-9, values[nearest], found)


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
    """The names of the letters in a symbol, for searching: ``epsilon``, ``theta``."""
    return " ".join(re.findall(r"\\([a-zA-Z]+)", latex))


def unit_text(unit: str) -> str:
    """A unit with superscript exponents; empty for a pure number."""
    if unit == "1":
        return ""
    for typed, raised in POWERS.items():
        unit = unit.replace(typed, raised)
    return unit


NOTHING = 1e-12  # Values below this are zero for a machine of ordinary size, in SI units
ROOM = 1e3  # Factor from one unit, up or down, within which a machine is of ordinary size
OF_MASS_AND_LENGTH: Mapping[str, tuple[int, int, bool]] = {
    "kg": (1, 0, False), "kg m": (1, 1, False), "kg m²": (1, 2, False),
    "kg m/s": (1, 1, False), "N s": (1, 1, False), "kg m²/s": (1, 2, False), "N m s": (1, 2, False),
    "N": (1, 1, True), "N m": (1, 2, True), "J": (1, 2, True), "W": (1, 2, True),
}  # fmt: skip
"""Powers of mass and length, and whether the unit grows with the rate of a fall, 1/s²; the time scale is a person's."""


def smallest(system: dyn.System, unit: str) -> float:
    """Values of a unit below this count as zero; for units without mass it is the same for every machine."""
    of_mass, of_length, falls = OF_MASS_AND_LENGTH.get(unit, (0, 0, False))
    mass = sum(link.mass for link in system.link_models)
    steps = [np.linalg.norm(joint.origin[:3, 3]) for joint in system.joint_models]
    centers = [np.linalg.norm(link.center_of_mass) for link in system.link_models]
    length = float(np.max([*steps, *centers], initial=0.0))
    if of_mass == 0 or mass == 0.0 or length == 0.0:
        return NOTHING
    rate = max(1.0, float(np.linalg.norm(system.gravity)) / length) if falls else 1.0
    size = mass**of_mass * length**of_length * rate
    return NOTHING * max(min(ROOM * size, 1.0), size / ROOM)
