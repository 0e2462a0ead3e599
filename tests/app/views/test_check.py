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
        shares += [int(share) for share in re.findall(r"(\d+) %", tab._outcome.object)]
    assert len(shares) > 2
    assert shares == sorted(shares)
    assert f"at {session.time:.3f} s" in tab._outcome.object
    assert not session.playing
    assert len(tab._curve.view.objects) == 1
