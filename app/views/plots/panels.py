"""The content of a dock panel, the prepared panels of each tab, and the operations on them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.motion.quantities import PlotQuantity
from app.motion.sampler import Trace
from app.number_text import read_index

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


EMPTY = "-"
SWITCHES = {"log": "logarithmic", "bars": "bars", "full": "full", "difference": "difference"}
Sets = Mapping[str, Sequence[Panel]]


def written(sets: Sets, own: Sets) -> str:
    """The sets that differ from their defaults, as text; empty if none does."""
    parts = []
    for name, panels in sets.items():
        if list(panels) != list(own[name]):
            parts += [name, *map(_written, panels)]
    return ";".join(parts)


def _written(panel: Panel) -> str:
    words = [":".join(trace) for trace in panel.traces]
    words += [panel.follow] if panel.follow != CURSOR else []
    words += [word for word, field in SWITCHES.items() if getattr(panel, field)]
    return "~".join(words) or EMPTY


def read(
    text: str, prepared: Mapping[str, Collection[Panel]], catalogue: Mapping[str, PlotQuantity], system: dyn.System
) -> dict[str, list[Panel]]:
    """Parses the sets from the text.

    Args:
        prepared: panels of each set; a panel with the same quantities gets the prepared title.
    """
    found: dict[str, list[Panel]] = {}
    name = ""
    for part in text.split(";"):
        if part in prepared:
            name, found[part] = part, []
        elif name and len(found[name]) < MOST_PANELS:
            panel = _read(part, catalogue, system)
            titles = {each.traces: each.title for each in prepared[name]}
            found[name].append(replace(panel, title=titles.get(panel.traces, "")))
    return found


def _read(text: str, catalogue: Mapping[str, PlotQuantity], system: dyn.System) -> Panel:
    traces: list[tuple[str, str]] = []
    switched: set[str] = set()
    follow = CURSOR
    for word in text.split("~"):
        key, colon, component = word.partition(":")
        if colon:
            known = key in catalogue and any(each.key == component for each in catalogue[key].components)
            if known and len(traces) < MOST_TRACES and key not in dict(traces):
                traces.append((key, component))
        elif word == ALL or read_index(word) is not None:
            follow = word
        elif word in SWITCHES:
            switched.add(SWITCHES[word])
    if not traces:
        return Panel()
    rows = min(rows_of(catalogue[key], system) for key, _ in traces)
    if follow not in (CURSOR, ALL) and int(follow) >= rows:
        follow = CURSOR
    on = {field: field in switched for field in ("bars", "logarithmic", "full", "difference")}
    return Panel(tuple(traces), follow, on["bars"], on["logarithmic"], on["full"], on["difference"])


def rows_of(plotted: PlotQuantity, system: dyn.System) -> int:
    """How many fixed links or arms a panel can follow; a whole has one row, which cannot be chosen."""
    return system.n_joints if plotted.at_joints and plotted.rows == "links" else plotted.count(system)


Catalogue = Mapping[str, PlotQuantity]


class PanelSets:
    """The open panels of each tab; each tab keeps its user's changes.

    A tab has some prepared panels and opens with the first; a click opens the others.

    Attributes:
        active: the open tab.
        first: the tab that this machine's plots open with.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self.active = self.first = first_tab(catalogue)
        self._panels: dict[str, list[Panel]] = {}
        self._own: dict[str, list[Panel]] = {}
        self.adapt(catalogue)

    def adapt(self, catalogue: Catalogue) -> None:
        """Adapts to another system with other quantities: unchanged tabs get the panels that suit it."""
        self.catalogue = catalogue
        old, before = self._panels, self._own
        self._prepared = {tab: panels_of(tab, catalogue) for tab in TABS}
        self._own = {tab: list(panels.values())[:1] for tab, panels in self._prepared.items()}
        self._panels = {
            tab: list(own) if old.get(tab) == before.get(tab) else old[tab] for tab, own in self._own.items()
        }
        first, self.first = self.first, first_tab(catalogue)
        if self.active == first or not can_open(self.active, catalogue):
            self.active = self.first

    @property
    def panels(self) -> list[Panel]:
        return self._panels[self.active]

    @property
    def waiting(self) -> dict[str, Panel]:
        """The prepared panels of the open tab that are not open, by name."""
        return self._waiting(self.active)

    def _waiting(self, tab: str) -> dict[str, Panel]:
        open_ones = {panel.traces for panel in self._panels[tab]}
        return {name: panel for name, panel in self._prepared[tab].items() if panel.traces not in open_ones}

    def of_stage(self, stage: str) -> int:
        """Index of the open tab's first panel with a result of the stage; either smoother matches the other."""
        runs = (stage, stage.removesuffix("_final"), f"{stage}_final")
        stages = [{key.partition("/")[0] for key, _ in panel.traces} for panel in self.panels]
        return next((k for k, own in enumerate(stages) if own.intersection(runs)), 0)

    @property
    def of_tabs(self) -> Mapping[str, tuple[Panel, ...]]:
        """The panels of every tab that this machine has: open ones first, then the others."""
        return {
            tab: (*panels, *self._waiting(tab).values())[:MOST_PANELS]
            for tab, panels in self._panels.items()
            if self.can_open(tab)
        }

    @property
    def text(self) -> str:
        """The panels that differ from each tab's defaults, as text."""
        return written(self._panels, self._own)

    def read(self, text: str, system: dyn.System) -> None:
        """Sets every tab's panels from a text; the result can be drawn, whatever the text says."""
        prepared = {tab: panels.values() for tab, panels in self._prepared.items()}
        self._panels = {tab: list(own) for tab, own in self._own.items()} | {
            tab: [single(panel, self.catalogue) if panel.follow == ALL or panel.bars else panel for panel in panels]
            for tab, panels in read(text, prepared, self.catalogue, system).items()
        }

    def can_open(self, tab: str) -> bool:
        return can_open(tab, self.catalogue)

    def open(self, tab: str) -> None:
        if tab in TABS and self.can_open(tab):
            self.active = tab

    def restore(self) -> None:
        self._panels[self.active] = list(self._own[self.active])

    def switch_differences(self) -> None:
        """Switches the open tab to differences, or to values if all panels show differences."""
        wanted = not all(panel.difference for panel in self.panels)
        self._panels[self.active] = [replace(panel, difference=wanted) for panel in self.panels]

    def add(self) -> int:
        """Adds an empty panel at the end; returns the index of the last panel, also if there is no room."""
        if len(self.panels) < MOST_PANELS:
            self.panels.append(Panel())
        return len(self.panels) - 1

    def open_prepared(self, name: str) -> None:
        """Opens one of the open tab's prepared panels beside the others."""
        if name in self.waiting and len(self.panels) < MOST_PANELS:
            self.panels.append(self.waiting[name])

    def remove(self, number: int) -> None:
        if 0 <= number < len(self.panels):
            del self.panels[number]

    def clear(self, number: int) -> None:
        self._change(number, Panel())

    def put(self, number: int, key: str) -> None:
        """Shows a quantity in a panel instead of its content; adds the panel if it does not exist."""
        if key not in self.catalogue:
            return
        if number >= len(self.panels):
            number = self.add()
        component = self.catalogue[key].components[0]
        follow = ALL if component.shape == () else "cursor"
        self._change(number, Panel(((key, component.key),), follow))

    def join(self, number: int, key: str) -> None:
        if key not in self.catalogue or not 0 <= number < len(self.panels):
            return
        panel = self.panels[number]
        if not panel.traces:
            self.put(number, key)
            return
        component = self.catalogue[key].components[0].key
        kept = tuple(trace for trace in panel.traces if trace[0] != key)[: MOST_TRACES - 1]
        self._change(number, replace(panel, traces=(*kept, (key, component)), title=""))

    def choose_component(self, number: int, nth: int, component: str) -> None:
        panel = self._at(number)
        if panel is None or not 0 <= nth < len(panel.traces):
            return
        traces = list(panel.traces)
        plotted = self.catalogue.get(traces[nth][0])
        if plotted is None or component not in {each.key for each in plotted.components}:
            return
        traces[nth] = (traces[nth][0], component)
        several = len(plotted.component(component).channels) > 1
        follow = "cursor" if several and panel.follow == ALL else panel.follow
        bars = panel.bars and not several
        self._change(number, replace(panel, traces=tuple(traces), follow=follow, bars=bars, title=""))

    def set(self, number: int, field: str, value: object) -> None:
        """Sets a field of a panel; one line per link, and bars, need quantities with one number per link."""
        panel = self._at(number)
        if panel is None:
            return
        if field == "follow":
            panel = replace(panel, follow=str(value))
            self._change(number, single(panel, self.catalogue) if panel.follow == ALL else panel)
        elif field == "bars":
            panel = replace(panel, bars=bool(value))
            self._change(number, single(panel, self.catalogue) if panel.bars else panel)
        elif field in ("logarithmic", "full", "difference"):
            self._change(number, replace(panel, **{field: bool(value)}))  # type: ignore[arg-type]

    def _at(self, number: int) -> Panel | None:
        return self.panels[number] if 0 <= number < len(self.panels) else None

    def _change(self, number: int, panel: Panel) -> None:
        if self._at(number) is not None:
            self.panels[number] = panel


def single(panel: Panel, catalogue: Catalogue) -> Panel:
    """The same panel with single-number components: a norm if there is one, where several numbers were shown."""
    traces = []
    for key, part in panel.traces:
        if key in catalogue and len(catalogue[key].component(part).channels) > 1:
            ones = [each for each in catalogue[key].components if len(each.channels) == 1]
            lengths = [each for each in ones if each.key.startswith("|")]
            part = (lengths or ones)[-1 if lengths else 0].key
        traces.append((key, part))
    return replace(panel, traces=tuple(traces))
