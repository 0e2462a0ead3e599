"""Papers: each number is that of ``reproduce``, and each address opens what it says."""

import html
import re
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import pytest

import dynamics as dyn
from app.equations.formula import worded_html
from app.instruments.cost.cost import CHOSEN
from app.instruments.papers.addresses import ADDRESSES, CLAIMS
from app.instruments.papers.papers import DIGITS, Papers
from app.number_text import number_text
from app.page import assembled
from app.screen.instruments import Instruments
from app.state import Session
from app.state.address import asked
from app.views.check_tables import METHODS, key_of
from dynamics.check import paper_sums
from dynamics.papers import paper_results, reproduce, rodriguez_1988
from dynamics.reading import read_formulation
from tests.app.arrival import computed, idle

RESULTS = paper_results()


def place(name: str) -> int:
    return next(k for k, result in enumerate(RESULTS) if result.name == name)


def plain(text: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", text))


@pytest.mark.parametrize("name", ["r87_table_2", "r87_fig_4", "tml_table_3", "jz_table_1", "r88_limits"])
async def test_every_number_is_that_of_the_dynamics(name: str) -> None:
    session = Session("planar_chain")
    instrument = Papers(session)
    instrument.paint("light")
    instrument._go(f"show {place(name)}")
    assert "Recomputing" in instrument._table.html
    await idle(session.jobs)
    found = reproduce(name)
    cells = re.findall(r'<td>([^<]*)</td><td>([^<]*)</td><td class="said">(.*?)</td>', instrument._table.html)
    assert len(cells) == len(found.numbers)
    for (printed, ours, said), number in zip(cells, found.numbers, strict=True):
        assert printed == number_text(number.published, digits=DIGITS)
        assert ours == number_text(number.ours, digits=DIGITS)
        assert plain(said).startswith("as printed" if number.agrees else "differs")
        assert not number.reason or plain(worded_html(number.reason))[1:] in plain(instrument._table.html)
    assert not re.search(r"omega|alpha|\b\w_", plain(instrument._table.html))  # letters, as they are printed
    assert bool(instrument._plot.view.objects) is (found.figure is not None)


async def test_a_result_opens_its_machine_and_the_run_before_is_a_step_back() -> None:
    session = Session("planar_chain")
    before = session.setup
    instrument = Papers(session)
    instrument._go(f"show {place('r88_fig_9_3')}")
    instrument._go("open 0")
    await idle(session.jobs)
    assert session.setup.machine.preset.name == "two_arms_and_box"
    assert ((session.tab, session.beside, session.playing), session.time) == (("Contact", "Papers", False), 0.0)
    assert session.setup.drive == "free"
    session.undo()
    assert session.setup is before


def test_r88_opens_at_the_moment_that_it_is_recomputed_at() -> None:
    for name in ("r88_fig_9_1", "r88_fig_9_3", "r88_limits", "r88_tip_inertia", "r88_fig_10_1"):
        session = Session("planar_chain")
        asked(ADDRESSES[name], session).tried().show(session)
        shown, (system, state, torque) = session.solution(), rodriguez_1988._moment()
        expected = dyn.forward_dynamics(system, state, torque)
        np.testing.assert_array_equal(shown.state.q, state.q)
        np.testing.assert_array_equal(shown.tau, torque)
        np.testing.assert_allclose(shown.contact_force, expected.contact_force, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(shown.object_acceleration, expected.object_acceleration, rtol=1e-12, atol=1e-12)


def rows_of_check(solution: dyn.Solution) -> set[str]:
    found = {f"sum/{each.title}" for each in paper_sums(solution)} | {key_of(each) for each in dyn.identities(solution)}
    return found | {f"method/{name}" for name in METHODS}


async def test_every_address_opens_its_preset_its_moment_and_an_instrument_of_its_machine() -> None:
    whole = assembled({})
    offers = next(one for one in whole.clock._every_third if isinstance(one, Instruments))._offers
    whole.session.jobs.stop()
    text = (Path(__file__).resolve().parents[4] / "docs" / "equations.md").read_text(encoding="utf-8")
    equations = [parse_qsl(each, strict_parsing=True) for each in re.findall(r"^\| .*`\?([^`]+)`", text, re.MULTILINE)]
    wanted = [*ADDRESSES.values(), *CLAIMS.values(), *map(dict, equations)]
    assert len(wanted) > 220
    session, rows = Session("planar_chain"), dict[str, set[str]]()
    for query in sorted(wanted, key=lambda each: each["preset"]):
        name, preset = query["tab"], query["preset"]
        asked(query, session).tried().show(session)
        computed(session.run, float(query["t"]))
        session.seek(float(query["t"]))
        assert session.message == "", query
        assert session.setup.machine.preset.name == preset
        assert offers[name].suits(session.system), query
        assert session.tab == query["tab"], query
        assert session.result == query.get("result", session.result)
        assert session.place.stage == query.get("stage", session.place.stage), query
        assert query.get("base", session.base) in ("", *session.system.link_names), query
        if "checked" in query:
            if preset not in rows:
                rows[preset] = rows_of_check(session.solution())
            assert query["checked"] in rows[preset], query
        if "formulation" in query:
            solution, (method, step) = session.solution(), (session.methods.method, session.methods.step)
            assert step < len(read_formulation(solution.system, solution.state, method, solution.tau).steps), query
        if "cost_view" in query:
            assert all(getattr(session.cost, what) < count for what, count in CHOSEN.items()), query
        if name == "Papers" and "result" in query:
            own = ADDRESSES[query["result"]]
            assert [query[key] for key in ("preset", "t")] == [own[key] for key in ("preset", "t")]
