"""Questions about an instrument: links to its checks, and to its lines that can be broken."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import panel as pn
from panel.viewable import Viewable, Viewer

import dynamics as dyn
from app.equations.formula import formula
from app.equations.sheet import Sheet, action_html
from app.screen.layout import LazyColumn
from app.state import Session
from app.state.arrangement import Line
from dynamics.reading import TextLine, textbook_lines
from scenes import palette

CHECK, BREAK_IT = "Check", "Break it"
TRUE = (
    "<p class='note warning' role='status'><b>The text is broken</b>; what stands here is the true run's, which no "
    "break changes.</p>"
)


@dataclass(frozen=True)
class Prompt:
    """The questions that apply to an instrument."""

    checks: Mapping[str, str]  # rows of *Check*, stage/identity or sum/title, and their labels here
    breaks: tuple[tuple[str, str], ...] = ()  # stage and quantity of the lines that compute what it shows


PROMPTS: Mapping[str, Prompt] = MappingProxyType(
    {
        "Contact": Prompt(
            {"contact/corrector": "(9.1) gives the force", "contact/object_corrector": "(9.2) gives its acceleration"},
            (
                ("contact", "predicted_contact_force"), ("contact", "contact_kalman_gain"),
                ("contact", "corrected_contact_force"), ("contact", "corrected_object_acceleration"),
            ),
        ),
        "Two filters": Prompt(
            {"dual_filter/estimates_difference": "P + S inverts Λ", "dual_filter/both_filters": "both filters give α"},
            (
                ("filter", "articulated_inertia"), ("dual_filter", "dual_articulated_inertia"),
                ("dual_filter", "operational_space_inertia"),
            ),
        ),
        "Influence": Prompt(
            {
                "sum/Factors of its inverse": "the inverse of the mass matrix",
                "sum/Torques to free tips": "torques to free tips",
                "sum/What contact forces do to the joints": "what contact forces do",
            },
            (("filter", "kalman_gain"), ("smoother", "joint_acceleration"), ("contact", "contact_force")),
        ),
        "Estimation": Prompt(
            {
                "filter/joint_inertia": "D, the innovations' covariance",
                "filter/articulated": "P, the state's",
                "smoother/mobility": "Λ, the co-state's",
                "sum/P⁺ from one side": "P⁺",
            },
            (
                ("filter", "joint_inertia"), ("filter", "innovation"), ("filter", "articulated_inertia_updated"),
                ("smoother", "costate_covariance"),
            ),
        ),
        "Cost": Prompt({"smoother/agreement": "all methods find the same",
                        "smoother_final/agreement": "all methods find the same"}),
    }
)  # fmt: skip
"""By name, for each instrument that shows numbers of the true run; *Walk*, *Methods* and *Break it* show the broken
text."""
SHOW_TRUTH = frozenset((*PROMPTS, "Papers", "Check"))


class Questions:
    """A line below an instrument, and a note above it while the text is broken."""

    def __init__(self, session: Session, name: str, open_: Callable[[str], None]) -> None:
        self._session, self._name, self._open = session, name, open_
        self.above, self.below = Sheet(lambda _: None, visible=False), Sheet(self._go)
        self._shown_for: tuple[object, ...] = ()

    def around(self, instrument: Viewable | Viewer) -> Viewable | Viewer:
        """The instrument between its note and its questions."""
        if self._name not in SHOW_TRUTH:
            return instrument
        above = LazyColumn((self.above, "visible"), sizing_mode="stretch_width")
        below = [self.below] if self._name in PROMPTS else []
        return pn.Column(above, instrument, *below, sizing_mode="stretch_both", margin=0)

    def paint(self, theme: palette.Theme) -> None:
        self.above.paint(theme)
        self.below.paint(theme)

    def _go(self, where: str) -> None:
        """Handles a click: ``check`` and a row, or ``break`` and a line."""
        kind, _, what = where.partition(" ")
        session = self._session
        if kind == "check":
            session.checked = what
            self._open(CHECK)
        elif kind == "break" and what in {f"{line.stage}/{line.key}/0" for line in self._lines(session.system_here)}:
            stage, key, _ = what.split("/")
            session.line = Line(stage, key)
            self._open(BREAK_IT)
        if kind in ("check", "break"):
            session.beside = self._name

    def _lines(self, system: dyn.System) -> list[TextLine]:
        asked = PROMPTS[self._name].breaks if self._name in PROMPTS else ()
        lines = textbook_lines(system)
        offered: dict[tuple[str, str], TextLine] = {}  # the first of several lines with the same label
        for one in asked:
            for line in lines:
                if (line.stage, line.quantity_name) == one:
                    offered.setdefault((line.left, line.equation), line)
        return list(offered.values())

    def draw(self) -> None:
        """Updates the questions for this machine, and the note while something is broken."""
        session, broken = self._session, bool(self._session.textbook_breaks)
        system = session.system_here
        machine = (session.setup.machine, system.is_held)  # the machine's numbers do not change the questions
        if (machine, broken) == self._shown_for:
            return
        self._shown_for = (machine, broken)
        self.above.show(TRUE if broken and self._name in SHOW_TRUTH else "", ())
        self.above.visible = bool(self.above.html)
        if self._name in PROMPTS:
            self.below.show(self._html(system), ())

    def _html(self, system: dyn.System) -> str:
        stages = {line.stage for line in textbook_lines(system)}
        checks = " ".join(
            action_html(f"check {row}", html.escape(words), f"Check: {words}")
            for row, words in PROMPTS[self._name].checks.items()
            if self._is_there(row, system, stages)
        )
        breaks = " ".join(
            action_html(
                f"break {line.stage}/{line.key}/0",
                f"{formula(line.left)}, {html.escape(line.equation)}",
                f"Break {line.equation}: {line.quantity.mechanics_name}",
            )
            for line in self._lines(system)
        )
        broken = f"<p><b>{BREAK_IT}</b> {breaks}</p>" if breaks else ""
        return f"<div class='questions'><p><b>{CHECK}</b> {checks}</p>{broken}</div>"

    @staticmethod
    def _is_there(row: str, system: dyn.System, stages: set[str]) -> bool:
        kind, _, what = row.partition("/")
        if what == "agreement":
            return kind == ("smoother_final" if system.is_held else "smoother")
        return kind in stages or (kind == "sum" and (system.is_held or what not in OF_HELD))


OF_HELD = ("Torques to free tips", "What contact forces do to the joints")
