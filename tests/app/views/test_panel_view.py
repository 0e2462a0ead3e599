"""The readings of a panel: rounding beside its neighbors, or beside what it has been, is zero."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from bokeh.models import Range1d

import dynamics as dyn
from app.equations.rounding import Loads
from app.sampling.moment import Moment
from app.sampling.quantities import catalogue
from app.sampling.sampler import Sampler, read
from app.state import Session
from app.views.plots import Plots
from app.views.plots.lines import lines_of
from app.views.plots.panel_view import PanelView, Sampled, Sight
from app.views.plots.panels import TABS, Panel
from app.views.plots.plot_figure import PlotFigure
from app.views.plots.smallness import smallest
from app.views.plots.vertical_range import decades, vertical_range
from app.views.plots.visible import everything

TRACE = ("contact/object_acceleration", "linear")


def test_rounding_beside_what_was_is_zero_and_its_digits_are_at_hand() -> None:
    session = Session("two_arms_and_box")
    for _ in range(2):
        session.run.accept(session.run.compute())
    quantities = catalogue(session.run.solution_at(0.0))
    sampler = Sampler(session.jobs)
    sampler.want([(session.run, quantities)], [TRACE])
    sampler.catch_up()
    view, panel = PanelView(Range1d(0.0, 10.0), 0, print), Panel((TRACE,))
    sampled = Sampled(session.run, quantities, sampler.curves(session.run))
    view.draw(panel, Sight(sampled, (), session.system, session.cursor, "light", (0.0, 10.0)))
    values = read(Moment(session.run, 0.3), quantities, [TRACE])
    values[TRACE][0] = [20.0, -8.457e-17, 0.25]
    reading = view.reading(panel, values, None)
    assert reading["values"] == ["20 m/s²", "0 m/s²", "0.25 m/s²"]
    assert reading["raw"] == ["20.0", "−8.457e−17", "0.25"]
    largest = np.nanmax(np.abs(sampler.curves(session.run).column(TRACE)))
    values[TRACE][0] = [1e-13 * largest, 0.0, 0.0]  # all three: it is what they have been that says so
    assert view.reading(panel, values, None)["values"][0] == "0 m/s²"
    held = Loads.of(session.system, session.solution().stages)
    values[TRACE][0] = [2e-12 * largest, 0.0, 0.0]  # as after a box is put back, whose forces are in balance
    reading = view.reading(panel, values, None, held)
    assert (reading["values"][0], reading["least"]) == ("0 m/s²", [held.thing.max()] * 3)


@pytest.mark.parametrize(("length", "mass"), [(1e-3, 1e-9), (1.0, 1.0), (1e3, 1e9)])
def test_a_machine_of_any_size_is_seen_to_move_and_to_rest(length: float, mass: float) -> None:
    """What is all that its joints bear is no rounding, and what rounding leaves of its rest is nothing."""
    robot = dyn.load("planar_chain")
    links = [
        replace(
            link,
            mass=mass * link.mass,
            center_of_mass=length * link.center_of_mass,
            inertia=mass * length**2 * link.inertia,
        )
        for link in robot.links
    ]
    scale = np.vstack([np.hstack([np.ones((3, 3)), np.full((3, 1), length)]), np.ones((1, 4))])
    joints = [replace(joint, origin=scale * joint.origin) for joint in robot.joints]
    robot = replace(robot, links=tuple(links), joints=tuple(joints))
    system = dyn.single_arm(robot, gravity=(0.0, 0.0, -9.81))
    state = system.state(q=np.linspace(0.2, 0.6, system.n_joints))
    innovation = dyn.forward_dynamics(system, state).stages["filter"]["innovation"]
    tau = dyn.inverse_dynamics(system, state, np.zeros(system.n_joints))
    rest = dyn.forward_dynamics(system, state, tau).stages["filter"]["innovation"]
    assert np.abs(rest).max() < smallest(system, "N m") < 1e-3 * np.abs(innovation).max()


@pytest.mark.parametrize("part", ["momentum:linear", "momentum:angular", "angular_momentum:all"])
def test_momentum_that_cancels_lies_flat_at_zero(part: str) -> None:
    """What a run's steps leave of it beside the momenta of the bodies is nothing, unless one asks for every peak."""
    key, component = part.split(":")
    trace = f"motion/{key}", component
    ranges, told = {}, {}
    for preset in ("two_arm_flyer", "free_flyer_drifting"):
        session = Session(preset)
        while session.run.end < 1.0:
            session.run.accept(session.run.compute())
        quantities = catalogue(session.run.solution_at(0.0))
        sampler = Sampler(session.jobs)
        sampler.want([(session.run, quantities)], [trace])
        sampler.catch_up()
        sampled = Sampled(session.run, quantities, sampler.curves(session.run))
        sight = Sight(sampled, (), session.system, session.cursor, "light", (0.0, 10.0))
        for full in (False, True):
            view = PanelView(Range1d(0.0, 10.0), 0, print)
            view.draw(Panel((trace,), full=full), sight)
            ranges[preset, full] = view.range
            here = read(Moment(session.run, 0.4), quantities, [trace])
            told[preset, full] = view.reading(Panel((trace,), full=full), here, None)["values"]
    flat, exact = ranges["two_arm_flyer", False], ranges["two_arm_flyer", True]
    assert (flat.start, flat.end) == (-1.0, 1.0)
    assert exact.end - exact.start < 1e-6
    assert {said.partition(" ")[0] for said in told["two_arm_flyer", False]} == {"0"}
    assert {said.partition(" ")[0] for said in told["two_arm_flyer", True]} != {"0"}
    assert {said.partition(" ")[0] for said in told["free_flyer_drifting", False]} != {"0"}
    drifting = ranges["free_flyer_drifting", False], ranges["free_flyer_drifting", True]
    assert max(abs(end) for each in drifting for end in (each.start, each.end)) > 1.0, "that which is there is seen"


def test_the_axis_of_energy_shows_what_changes() -> None:
    """Counted from the height of the base, potential energy would press all that moves into a line."""
    session = Session("puma560")
    while session.run.end < 2.0:
        session.run.accept(session.run.compute())
    start, later = (session.run.solution_at(time) for time in (0.0, 1.5))
    plotted = catalogue(start)["motion/energy"]
    (panel,) = [panel for panel in TABS["Motion"] if panel.traces[0][0] == "motion/energy"]
    component = plotted.component(panel.traces[0][1])
    there = plotted.values(Moment(session.run, 1.5), component)[0]
    assert there[1] == pytest.approx(later.potential_energy - start.potential_energy)
    assert there[2] == pytest.approx(there[0] + there[1])
    assert plotted.values(Moment(session.run, 0.0), component)[0, 1:] == pytest.approx([0.0, start.kinetic_energy])
    times = np.linspace(0.0, 2.0, 21)
    values = np.array([plotted.values(Moment(session.run, time), component)[0] for time in times])
    reach = vertical_range(times, values)
    for column in values.T:
        assert np.ptp(column) > 0.05 * (reach.end - reach.start)


def test_ticks_are_written_as_one_reads_them() -> None:
    figure = PlotFigure(Range1d(0.0, 1.0), "samples", lambda time, value: None)
    for axis in (*figure.plot.xaxis, *figure.plot.yaxis):
        assert (type(axis.formatter).__name__, axis.formatter.format) == ("PrintfTickFormatter", "%.6g")
    assert decades(-13.0, -11.0)[-12.0] == "1e−12"


@pytest.mark.parametrize(
    ("kept", "component"), [("puma560", ""), ("point_contact", "diagonal"), ("point_contact", "1,10")]
)
def test_a_kept_run_of_another_machine_has_no_numbers_of_this_one(kept: str, component: str) -> None:
    """Not even where a quantity of that name is smaller there, and its first choice would stand in."""
    session = Session(kept)
    session.keep()
    session.open_preset("four_arms_and_box")
    for run in (session.run, session.kept[0].run):
        run.accept(run.compute())
    plots = Plots(session)
    plots._act({"do": "put", "panel": 0, "key": "contact/omega"})
    plots._act({"do": "component", "panel": 0, "trace": 0, "value": component})
    plots.sampler.catch_up()
    plots.draw()
    _, *table = [line.split(",") for line in everything(plots._views[0], plots._look()).splitlines()]
    lines = len(plots._views[0].lines)
    assert all(row[-2 * lines : -lines] != [""] * lines for row in table)
    assert all(row[-lines:] == [""] * lines for row in table)
    plots._act({"do": "difference"})
    plots.draw()
    assert not np.isfinite(plots._views[0].drawn(plots._sets.panels[0], plots._look())[1]).any()


def test_both_forces_of_a_contact_are_called_as_in_the_picture() -> None:
    """In few letters where a panel is narrow, so that there is room for the curves."""
    session = Session("two_arms_and_box")
    quantities = catalogue(session.run.solution_at(0.0))
    panel = next(panel for panel in TABS["Contact"] if len(panel.traces) == 2)
    drawn = lines_of(panel, quantities, session.system, session.cursor, "light")
    assert [line.label for line in drawn][::3] == ["applied force x", "predicted force x"]
    assert [line.brief for line in drawn][::3] == ["appl. Fx", "pred. Fx"]
