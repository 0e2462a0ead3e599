"""The present step's main equation in large type, for lectures."""

from __future__ import annotations

import html
import time
from collections.abc import Callable

import panel as pn
import param

import dynamics as dyn
from app.equations.equation_html import beside_html
from app.equations.formula import formula, raised, unit_here
from app.equations.sheet import Figures, Sheet
from app.equations.words import STAGE_TITLES, words_of
from app.state import Session, walk
from app.state.walk import Place
from app.views.components import View
from dynamics.reading import LineReading, Reading
from scenes import palette

PERIOD = 0.5  # shortest time in seconds between two updates while the motion plays
LOOK = """
.sheet { container-type: normal; padding: 0; }
.headline {
  display: flex; gap: 0.8em; box-sizing: border-box; height: var(--card-height); padding: 0 0.8em; border-radius: 8px;
  background: color-mix(in srgb, var(--paper) 92%, transparent); font-size: var(--type); line-height: 1.3;
}
.headline .said {
  flex: 1; min-width: 0; display: flex; flex-direction: column; justify-content: center; overflow-y: auto;
}
.headline .moves {
  flex: none; display: flex; flex-direction: column; align-items: flex-end; justify-content: space-evenly;
}
.headline .moves button {
  font: inherit; color: inherit; background: none; border: 0; border-radius: 8px; padding: 0 0.3em; cursor: pointer;
}
.headline .moves button:hover { background: color-mix(in srgb, currentColor 12%, transparent); }
.headline .moves button:focus-visible { outline: 2px solid; outline-offset: -2px; }
.headline .step { font-size: 1.9em; line-height: 1.1; min-width: 1.5em; font-weight: 700; }
.headline .quiet { opacity: 0.75; white-space: nowrap; } .headline .quiet button { min-height: 24px; }
.headline kbd { border: 1px solid; border-radius: 4px; padding: 0 0.3em; font: 0.85em monospace; }
.headline p { margin: 0; font-size: 0.6em; }
@media (max-width: 899px) and (min-height: 561px) {
  .headline { flex-direction: column; gap: 0; }
  .headline .moves { flex-direction: row; align-items: center; }
}
.headline .formula { overflow: auto hidden; padding: 0.15em 0; }
.headline .broken { color: var(--bad); }
.headline .source { font-size: 0.5em; }
.headline .number, .headline .vector { font-size: 1em; white-space: normal; }
"""

MOVES = (
    "<div class='moves'><div>"
    "<button type='button' class='step' data-go='back' aria-label='One step back' title='One step back (←)'>‹</button>"
    "<button type='button' class='step' data-go='on' aria-label='One step on' title='One step on (→)'>›</button></div>"
    "<p class='quiet'><button type='button' data-go='leave'><kbd>Esc</kbd> leaves</button>"
    "<button type='button' data-go='keys'><kbd>?</kbd> keys</button></p></div>"
)
"""Buttons for users who know none of the keys."""


class Headline(View):
    """Drawn by the clock while projector mode is on.

    Args:
        show_keys: opens the sheet of all keys.
    """

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, show_keys: Callable[[], None] = lambda: None, **params: object) -> None:
        self._moves = {
            "back": lambda: session.walk_half(-1),
            "on": lambda: session.walk_half(1),
            "leave": lambda: session.param.update(projector=False),
            "keys": show_keys,
        }
        self._sheet = Sheet(self._go, LOOK)
        self.view = pn.Column(sizing_mode="stretch_width", margin=0)  # empty before projector mode is first used
        self._shown: tuple[object, ...] = ()
        self._read_at = 0.0
        super().__init__(session=session, **params)

    def _go(self, where: str) -> None:
        """Handles its buttons; ignores any other message."""
        if where in self._moves:
            self._moves[where]()

    def paint(self, theme: palette.Theme) -> None:
        self._sheet.paint(theme)

    def draw(self) -> None:
        """Shows the equation at the cursor, with its value if that is a number or a vector."""
        session = self.session
        if not session.projector:
            return
        if self._sheet not in self.view:
            self.view.append(self._sheet)
        place, now = session.place, time.monotonic()
        wanted = (session.run, session.breaks, place, session.moment)
        is_later = session.playing and self._shown[:3] == wanted[:3] and now < self._read_at + PERIOD
        if wanted == self._shown or is_later:
            return
        self._shown, self._read_at = wanted, now
        reading = session.reading()
        figures = Figures.of(reading)
        line = main_line(reading, place)
        self._sheet.show(
            headline_html(reading.system, place, line, figures, session.time, bool(reading.breaks)),
            figures.numbers,
            passing=session.playing,
        )


def main_line(reading: Reading, place: Place) -> LineReading:
    computes = words_of(place.stage, place.half, place.link >= reading.system.n_joints).computes
    lines = reading.lines(place.stage, place.link, place.half)
    return next(line for line in lines if line.quantity_name == computes)


def link_words(system: dyn.System, place: Place) -> str:
    """A link's number as in the papers, and its name in the plots' legends if that differs."""
    arm = f"arm {place.arm + 1}, " if system.n_arms > 1 else ""
    number, name = str(walk.number(system, place.link)), system.link_names[place.link].rpartition("/")[2]
    return f"{arm}link {number}" if name == number else f"{arm}link {number} ({name})"


def headline_html(
    system: dyn.System, place: Place, line: LineReading, figures: Figures, time: float, broken: bool = False
) -> str:
    """Place, quantity, value and time; while the motion plays it is read less often than the plots.

    Args:
        broken: whether the numbers are those of a broken text; the plot shows the true run.
    """
    whose = "<b class='broken'>Broken text</b> (world and plot: true run). " if broken else ""
    at, count = walk.step_of(system, place)
    step = f"Step {at} of {count}: "
    where = f"{STAGE_TITLES[place.stage]}, {link_words(system, place)}"
    value = ""
    if line.value.size in (1, 6):
        slides = place.link < system.n_joints and system.joint_models[place.link].kind == "prismatic"
        unit = raised(unit_here(line.quantity.unit, slides))
        value = f"<p>{formula(line.left)} = {beside_html(line, figures)} {unit}</p>"
    quantity = line.quantity
    figures.put(time)
    when = f"at {figures.one()} s"
    spoken = html.escape(f"{step}{where}: {quantity.estimation_name}.", quote=True)
    return (
        f"<div class='headline' data-spoken='{spoken}'><div class='said'><p>{whose}{step}{html.escape(where)}, {when}: "
        f"<b>{html.escape(quantity.mechanics_name)}</b>, <i>{html.escape(quantity.estimation_name)}</i></p>"
        f"<div class='formula' tabindex='0' role='group' aria-label='The equation of this step'>{formula(line.latex)}"
        f"<span class='source'>&ensp;{html.escape(line.equation)}</span></div>{value}</div>{MOVES}</div>"
    )
