"""What is plotted is what the mechanics says, also once an object is let go, and again once it is held."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from app.motion.interventions import Released, Taken
from app.motion.presets import PRESETS
from app.motion.run import Run
from app.sampling.moment import Moment
from app.sampling.quantities import Plotted, catalogue
from app.state import Session
from app.views.plots.lines import brief_name, lines_of
from app.views.plots.panels import Panel
from app.views.plots.quantity_list import items_of
from app.views.plots.symbols import plain
from scenes import CHOICES, palette

pytestmark = pytest.mark.compiled_only


@pytest.fixture(scope="module", params=["two_arms_and_box", "two_planar_arms", "point_contact"])
def run(request: pytest.FixtureRequest) -> Run:
    """Arms that let their object go at 0.1 s and take it again at 0.2 s."""
    run = Session(request.param).run.branch(0.0, [Released(0.1), Taken(0.2)])
    while run.end < 0.3 and not run.complete:
        run.accept(run.compute())
    return run


def values(plotted: Plotted, run: Run, time: float, component: str = "all") -> np.ndarray:
    return plotted.values(Moment(run, time), plotted.component(component))


@pytest.mark.parametrize("time", [0.05, 0.15, 0.25])
def test_accelerations_go_on_when_the_object_is_let_go(run: Run, time: float) -> None:
    known, shown = catalogue(run.solution_at(0.0)), run.solution_at(time)
    assert shown.system.is_held == (time != 0.15)
    joints = values(known["smoother_final/joint_acceleration"], run, time)[: shown.system.n_joints, 0]
    np.testing.assert_array_equal(joints, shown.joint_acceleration)
    np.testing.assert_array_equal(values(known["contact/object_acceleration"], run, time)[0], shown.object_acceleration)
    np.testing.assert_array_equal(values(known["contact/contact_force"], run, time), shown.contact_force)
    stage = shown.stages["smoother_final" if shown.system.is_held else "smoother"]
    np.testing.assert_array_equal(values(known["smoother_final/acceleration"], run, time), stage["acceleration"])
    assert np.isfinite(values(known["smoother_final/force"], run, time)).all()


def test_what_only_holding_has_is_not_there_meanwhile(run: Run) -> None:
    known = catalogue(run.solution_at(0.0))
    for key in ("contact/predicted_contact_force", "contact/omega", "filter_correction/modified_innovation"):
        component = known[key].components[0].key
        assert np.isfinite(values(known[key], run, 0.05, component)).any(), key
        assert np.isnan(values(known[key], run, 0.15, component)).all(), key


@pytest.mark.parametrize("time", [0.05, 0.15])
def test_covariances_of_no_stage_are_those_of_dynamics(run: Run, time: float) -> None:
    known, shown = catalogue(run.solution_at(0.0)), run.solution_at(time)
    found = values(known["smoother/smoothed_force_covariance/trace"], run, time)
    expected = dyn.smoothed_force_covariance(shown.system, shown.state)
    np.testing.assert_allclose(found[:, 0], np.trace(expected[:, :3, :3], axis1=1, axis2=2), rtol=1e-12)
    carried = values(known["contact/contact_influence_sweep/trace"], run, time, "linear")
    if not shown.system.is_held:
        assert np.isnan(carried).all()
        return
    maps = dyn.influence(shown.system, shown.state)
    expected = maps.sweeps["inward_influence"]["contact_influence_sweep"]
    np.testing.assert_allclose(carried[:, 0], np.trace(expected[:, 3:, 3:], axis1=1, axis2=2), rtol=1e-12)


def test_a_machine_without_an_object_has_no_such_rows() -> None:
    system, state = dyn.example("puma560")
    known = catalogue(dyn.forward_dynamics(system, state))
    assert not [key for key in known if key.startswith(("contact/", "smoother_final/"))]


@pytest.mark.parametrize("preset", PRESETS)
def test_no_two_quantities_are_called_alike(preset: str) -> None:
    session = Session(preset)
    found = catalogue(session.run.solution_at(0.0))
    called = [(plain(each.symbol), each.mechanics_name) for each in found.values()]
    assert len(set(called)) == len(called)
    if session.system.task_object is None:  # it holds nothing, and never will
        assert not any("object" in each.names for each in found.values())
    briefs = [brief_name(each) for each in found.values() if each.key.endswith("whitened")]
    assert len(set(briefs)) == len(briefs)


def test_a_quantity_is_found_by_what_people_call_it() -> None:
    items = items_of(catalogue(Session("two_arms_and_box").run.solution_at(0.0)))
    for word, key in (
        ("torque", "motion/tau"),
        ("tau", "motion/tau"),
        ("τ", "motion/tau"),
        ("kalman gain", "filter/kalman_gain"),
        ("innovation", "filter/innovation"),
        ("angle", "motion/q"),
        ("speed", "motion/qd"),
        ("ε", "filter/innovation"),
        ("co-state covariance", "smoother/costate_covariance"),
    ):
        assert key in [item["key"] for item in items if word in item["search"]]


@pytest.mark.parametrize("preset", ["free_flyer", "puma560", "four_arms_and_box"])
def test_the_mass_centre_moves_as_its_momentum_says(preset: str) -> None:
    """By difference quotients of the plotted place; about the centre, momentum is less what the centre itself has."""
    run = Session(preset).run
    run.accept(run.compute())
    known, mass = catalogue(run.solution_at(0.0)), sum(link.mass for link in run.actuation.system.link_models)
    if run.actuation.system.task_object is not None:
        mass += run.actuation.system.task_object.mass
    t, dt = 0.2, 1e-4
    before, after = (values(known["motion/mass_center"], run, t + step)[0] for step in (-dt, dt))
    linear = values(known["motion/momentum"], run, t, "linear")[0]
    np.testing.assert_allclose(mass * (after - before) / (2 * dt), linear, atol=2e-5 * (1 + np.abs(linear).max()))
    about_origin = values(known["motion/momentum"], run, t, "angular")[0]
    own = values(known["motion/angular_momentum"], run, t)[0]
    center = values(known["motion/mass_center"], run, t)[0]
    np.testing.assert_allclose(
        own + np.cross(center, linear), about_origin, atol=1e-9 * (1 + np.abs(about_origin).max())
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_half_of_the_momentum_has_one_color_in_every_view(theme: palette.Theme) -> None:
    session = Session("free_flyer")
    known = catalogue(session.solution())
    for half, layer in (("angular", "angular_momentum"), ("linear", "momentum")):
        panel = Panel((("motion/momentum", half),))
        (color,) = {line.color for line in lines_of(panel, known, session.system, session.cursor, theme)}
        assert color == palette.quantity(CHOICES[layer].color, theme)
