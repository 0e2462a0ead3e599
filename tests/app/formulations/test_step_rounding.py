"""A step of *Methods* shows no rounding as numbers, and every number of a machine that is small."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest

import dynamics as dyn
from app.equations.rounding import Loads
from app.equations.sheet import Figures
from app.formulations.methods import Methods
from app.formulations.sheet import step_html
from app.formulations.words import walkable
from app.number_text import ROUNDING
from app.state import Session

NOTHING = 1e-12
"""In SI units: below every number but 0 of machines whose lengths, masses and loads are those of a workshop."""
GROUP = re.compile(r"<\w+ [^>]*data-first='\d+'[^>]*>")
SIZES = re.compile(r"data-beside='(\d+)' data-units='(\d) (\d) (\d+)'")


def written(text: str, numbers: np.ndarray) -> Iterator[float]:
    """The numbers of a sheet as the browser has them: 0 for what is rounding in its group."""
    heads = list(GROUP.finditer(text))
    for head, end in zip(heads, [*(head.start() for head in heads[1:]), len(text)], strict=True):
        values = numbers[[int(n) for n in re.findall(r"data-n='(\d+)'", text[head.start() : end])]]
        sizes = np.full(len(values), np.abs(values).max(initial=0.0))
        if found := SIZES.search(head[0]):
            first, down, across, columns = map(int, found.groups())
            row, column = np.divmod(np.arange(len(values)), columns)
            sizes = numbers[first + (row // 3 % down) * across + column // 3 % across]
        yield from np.where(np.abs(values) <= ROUNDING * sizes, 0.0, values)


def steps(reading: dyn.FormulationReading, loads: Loads) -> Iterator[tuple[int, list[float]]]:
    for at, step in enumerate(reading.steps):
        figures = Figures(loads.length, loads.along(step.joint))
        text = step_html(reading, at, "light", figures)
        yield at, list(written(text, figures.numbers))


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["stanford", "panda", "puma560", "two_arms_and_box", "talos"])
def test_no_step_of_what_rests_shows_rounding(preset: str) -> None:
    session = Session(preset)
    session.playing = False
    instrument, solution = Methods(session), session.solution()
    loads = Loads.of(solution.system, solution.stages)
    for name in walkable(solution.system):
        for at, values in steps(instrument._read(solution, name), loads):
            assert not [value for value in values if 0.0 < abs(value) < NOTHING], (name, at)


def of_chain(length: float, mass: float, rate: float) -> Iterator[tuple[str, int, list[float]]]:
    """Every step of an arm of another size, which moves as all of them do: gravity has shrunk with it."""
    chain = dyn.planar_chain(3, length=0.3 * length, mass=mass, radius=0.03 * length)
    system = dyn.single_arm(chain, gravity=(0.0, 0.0, -9.81 * length))
    state = system.state(q=[0.1, 0.2, 0.3], qd=[rate, -2.0 * rate, 0.5 * rate])
    tau = mass * length**2 * np.array([0.3, -0.2, 0.5])
    solution = dyn.forward_dynamics(system, state, tau)
    loads = Loads.of(system, solution.stages)
    for name in walkable(system):
        reading = dyn.read_formulation(system, state, name, tau, solution.joint_acceleration)
        for at, values in steps(reading, loads):
            yield name, at, values


@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_a_small_machine_keeps_its_numbers(rate: float) -> None:
    """An arm of a third of a millimetre and a microgram says of itself all that a large one does."""
    for (name, at, usual), (_, _, small) in zip(of_chain(1.0, 1.0, rate), of_chain(1e-3, 1e-9, rate), strict=True):
        there = np.array(usual) != 0.0
        assert np.all(np.array(small)[there] != 0.0), (name, at)


def test_slow_motion_is_no_rounding() -> None:
    """Accelerations of a millionth of what the loads could start, and the energy of accelerations, their square."""
    system = dyn.single_arm(dyn.planar_chain(3))
    state = system.state(q=[0.1, 0.2, 0.3])
    holding = dyn.inverse_dynamics(system, state, np.zeros(3))
    tau = dyn.inverse_dynamics(system, state, np.array([1e-5, 2e-5, -1e-5]))
    assert not np.array_equal(tau, holding)
    solution = dyn.forward_dynamics(system, state, tau)
    loads = Loads.of(system, solution.stages)
    reading = dyn.read_formulation(system, state, "appel", tau, solution.joint_acceleration)
    (*_, (_, values)) = steps(reading, loads)
    assert np.isin(reading.letter("S_A").item(), values)
    assert np.isin(reading.answer, values).all()
