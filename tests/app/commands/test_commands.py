"""The command line: the answers of Python, one line where it fails, and a status for scripts."""

import csv
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from scipy import stats
from scipy.io import loadmat

import dynamics as dyn
from app.commands import check, runs
from app.commands.command import armsweep
from app.motion.setup import machine_of_file
from app.views.badge import GOOD

pytestmark = pytest.mark.compiled_only
ROOT = Path(__file__).resolve().parents[3]
CHAIN = (ROOT / "assets" / "robots" / "planar_chain" / "robot.urdf").read_text(encoding="utf-8")
QUESTION = """
machine = "planar_chain"
find = ["filter.joint_inertia:joint_3", "agreement"]
count = 3
seed = 3
[over]
q = { low = -3.0, high = 3.0 }
gravity = [0.0, 9.81]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ask(*words: str) -> Result:
    return CliRunner().invoke(armsweep, words, prog_name="armsweep")


def told(*words: str) -> Any:
    answer = ask(*words, "--json")
    assert answer.exit_code == 0, answer.output
    assert answer.stderr == ""
    return json.loads(answer.stdout)


def fails(status: int, words: Sequence[str]) -> str:
    """The error message: one line, on the error output alone."""
    answer = ask(*words)
    assert answer.exit_code == status, answer.output
    assert answer.stdout == ""
    assert isinstance(answer.exception, SystemExit)
    assert answer.stderr.startswith("armsweep: ")
    assert answer.stderr.count("\n") == 1
    return answer.stderr


def test_a_run_is_that_of_one_piece() -> None:
    for seconds, dt in [(0.35, 0.02), (0.0333, 1e-3), (0.05, 0.1)]:
        report = told("run", "two_arms_and_box", "--seconds", str(seconds), "--dt", str(dt), "--out", "run.recording")
        found = dyn.load_recording("run.recording")
        expected = dyn.simulate(*dyn.example("two_arms_and_box"), duration=seconds, dt=dt)
        assert found.t == pytest.approx(expected.t, rel=1e-12)
        assert found.x == pytest.approx(expected.x, rel=1e-7, abs=1e-7)
        assert (report["samples"], report["seconds"]) == (len(found.t), found.duration)
        assert (report["stopped"], report["doubtful_from"]) == (None, None)


def test_a_recording_is_written_in_every_form_and_is_the_same(folder: Path) -> None:
    system, state = dyn.example("two_arms_and_box")
    recording = dyn.simulate(system, state, duration=0.2, dt=0.01, events=[dyn.Release(0.1)])
    recording.save("run.recording")
    columns = recording.columns()
    for form in runs.FORMS:
        report = told("run", "run.recording", "--out", f"out{form.upper()}")
        assert report["events"] == [{"time": time, "what": what} for time, what in recording.events]
        assert report["columns"] == len(columns)
    table = pq.read_table("out.PARQUET")
    matlab, archive = loadmat("out.MAT"), np.load("out.NPZ")
    with open("out.CSV", newline="", encoding="utf-8") as file:
        rows = [{head.partition(" [")[0]: cell for head, cell in row.items()} for row in csv.DictReader(file)]
    for name, column in columns.items():
        assert np.array_equal(table[name].to_numpy(), column)
        assert np.array_equal(archive[name], column)
        assert [float(row[name]) for row in rows] == column.tolist()
    assert np.array_equal(matlab["object_x"][:, 0], columns["object/x"])
    assert np.array_equal(dyn.load_recording("out.RECORDING").x, recording.x)
    assert "<html" in Path("out.HTML").read_text(encoding="utf-8")


def test_an_interrupt_leaves_no_file_and_no_traceback(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    words = ("run", "planar_chain", "--out", "run.csv")
    with monkeypatch.context() as change:
        change.setattr(dyn.Simulation, "advance", interrupted)
        assert ask(*words).exit_code == 130
    monkeypatch.setattr(Path, "replace", interrupted)  # all is written by then, under another name
    answer = ask(*words)
    assert (answer.exit_code, answer.stderr.split("\n")[-2:]) == (130, ["armsweep: stopped.", ""])
    assert not list(folder.iterdir())


def test_all_methods_agree_and_the_report_is_of_that_machine() -> None:
    for name in ["two_planar_arms", "free_flyer"]:
        report = told("check", name, "--states", "3")
        system, _ = dyn.example(name)
        assert report["agrees"]
        assert report["methods"] == list(dyn.methods(system))
        assert [link["joint"] for link in report["links"]] == [*system.joint_names, *[None] * system.n_bases]
        assert report["mass"] == pytest.approx(sum(link.mass for link in system.link_models))
        assert 0.0 < report["difference"] < GOOD
        words = ask("check", name, "--states", "3").stdout
        assert all(joint in words for joint in system.joint_names)
        assert words.endswith("All agree to 1e-09.\n")


def test_methods_that_do_not_agree_are_a_status(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check.TOLERANCE == GOOD
    monkeypatch.setattr(check, "TOLERANCE", 1e-30)
    answer = ask("check", "planar_chain", "--states", "2")
    assert answer.exit_code == 1
    assert "They do not agree to 1e-30." in answer.stdout


LAW = """machine = "planar_chain"
find = "tip_acceleration"
count = 5
[state]
q = { joint_1 = 0.3, joint_3 = -0.4 }
qd = { joint_2 = 1.5 }
[over]
mass = { law = "norm", loc = 1.0, scale = 0.05 }
"""


def test_laws_and_a_state_stand_in_a_file_too(folder: Path) -> None:
    (folder / "question.toml").write_text(LAW)
    report = told("study", "question.toml", "--row", "2")
    system, _ = dyn.example("planar_chain")
    q = system.from_joint_vector(system.home().q) | {"joint_1": 0.3, "joint_3": -0.4}
    state = system.state(q=q, qd={"joint_2": 1.5})
    expected = dyn.study(system, {"mass": stats.norm(loc=1.0, scale=0.05)}, "tip_acceleration", 5, state=state)
    assert report["fingerprint"] == expected.fingerprint
    assert [one["qd"] for one in report["moment"]["joints"].values()] == state.qd.tolist()


def test_a_fault_in_a_law_or_a_state_is_named(folder: Path) -> None:
    for change, word in (
        (("norm", "normal"), "law"), (("scale", "scales"), "scales"), (("1.0,", "'x',"), "law"),
        (("joint_2 =", "joint_9 ="), "joint_9"), (("1.5", "true"), "joint by joint"), (("qd =", "v ="), "q and qd"),
        (('"norm"', "[1]"), "law"), (('"planar_chain"', '"two_arms_and_box"'), "keep their posture"),
        (("count = 5", "scheduler = 'nowhere'"), "scheduler"), (("count = 5", "count = '5'"), "count"),
        (("1.5", str(10**400)), "joint_2"), (("scale = 0.05", "scale = -1.0"), "no finite value"),
    ):  # fmt: skip
        (folder / "question.toml").write_text(LAW.replace(*change))
        assert word in fails(1, ("study", "question.toml"))


def test_a_fault_in_a_question_is_named(folder: Path) -> None:
    for change, word in (
        (("count = 3", "cuont = 3"), "'cuont'"), (("seed = 3", "seed = 'x'"), "seed"), (("find =", "find"), "line 3"),
        (('machine = "planar_chain"', ""), "machine is missing"), (("low = -3.0, ", ""), "low = "),
        (("joint_3", "joint_9"), "joint_9"), (('"planar_chain"', '"nobody"'), "nobody"),
        (("= 3", "= " + 5000 * "["), "recursion"), (('["filter', '[1, "filter'), "find"),
        (("[0.0, 9.81]", "2020-01-01"), "gravity"), (("-3.0", "'a'"), "q"), (("= 3", "= 3 #" + 10**6 * "x"), "longer"),
        (("count = 3", "count = true"), "count is"),
    ):  # fmt: skip
        (folder / "question.toml").write_text(QUESTION.replace(*change))
        assert word in fails(2 if "nobody" in word else 1, ("study", "question.toml"))


def test_wrong_use_fails_with_one_line(folder: Path) -> None:
    for words, said in (
        ("run planar_chain", "--out"), ("run planar_chain --out run.txt", ".parquet"),
        ("run planar_chain --out nowhere/run.csv", "folder"),
        ("film planar_chain --to run.avi", ".webm"), ("replay planar_chain --to run.mp4", ".html"),
        ("film planar_chain --to run.mp4 --walk 1 --speed 2", "--walk"),
        ("film nobody --to run.mp4", "puma560"),
         ("film planar_chain --to run.mp4 --speed 0", "0"),
        ("film planar_chain --to run.mp4 --camera nan,0,0,0,0,0", "nan"),
        ("film planar_chain --to run.mp4 --size 64x63", "even"), ("film planar_chain --to run.mp4 --size 64x8", "16"),
         (f"check {300 * 'a'}", "no machine"),
        ("run planar_chain --seconds nan --out run.csv", "nan"),
        ("run planar_chain --seconds 1e9 --dt 1e-9 --out run.csv", "steps"),
        ("run two_arms_and_box --floating --out run.csv", "--floating"), ("check planar_chain --states 0", "states"),
        ("run nowhere.recording --out run.csv", "no recording"), ("fly planar_chain", "fly"),
    ):  # fmt: skip
        assert said in fails(2, words.split())
        assert not list(folder.iterdir())


def test_an_impossible_command_fails_with_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "arm.urdf").write_text("<robot name='\x1b[31m'>\n\n<link/>")
    fails(1, ("check", "arm.urdf"))
    (folder / "run.recording").write_bytes(b"PK\3\4 nothing")
    assert "not a recording" in fails(1, ("run", "run.recording", "--out", "run.csv"))
    monkeypatch.setattr(runs, "find_spec", lambda name: None)
    assert "pip install armsweep[files]" in fails(1, ("run", "planar_chain", "--out", "run.parquet"))
    assert sorted(path.name for path in folder.iterdir()) == ["arm.urdf", "run.recording"]


def test_faults_of_a_file_are_listed_line_by_line(folder: Path) -> None:
    path = folder / "arm.urdf"
    path.write_text(CHAIN.replace('<mass value="1"', '<mass value="-1"', 1))
    answer = ask("check", "arm.urdf")
    assert answer.exit_code == 1
    assert "arm.urdf: URDF, 1 finding" in answer.stdout
    assert re.search(r"wrong     line [0-9]+, link 'link_5': its mass is -1 kg\. Remedy: 1 kg\.", answer.stdout)
    assert "refused   robot 'planar_chain', line" in answer.stdout
    (found,) = json.loads(ask("check", "arm.urdf", "--json").stdout)["review"]["findings"]
    assert (found["kind"], found["weight"], found["remedy"]) == ("negative mass", "wrong", "1 kg")
    path.write_text(CHAIN)
    review = told("check", "arm.urdf", "--states", "1")["review"]
    assert (review["findings"], review["merged"], review["refused"]) == ([], [["tip", "link_1"]], "")
    assert "arm.urdf: URDF, no findings" in ask("check", "arm.urdf", "--states", "1").stdout
    assert told("check", "planar_chain", "--states", "1")["review"] is None


def test_a_loop_that_is_open_at_zero_is_closed_elsewhere_and_the_file_is_reported_in_any_case(folder: Path) -> None:
    mass = '<inertial><mass value="1"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>'
    links = "".join(f'<link name="{name}">{mass}</link>' for name in ("base", "a", "b", "c", "d", "tip"))
    joint = (
        '<joint name="{0}{1}" type="revolute"><parent link="{0}"/><child link="{1}"/><origin xyz="{2} 0 0"/>'
        '<axis xyz="0 1 0"/></joint>'
    )
    places = [("base", "a", 0), ("a", "b", 0.4), ("b", "tip", 0.4), ("c", "d", 0.4), ("d", "tip", 0.4)]
    for distance in (0.3, 3.0):  # between the two hinges on the base; arms of 0.8 m reach each other, or not
        joints = "".join(joint.format(*place) for place in (*places, ("base", "c", distance)))
        (folder / "five.urdf").write_text(f'<robot name="five">{links}{joints}</robot>')
        answer = ask("check", "five.urdf", "--states", "2")
        assert "five.urdf: URDF, " in answer.stdout
        assert "closes a loop" in answer.stdout
        assert ("All agree" in answer.stdout) is (answer.exit_code == 0) is (distance < 1.0)
        assert ("unsolved  loop 'd-tip' cannot be closed" in answer.stdout) is (distance > 1.0)
        if distance < 1.0:  # on the page, too
            opened = machine_of_file((folder / "five.urdf").read_bytes(), "five.urdf")
            assert "Another posture, drawn at random, is used." in opened.remark
            assert np.allclose(dyn.project(opened.system, opened.state).q, opened.state.q, atol=1e-9)


def test_a_files_words_cannot_control_the_terminal(folder: Path) -> None:
    system, state = dyn.example("planar_chain")
    recording = dyn.simulate(system, state, duration=0.01)
    replace(recording, events=((0.0, "\x1b[2Jgone\x9b\nroot#"),)).save("run.recording")
    answer = CliRunner().invoke(armsweep, ["run", "run.recording", "--out", "run.csv"], color=True)
    assert answer.stdout.splitlines()[1] == "at 0 s: \ufffd[2Jgone\ufffd\ufffdroot#"
    answer = CliRunner().invoke(armsweep, ["run", "run.recording", "--out", "run\x1b[2J"], color=True)
    assert "\x1b" not in answer.stderr


def test_help_loads_no_mechanics() -> None:
    program = "import sys, app.commands.command; print('numpy' in sys.modules)"
    own = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run([sys.executable, "-c", program], env=own, capture_output=True, text=True, timeout=60)
    assert ran.stdout == "False\n"
