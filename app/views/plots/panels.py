"""What a panel of the dock shows, and the panels that are prepared for each tab."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from app.sampling.curves import Trace

MOST_PANELS = 6
MOST_TRACES = 2
"""Quantities in one panel: the second is dashed."""
CURSOR, ALL = "cursor", "all"


@dataclass(frozen=True)
class Panel:
    """One plot.

    Attributes:
        traces: key and component of each quantity; none for an empty panel.
        follow: ``cursor`` for the cursor's link or arm, ``all`` for one line a link or arm, or a row's number.
        bars: whether it shows the values of all links now instead of lines over time.
        logarithmic: whether its axis is logarithmic.
        full: whether the axis holds every peak.
        difference: whether it shows the present run less the kept ones.
        title: what it is called while it shows what it opened with; else its quantities name it.
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
"""The panels that are prepared for a tab, by the names of their buttons; it opens with the first. A tab can be opened
where every one of its quantities is known."""
TURNING = "motion/base_turning"
OF_A_FLYER = {"Base": _panel("How far the base has turned", f"{TURNING}:all")}
"""Before those of *Motion*, where one base floats: what moves without being driven."""
TAB_OF = {
    "filter": "Filter",
    "smoother": "Motion",
    "contact": "Contact",
    "filter_correction": "Contact",
    "smoother_final": "Motion",
    "dual_filter": "Two filters",
}
"""Which of them shows what a stage computes."""
OF_INSTRUMENT = {"Contact": "Contact", "Two filters": "Two filters", "Estimation": "Filter", "Change": "Motion"}
"""Which of them shows over time what an instrument shows of a moment."""
HELD = {"smoother/joint_acceleration": "smoother_final/joint_acceleration"}
"""Where an object is held, what the joints do is the last smoother's; the first one's is a step on the way."""


def panels_of(tab: str, keys: Mapping[str, object]) -> dict[str, Panel]:
    """The panels that are prepared for a tab, by name, for a system that has these quantities."""
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
    """Whether a system has what the tab shows."""
    return all(key in keys for panel in panels_of(tab, keys).values() for key, _ in panel.traces)
