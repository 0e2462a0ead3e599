"""Check: the search for the worst instant, the sums of the papers, and the row that a link asks for."""

from __future__ import annotations

import asyncio
import re

import pytest

import dynamics as dyn
from app.state import Session
from app.views.agreement_tab import STOP, AgreementTab
from app.views.badge import Badge
from app.views.comparison import compare
from app.views.identity_rows import size_in_words
from app.views.sums_table import SumsTable


@pytest.fixture
def session() -> Session:
    session = Session("planar_chain")
    session.run.accept(session.run.compute())
    return session


async def slices(session: Session, count: int) -> None:
    for _ in range(count):
        if session.jobs.running:
            await asyncio.wait(session.jobs.running)
        session.jobs.attend()


async def test_it_says_how_far_it_is_and_ends_at_the_worst(session: Session) -> None:
    tab = AgreementTab(session, Badge(session))
    # Before: in a tab that is left before it was seen, a figure's layout fails, and the whole page's with it.
    assert not tab._curve.view.objects
    tab.search()
    shares = []
    while tab._button.label == STOP:
        await slices(session, 1)
        shares += [int(share) for share in re.findall(r"(\d+) %", tab._told.object)]
    assert len(shares) > 2
    assert shares == sorted(shares)
    assert f"at {session.time:.3f} s" in tab._told.object
    assert not session.playing
    assert len(tab._curve.view.objects) == 1


async def test_a_comparison_that_fails_says_so_and_the_next_instant_is_compared(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("nothing to divide by")

    badge = Badge(session)
    monkeypatch.setattr("app.views.badge.PERIOD", 0.0)
    with monkeypatch.context() as patched:
        patched.setattr("app.views.badge.compare", fail)
        badge.draw()
        await slices(session, 1)
    assert session.message == "the methods could not be compared: nothing to divide by"
    session.playing = False
    session.seek(0.1)
    badge.draw()
    await slices(session, 1)
    assert badge.newest is not None
    assert badge.newest.agreement is not None


def test_the_papers_sums_stand_below_as_the_dynamics_has_them() -> None:
    for preset in ["iiwa14", "two_arms_and_box", "two_arm_flyer"]:
        session = Session(preset)
        session.run.accept(session.run.compute())
        session.playing = False
        session.seek(0.1)
        table = SumsTable(session)
        table._job.start = lambda work, take: take(work())  # at once: there is no page's clock here
        table.draw()
        found = dyn.paper_sums(session.solution())
        rows = table._table.rows
        assert [(row["cells"][0], row["cells"][2]) for row in rows] == [(each.title, each.source) for each in found]
        assert all("holds" in row["cells"][1] and row["formula"] for row in rows)
        assert [row["cells"][3] for row in rows] == [size_in_words(each.residual) for each in found]
        session.playing = True
        session.seek(0.2)
        table.draw()
        assert table._table.rows == rows  # while it plays they rest


def test_a_row_that_a_link_asks_for_is_marked_when_it_comes(session: Session) -> None:
    """The table is empty when the page opens, and what a link asks for is there before its row is."""
    tab = AgreementTab(session, badge := Badge(session))
    session.playing = False
    session.checked = "filter/gain"
    tab._sums._job.start = lambda work, take: None
    tab.draw()
    assert tab._identities.chosen == ""
    badge.newest = compare(session.solution(), None, None, True)
    tab.draw()
    assert tab._identities.chosen == "filter/gain"
    session.checked = "method/lagrange"
    tab.draw()
    assert tab._identities.chosen == ""
    assert re.findall(r"<tr aria-current='true'><th scope='row'>\d+&ensp;([^<]*)", tab._matrix.object) == ["Lagrange"]
    session.checked = "filter/gain"
    tab.draw()
    assert tab._identities.chosen == "filter/gain"
    assert "aria-current" not in tab._matrix.object
