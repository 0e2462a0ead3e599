"""*Papers*: every number that stands there is that of ``dyn.reproduce``, and each result leads to a machine."""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import Callable, Coroutine
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from app.equations.spelled import worded_html
from app.measures.counts import GROUPS
from app.measures.paper_tables import paper_tables
from app.measures.path_graph import FORMS
from app.motion.presets import PRESETS
from app.number_text import number_text
from app.page import assembled
from app.papers.addresses import ADDRESSES
from app.papers.papers import Papers
from app.papers.result_html import DIGITS, PAPERS, numbers_html
from app.sampling.quantities import catalogue
from app.screen import Instruments
from app.state import Session
from app.state.address import asked
from app.views.plots.panel_sets import PanelSets
from dynamics.papers import rodriguez_1988
from dynamics.papers.jain_rodriguez import MIDDLE

Run = Callable[[Coroutine[Any, Any, Any]], Any]
RESULTS = dyn.paper_results()


def place(name: str) -> int:
    return next(k for k, result in enumerate(RESULTS) if result.name == name)


async def attended(session: Session) -> None:
    while session.jobs.running:
        await asyncio.wait(session.jobs.running)
        session.jobs.attend()


def plain(text: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", text))


@pytest.mark.parametrize("name", ["r87_table_2", "r87_fig_4", "tml_table_3", "jz_table_1", "r88_limits"])
def test_every_number_is_that_of_the_dynamics(name: str, run_async: Run) -> None:
    async def live() -> None:
        session = Session("planar_chain")
        instrument = Papers(session)
        instrument.paint("light")
        instrument._go(f"show {place(name)}")
        assert "Recomputing" in instrument._table.html
        await attended(session)
        found = dyn.reproduce(name)
        cells = re.findall(r"<td>([^<]*)</td><td>([^<]*)</td><td class='said'>(.*?)</td>", instrument._table.html)
        assert len(cells) == len(found.numbers)
        for (printed, ours, said), number in zip(cells, found.numbers, strict=True):
            assert printed == number_text(number.published, digits=DIGITS)
            assert ours == number_text(number.ours, digits=DIGITS)
            assert plain(said).startswith("as printed" if number.agrees else "differs")
            assert not number.reason or plain(worded_html(number.reason))[1:] in plain(instrument._table.html)
        assert not re.search(r"omega|alpha|\b\w_", plain(instrument._table.html))  # letters, as they are printed
        assert bool(instrument._plot.view.objects) is (found.figure is not None)

    run_async(live())


def test_a_list_for_each_paper_and_nonsense_leads_nowhere() -> None:
    instrument = Papers(Session("planar_chain"))
    listed = []
    for k, paper in enumerate(PAPERS):
        instrument._go(f"paper {k}")
        names = [RESULTS[int(n)] for n in re.findall(r"data-go='show (\d+)'", instrument._head.html)]
        assert {result.paper for result in names} == {paper}
        listed += names
    assert listed == [result for paper in PAPERS for result in RESULTS if result.paper == paper]
    before = instrument._head.html
    for nonsense in ("paper 9", "show 999", "show -1", "open 0", "paper", "", "show x", "<b>"):
        instrument._go(nonsense)
        assert instrument._head.html == before, nonsense
    assert not instrument._job.busy


def test_a_letter_for_each_reason_and_none_is_lost() -> None:
    result = RESULTS[0]
    numbers = tuple(
        dyn.PaperNumber(f"row {k}", "<b>", "m", 1.0, 1.0 + k, 0.0, f"reason {k % 3}" if k else "") for k in range(7)
    )
    text = numbers_html(dyn.Reproduction(result, numbers))
    assert re.findall(r"<sup>(\w)</sup>", text) == ["a", "b", "c", "a", "b", "c"]
    assert re.findall(r"<li value='(\d)'>(.*?)\.</li>", text) == [
        ("1", "Reason 1"),
        ("2", "Reason 2"),
        ("3", "Reason 0"),
    ]
    assert "7 numbers, 1 as printed, 6 explained below" in text
    assert "<b>" not in text


def test_a_result_opens_its_machine_and_the_run_before_is_a_step_back(run_async: Run) -> None:
    async def live() -> None:
        session = Session("planar_chain")
        before = session.setup
        instrument = Papers(session)
        instrument._go(f"show {place('r88_fig_9_3')}")
        instrument._go("open 0")
        await attended(session)
        assert session.setup.machine.preset.name == "two_arms_and_box"
        assert (session.tab, session.beside, session.playing) == ("Contact", "Papers", False)
        assert session.time == 0.0
        assert session.setup.drive == "free"
        session.undo()
        assert session.setup is before

    run_async(live())


def test_it_ends_with_the_session(run_async: Run) -> None:
    async def live() -> None:
        session = Session("planar_chain")
        instrument = Papers(session)
        instrument._go(f"show {place('r87_table_3')}")
        session.jobs.stop()
        assert not instrument._job.busy
        instrument._go(f"show {place('r87_table_2')}")
        assert not session.jobs.running

    run_async(live())


def test_every_result_has_an_address() -> None:
    assert set(ADDRESSES) == {result.name for result in RESULTS}


def test_a_count_is_opened_among_the_methods_and_tables_that_its_paper_counts() -> None:
    shown = {
        name: tuple(map(int, query["counted"].split(":"))) for name, query in ADDRESSES.items() if "counted" in query
    }
    assert {name for name, query in ADDRESSES.items() if query["tab"] == "Cost"} == set(shown)
    for name, (group, table, form) in shown.items():
        paper, kind, number = name.split("_", 2)
        assert GROUPS[group].name == {"r87": "Planar", "r88": "Forward", "tml": "Inverse"}[paper]
        if (paper, kind) == ("tml", "table"):
            assert paper_tables()[table].number == int(number)
        assert FORMS[form].key == ("spoked_wheel" if name == "r88_fig_9_2" else FORMS[0].key)


@pytest.mark.parametrize("name", [name for name in ADDRESSES if ADDRESSES[name]["tab"] in ("Check", "Methods")])
def test_a_result_opens_the_row_or_the_step_that_is_from_its_paper(name: str) -> None:
    query, paper = ADDRESSES[name], name.partition("_")[0].upper()
    session = Session(query["preset"])
    session.run.accept(session.run.compute())
    session.seek(float(query["t"]))
    found = session.solution()
    if query["tab"] == "Check":
        sources = {f"sum/{each.title}": each.source for each in dyn.paper_sums(found)}
        assert paper in sources[query["checked"]]
    else:
        method, _, step = query["formulation"].partition(":")
        reading = dyn.read_formulation(found.system, found.state, method, found.tau)
        assert all(line.equation.startswith(paper) for line in reading.lines(int(step or 0)))


def test_the_object_s_place_is_a_plot_where_a_result_prints_it() -> None:
    session = Session("jazidie_1")
    for name in ("jz_fig_6", "jz_table_2", "jz_fig_7", "jz_fig_8"):
        sets = PanelSets(catalogue(session.run.solution_at(0.0)))
        sets.read(ADDRESSES[name]["panels"], session.system)
        sets.open(ADDRESSES[name]["plots"])
        assert [panel.traces for panel in sets.panels] == [(("motion/object_position", "all"),)]


def test_a_flyer_is_counted_from_the_link_that_its_figure_calls_the_base() -> None:
    names = dyn.example("free_flyer")[0].link_names
    called = {name: ADDRESSES[name].get("base", "") for name in ADDRESSES if name.startswith("jr_")}
    middle = names[MIDDLE]
    assert called == {"jr_fig_1": "", "jr_fig_2": "", "jr_fig_3": names[0], "jr_fig_4": middle, "jr_fig_5": middle}


@pytest.mark.parametrize("name", ["r88_fig_9_1", "r88_fig_9_3", "r88_limits", "r88_tip_inertia", "r88_fig_10_1"])
def test_r88_opens_at_the_moment_that_it_is_recomputed_at(name: str) -> None:
    session = Session("planar_chain")
    asked(ADDRESSES[name], session).tried().show(session)
    shown, (system, state, torque) = session.solution(), rodriguez_1988._moment()
    expected = dyn.forward_dynamics(system, state, torque)
    np.testing.assert_array_equal(shown.state.q, state.q)
    np.testing.assert_array_equal(shown.tau, torque)
    np.testing.assert_allclose(shown.contact_force, expected.contact_force, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(shown.object_acceleration, expected.object_acceleration, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("query", list(dict.fromkeys(tuple(sorted(query.items())) for query in ADDRESSES.values())))
def test_every_address_opens_what_it_says(query: tuple[tuple[str, str], ...], run_async: Run) -> None:
    """Its preset, its moment, and an instrument that its machine has."""
    wanted = dict(query)
    assert wanted["preset"] in PRESETS

    async def live() -> None:
        whole = assembled({})
        session = whole.session
        asked(wanted, session).tried().show(session)
        while session.run.end < float(wanted["t"]):
            session.run.accept(session.run.compute())
        assert session.message == ""
        assert session.time == pytest.approx(float(wanted["t"]))
        assert session.cursor.stage == wanted.get("stage", session.cursor.stage)
        instruments = next(one for one in whole.clock._every_third if isinstance(one, Instruments))
        assert wanted["tab"] in instruments._there
        assert instruments.open_names[0] == wanted["tab"]
        instruments.draw()
        assert wanted["tab"] in instruments._made
        session.jobs.stop()

    run_async(live())
