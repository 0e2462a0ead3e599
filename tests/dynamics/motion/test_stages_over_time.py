"""A recording as people read one: arrays by name, stages over time, frames, a plot."""

import sys
from pathlib import Path

import numpy as np
import pytest

import dynamics as dyn
from dynamics.system.registry import REGISTRY
from tests.dynamics.every import every
from tests.dynamics.textbook.cases import case_named

pytestmark = pytest.mark.compiled_only


def run_of(name: str) -> dyn.Recording:
    case = case_named(name, 7)
    return dyn.simulate(case.system, case.state, tau=case.tau, duration=0.004, external_forces=case.wrench)


@every(["tree", "free flyer with losses", "held", "coupled contacts", "floating group", "indeterminate"])
def test_stages_over_time_are_those_of_each_instant(name: str) -> None:
    run = run_of(name)
    solutions = run.solutions_at(run.t)
    system = run.segments[0].system
    for stage, key in (pair for pair in REGISTRY if pair[1] in solutions[0].stages.get(pair[0], ())):
        if key == "indeterminate_directions":  # a basis of what is lost: any other is as good
            continue
        found, alone = run.stage(f"{stage}/{key}"), [solution.stages[stage][key] for solution in solutions]
        assert np.abs(found - alone).max(initial=0.0) <= 1e-7 * max(1.0, np.abs(alone).max(initial=0.0)), (stage, key)
        if REGISTRY[stage, key].shape.startswith("(joints"):
            for k, joint in enumerate(system.joint_names):
                assert np.array_equal(run.stage(f"{stage}/{key}", joint), found[:, k])
                assert np.array_equal(run.by_joint(f"{stage}/{key}")[joint], found[:, k])
    final = "smoother_final" if system.is_held else "smoother"
    assert np.array_equal(run.stage("acceleration"), run.stage(f"{final}/acceleration"))
    n = system.n_joints
    for key, expected in (("q", run.x), ("qd", run.v), ("qdd", run.acceleration), ("tau", run.tau)):
        assert np.array_equal(np.array([*run.by_joint(key).values()]).T, expected[:, :n])
        assert all(np.array_equal(run.columns()[f"{key}/{j}"], x) for j, x in run.by_joint(key, "base").items())


def test_contact_forces_go_on_over_a_release_and_what_ends_is_refused() -> None:
    system, state = dyn.example("two_arms_and_box")
    run = dyn.simulate(system, state, duration=0.01, events=[dyn.Release(0.005)])
    force = run.stage("contact_force")
    assert np.abs(force[run.t < 0.005]).min(initial=0.0) == 0.0
    assert np.array_equal(force[-1], np.zeros((2, 6)))
    assert np.allclose(force[0], run.solution_at(0.0).contact_force)
    for act in (lambda: run.stage("contact_kalman_gain"), lambda: run.stage("kalman_gain", "elbow"),
                lambda: run.by_joint("contact_force"), lambda: run.plot("gain")):  # fmt: skip
        with pytest.raises(dyn.StateError, match=r"until|did you mean|no joint"):
            act()
    with pytest.raises(dyn.StateError, match="did you mean"):
        run.plot("q", joint="1/joint3")


@every(("tree", "free flyer", "held"))
def test_frames_hold_every_column_with_its_unit(name: str) -> None:
    run = run_of(name)
    columns, heads = run.columns(), run._table().heads
    frame, data = run.to_dataframe(), run.to_xarray()
    assert list(frame.columns) == list(columns)
    assert frame.attrs["units"] == {head.name: head.unit for head in heads}
    for head in heads:
        assert np.array_equal(frame[head.name], columns[head.name])
        kind, _, part = head.part.partition("/")
        own = data[head.quantity].sel(joint=part) if kind == "joint" else data[head.name]
        assert np.array_equal(own, columns[head.name])
        if head.name != "t":
            units = data[head.quantity if kind == "joint" else head.name].attrs["units"]
            assert head.unit in units


def test_a_plot_has_a_line_for_each_number(tmp_path: Path) -> None:
    run = run_of("tree")
    joint = run.segments[0].system.joint_names[2]
    axes = run.plot("kalman_gain", joint=joint)
    assert axes.lines[0].get_label() == "angular x"
    assert np.array_equal([line.get_ydata() for line in axes.lines], run.stage("kalman_gain", joint).T)
    assert run.plot("tau", axes=axes) is axes
    assert [line.get_label() for line in axes.lines[6:]] == list(run.segments[0].system.joint_names)
    axes.figure.savefig(tmp_path / "gain.png")
    assert (tmp_path / "gain.png").stat().st_size > 1000


def test_what_is_not_installed_is_named_with_how_to(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of("one link")
    for module, act in (("pandas", run.to_dataframe), ("xarray", run.to_xarray),
                        ("matplotlib.pyplot", lambda: run.plot("q"))):  # fmt: skip
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(dyn.StateError, match=r"pip install .armsweep\["):
            act()
