"""*Cost*: operation counts and measured times against the number of links, for every method."""

from __future__ import annotations

import html
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from app.equations.formula import worded_html
from app.equations.sheet import SOUGHT, Sheet, buttons_html
from app.instruments.cost.chain import FORMS, MOST_ARMS, MOST_DRAWN, count_chain, picture
from app.instruments.cost.counts import COUNTED, GROUPS, LAST, Group, count_group, crossings, paper_tables
from app.instruments.cost.links_plot import SERIES, LinksPlot, color_of
from app.instruments.cost.race import RaceControl, race_values
from app.instruments.cost.timing import LENGTHS
from app.job import Job, in_slices
from app.motion.errors import ERRORS
from app.number_text import number_text, read_index
from app.state import Session
from app.state.arrangement import CostView
from app.views.check_tables import method_name
from app.views.components import Instrument, scrolled, templates
from scenes import palette

NAME = "Cost"
HERE = Path(__file__).parent
LOOK = (HERE / "cost.css").read_text(encoding="utf-8")
CHOSEN = {"group": len(GROUPS), "table": 5, "form": len(FORMS)}
"""Choices made by a click, with the number of options: groups of methods, tables of TML, parallel forms."""
ABOUT = (
    "<h3>What a solution costs</h3><p>Sweeps from link to link grow with N, the number of links; a matrix that is "
    "assembled, factored and solved grows with N³.</p>"
)
RACE = (
    "<h3>A race on this machine</h3><p>Two methods, or one and all the others, solve this machine as it stands at the "
    "cursor, in turn, for a second and a half; then longer and longer chains.</p>"
)
TABLES = (
    "<h3>The tables of Turney, Mudge and Lee (1980)</h3><p>Counted by hand; beside it the code's counts, row by row, "
    "and which products the paper leaves out.</p>"
)
CHAIN = (
    "<h3>What can be done at once</h3><p>With a processor for each task, a solution takes as long as its longest chain "
    "of tasks that wait for one another.</p>"
)


def whole(value: float) -> str:
    """A count; a paper's polynomial may give a fraction."""
    return f"{round(value):,}" if abs(value - round(value)) < 1e-6 else f"{value:,.1f}"


def written(template: str, **values: object) -> str:
    known = {"zip": zip, "whole": whole, "worded": worded_html}
    return templates(HERE).get_template(f"{template}.html").render(values, **known)


def switch_html(kind: str, names: Sequence[str], chosen: int) -> str:
    """Buttons with one of them pressed."""
    offered = [(f"{kind} {k}", name, "") for k, name in enumerate(names)]
    return f"<div class='tools'>{buttons_html(offered, [f'{kind} {chosen}'])}</div>"


class BackgroundCounts:
    """Results that are counted in the background, piece by piece, when they are first requested."""

    def __init__(self, session: Session, what: str) -> None:
        self._job: Job[Any] = session.jobs.new(what, self._fail, ERRORS)
        self._found: dict[Hashable, Any] = {}
        self._asked: Hashable = None
        self.failure = ""

    def of(self, key: Hashable, steps: Callable[[], Iterator[Any]]) -> Any:
        """The result so far; None at first."""
        if key != self._asked:
            self._asked, self.failure = key, ""
            in_slices(self._job, steps(), partial(self._found.__setitem__, key))
        return self._found.get(key)

    def _fail(self, words: str) -> None:
        self.failure = f"{words[:1].upper()}{words[1:]}."

    @property
    def waiting_html(self) -> str:
        words, look = (self.failure, " class='warning'") if self.failure else ("Counting …", "")
        return f"<p role='status'{look}>{html.escape(words)}</p>"


class Cost(Instrument):
    """Counts of one group of methods, a race, a table of TML and a parallel form."""

    follows = False  # it shows the machine, not an instant

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self._group, self._table, self._form = (
            BackgroundCounts(session, f"{what} could not be counted")
            for what in ("operations", "the tables", "the longest chain")
        )
        self._head, self._counts, self._before, self._result, self._grown, self._tables, self._chain = (
            Sheet(self._go, LOOK) for _ in range(7)
        )
        self._operations = LinksPlot(
            "operations", "flops: (× and +) / 2", (1, 2, 5, 10, 20, LAST), 260, 3, joined=False
        )
        self._times = LinksPlot("times", "ms a call", LENGTHS, 200, len(SERIES))
        self._depth = LinksPlot("depth", "steps", LENGTHS, 200, 2)
        self.race = RaceControl(session)
        self._before.show(RACE, ())
        self.painted = [part for part in self._parts if not isinstance(part, RaceControl)]
        self._followed, self._sought = CostView(), ""
        self._shown: dict[str, object] = {}
        parts = [part.view if isinstance(part, LinksPlot) else part for part in self._parts]
        self.view = scrolled(*parts)

    def paint(self, theme: palette.Theme) -> None:
        super().paint(theme)
        self._shown.pop("race", None)

    def _go(self, where: str) -> None:
        """Handles a click: ``group k``, ``table k``, ``form k``."""
        kind, _, which = where.partition(" ")
        index = read_index(which)
        if index is None or index >= CHOSEN.get(kind, 0):
            return
        self._session.choose("cost", **{kind: index})
        self._followed = self._session.cost
        self._sought = ""
        self.redraw()

    @property
    def _shows(self) -> tuple[int, ...]:
        """Indices of the shown group, table and form; the first ones by default."""
        chosen = self._session.cost
        return tuple(k if (k := getattr(chosen, name)) < most else 0 for name, most in CHOSEN.items())

    @property
    def n_links(self) -> int:
        """Number of joints of the cursor's arm, which is also its number of links."""
        system, arm = self._session.system_here, self._session.cursor.arm
        joints = np.asarray(system.arm_of_link)[: system.n_joints]
        return int(np.count_nonzero(joints == arm)) or system.n_joints

    def draw(self) -> None:
        """Shows the chosen results as soon as they are counted, and the race so far."""
        group, table, form = self._shows
        if self._session.cost != self._followed:  # changed by a link, whose choice may be far below
            self._followed = self._session.cost
            self._sought = "chain" if form else "table" if table else ""
        self.race.follow_link()
        self._draw_counts(GROUPS[group])
        self._draw_race()
        self._draw_table(table)
        self._draw_chain(form)

    def _is_shown(self, what: str, *state: object) -> bool:
        """Whether a part shows this state already; records the state."""
        before, self._shown[what] = self._shown.get(what), state
        return before == state

    def _draw_counts(self, group: Group) -> None:
        growths = self._group.of(group.name, partial(count_group, group))
        n_links = self.n_links
        if self._is_shown("counts", group, growths, n_links, self._group.failure):
            return
        switch = switch_html("group", [each.name for each in GROUPS], GROUPS.index(group))
        head = f"{ABOUT}{switch}<p>{html.escape(group.question)}</p>"
        self._head.show(head if growths else head + self._group.waiting_html, ())
        if not growths:
            self._operations.show({}, n_links)
            self._counts.show("", ())
            return
        cross = crossings(growths)
        rings = [
            (one.first, one.flops, f"{one.first} {one.kind}", 18.0 if one.kind == COUNTED else -18.0)
            for one in cross
            if one.first > 1
        ]
        lengths = np.geomspace(1.0, LAST, 60).tolist()
        papers = [each.published.get("flops") for each in growths]
        published = [[(n, paper(n)) for n in lengths] if paper else [] for paper in papers]
        flops = {each.method.name: list(each.flops.items()) for each in growths}
        self._operations.show(flops, n_links, published, rings)
        self._counts.show(written("counts", growths=growths, n_links=n_links, crossings=cross, note=group.note), ())

    def _draw_race(self) -> None:
        times, moment = self.race.times, self.race.moment
        if self._is_shown("race", times, moment, self.n_links):
            return
        chains = {} if times is None else times.chains
        series = {method_name(method): [(n, 1e3 * took) for n, took in own] for method, own in chains.items()}
        self._times.show(series, self.n_links)
        values = {} if times is None else race_values(times, [color_of(k, self.theme) for k in range(len(chains))])
        self._result.show(written("race", moment=moment, **values) if values else "", ())
        self._grown.show(written("grown", **values) if values.get("grown") else "", ())

    def _draw_table(self, chosen: int) -> None:
        tables = self._table.of("tables", lambda: (count() for count in (paper_tables,)))
        if self._is_shown("table", chosen, tables, self.n_links, self._table.failure, self._sought):
            return
        if not tables:
            self._tables.show(TABLES + self._table.waiting_html, ())
            return
        table = tables[chosen]
        rows = (*table.rows, *([table.total] if table.total else []))
        shown = written("table", table=table, rows=rows, n_links=self.n_links)
        switch = switch_html("table", [f"Table {each.number}" for each in tables], chosen)
        self._tables.show(f"{SOUGHT if self._sought == 'table' else ''}{TABLES}{switch}{shown}", ())

    def _draw_chain(self, chosen: int) -> None:
        form, n_links = FORMS[chosen], self.n_links
        links, arms = min(n_links, MOST_DRAWN), min(max(self._session.system_here.n_arms, 2), MOST_ARMS)
        known = self._form.of((form.key, links, arms), partial(count_chain, form, links, arms))
        if self._is_shown("chain", form, known, n_links, arms, self._form.failure, self._sought):
            return
        switch = switch_html("form", [each.name for each in FORMS], chosen)
        head = f"{SOUGHT if self._sought == 'chain' else ''}{CHAIN}{switch}<p>{html.escape(form.description)}</p>"
        if not known:
            self._chain.show(head + self._form.waiting_html, ())
            self._depth.show({}, n_links)
            return
        found, depths = known
        times, fewer = number_text(found.speedup, digits=3), n_links if links < n_links else 0
        self._chain.show(
            head + written("chain", form=form, found=found, times=times, fewer=fewer, **picture(found)), ()
        )
        series = {
            "along the longest chain": [(n, chain) for n, chain, _ in depths],
            "all steps": [(n, steps) for n, _, steps in depths],
        }
        self._depth.show(series, n_links)

    @property
    def _parts(self) -> tuple[Sheet | LinksPlot | RaceControl, ...]:
        return (
            self._head, self._operations, self._counts, self._before, self.race, self._result, self._times,
            self._grown, self._tables, self._chain, self._depth,
        )  # fmt: skip
