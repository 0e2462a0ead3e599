"""The tab that breaks the algorithm on purpose: choose a line, drop a term, and see what fails, and where."""

from __future__ import annotations

import asyncio
import html
import logging
import time
from dataclasses import dataclass

import numpy as np
import panel as pn
import panel_material_ui as pmui
import param
from panel.viewable import Viewable, Viewer

import dynamics as dyn
from app.equations.words import STAGE_TITLES
from app.state import Session
from app.state.agreement_search import wrench_at
from app.state.breakage import AS_PUBLISHED, DROPPED, TURNED, Breakage
from app.state.broken_run import apart
from app.views.identity_rows import link_of
from app.views.identity_table import IdentityTable
from app.views.line_html import STYLE as LINE
from app.views.line_html import line_html
from app.views.style import STYLE
from dynamics.altered.altered_line import LEVER
from scenes import palette

PERIOD = 0.4
"""Least seconds between two looks while the motion plays."""
DENSE = {
    "& .MuiRadio-root": {"padding": "2px 6px 2px 0"},
    "& .MuiFormControlLabel-root": {"marginLeft": 0},
    "& .MuiFormControlLabel-label": {"fontSize": "0.9rem"},
}
"""Choices as close as lines of text."""
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Broken:
    """What the altered algorithm computes at one instant, and which identities it still satisfies."""

    solution: dyn.Solution
    checks: tuple[dyn.Check, ...]


def break_at(true: dyn.Solution, wrench: np.ndarray | None, alteration: dyn.Alteration) -> Broken:
    """The altered algorithm at the instant of a solution."""
    found = dyn.altered_forward_dynamics(true.system, true.state, true.tau, alteration, wrench)
    return Broken(found, dyn.identities(found, wrench))


class BreakIt(Viewer):
    """Choice, equation, what fails, and the motion; only the clock draws it, and only while it is in sight."""

    breakage = param.ClassSelector(class_=Breakage)

    def __init__(self, session: Session, **params: object) -> None:
        self._session, self._theme = session, "light"
        self._stage = pmui.Select(label="Stage", options={}, size="small", sizing_mode="stretch_width")
        self._line = pmui.Select(label="Line", options={}, size="small", sizing_mode="stretch_width")
        self._term = pmui.RadioBoxGroup(label="Term", options={}, margin=(0, 12), sx=DENSE)
        self._equation = pn.pane.HTML("", stylesheets=[STYLE, LINE], sizing_mode="stretch_width", margin=(0, 12))
        self._drop = pmui.Button(label="Drop it", icon="backspace", variant="outlined", size="small", margin=4)
        self._turn = pmui.Button(label="Turn its sign", icon="swap_vert", variant="outlined", size="small", margin=4)
        self._mend = pmui.Button(
            label="Mend", icon="healing", variant="contained", size="small", disabled=True, margin=4
        )
        self._motion = pmui.Button(
            label="Show the motion", icon="directions_run", variant="outlined", size="small", disabled=True, margin=4
        )
        self._said = pn.pane.HTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(0, 12))
        self._apart = pn.pane.HTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(0, 12))
        self._table = IdentityTable(session, margin=(4, 12))
        self._answer: asyncio.Future[Broken] | None = None
        self._asked: tuple[object, ...] = ()
        self._asked_at = 0.0
        self._lines: tuple[object, ...] = ()
        super().__init__(breakage=Breakage(session), **params)
        self._offer()
        self._stage.param.watch(lambda event: self.breakage.choose_stage(event.new), "value")
        self._line.param.watch(lambda event: self.breakage.choose_line(event.new.partition("/")[2]), "value")
        self._term.param.watch(lambda event: self.breakage.choose_term(event.new.rpartition("/")[2]), "value")
        self._drop.on_click(lambda _: self.breakage.put(DROPPED))
        self._turn.on_click(lambda _: self.breakage.put(TURNED))
        self._mend.on_click(lambda _: self.breakage.put(AS_PUBLISHED))
        self._motion.on_click(lambda _: self._show_or_hide())

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme."""
        self._theme = theme
        self._table.paint(theme)
        self._write()

    def _offer(self) -> None:
        """The stages, lines and terms that there are to choose among."""
        chosen = self.breakage
        lines = chosen.lines
        wanted = (lines, chosen.stage, chosen.quantity, chosen.term)
        if wanted == self._lines:
            return
        self._lines = wanted
        stages = {STAGE_TITLES[line.stage]: line.stage for line in lines}
        # Values that no other line's menu has: a choice that stays the same is not sent to the browser again.
        here = f"{chosen.stage}/{chosen.quantity}"
        own = {
            f"{line.title}, {line.equation}": f"{line.stage}/{line.quantity}"
            for line in lines
            if line.stage == chosen.stage
        }
        terms = {term.word: f"{here}/{term.name}" for term in chosen.line.terms}
        for widget, options, value in (
            (self._stage, stages, chosen.stage),
            (self._line, own, here),
            (self._term, terms, f"{here}/{chosen.term}"),
        ):
            if widget.options != options or widget.value != value:
                widget.param.update(options=options, value=value)

    @param.depends("breakage.stage", "breakage.quantity", "breakage.term", "breakage.factor", watch=True, on_init=True)
    def _write(self) -> None:
        chosen = self.breakage
        self._offer()
        text = line_html(chosen.line, chosen.term, chosen.factor, self._theme)
        if self._equation.object != text:
            self._equation.object = text
        self._drop.disabled = chosen.factor == DROPPED
        self._turn.disabled = chosen.factor == TURNED
        self._mend.disabled = self._motion.disabled = not chosen.is_broken
        self._turn.label = turning(chosen.term, chosen.chosen.power)

    @param.depends("breakage.shown", watch=True)
    def _follow_motion(self) -> None:
        self._motion.label = "Hide the motion" if self.breakage.shown is not None else "Show the motion"
        self._apart.object = ""

    def _show_or_hide(self) -> None:
        if self.breakage.shown is None:
            self.breakage.show_motion()
        else:
            self.breakage.hide_motion()

    def draw(self) -> None:
        """Asks for what fails at the cursor, and shows it."""
        session, chosen = self._session, self.breakage
        chosen.follow()
        self._offer()
        self._draw_apart()
        if self._answer is not None:
            if not self._answer.done():
                return
            done, self._answer = self._answer, None
            if done.exception() is not None:
                log.error("a broken algorithm could not be looked at", exc_info=done.exception())
            else:
                self._show(done.result())
        wanted = (session.run, session.time, chosen.alteration.factors)
        now = time.monotonic()
        if wanted != self._asked and (now >= self._asked_at + PERIOD or not session.playing):
            self._asked, self._asked_at = wanted, now
            assert session.run is not None
            true, wrench = session.solution(), wrench_at(session.run, session.time)
            self._answer = asyncio.get_running_loop().run_in_executor(None, break_at, true, wrench, chosen.alteration)
        self._table.unmark_left()

    def _show(self, found: Broken) -> None:
        assert self.breakage is not None
        names = found.solution.system.link_names
        self._table.show_checks(found.checks, names)
        self._said.object = said(self.breakage, found, names)

    def _draw_apart(self) -> None:
        shown, session = self.breakage.shown, self._session
        if shown is None or session.run is None:
            return
        words = f"Computed to {shown.end:.2f} s. " if not shown.complete else ""
        if shown.failure:
            words += f"It {html.escape(shown.failure)}. "
        gap = apart(session.run, shown, session.time)
        if gap is not None:
            words += f"At {session.time:.2f} s {html.escape(gap.joint)} is off by {gap.by:.3g}"
            words += "." if gap.object is None else f", the object by {gap.object:.3g} m."
        elif not shown.failure:
            words += f"It is followed to {shown.duration:g} s."
        text = f"<p>The ghost moves as the broken algorithm says. {words}</p>"
        if self._apart.object != text:
            self._apart.object = text

    def stop(self) -> None:
        if self._answer is not None:
            self._answer.cancel()

    def __panel__(self) -> Viewable:
        return pn.Column(
            pn.pane.HTML(
                "<h3>Break it</h3><p>Drop a term of a line, or turn its sign. The true run stays as it is.</p>",
                stylesheets=[STYLE],
                sizing_mode="stretch_width",
                margin=(4, 12, 0, 12),
            ),
            self._stage,
            self._line,
            self._term,
            self._equation,
            pn.FlexBox(self._drop, self._turn, self._mend, self._motion, margin=(0, 8)),
            self._said,
            self._apart,
            self._table,
            sizing_mode="stretch_both",
            scroll="y",
            margin=0,
        )


def turning(term: str, power: bool) -> str:
    """What turning a term's sign means for it."""
    return "Turn the lever around" if term == LEVER else "Multiply instead" if power else "Turn its sign"


def said(chosen: Breakage, found: Broken, names: tuple[str, ...]) -> str:
    """A question before, and the outcome after."""
    if not chosen.is_broken:
        return "<p><b>First guess:</b> which identity will fail first, and at which link?</p>"
    failing = [check for check in found.checks if not check.holds]
    if not failing:
        why = f" Here this term is absent: {chosen.chosen.absent}." if chosen.chosen.absent else ""
        return f"<p role='status'><b>Nothing fails at this instant.</b>{why}</p>"
    first = failing[0]
    turned = chosen.factor < 0.0 and not chosen.chosen.power
    doubled = "Turned around, a term errs twice as much as without it. Without it: " if turned else ""
    where = f" at link {html.escape(names[link_of(first)])}" if link_of(first) >= 0 else ""
    return (
        f"<p role='status'><b>{len(failing)} of {len(found.checks)} identities fail</b>, first in the "
        f"{STAGE_TITLES[first.stage].lower()}: {html.escape(first.identity.title)}{where}.</p>"
        f"<p>{doubled}{html.escape(chosen.chosen.expect)}</p>"
    )
