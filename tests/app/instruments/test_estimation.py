"""Estimation: its numbers are the mechanics' own for the same moment and seeds, and it says whose they are."""

import asyncio
import re

import numpy as np
import pytest

from app.instruments.estimation import Estimation
from app.number_text import number_text
from app.state import Session
from dynamics.solve import sample_estimation
from tests.app.arrival import paused

pytestmark = pytest.mark.compiled_only


def opened(name: str, at: float = 0.2) -> tuple[Session, Estimation]:
    session = paused(name, at)
    instrument = Estimation(session)
    instrument.paint("light")
    instrument.draw()
    return session, instrument


async def attended(session: Session, count: int = 10**6) -> None:
    while session.jobs.running and count:
        await asyncio.wait(session.jobs.running)
        session.jobs.attend()
        count -= 1


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text))


@pytest.mark.parametrize("name", ["puma560", "two_arms_and_box", "free_flyer"])
async def test_what_is_drawn_is_what_the_mechanics_draw(name: str) -> None:
    session, instrument = opened(name)
    instrument.draws.start(1000)
    await attended(session)
    link = session.system.n_joints - 2
    session.select_link(link)
    instrument.draw()
    solution = session.run.solution_at(0.2)
    drawn = sample_estimation(solution.system, solution.state, 1000, seed=0)
    d = solution.stages["filter"]["joint_inertia"]
    variance = (drawn.innovation**2).mean(axis=0)
    text, sheet = plain(instrument._variance.html), plain(instrument._tests.html)
    assert f"of the dynamics {number_text(d[link])} " in text
    assert f"variance of 1,000 draws {number_text(variance[link])} " in text
    assert f"ratio {number_text(variance[link] / d[link])} " in text
    assert f"mean; 95 % lie within {number_text(drawn.innovation[:, link].mean(), digits=3)} " in text
    n = session.system.n_joints
    matrix = np.frombuffer(instrument._tests.numbers).reshape(n, n)
    assert np.diag(matrix) == pytest.approx(variance / d)
    products = drawn.innovation.T @ drawn.innovation
    root = np.sqrt(np.diag(products))
    off = ~np.eye(n, dtype=bool)
    assert matrix[off] == pytest.approx((products / np.outer(root, root))[off])
    own = drawn.smoothed_error[:, link]
    for block in (slice(0, 3), slice(3, 6)):
        values = np.linalg.eigvalsh((own.T @ own / 1000)[block, block])[::-1]
        inertia = solution.stages["filter"]["articulated_inertia"][link][block, block]
        largest = float(np.linalg.eigvalsh(inertia)[-1])
        shown = " ".join(number_text(value, largest, 3, padded=True) for value in values)
        assert f"drawn {shown} " in sheet
    assert "Innovations: ✓ white" in sheet
    assert instrument._curve._source.data["error"][-1] == pytest.approx(abs(variance[link] / d[link] - 1.0))


async def test_another_moment_ends_it_and_the_draws_say_where_they_belong() -> None:
    session, instrument = opened("puma560")
    instrument.draws.start(10_000)
    await attended(session, 2)
    session.seek(0.1)
    assert not instrument.draws.busy
    instrument.draw()
    assert "These draws belong to <b>t = 0.200 s</b>" in instrument._variance.html
    session.seek(0.2)
    instrument.draw()
    assert "belong" not in instrument._variance.html
    session.seek(0.1)
    instrument._go("anew 0")
    await attended(session)
    instrument.draw()
    assert (instrument.draws.drawing.time, instrument.draws.drawing.drawn) == (0.1, 10_000)
    assert instrument.draws.drawing.seeds[0] == 1000
    assert "belong" not in instrument._variance.html
