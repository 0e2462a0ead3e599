"""Methods: each number is that of ``dynamics`` for the same moment, and every step can be reached."""

import html
import re

import numpy as np

import dynamics as dyn
from app.equations.meanings import letters, meanings
from app.instruments.methods.methods import Methods
from app.instruments.methods.sheet import STEPS, key_of, map_html
from app.state import Session
from app.state.address import asked, query_of
from app.state.arrangement import MethodStep
from dynamics.reading import read_formulation, readable_formulations
from tests.app.arrival import paused


def opened(preset: str, time: float, *step: str | int) -> tuple[Session, Methods]:
    session = paused(preset, time)
    session.methods = MethodStep(*step)
    instrument = Methods(session)
    instrument.paint("light")
    instrument.draw()
    return session, instrument


def numbers(sheet: object) -> np.ndarray:
    return np.frombuffer(sheet.numbers, dtype="<f8")  # type: ignore[attr-defined]


def difference(instrument: Methods) -> float:
    (at,) = re.findall(r"class='arrival'>.*?data-n='(\d+)'", instrument._map.html)
    return float(numbers(instrument._map)[int(at)])


def rows(instrument: Methods, heading: str) -> np.ndarray:
    (table,) = re.findall(rf"<h3>{heading}</h3>.*?<tbody>(.*?)</tbody>", instrument._answer.html)
    cells = re.findall(r"data-n='(\d+)'", table)
    count = table.count("<tr")
    return numbers(instrument._answer)[[int(n) for n in cells]].reshape(count, -1)


def test_it_arrives_where_the_run_does() -> None:
    for preset in ["puma560", "planar_chain", "free_flyer", "two_arms_and_box"]:
        session, instrument = opened(preset, 0.4)
        solution, wrench = session.solution(), session.run.wrench_at(0.4)
        system, state, tau, motion = solution.system, solution.state, solution.tau, solution.joint_acceleration
        for name in readable_formulations(system):
            instrument._choose(name)
            assert session.methods == MethodStep(name)
            assert difference(instrument) < 1e-9, name
            if name in ("inverse_dynamics", "group_inverse"):
                continue
            reading = read_formulation(system, state, name, tau, motion, wrench)
            found = rows(instrument, "Where it arrives")
            raw = np.column_stack([reading.answer, tau if reading.arrives == "torque" else motion])
            kept = found != 0.0  # the rest is rounding
            assert np.array_equal(found[kept], raw[kept]), name
            assert np.all(np.abs(raw[~kept]) < 1e-10), name


def test_every_field_of_the_map_leads_to_a_step_that_shows_what_it_computed() -> None:
    for preset in ["puma560", "two_arms_and_box", "two_arm_flyer"]:
        session, instrument = opened(preset, 0.3)
        solution, words = session.solution(), letters()
        for name in readable_formulations(solution.system):
            instrument._choose(name)
            joints, payload = instrument._wanted.of(solution, name)
            wrench = session.run.wrench_at(session.time)
            reading = read_formulation(solution.system, solution.state, name, solution.tau, joints, wrench, payload)
            fields = re.findall(r"data-go='at (\d+)'", map_html(reading, 0))
            assert (
                len(set(fields))
                == len(fields)
                == len({(key_of(each), each.joint, each.link) for each in reading.steps})
            )
            last = len(reading.steps) - 1
            for at in sorted({*range(min(6, last + 1)), last}):
                if at == last:
                    instrument._go(f"at {at}")
                assert f"step {at + 1} of {last + 1}" in instrument._map.html
                assert f"<h3>{html.escape(STEPS[key_of(reading.steps[at])].title)}</h3>" in instrument._step.html
                for line in reading.lines(at):
                    assert f"id='{line.key}'" in instrument._step.html
                    assert np.isin(line.value, numbers(instrument._step)).all(), (name, line.key)
                    assert meanings(f"paper {line.stage} {line.quantity_name} {line.equation}") is not None, line.key
                    for letter in set(re.findall(r"\\class\{(\w+)\}", line.lettered)) - {"o", "base"}:
                        assert f"{line.stage} {letter}" in words or letter in words, (letter, line.key)
                instrument._go("on")
            assert instrument.at == last
            instrument._go("back")
            assert instrument.at == max(last - 1, 0)


def test_a_wanted_acceleration_is_what_its_torques_give() -> None:
    session, instrument = opened("puma560", 0.5, "inverse_dynamics")
    solution = session.solution()
    now = rows(instrument, "Torques")
    assert np.allclose(now[:, 0], solution.tau, rtol=1e-9, atol=1e-9 * np.abs(solution.tau).max())
    fields = instrument._wanted._fields
    fields[2]._read("1.5")
    fields[5]._read("-0,25")
    wanted = solution.joint_acceleration.copy()
    wanted[2], wanted[5] = 1.5, -0.25
    expected = dyn.inverse_dynamics(solution.system, solution.state, wanted)
    assert np.allclose(rows(instrument, "Torques")[:, 0], expected, rtol=1e-10)
    assert difference(instrument) < 1e-10
    fields[0]._read("much")
    assert "is not a number" in session.whispered or "number" in session.whispered
    instrument._wanted._forget()
    assert np.array_equal(rows(instrument, "Torques"), now)


def test_a_link_says_which_step_it_is() -> None:
    session, instrument = opened("puma560", 0.3, "strobing", 9)
    session.tab = "Methods"
    other = Session("puma560")
    asked(query_of(session), other).tried().show(other)
    assert other.methods == MethodStep("strobing", 9)
    assert "step 10 of" in instrument._map.html
    session.methods = MethodStep("strobing", 99999)
    instrument.draw()
    (last,) = re.findall(r"step (\d+) of (\d+)", instrument._map.html)
    assert last[0] == last[1]
