"""*Cost*, measured: a race times what it says that it times, in turn, within bounds, and ends when it should."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from app.cost.cost import Cost
from app.cost.race import EVERY, START, STOP
from app.cost.race_html import chains_html, race_html, seconds_text
from app.cost.series_plot import COLORS_OF_MANY, DRAWN_OF_MANY, MARKS_OF_MANY, color_of
from app.measures import timing
from app.measures.timing import LENGTHS, ROUNDS, TIRED, Race, chain, laps
from app.state import Session
from app.views.method_names import method_name

pytestmark = pytest.mark.compiled_only
Run = Callable[[Coroutine[Any, Any, None]], None]


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "HERE", 0.05)
    monkeypatch.setattr(timing, "PIECE", 0.005)


def opened(name: str) -> tuple[Session, Cost]:
    session = Session(name)
    session.playing = False
    session.seek(0.0)
    instrument = Cost(session)
    instrument.paint("light")
    return session, instrument


async def attended(session: Session, instrument: Cost, count: int = 10**6) -> None:
    while instrument.race.busy and count:
        await asyncio.wait(session.jobs.running)
        session.jobs.attend()
        count -= 1


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text))


@pytest.mark.parametrize("floats", [False, True])
def test_a_chain_has_as_many_links_and_every_method_solves_it(floats: bool) -> None:
    for n in (1, 5):
        course = chain(n, floats)
        assert course.system.n_joints == n
        assert course.system.is_floating is floats
        answers = [
            dyn.forward_dynamics(course.system, course.state, course.tau, method=method).joint_acceleration
            for method in dyn.methods(course.system)
        ]
        for answer in answers:
            np.testing.assert_allclose(answer, answers[0], rtol=1e-7, atol=1e-7 * np.abs(answers[0]).max())


def test_methods_are_timed_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    called = []
    now = [0.0]

    def solve(system: object, state: object, tau: object, method: str) -> None:
        called.append(method)
        now[0] += {"kkt": 0.5, "appel": 0.25}[method]

    monkeypatch.setattr(timing.time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(timing.dyn, "forward_dynamics", solve)
    took = laps(chain(2, False), ("kkt", "appel"), 3)
    assert called == ["kkt", "appel"] * 3
    assert took == {"kkt": [0.5] * 3, "appel": [0.25] * 3}


def test_who_is_too_slow_is_spared_longer_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    course = chain(2, False)
    solution = dyn.forward_dynamics(course.system, course.state, course.tau)
    race = Race(solution, 0.0, ("lagrange", "kkt"))
    seconds = {"lagrange": 2.0 * TIRED, "kkt": 0.5 * TIRED}
    asked = []
    monkeypatch.setattr(timing, "chain", lambda n, floats: (n, floats))
    monkeypatch.setattr(
        timing, "laps", lambda course, methods, least=3: asked.append((course, list(methods))) or
        {method: [seconds[method]] * 3 for method in methods},
    )  # fmt: skip
    shares = [race.share]
    while not race.done:
        race.accept(race.look())
        shares.append(race.share)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert race.chains == {"lagrange": [(1, 2.0 * TIRED)], "kkt": [(n, 0.5 * TIRED) for n in LENGTHS]}
    assert [where for where in asked if isinstance(where[0], tuple)] == [
        ((n, False), ["lagrange", "kkt"] if n == 1 else ["kkt"]) for n in LENGTHS * ROUNDS
    ]


def test_what_is_said_is_what_was_measured() -> None:
    course = chain(3, False)
    race = Race(dyn.forward_dynamics(course.system, course.state, course.tau), 0.0, ("kkt", "appel"))
    race.here = {"kkt": [1e-3, 2e-3, 3e-3, 4e-3, 9e-3], "appel": [4e-4, 5e-4, 6e-4, 5e-4, 5e-4]}
    race._calls = {"kkt": {4: [1e-3], 8: [1e-3, 2.5e-3, 9e-3]}, "appel": {4: [1e-3]}}
    text = plain(race_html(race, "t = 0.000 s", ("#111111", "#222222")))
    assert f"{method_name('appel').capitalize()}: 6 solutions to one of {method_name('kkt')}, at t = 0.000 s" in text
    assert "median of 5 each in turn" in text
    assert "Bars: how many each solves in the same time" in text
    assert f"{method_name('kkt')} 3 ms" in text
    assert f"{method_name('appel')} 500 µs" in text
    assert f"{method_name('kkt')} 2 ms to 4 ms" in text
    assert re.findall(r"width: ([\d.]+)%", race_html(race, "", ("#111111", "#222222"))) == ["16.7", "100"]
    assert f"{method_name('kkt')}: 2.5 ms at N = 8, 2.5 times that at N = 4" in plain(chains_html(race))
    assert method_name("appel") not in chains_html(race)
    assert [seconds_text(each) for each in (2.0, 0.0123, 4.56e-6)] == ["2 s", "12.3 ms", "4.56 µs"]


@pytest.mark.parametrize("name", ["iiwa14", "free_flyer", "two_arms_and_box"])
def test_a_race_from_its_button_to_its_end(name: str, run_async: Run) -> None:
    async def live() -> None:
        session, instrument = opened(name)
        control = instrument.race
        offered = list(control._menus[1].options.values())
        assert offered == [*dyn.methods(session.system), EVERY]
        offered.remove(EVERY)
        control._menus[1].value = offered[-1]
        control.start_or_stop()
        assert control._button.label == STOP
        assert "0 %" in control._told.object
        await attended(session, instrument)
        instrument.draw()
        assert control._button.label == START
        assert control._told.object == "<p role='status'>Done.</p>"
        race = control.race
        assert race.methods == ("filter_smoother", offered[-1])
        for method in race.methods:
            median = float(np.median(race.here[method]))
            assert f"{method_name(method)} {seconds_text(median)} " in plain(instrument._result.html)
        for source, method in zip(instrument._times._sources, race.methods, strict=False):
            assert list(source.data["n"]) == [n for n, _ in race.chains[method]]
            assert np.allclose(source.data["y"], [1e3 * seconds for _, seconds in race.chains[method]])
        assert instrument._times.view.visible
        assert ("in flight" in instrument._grown.html) is session.system.is_floating

    run_async(live())


def test_it_can_be_stopped_and_another_machine_has_no_race(run_async: Run) -> None:
    async def live() -> None:
        session, instrument = opened("iiwa14")
        control = instrument.race
        control.start_or_stop()
        await attended(session, instrument, 1)
        control.start_or_stop()
        assert not control.busy
        assert (control._button.label, control._told.object) == (START, "<p role='status'>Stopped.</p>")
        calls = len(control.race.here["filter_smoother"])
        assert calls > 0
        instrument.draw()
        assert instrument._result.html
        control.start_or_stop()
        session.set_torque(session.system.joint_names[0], 1.0)  # the same machine
        assert control.busy
        assert "of a run before" in control.moment
        session.open_preset("free_flyer")
        assert not control.busy
        instrument.draw()
        assert control.race is None
        assert instrument._result.html == ""
        assert not instrument._times.view.visible
        assert "two_filter" in control._menus[0].options.values()
        session.jobs.stop()

    run_async(live())


def test_two_that_are_one_do_not_race_and_a_failure_is_told(run_async: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise dyn.StateError("a <number> is missing.")

    async def live() -> None:
        session, instrument = opened("puma560")
        control = instrument.race
        control._menus[1].value = control._menus[0].value
        control.start_or_stop()
        assert not control.busy
        assert "two different methods" in control._told.object
        control._menus[1].value = "kkt"
        monkeypatch.setattr("app.measures.timing.laps", fail)
        control.start_or_stop()
        await attended(session, instrument)
        assert "The race ended early: a &lt;number&gt; is missing." in control._told.object
        assert control._button.label == START

    run_async(live())


def test_it_ends_with_the_session(run_async: Run) -> None:
    async def live() -> None:
        session, instrument = opened("puma560")
        instrument.race.start()
        await attended(session, instrument, 1)
        session.jobs.stop()
        await asyncio.sleep(0.05)
        session.jobs.attend()
        assert not session.jobs.running

    run_async(live())


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["puma560", "two_arms_and_box", "free_flyer"])
def test_one_races_every_other(preset: str, run_async: Run) -> None:
    """Each with a bar, a mark and a color of its own, in one figure; the quickest is named."""
    session, instrument = opened(preset)
    control = instrument.race
    known = list(dyn.methods(session.solution().system))
    control._menus[0].value, control._menus[1].value = known[-1], EVERY

    async def whole() -> None:
        control.start()
        await attended(session, instrument)
        instrument.draw()

    run_async(whole())
    race = control.race
    assert race is not None
    assert race.done
    assert race.methods[0] == known[-1]
    assert sorted(race.methods) == sorted(known)
    assert set(race.chains) == set(known)
    text = plain(race_html(race, "t = 0.000 s", [color_of(k, "light") for k in range(len(known))]))
    medians = {method: float(np.median(own)) for method, own in race.here.items()}
    quick, slow = min(medians, key=medians.get), max(medians, key=medians.get)  # type: ignore[arg-type]
    among = ", the slowest" if len(known) > 2 else ""
    assert text.strip().startswith(f"{method_name(quick).capitalize()}: ")
    assert f"of {method_name(slow)}{among}, at" in text
    legend = instrument._times._legend.object
    assert all(method_name(method) in legend for method in known)


def test_as_many_methods_as_there_are_have_a_mark_and_a_color() -> None:
    most = len(dyn.methods(Session("puma560").system))
    for some in (MARKS_OF_MANY, DRAWN_OF_MANY, COLORS_OF_MANY):
        assert len(set(some)) == len(some) >= most
