"""Estimation: its numbers are the mechanics' own for the same moment and seeds, and it says whose they are."""

from __future__ import annotations

import asyncio
import re

import numpy as np
import pytest

import dynamics as dyn
from app.equations.sheet import Figures
from app.instruments.estimation import Estimation
from app.instruments.estimation_draws import DRAW, STOP
from app.instruments.estimation_words import ENTRIES, SMOOTHED, Moment, words_html
from app.number_text import number_text
from app.state import Session
from tests.app.arrival import computed
from tests.app.walker.test_step_sheet import MOMENTS, reading_of

pytestmark = pytest.mark.compiled_only

BOLTED = ["stanford", "two_arms_and_box", "a tree"]


def moment_of(name: str) -> Moment:
    solution = MOMENTS[name]()
    return Moment(solution, reading_of(solution), dyn.smoothed_force_covariance(solution.system, solution.state))


def directly(solution: dyn.Solution, name: str, link: int) -> np.ndarray:
    """What a row is to show, asked of the mechanics."""
    system = solution.system
    if name == SMOOTHED:
        return dyn.smoothed_force_covariance(system, solution.state)[link]
    if name in ("force", "acceleration"):
        return solution.stages["smoother_final" if system.is_held else "smoother"][name][link]
    if name == "costate_covariance":
        return solution.stages["smoother"][name][link]
    if name in solution.stages["filter"]:
        return solution.stages["filter"][name][link]
    if name == "tau":
        return solution.tau[link]
    if name == "I_r":
        return np.array(system.joint_models[link].rotor_inertia)
    k, pose = system.link_models[link], solution.link_pose
    if name == "M":
        turn = pose[link][:3, :3]
        p = turn @ k.center_of_mass
        cross = np.array([[0, -p[2], p[1]], [p[2], 0, -p[0]], [-p[1], p[0], 0]])
        about = turn @ k.inertia @ turn.T - k.mass * cross @ cross
        return np.block([[about, k.mass * cross], [-k.mass * cross, k.mass * np.eye(3)]])
    raise KeyError(name)


def test_words_stand_beside_the_numbers_of_the_moment() -> None:
    for name in BOLTED:
        moment = moment_of(name)
        solution = moment.solution
        for link in range(solution.system.n_links):
            figures = Figures()
            sections = re.findall(r"<section .*?</section>", words_html(moment, link, "light", figures), re.DOTALL)
            for section, entry in zip(sections, ENTRIES, strict=True):
                shown = figures.numbers[[int(at) for at in re.findall(r"data-n='(\d+)'", section)]]
                if entry.name == "phi":
                    outboard = int(np.count_nonzero(np.asarray(solution.system.inboard) == link))
                    assert len(shown) == 36 * outboard
                    assert outboard or "nothing is outboard" in section
                elif entry.name == "H":
                    stage, rotor = solution.stages["filter"], solution.system.joint_models[link].rotor_inertia
                    noise = rotor / stage["joint_inertia"][link]
                    assert shown @ stage["kalman_gain"][link] + noise == pytest.approx(1.0)  # H G = 1 but for the noise
                    assert np.linalg.norm(shown) == pytest.approx(1.0)
                else:
                    expected, about = directly(solution, entry.name, link).ravel(), (name, link, entry.name)
                    within = 1e-11 * max(np.abs(expected).max(), 1e-12)
                    assert shown == pytest.approx(expected, rel=1e-9, abs=within), about


def opened(name: str, at: float = 0.2) -> tuple[Session, Estimation]:
    session = Session(name)
    computed(session.run, at)
    session.playing = False
    session.seek(at)
    instrument = Estimation(session)
    instrument.paint("light")
    instrument.draw()
    return session, instrument


async def attended(session: Session, count: int = 10**6) -> None:
    """So many slices, or all of them."""
    while session.jobs.running and count:
        await asyncio.wait(session.jobs.running)
        session.jobs.attend()
        count -= 1


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text))


@pytest.mark.parametrize("name", ["puma560", "two_arms_and_box"])
async def test_what_is_drawn_is_what_the_mechanics_draw(name: str) -> None:
    session, instrument = opened(name)
    instrument.draws.start(1000)
    await attended(session)
    link = session.system.n_joints - 2
    session.select_link(link)
    instrument.draw()
    solution = session.run.solution_at(0.2)
    drawn = dyn.sample_estimation(solution.system, solution.state, 1000, seed=0)
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


async def test_it_says_how_far_it_is_and_can_be_stopped() -> None:
    session, instrument = opened("puma560")
    draws = instrument.draws
    draws._count.value = 100_000
    draws.draw_or_stop()
    assert draws._button.label == STOP
    await attended(session, 3)
    instrument.draw()
    assert "6,000 of 100,000 draws." in draws._told.object
    assert "6 %" in draws._told.object
    draws.draw_or_stop()
    assert draws._button.label == DRAW
    await attended(session)
    instrument.draw()
    assert draws.drawing.drawn == 6000
    assert "Stopped after 6,000 of 100,000 draws." in draws._told.object
    assert "variance of 6,000 draws" in plain(instrument._variance.html)
    assert "belong" not in instrument._variance.html


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
    assert instrument.draws.drawing.time == 0.1
    assert instrument.draws.drawing.drawn == 10_000
    assert instrument.draws.drawing.seeds[0] == 1000
    assert "belong" not in instrument._variance.html
