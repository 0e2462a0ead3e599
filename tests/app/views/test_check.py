"""Check: the search for the worst instant, the sums of the papers, and the row that a link asks for."""

import asyncio
import re

import pytest

from app.state import Session
from app.views.badge import Badge
from app.views.check import STOP, AgreementTab


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
    assert badge.newest.agreement is not None
