"""Sampled quantities are those of the solutions, whenever they were chosen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from app.job import Jobs
from app.motion.run import Run
from app.sampling.moment import Moment
from app.sampling.quantities import Plotted, catalogue
from app.sampling.sampler import MOST_TRACES, Sampler, read, shared
from app.state import Session

GAIN, ENERGY = ("filter/kalman_gain", "all"), ("motion/energy", "all")


def known(session: Session, end: float) -> Session:
    while session.run.end < end:
        session.run.accept(session.run.compute())
    return session


@pytest.fixture
def session() -> Session:
    return known(Session("planar_chain"), 1.0)


def sampled(run: Run, *traces: tuple[str, str]) -> Sampler:
    sampler = Sampler(Jobs(print))
    sampler.want([(run, catalogue(run.solution_at(0.0)))], traces)
    sampler.catch_up()
    return sampler


def test_samples_are_the_solutions_of_their_times(session: Session) -> None:
    curves = sampled(session.run, GAIN, ENERGY).curves(session.run)
    assert curves.times[-1] == pytest.approx(session.run.end, abs=curves.interval)
    for k in (0, 17, len(curves) - 1):
        solution = session.run.solution_at(curves.times[k])
        np.testing.assert_array_equal(curves.column(GAIN)[k], solution.stages["filter"]["kalman_gain"])
        assert curves.column(ENERGY)[k, 0, 2] == solution.kinetic_energy + solution.potential_energy


def test_a_quantity_chosen_later_is_filled_and_goes_on(session: Session) -> None:
    sampler = sampled(session.run, GAIN)
    curves, known_quantities = sampler.curves(session.run), catalogue(session.run.solution_at(0.0))
    assert curves.traces == (GAIN,)
    sampler.want([(session.run, known_quantities)], [GAIN, ENERGY])
    sampler.catch_up()
    assert curves.filled(ENERGY) == len(curves)
    known(session, 1.5)
    sampler.catch_up()
    assert curves.filled(ENERGY) == curves.filled(GAIN) == len(curves)
    assert curves.times[-1] > 1.4
    assert curves.column(ENERGY)[-1, 0, 0] == session.run.solution_at(curves.times[-1]).kinetic_energy


def test_a_branch_keeps_the_samples_of_its_past(session: Session) -> None:
    sampler = sampled(session.run, GAIN)
    before = session.run
    session.seek(0.6)
    session.set_torque(session.system.joint_names[0], 1.0)
    assert shared(session.run, before) == 0.0
    assert shared(before, before) == pytest.approx(before.end)
    branch = before.branch(0.6, ())
    assert shared(branch, before) == pytest.approx(0.6)
    sampler.want([(branch, catalogue(branch.solution_at(0.0)))], [GAIN])
    past = sampler.curves(branch)
    assert past.filled(GAIN) == len(past) > 30
    assert past.times[-1] < 0.6
    np.testing.assert_array_equal(past.column(GAIN), sampler._curves[before].column(GAIN)[: len(past)])


def test_it_works_in_slices_beside_the_page(
    session: Session, run_async: Callable[[Coroutine[Any, Any, Any]], Any]
) -> None:
    async def work() -> Sampler:
        sampler = Sampler(session.jobs)
        sampler.want([(session.run, catalogue(session.run.solution_at(0.0)))], [GAIN])
        curves = sampler.curves(session.run)
        for _ in range(2000):
            session.jobs.attend()
            sampler.attend()
            if len(curves) and curves.times[-1] > session.run.end - curves.interval:
                break
            await asyncio.sleep(0.005)
        return sampler

    sampler = run_async(work())
    whole = sampled(session.run, GAIN).curves(session.run)
    np.testing.assert_array_equal(sampler.curves(session.run).column(GAIN), whole.column(GAIN))
    sampler.stop()


def test_a_run_that_cannot_be_sampled_is_told_once_and_another_choice_is_tried(
    session: Session, run_async: Callable[[Coroutine[Any, Any, Any]], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("nothing to divide by")

    async def work() -> None:
        sampler = Sampler(session.jobs)
        quantities = catalogue(session.run.solution_at(0.0))
        with monkeypatch.context() as patched:
            patched.setattr("app.sampling.sampler.read", fail)
            for _ in range(3):
                sampler.want([(session.run, quantities)], [GAIN])
                sampler.attend()
                await asyncio.wait(session.jobs.running, timeout=5.0) if session.jobs.running else None
                session.jobs.attend()
        assert session.message == "the curves cannot be drawn further: nothing to divide by"
        session.message = ""
        sampler.want([(session.run, quantities)], [GAIN])
        sampler.attend()
        assert not session.jobs.running
        sampler.want([(session.run, quantities)], [ENERGY])
        sampler.attend()
        assert session.jobs.running

    run_async(work())


def test_what_is_kept_is_bounded(session: Session) -> None:
    quantities = catalogue(session.run.solution_at(0.0))
    sampler = Sampler(session.jobs)
    for key in quantities:
        sampler.want([(session.run, quantities)], [(key, quantities[key].components[0].key)])
        sampler.catch_up()
    assert len(sampler.curves(session.run).traces) <= MOST_TRACES + 1
    for _ in range(8):
        session.set_mass(session.mass * 1.1)
        sampler.want([(session.run, quantities)], [GAIN])
    assert len(sampler._curves) <= 4


@pytest.mark.parametrize("preset", ["puma560", "two_arms_and_box", "free_flyer"])
def test_every_registered_array_can_be_plotted(preset: str) -> None:
    session = known(Session(preset), 0.2)
    quantities = catalogue(session.run.solution_at(0.0))
    moment = Moment(session.run, 0.2)
    for (stage, name), _ in dyn.registry.items():
        array = moment.solution.stages.get(stage, {}).get(name)
        if array is None or not array.size:
            continue
        plotted = quantities[f"{stage}/{name}"]
        drawn = {line for each in plotted.components for line in each.channels}
        assert len(drawn) >= array.size // plotted.count(session.system) // (7 if plotted.at_joints else 1)
    for plotted in quantities.values():
        check_every_component(plotted, moment, session.system)


def check_every_component(plotted: Plotted, moment: Moment, system: dyn.System) -> None:
    for component in plotted.components:
        values = plotted.values(moment, component)
        assert values.shape == (plotted.count(system), len(component.channels))
        if component.positive:
            assert not (values < -1e-9).any()


def test_derived_scalars_are_what_their_names_say() -> None:
    session = known(Session("free_flyer"), 0.5)
    quantities = catalogue(session.run.solution_at(0.0))
    moment = Moment(session.run, 0.5)
    stages = moment.solution.stages
    inertia, dual = stages["filter"]["articulated_inertia"], stages["dual_filter"]["dual_articulated_inertia"]
    for key, array in (("filter/articulated_inertia", inertia), ("dual_filter/dual_articulated_inertia", dual)):
        trace, eigenvalues = (f"{key}/trace", "linear"), (f"{key}/eigenvalues", "all")
        found = read(moment, quantities, [trace, eigenvalues])
        np.testing.assert_allclose(found[trace][2, 0], np.trace(array[2, 3:, 3:]), rtol=1e-14)
        np.testing.assert_allclose(found[eigenvalues][2, :3], np.linalg.eigvalsh(array[2, :3, :3]), rtol=1e-12)
    whitened = read(moment, quantities, [("filter/innovation/whitened", "value")])[
        "filter/innovation/whitened", "value"
    ]
    innovation, covariance = stages["filter"]["innovation"], stages["filter"]["joint_inertia"]
    np.testing.assert_allclose(whitened[: len(innovation), 0], innovation / np.sqrt(covariance), rtol=1e-14)
    assert np.isnan(whitened[len(innovation) :]).all()


def test_who_follows_a_whole_course_has_its_samples_at_once(run_async: Callable[..., Any]) -> None:
    first = known(Session("stanford"), 10.0)

    async def read_out() -> None:
        jobs = Jobs(print)
        sampler = Sampler(jobs)
        sampler.want([(first.run, catalogue(first.run.solution_at(0.0)))], [GAIN, ENERGY])
        sampler.attend()
        while jobs.running:
            await asyncio.sleep(0.01)
            jobs.attend()
            sampler.attend()

    run_async(read_out())
    second = Session("stanford")
    later = Sampler(Jobs(print))
    later.want([(second.run, catalogue(second.run.solution_at(0.0)))], [ENERGY])
    curves, alone = later.curves(second.run), sampled(first.run, GAIN, ENERGY).curves(first.run)
    assert curves.whole == {GAIN, ENERGY}
    assert len(curves) >= len(alone) - 1
    for trace in (GAIN, ENERGY):
        np.testing.assert_array_equal(curves.column(trace), alone.column(trace)[: len(curves)])
    curves.forget(GAIN)  # its own: the next one has it
    third = Sampler(Jobs(print))
    other = Session("stanford").run
    third.want([(other, catalogue(other.solution_at(0.0)))], [GAIN])
    assert GAIN in third.curves(other).whole
