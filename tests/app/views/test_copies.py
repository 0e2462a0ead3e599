"""What is copied as data has all digits, its units, and the kept runs beside the present one."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from app.equations.sheet import Sheet
from app.state import Session
from app.state.walk import Place
from app.views.check_csv import identities_csv, methods_csv
from app.views.copy_button import CopyButton
from app.views.plots import Plots
from app.walker.matrices import OF_LINK
from app.walker.matrix_tab import MatrixTab


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


@pytest.fixture
def plots() -> Plots:
    """Of two kept runs and a third, each sampled as far as it is known."""
    session = Session("puma560")
    for factor in (2.0, 3.0):
        session.keep()
        session.set_mass(factor * session.mass)
    for run in (session.run, *(each.run for each in session.kept)):
        while run.end < 0.5:
            run.accept(run.compute())
    found = Plots(session)
    found.draw()
    found.sampler.catch_up()
    found.draw()
    return found


def sent(plots: Plots, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []
    monkeypatch.setattr(plots._board, "_send_msg", messages.append)
    return messages


def test_a_panel_is_copied_whole_with_its_kept_runs(plots: Plots, monkeypatch: pytest.MonkeyPatch) -> None:
    messages = sent(plots, monkeypatch)
    plots._span.update(start=0.1, end=0.2)  # what is in sight does not matter
    plots._board._handle_msg({"do": "copy", "panel": 0})
    plots._board._handle_msg({"do": "save", "panel": 0})
    copied, saved = (next(one[key] for one in messages if key in one) for key in ("copy", "text"))
    assert copied == saved
    head, *table = rows(copied)
    assert head[0] == "time/s"
    assert (float(table[0][0]), float(table[-1][0])) == (0.0, pytest.approx(0.5))
    lines = len(plots._views[0].lines)
    assert [name[:2] for name in head[1::lines]] == [head[1][:2], "A ", "B "]
    axes = dyn.registry["filter", "kalman_gain"].frame
    assert axes
    assert all(name.endswith(f"; {axes}]") for name in head[1:])
    session = plots._session
    at = next(k for k, row in enumerate(table) if float(row[0]) == pytest.approx(0.3))
    link = session.cursor.link
    for nth, run in enumerate((session.run, *(each.run for each in session.kept))):
        gain = run.solution_at(float(table[at][0])).stages["filter"]["kalman_gain"][link]
        found = np.array(table[at][1 + nth * lines :][:lines], float)
        np.testing.assert_allclose(np.sort(found), np.sort(np.asarray(gain).ravel()), rtol=1e-9, atol=1e-12)


def test_differences_are_switched_for_all_panels(plots: Plots) -> None:
    plots._board._handle_msg({"do": "difference"})
    assert all(panel.difference for panel in plots._sets.panels)
    session = plots._session
    view, panel = plots._views[0], plots._sets.panels[0]
    times, values = view.drawn(panel, plots._look())
    at, link = int(np.argmin(np.abs(times - 0.3))), session.cursor.link
    gains = [
        np.sort(np.asarray(run.solution_at(float(times[at])).stages["filter"]["kalman_gain"][link]).ravel())
        for run in (session.run, session.kept[0].run)
    ]
    assert np.abs(gains[0] - gains[1]).max() > 1e-6
    assert values[at].sum() == pytest.approx((gains[0] - gains[1]).sum(), rel=1e-6, abs=1e-9)
    kept = view.figure._kept
    assert sum(bool(len(each.source.data["time"])) for each in kept) == 1  # B's; A's are the panel's own lines
    assert "less A (faint: B)" in plots._board.cells[0]["subject"]
    plots._board._handle_msg({"do": "difference"})
    assert not any(panel.difference for panel in plots._sets.panels)
    assert sum(bool(len(each.source.data["time"])) for each in kept) == 2


def test_kept_runs_are_told_apart_without_color(plots: Plots) -> None:
    figure = plots._views[0].figure
    dashes = [each.renderers[0].glyph.line_dash for each in figure._kept]
    assert len({str(dash) for dash in dashes}) == 2
    assert figure._letters._source.data["letter"] == ["A", "B"]


def test_what_check_says_is_copied_with_all_digits() -> None:
    solution = Session("two_arms_and_box").solution()
    checks = dyn.identities(solution)
    head, *table = rows(identities_csv(checks, solution.system))
    assert head == ["stage", "identity", "holds", "at link", "off by"]
    assert [float(row[-1]) for row in table] == [check.worst for check in checks]
    agreement = dyn.agreement(solution.system, solution.state, solution.tau)
    head, *table = rows(methods_csv(agreement))
    assert max(float(row[-1]) for row in table) == agreement.worst


def test_a_matrix_is_copied_for_numpy() -> None:
    session = Session("puma560")
    tab = MatrixTab(session, print)
    button = tab._copy
    messages: list[dict[str, str]] = []
    button._send_msg = messages.append  # type: ignore[method-assign]
    button._handle_msg("copy")
    assert messages == []  # there is nothing yet
    tab.draw(Place("filter", 0, 2, 0))
    for nonsense in (None, 3, "paste", {"do": "copy"}):
        button._handle_msg(nonsense)
    button._handle_msg("copy")
    (message,) = messages
    about, _, array = message["copy"].partition("\n")
    assert about == "# P(k), articulated inertia of link 3, link_4 at 0.000 s, kg m^2, kg m; kg m, kg"
    assert array.startswith("np.array(")
    found = eval(message["copy"], {"np": np})
    stage, name = OF_LINK[tab._choice.value]
    np.testing.assert_array_equal(found, session.solution().stages[stage][name][2])
    assert isinstance(tab.sheet, Sheet)
    assert isinstance(button, CopyButton)
