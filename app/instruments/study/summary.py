"""The display of a study, finished or not: rows counted in cells, and results in words."""

from __future__ import annotations

import html
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.instruments.study.question import END, LISTED, SAME, Query, Watch
from app.motion.setup import Setup
from app.number_text import number_text
from app.state import walk
from app.state.machine_loader import Target
from dynamics.studies import Distribution, Moment

COLUMNS, LEVELS = 60, 40  # cells of a picture, across and up
SPREAD = 300.0  # positive numbers with a larger ratio get a logarithmic axis
SHARES = (0.05, 0.5, 0.95)  # quantiles whose convergence is shown
Array = NDArray[np.float64]


class Axis(NamedTuple):
    """An axis: its ends, as exponents if it is logarithmic; and the words that its numbers stand for, if any."""

    low: float
    high: float
    is_log: bool
    words: tuple[str, ...] = ()

    def along(self, values: Array) -> Array:
        places = np.log10(values) if self.is_log else values
        return np.asarray((places - self.low) / (self.high - self.low))

    def cells(self, values: Array, count: int) -> NDArray[np.int64]:
        return np.minimum((self.along(values) * count).astype(np.int64), count - 1)

    def place(self, value: float) -> float:
        if not self.is_log:
            return value
        return float(np.log10(value)) if value > 0.0 else np.nan


def axis_of(values: Array, always_log: bool = False, words: tuple[str, ...] = ()) -> Axis:
    """An axis that contains these numbers, with some room around a single value."""
    low, high = float(values.min()), float(values.max())
    is_log = always_log or (low > 0.0 and high > SPREAD * low)
    if is_log:
        low, high = float(np.log10(low)), float(np.log10(high))
    room = 0.0 if high > low else max(abs(low), 1e-300) * 1e-3
    return Axis(low - room, high + room, is_log, words)


@dataclass(frozen=True, eq=False)
class Picture:
    """Rows counted in cells: a variable across, what is watched upward."""

    axis: Axis  # of the variable
    counts: NDArray[np.int32]  # (levels, columns)
    rows: NDArray[np.int32]  # (levels, columns), the first row in each cell; -1 if there is none
    decides: float  # share of the watched number's variance that is due to this variable alone
    largest: Array  # (rows,), positions of the rows at that end, 0 to 1
    smallest: Array

    def number(self, drawn: float | str) -> float:
        """The number that stands for a variable's value, before any logarithm."""
        return float(self.axis.words.index(drawn)) if isinstance(drawn, str) else drawn


@dataclass(frozen=True, eq=False)
class StudySummary:
    """A study so far."""

    study: dyn.Study
    wanted: int  # rows in all
    axis: Axis  # of what is watched
    pictures: Mapping[str, Picture]  # of the variables, or what else is watched; the most influential first
    steps: tuple[tuple[float, ...], ...]  # (rows, mean, quantiles at ``SHARES``), after each doubling

    @property
    def found(self) -> Distribution:
        return next(iter(self.study.found.values()))


def look_at(study: dyn.Study, wanted: int, steps: tuple[tuple[float, ...], ...]) -> StudySummary:
    """Counts all rows in cells: the variables, and what else is watched, against what is watched first."""
    found, *beside = study.found.values()
    rows = np.flatnonzero(np.isfinite(found.values))
    values = found.values[rows]
    axis, away = axis_of(values), values - values.mean()
    level = axis.cells(values, LEVELS)
    ends = [[row for row, _ in pairs] for pairs in (found.largest, found.smallest)]

    def picture(column: Array, is_step: bool = False, words: tuple[str, ...] = ()) -> Picture:
        own = axis_of(column[rows], is_step, words)
        across = own.cells(column[rows], COLUMNS)
        cell = level * COLUMNS + across
        first = np.full(LEVELS * COLUMNS, -1, dtype=np.int32)
        first[cell[::-1]] = rows[::-1]  # in reversed order, so that the first of several rows remains
        counts = np.bincount(cell, minlength=LEVELS * COLUMNS).astype(np.int32)
        return Picture(
            own, counts.reshape(LEVELS, COLUMNS), first.reshape(LEVELS, COLUMNS), decided(across, away),
            *(own.along(column[end]) for end in ends),
        )  # fmt: skip

    drawn = study.problem.drawn(0, study.size)
    made = {
        one.name: picture(own, one.name == "dt", one.words)
        for one, own in zip(study.problem.variables, drawn.T, strict=True)
    }
    made |= {other.name: picture(other.values) for other in beside}
    return StudySummary(study, wanted, axis, dict(sorted(made.items(), key=lambda item: -item[1].decides)), steps)


def step_of(study: dyn.Study) -> tuple[float, ...]:
    """Rows, mean and quantiles at ``SHARES``, so far, of what is watched first."""
    found = next(iter(study.found.values()))
    return (float(found.count), found.mean, *(found.quantile(share) for share in SHARES))


def decided(column: NDArray[np.int64], away: Array) -> float:
    """The share of the variance of values, ``away`` from their mean, that lies between columns, 0 to 1.

    Pearson's correlation ratio, corrected for chance: an estimate of Sobol's first-order index.
    """
    counts, sums = np.bincount(column), np.bincount(column, weights=away)
    there, n = int(np.count_nonzero(counts)), len(column)
    with np.errstate(over="ignore", invalid="ignore"):
        between, whole = float((sums**2 / np.maximum(counts, 1)).sum()), float(away @ away)
    if not 0.0 < whole < np.inf or n <= there:
        return 0.0
    return float(np.clip(1.0 - (1.0 - between / whole) * (n - 1) / (n - there), 0.0, 1.0))


def setup_of(before: Setup, moment: Moment, asked: Query) -> Setup:
    """The setup whose run starts in a moment of a study of ``before``, driven by the moment's torques alone."""
    system, bodies = before.machine.system, dict(before.bodies)
    names = moment.system.link_names
    for name, value in moment.drawn.items():
        if name.startswith("mass:") and isinstance(value, float):
            k = names.index(name.removeprefix("mass:"))
            bodies[k] = before.body(k).scaled(before.body(k).mass * value)
        elif name == "object_mass" and isinstance(value, float):
            bodies[system.n_links] = before.body(system.n_links).scaled(value)
    gravity = moment.drawn.get("gravity")
    torques = dict(zip(moment.system.joint_names, moment.tau.tolist(), strict=True))
    return replace(
        before,
        torques=MappingProxyType({name: tau for name, tau in torques.items() if tau}),
        posture=tuple(moment.state.q.tolist()),
        interventions=(),
        drive="" if before.machine.preset.actuation == "free" else "free",
        bodies=MappingProxyType(dict(sorted(bodies.items()))),
        gravity=(0.0, 0.0, -gravity) if isinstance(gravity, float) else before.gravity,
        numerics=asked.numerics(moment) or before.numerics,
    )


def place_of(solution: dyn.Solution, find: str, watch: Watch) -> walk.Place | None:
    """The place where the walk computes what is watched; for a quantity of every link, where it is largest."""
    system, find = solution.system, find.removeprefix(END)
    if watch.stage not in walk.stages(system):
        return None
    link, name = watch.link, find.partition(":")[0].rpartition(".")[2]
    array = solution.stages[watch.stage].get(name)
    if ":" not in find and array is not None and len(array) == system.n_links and watch.stage != "contact":
        link = int(np.abs(array.reshape(system.n_links, -1)).max(axis=1).argmax())
    place = walk.at_link(system, walk.Place(watch.stage, 0, link, walk.CORRECTION), link, walk.CORRECTION)
    reading = dyn.read_textbook(system, solution.state, solution.tau)
    return replace(place, half=walk.half_of(reading, place.stage, place.link, name))


def found_of(
    before: Setup, moment: Moment, asked: Query, watch: Watch, beside: str
) -> tuple[Target, Mapping[str, bytes]]:
    """What the page is to show of a moment, tried, ``beside`` an instrument; and the texts of the user's own robots.

    A number at the end of a motion is opened there, in the page's own run.
    """
    setup = setup_of(before, moment, asked)
    run = setup.run()
    found, time = Target(setup, run).tried(), 0.0
    if asked.find.startswith(END):
        while run.end < asked.duration - SAME and not run.complete:
            run.accept(run.compute(asked.duration))
        time = min(asked.duration, run.end)
    place = place_of(run.solution_at(time), asked.find, watch)
    cursor: dict[str, Any] = {"time": time}
    other = {"playing": False, "walked": True, "tab": watch.tab, "beside": beside}
    if place is not None:
        cursor |= {"stage": place.stage, "arm": place.arm, "link": place.link, "half": place.half}
    file = setup.machine.file
    texts = {} if file is None else {file.digest: zlib.decompress(setup.machine.source)}
    return replace(found, cursor=cursor, other=other), texts


OF: dict[str, str] = {
    "q": "position of", "tau": "torque at", "mass": "mass of", "gravity": "gravity, m/s²",
    "object_mass": "the object's mass, kg", "dt": "the step, s", "method": "the integrator",
    "mass_matrix": "M's",
}  # fmt: skip
ENDS, MOST_NAMED = 5, 6
ALIKE = 1e-12  # relative difference that is due to rounding alone
ROUNDING = "Both are rounding errors, whose digits depend on how a posture was reached."


def variable_words(name: str) -> str:
    kind, _, part = name.partition(":")
    return f"{OF[kind]} {part}" if part else OF[kind]


def with_unit(value: float, watch: Watch) -> str:
    return html.escape(f"{number_text(value)} {watch.unit}".rstrip())


def seconds_words(seconds: float) -> str:
    if seconds < 1.5:
        return "about a second"
    if seconds < 90.0:
        return f"about {seconds:.0f} s"
    return f"about {seconds / 60.0:.0f} minutes"


def action(where: str, text: str, label: str = "") -> str:
    named = f" aria-label='{label}'" if label else ""
    return f"<span class='action' role='button' tabindex='0' data-go='{where}'{named}>{text}</span>"


def found_html(look: StudySummary, asked: Query, watch: Watch, against: str, searches: Mapping[str, str]) -> str:
    """Distribution of what is watched, influence of variables, extreme states, and search results beyond them."""
    found, study = look.found, look.study
    heading = f"<h4>{html.escape(watch.words)}</h4>"
    if study.refused:
        refusal = f"{study.refused:,} of {study.size:,} have no state or no number; the first: {study.refusal}"
        heading += f"<p class='note'>{html.escape(refusal)}</p>"
    opens = "the machine, its posture and torques, and the walk where it is computed"
    if asked.duration:
        end = "the end" if asked.find.startswith(END) else "the start"
        opens = f"the machine at {end} of its motion, with that motion's torques, step and integrator"
    if found.maximum - found.minimum <= ALIKE * max(abs(found.maximum), abs(found.minimum)):
        same = _row_button(*found.largest[0], watch)
        return (
            f"{heading}<p>The same in all {found.count:,} {asked.rows}: {same}</p><p class='note'>A click opens a "
            f"state: {opens}.</p>"
        )
    rows = {"mean": found.mean, "deviation": found.deviation, "5 % quantile": found.quantile(0.05)}
    rows |= {"median": found.quantile(0.5), "95 % quantile": found.quantile(0.95)}
    cells = "".join(
        f"<tr><th scope='row'>{words}</th><td>{with_unit(value, watch)}</td></tr>" for words, value in rows.items()
    )
    ends = "".join(
        f"<p><b>{end.capitalize()}</b> {' '.join(_row_button(row, value, watch) for row, value in pairs[:ENDS])} "
        f"<span class='beyond'>{searches.get(end, '')}</span></p>"
        for end, pairs in (("largest", found.largest), ("smallest", found.smallest))
    )
    return (
        f"{heading}<table class='pairs'><tbody>{cells}</tbody></table>{ends}{_decided_html(look, against)}"
        f"<p class='note'>Each of these, and a click in the picture, opens a state: {opens}.</p>"
    )


def _decided_html(look: StudySummary, against: str) -> str:
    if len(look.pictures) == 1:
        return ""
    names = [name for at, name in enumerate(look.pictures) if at < MOST_NAMED or name in LISTED]
    buttons = " ".join(
        f"<span class='action' role='button' tabindex='0' aria-pressed='{'true' if name == against else 'false'}' "
        f"data-go='against {html.escape(name, quote=True)}'>{html.escape(variable_words(name))}: "
        f"{100.0 * look.pictures[name].decides:.0f} %</span>"
        for name in names
    )
    return f"<p><b>What decides, each alone</b> {buttons}</p>"


def _row_button(row: int, value: float, watch: Watch) -> str:
    text = with_unit(value, watch)
    return action(f"row {row}", text, f"Open state {row}: {text}")


def opened_html(row: int | None, reported: float, here: float | str | None, watch: Watch) -> str:
    """The open state, a row or a search result: the value in the study, and the page's own value."""
    found = "…" if here is None else html.escape(here) if isinstance(here, str) else with_unit(here, watch)
    low, high = watch.sound
    is_rounding = isinstance(here, float) and not any(low <= value <= high for value in (reported, here))
    which = "What was found by search" if row is None else f"State {row:,}"
    return (
        f"<p class='where' role='status'>{which} is open. The study reports "
        f"<b class='reported'>{with_unit(reported, watch)}</b>; computed here: <b class='here'>{found}</b>."
        f"{f' {ROUNDING}' if is_rounding else ''}</p>"
    )
