"""Files that a recording writes hold every digit, as the formats' own readers find."""

import csv
import errno
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from scipy.io import loadmat

import dynamics as dyn
from dynamics.motion.table import LONGEST_NAME
from dynamics.robot_files.library import planar_chain_urdf
from dynamics.system.registry import REGISTRY
from tests.dynamics.every import every
from tests.dynamics.textbook.cases import NAMES, case_named

pytestmark = pytest.mark.compiled_only
ODD = "=é\U0001f9be, \"a\" 'b'\n/../end"


def let_go() -> dyn.Recording:
    """Arms that let their object go on the way: the columns stay the same, and one time occurs twice."""
    system, state = dyn.example("two_arms_and_box")
    return dyn.simulate(system, state, duration=0.02, events=[dyn.Release(0.01)])


def named(name: str, sliding: bool = False) -> dyn.Recording:
    robot = dyn.load_urdf_text(planar_chain_urdf(2))
    joint = replace(robot.joints[0], name=name, kind="prismatic" if sliding else "revolute")
    system = dyn.single_arm(replace(robot, joints=(joint, robot.joints[1]), home={}))
    return dyn.simulate(system, system.state(), duration=0.005)


def one_instant() -> dyn.Recording:
    system, state = dyn.example("free_flyer")
    return dyn.simulate(system, state, duration=0.0)


def drawn(name: str) -> dyn.Recording:
    case = case_named(name, 11)
    return dyn.simulate(case.system, case.state, duration=0.004, tau=case.tau, external_forces=case.wrench)


RUNS: dict[str, Callable[[], dyn.Recording]] = {
    "let go": let_go, "odd": partial(named, ODD), "one instant": one_instant,
    **{name: partial(drawn, name) for name in NAMES},
}  # fmt: skip


@cache
def recording_of(name: str) -> dyn.Recording:
    return RUNS[name]()


def check_table(recording: dyn.Recording, tmp_path: Path) -> None:
    recording.to_csv(tmp_path / "motion.csv")
    with (tmp_path / "motion.csv").open(newline="", encoding="utf-8") as file:
        heads, *rows = csv.reader(file)
    assert [head.partition(" [")[0] for head in heads] == list(recording.columns())
    ends = [head.partition(" [")[2].removesuffix("]").partition("; ") for head in heads]
    about = recording._table().heads
    assert [unit for unit, *_ in ends] == [one.unit for one in about]
    along = "", "along the joint axis"
    assert [axes for *_, axes in ends] == ["" if one.frame in along else one.frame for one in about]
    assert np.array_equal(np.array(rows, dtype=float).T, np.array(list(recording.columns().values())))


def check_archive(recording: dyn.Recording, tmp_path: Path) -> None:
    recording.to_npz(tmp_path / "motion")  # the very name, whatever its suffix
    with np.load(tmp_path / "motion") as archive:
        assert archive.files == [*recording.columns(), "names", "units", "frames"]
        assert all(np.array_equal(archive[name], column) for name, column in recording.columns().items())
        assert archive["names"].tolist() == list(recording.columns())
        heads = recording._table().heads
        assert archive["units"].tolist() == [head.unit for head in heads]
        assert archive["frames"].tolist() == [head.frame for head in heads]


def check_parquet(recording: dyn.Recording, tmp_path: Path) -> None:
    recording.to_parquet(tmp_path / "motion.parquet")
    table = pq.read_table(tmp_path / "motion.parquet")
    assert table.column_names == list(recording.columns())
    for name, column in recording.columns().items():
        assert table[name].to_numpy().tobytes() == np.ascontiguousarray(column).tobytes()
        assert table.schema.field(name).metadata[b"unit"]
    about = json.loads(table.schema.metadata[b"armsweep"])
    assert [tuple(event) for event in about["events"]] == list(recording.events)
    assert about["stopped"] == recording.stopped


def check_matlab(recording: dyn.Recording, tmp_path: Path) -> None:
    recording.to_mat(tmp_path / "motion")
    found = loadmat(tmp_path / "motion", simplify_cells=True)
    exact = loadmat(tmp_path / "motion")
    called = {name: own for own, name in found["names"].items()}
    assert list(called) == list(recording.columns())
    for name, column in recording.columns().items():
        own = called[name]
        assert own.isidentifier()
        assert own.isascii()
        assert len(own) <= LONGEST_NAME
        assert exact[own].shape == (len(column), 1)
        assert exact[own].tobytes() == np.ascontiguousarray(column).tobytes()
        assert found["units"][own]
        assert isinstance(found["frames"][own], str) or not len(found["frames"][own])
    assert np.atleast_1d(found["event_times"]).tolist() == [time for time, _ in recording.events]
    assert np.atleast_1d(found["events"]).tolist() == [what for _, what in recording.events]
    assert "".join(found["stopped"]) == (recording.stopped or "")


CHECKS = (check_table, check_archive, check_parquet, check_matlab)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
def test_a_file_gives_back_every_bit(check: Callable[[dyn.Recording, Path], None], tmp_path: Path) -> None:
    for name in RUNS:
        check(recording_of(name), tmp_path)


def test_units_and_axes_are_those_of_each_joint_and_body(tmp_path: Path) -> None:

    def schema(recording: dyn.Recording) -> dict[str, dict[str, str]]:
        recording.to_parquet(tmp_path / "run")
        fields = pq.read_schema(tmp_path / "run")
        return {one.name: {key.decode(): text.decode() for key, text in one.metadata.items()} for one in fields}

    slides = schema(named("slide", sliding=True))
    assert [slides[f"{name}/slide"]["unit"] for name in ("q", "qd", "qdd")] == ["m", "m/s", "m/s^2"]
    assert (slides["tau/slide"]["unit"], slides["tau/joint_2"]["unit"]) == ("N", "N m")
    assert slides["qdd/joint_2"] == {
        "unit": "rad/s^2", "frame": "along the joint axis", "part": "joint/joint_2", "quantity": "qdd"
    }  # fmt: skip
    flies = schema(recording_of("one instant"))
    assert flies["base/vx/rate"]["unit"] == "m/s^2"
    assert "root link" in flies["base/x"]["frame"]
    held = schema(recording_of("let go"))
    assert "mass centre" in held["object/qw"]["frame"]
    assert (held["object/qw"]["unit"], held["object/wz"]["unit"], held["t"]["unit"]) == ("1", "rad/s", "s")


def test_a_full_disk_or_an_interrupt_leaves_the_file_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, recording = tmp_path / "run", recording_of("one instant")
    path.write_text("what was there before")
    for form in ("csv", "npz", "parquet", "mat"):
        full = OSError(errno.ENOSPC, "full")
        for failure, expected in ((full, dyn.StateError), (KeyboardInterrupt(), KeyboardInterrupt)):

            def fails(*_: object, failure: BaseException = failure) -> Path:
                raise failure

            with monkeypatch.context() as patch:
                patch.setattr(Path, "replace", fails)  # all is written by then, under another name
                with pytest.raises(expected):
                    getattr(recording, f"to_{form}")(path)
            assert [one.name for one in tmp_path.iterdir()] == ["run"], form
            assert path.read_text() == "what was there before", form


def test_links_are_followed(tmp_path: Path) -> None:
    system, state = dyn.example("planar_chain")
    recording = dyn.simulate(system, state, duration=0.02, dt=0.01)
    (tmp_path / "deep").mkdir()
    real, link = tmp_path / "deep" / "real.csv", tmp_path / "run.csv"
    link.symlink_to(real)
    for before in (None, "before"):
        if before:
            real.write_text(before)
            real.chmod(0o600)
        recording.to_csv(link)
        assert link.is_symlink()
        assert real.read_text().startswith("t [s],")
        assert sorted(path.name for path in tmp_path.rglob("*")) == ["deep", "real.csv", "run.csv"]
    assert real.stat().st_mode & 0o777 == 0o600


@every(["tree", "free flyer with losses", "held", "coupled contacts", "floating group", "indeterminate"])
def test_stages_over_time_are_those_of_each_instant(name: str) -> None:
    run = recording_of(name)
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
        with pytest.raises(dyn.StateError, match=r"until|did you mean|no joint|no row for each joint"):
            act()
    with pytest.raises(dyn.StateError, match="did you mean"):
        run.plot("q", joint="1/joint3")


@every(("tree", "free flyer", "held"))
def test_frames_hold_every_column_with_its_unit(name: str) -> None:
    run = recording_of(name)
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
    run = recording_of("tree")
    joint = run.segments[0].system.joint_names[2]
    axes = run.plot("kalman_gain", joint=joint)
    assert axes.lines[0].get_label() == "angular x"
    assert np.array_equal([line.get_ydata() for line in axes.lines], run.stage("kalman_gain", joint).T)
    assert run.plot("tau", axes=axes) is axes
    assert [line.get_label() for line in axes.lines[6:]] == list(run.segments[0].system.joint_names)
    axes.figure.savefig(tmp_path / "gain.png")
    assert (tmp_path / "gain.png").stat().st_size > 1000


def test_what_is_not_installed_is_named_with_how_to(monkeypatch: pytest.MonkeyPatch) -> None:
    run = recording_of("one link")
    for module, act in (("pandas", run.to_dataframe), ("xarray", run.to_xarray),
                        ("matplotlib.pyplot", lambda: run.plot("q"))):  # fmt: skip
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(dyn.StateError, match=r"pip install .armsweep\["):
            act()
