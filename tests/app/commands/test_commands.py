"""What one asks of a terminal: the same answers as from Python, one line where it fails, and a status for scripts."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner, Result
from scipy import stats
from scipy.io import loadmat

import dynamics as dyn
from app.commands import checking, forms, machines
from app.commands.command import armsweep
from app.commands.serving import PAGE
from app.views.badge import GOOD

pytestmark = pytest.mark.compiled_only
ROOT = Path(__file__).resolve().parents[3]
PAGE_OF_DOCS = (ROOT / "docs" / "command_line.md").read_text(encoding="utf-8")
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
    """Where one is."""
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
    """What is said of it: one line, on the error output alone."""
    answer = ask(*words)
    assert answer.exit_code == status, answer.output
    assert answer.stdout == ""
    assert isinstance(answer.exception, SystemExit)
    assert answer.stderr.startswith("armsweep: ")
    assert answer.stderr.count("\n") == 1
    return answer.stderr


def test_help_has_an_example_of_each_command_that_is_understood(folder: Path) -> None:
    for name in ("arm.urdf", "run.recording", "question.toml"):
        (folder / name).touch()
    for name, command in armsweep.commands.items():
        text = ask(name, "--help").stdout
        example = text.partition("Example:\n")[2].split()
        assert example[:2] == ["armsweep", name]
        assert command.make_context(name, example[2:]).params
    assert all(name in ask("--help").stdout for name in armsweep.commands)
    assert ask().exit_code == 2


@pytest.mark.parametrize(("seconds", "dt"), [(0.03, 1e-3), (0.35, 0.02), (0.0333, 1e-3), (0.05, 0.1)])
def test_a_run_is_that_of_one_piece(seconds: float, dt: float) -> None:
    report = told("run", "two_arms_and_box", "--seconds", str(seconds), "--dt", str(dt), "--out", "run.recording")
    found = dyn.load_recording("run.recording")
    expected = dyn.simulate(*dyn.example("two_arms_and_box"), duration=seconds, dt=dt)
    assert found.times == pytest.approx(expected.times, rel=1e-12)
    assert found.x == pytest.approx(expected.x, rel=1e-7, abs=1e-7)
    assert (report["samples"], report["seconds"]) == (len(found.times), found.duration)
    assert (report["stopped"], report["doubtful_from"]) == (None, None)


@pytest.mark.slow
def test_a_recording_is_converted_to_every_form_and_is_the_same(folder: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet", reason="the extra files is not installed")
    system, state = dyn.example("two_arms_and_box")
    recording = dyn.simulate(system, state, duration=0.2, dt=0.01, events=[dyn.Release(0.1)])
    recording.save("run.recording")
    columns = recording.columns()
    for form in forms.FORMS:
        report = told("convert", "run.recording", f"out{form.upper()}")
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
    told("convert", "run.recording", "long.csv", "--long")
    assert Path("long.csv").read_text().startswith("time,part,quantity,unit,frame,value\n")


@pytest.mark.slow
def test_a_replay_is_that_of_the_run_or_the_recording(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = list[str]()
    monkeypatch.setattr("webbrowser.open", opened.append)
    report = told("replay", "planar_chain", "--to", "run.html", "--seconds", "0.1", "--dt", "0.01")
    assert (report["file"], report["seconds"], opened) == ("run.html", 0.1, [])
    told("run", "planar_chain", "--seconds", "0.1", "--dt", "0.01", "--out", "run.recording")
    told("replay", "run.recording", "--to", "its.html", "--show")
    assert opened == [Path("its.html").resolve().as_uri()]
    dyn.load_recording("run.recording").to_html("own.html")
    own = Path("own.html").stat().st_size
    for name in ("run.html", "its.html"):
        assert "<html" in Path(name).read_text(encoding="utf-8")
        assert abs(Path(name).stat().st_size - own) < 1000  # packed: no two are alike to the byte
    assert ".html" in fails(2, ["replay", "planar_chain", "--to", "run.mp4"])
    assert "no recording" in fails(2, ["replay", "no.recording", "--to", "run.html"])


def test_every_line_of_the_page_about_it_is_understood(folder: Path) -> None:
    for name in ("arm.urdf", "run.recording", "question.toml"):
        (folder / name).touch()
    lines = re.findall(r"^    armsweep (\w.*)$", PAGE_OF_DOCS, re.MULTILINE)
    assert {line.split()[0] for line in lines} == set(armsweep.commands)
    for name, *rest in map(str.split, lines):
        assert armsweep.commands[name].make_context(name, rest).params
    (asked,) = re.findall(r"^```toml\n(.*?)^```$", PAGE_OF_DOCS, re.MULTILINE | re.DOTALL)
    (folder / "question.toml").write_text(asked.replace("count = 1000", "count = 2"))
    pytest.importorskip("pyarrow", reason="the extra files is not installed")
    assert told("study", "question.toml")["rows"] == 4
    assert list((folder / "kept").glob("*.parquet"))
    assert set(re.findall(r"`(\.\w+)`", PAGE_OF_DOCS)) == set(forms.FORMS)


@pytest.mark.slow
@pytest.mark.render
def test_a_film_is_that_of_the_run_or_the_recording(folder: Path) -> None:
    av = pytest.importorskip("av", reason="the extra film is not installed")

    def pictures(path: str) -> list[Any]:
        with av.open(path) as file:
            return [frame.to_ndarray(format="rgb24") for frame in file.decode(video=0)]

    small = ("--size", "64x32", "--rate", "20", "--speed", "0.5", "--layers", "trails, force", "--theme", "dark")
    report = told("film", "planar_chain", "--to", "run.mp4", "--seconds", "0.2", "--dt", "0.002", *small)
    assert (report["pictures"], report["lasts"], report["size"], report["seconds"]) == (8, 0.4, [64, 32], 0.2)
    found = pictures("run.mp4")
    assert [len(found), *found[0].shape] == [8, 32, 64, 3]
    told("run", "planar_chain", "--seconds", "0.2", "--dt", "0.002", "--out", "run.recording")
    dyn.load_recording("run.recording").to_film(
        "mine.mp4", (64, 32), 20.0, 0.5, ["trails", "force"], [[0.0, -4.0, 1.0], [0.0, 0.0, 0.0]], "dark"
    )
    answer = ask("film", "run.recording", "--to", "its.mp4", *small, "--camera", "0,-4,1,0,0,0")
    assert answer.stdout == "its.mp4: 8 pictures of 64 x 32, 0.4 s\n"
    assert all(np.array_equal(*pair) for pair in zip(pictures("its.mp4"), pictures("mine.mp4"), strict=True))


@pytest.mark.slow
@pytest.mark.render
def test_a_film_that_is_stopped_leaves_no_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("av", reason="the extra film is not installed")

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(click.progressbar(length=1).__class__, "update", interrupted)
    told_of = dyn.simulate(*dyn.example("planar_chain"), duration=0.05, dt=0.01)
    told_of.save("run.recording")
    answer = ask("film", "run.recording", "--to", "run.mp4", "--size", "64x32")
    assert (answer.exit_code, answer.stdout) == (130, "")
    assert [one.name for one in folder.iterdir()] == ["run.recording"]


def test_a_run_that_ends_early_is_written_as_far_as_it_goes(folder: Path) -> None:
    answer = ask("run", "planar_chain", "--seconds", "20", "--dt", "0.4", "--out", "run.recording")
    assert answer.exit_code == 1
    assert "ended early" in answer.stdout
    assert "speeds grew beyond all bounds" in answer.stdout
    assert dyn.load_recording("run.recording").stopped is not None


def test_what_is_stopped_leaves_no_file_and_no_traceback(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    words = ("run", "planar_chain", "--out", "run.csv")
    with monkeypatch.context() as change:
        change.setattr(dyn.Simulation, "advance", interrupted)
        assert ask(*words).exit_code == 130
    monkeypatch.setattr(Path, "replace", interrupted)  # all is written by then, under another name
    answer = ask(*words)
    assert answer.exit_code == 130
    assert answer.stderr.split("\n")[-2:] == ["armsweep: stopped.", ""]
    assert not list(folder.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["planar_chain", "two_arms_and_box", "free_flyer"])
def test_all_methods_agree_and_the_report_is_of_that_machine(name: str) -> None:
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


def test_a_robot_of_a_file_floats_if_one_says_so(folder: Path) -> None:
    assert told("check", str(ROOT / "assets" / "robots" / "free_flyer"), "--states", "1")["kind"] == "single_arm"
    assert told("check", "free_flyer", "--floating", "--states", "1")["kind"] == "free_flyer"


def test_methods_that_do_not_agree_are_a_status(monkeypatch: pytest.MonkeyPatch) -> None:
    assert checking.TOLERANCE == GOOD
    monkeypatch.setattr(checking, "TOLERANCE", 1e-30)
    answer = ask("check", "planar_chain", "--states", "2")
    assert answer.exit_code == 1
    assert "They do not agree to 1e-30." in answer.stdout


@pytest.mark.slow
def test_a_study_is_that_of_its_file(folder: Path) -> None:
    (folder / "question.toml").write_text(QUESTION)
    report = told("study", "question.toml")
    system, state = dyn.example("planar_chain")
    find = ["filter.joint_inertia:joint_3", "agreement"]
    over = {"q": (-3.0, 3.0), "gravity": [0.0, 9.81]}
    expected = dyn.study(system, over, find, 3, seed=3, state=state)
    assert (report["fingerprint"], report["rows"]) == (expected.fingerprint, expected.size)
    assert report["found"][find[0]]["mean"] == expected.found[find[0]].mean
    assert find[0] in ask("study", "question.toml").stdout


@pytest.mark.slow
def test_a_study_says_how_long_and_looks_and_opens_a_row(folder: Path) -> None:
    (folder / "question.toml").write_text(
        QUESTION.replace("count = 3", "count = 300").replace("agreement", "mass_matrix:condition")
    )
    estimate = told("study", "question.toml", "--estimate")
    assert (estimate["rows"], estimate["columns"]) == (600, 8)
    assert 0.0 < estimate["seconds"] < 600.0
    assert "600 rows: about" in ask("study", "question.toml", "--estimate").stdout
    answer = ask("study", "question.toml", "--look", "--row", "7", "--json")
    assert answer.stderr.count(" rows: mass_matrix:condition: ") >= 2
    moment = json.loads(answer.stdout)["moment"]
    system, state = dyn.example("planar_chain")
    over = {"q": (-3.0, 3.0), "gravity": [0.0, 9.81]}
    expected = dyn.study(
        system, over, ["filter.joint_inertia:joint_3", "mass_matrix:condition"], 300, seed=3, state=state
    ).moment(7)
    assert moment["drawn"] == expected.drawn
    assert moment["found"] == expected.found
    assert [one["q"] for one in moment["joints"].values()] == expected.state.q.tolist()
    assert "row 7\n" in ask("study", "question.toml", "--row", "7").stdout
    assert "row" in fails(1, ("study", "question.toml", "--row", "600"))


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
    names = system.joint_names
    q, qd = ([at.get(name, 0.0) for name in names] for at in ({"joint_1": 0.3, "joint_3": -0.4}, {"joint_2": 1.5}))
    home = system.home()
    q = [value if name in ("joint_1", "joint_3") else own for name, value, own in zip(names, q, home.q, strict=True)]
    over = {"mass": stats.norm(loc=1.0, scale=0.05)}
    expected = dyn.study(system, over, "tip_acceleration", 5, state=replace(home, q=np.array(q), qd=np.array(qd)))
    assert report["fingerprint"] == expected.fingerprint
    assert [one["qd"] for one in report["moment"]["joints"].values()] == qd


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (("norm", "normal"), "law"), (("scale", "scales"), "scales"), (("1.0,", "'x',"), "law"),
        (("joint_2 =", "joint_9 ="), "joint_9"), (("1.5", "true"), "joint_2"), (("qd =", "v ="), "q and qd"),
        (('"norm"', "[1]"), "law"), (('"planar_chain"', '"two_arms_and_box"'), "stand as they stand"),
        (("count = 5", "scheduler = 'nowhere'"), "scheduler"), (("count = 5", "count = '5'"), "count"),
        (("1.5", str(10**400)), "joint_2"), (("scale = 0.05", "scale = -1.0"), "no finite number"),
    ],
)  # fmt: skip
def test_a_fault_in_a_law_or_a_state_is_told(change: tuple[str, str], word: str, folder: Path) -> None:
    (folder / "question.toml").write_text(LAW.replace(*change))
    assert word in fails(1, ("study", "question.toml"))


def test_an_estimate_of_long_lists_tries_some_of_them(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    met = []
    study = dyn.study

    def counted(*given: Any, **named: Any) -> Any:
        found = study(*given, **named)
        met.append(found.size)
        return found

    monkeypatch.setattr(dyn, "study", counted)
    values = [0.001 + 1e-6 * k for k in range(5000)]
    text = MOTIONS.replace("[0.001, 0.002]", str(values)).replace("[over]", f"[over]\ngravity = {values}")
    (folder / "motions.toml").write_text(text)
    assert told("study", "motions.toml", "--estimate")["rows"] == 5000 * 5000 * 2
    assert sum(met) < 100


MOTIONS = """machine = "planar_chain"
find = ["run:drift", "end.position:tip.z"]
count = 1
duration = 0.2
[over]
dt = [0.001, 0.002]
method = ["rk4", "euler"]
"""


def test_a_study_of_motions_stands_in_a_file_too(folder: Path) -> None:
    (folder / "motions.toml").write_text(MOTIONS)
    report = told("study", "motions.toml")
    system, state = dyn.example("planar_chain")
    over = {"dt": [0.001, 0.002], "method": ["rk4", "euler"]}
    expected = dyn.study(system, over, ["run:drift", "end.position:tip.z"], 1, state=state, duration=0.2)
    assert (report["fingerprint"], report["rows"]) == (expected.fingerprint, 4)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (("count = 3", "cuont = 3"), "'cuont'"), (("seed = 3", "seed = 'x'"), "seed"), (("find =", "find"), "line 3"),
        (('machine = "planar_chain"', ""), "machine is missing"), (("low = -3.0, ", ""), "low = "),
        (("joint_3", "joint_9"), "joint_9"), (('"planar_chain"', '"nobody"'), "nobody"),
        (("= 3", "= " + 5000 * "["), "recursion"),
        (('["filter', '[1, "filter'), "find"), (("[0.0, 9.81]", "2020-01-01"), "gravity"), (("-3.0", "'a'"), "q"),
        (("= 3", "= 3 #" + 10**6 * "x"), "longer"), (("count = 3", "count = true"), "count is"),
    ],
)  # fmt: skip
def test_a_fault_in_a_question_is_told(change: tuple[str, str], word: str, folder: Path) -> None:
    (folder / "question.toml").write_text(QUESTION.replace(*change))
    assert word in fails(2 if "nobody" in word else 1, ("study", "question.toml"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("run planar_chain", "--out"),
        ("run planar_chain --out run.txt", ".parquet"),
        ("run planar_chain --out nowhere/run.csv", "folder"),
        ("run planar_chain --out . ", "directory"),
        ("run planar_chain --out run.mat --long", "--long"),
        ("film planar_chain --to run.avi", ".webm"),
        ("film nobody --to run.mp4", "puma560"),
        ("film no.recording --to run.mp4", "no recording"),
        ("film planar_chain --to run.mp4 --size 64", "'x' between"),
        ("film planar_chain --to run.mp4 --size 64xa", "integer"),
        ("film planar_chain --to run.mp4 --speed 0", "0"),
        ("film planar_chain --to run.mp4 --camera 1,2,3", "6 numbers"),
        ("film planar_chain --to run.mp4 --camera nan,0,0,0,0,0", "nan"),
        ("film planar_chain --to run.mp4 --walk 1 --camera nan,0,0,0,0,0", "nan"),
        ("film planar_chain --to run.mp4 --size 64x63", "even"),
        ("film planar_chain --to run.mp4 --size 64x8", "16"),
        ("film planar_chain --to run.mp4 --rate nan", "nan"),
        ("film planar_chain --to run.mp4 --speed nan", "nan"),
        ("run nobody --out run.csv", "puma560"),
        (f"check {300 * 'a'}", "no machine"),
        (f"run planar_chain --out {300 * 'a'}/run.csv", "folder"),
        ("run planar_chain --seconds nan --out run.csv", "nan"),
        ("run planar_chain --seconds 1e9 --dt 1e-9 --out run.csv", "steps"),
        ("run planar_chain --dt 0 --out run.csv", "above zero"),
        ("run two_arms_and_box --floating --out run.csv", "--floating"),
        ("check planar_chain --states 0", "states"),
        ("convert nowhere.recording run.csv", "does not exist"),
        ("fly planar_chain", "fly"),
    ],
)
def test_wrong_use_is_said_in_a_line(words: str, said: str, folder: Path) -> None:
    assert said in fails(2, words.split())
    assert not list(folder.iterdir())


def test_what_cannot_be_is_said_in_a_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "arm.urdf").write_text("<robot name='\x1b[31m'>\n\n<link/>")
    fails(1, ("check", "arm.urdf"))
    (folder / "run.recording").write_bytes(b"PK\3\4 nothing")
    assert "no recording" in fails(1, ("convert", "run.recording", "run.csv"))
    monkeypatch.setattr(forms, "find_spec", lambda name: None)
    assert "pip install armsweep[files]" in fails(1, ("run", "planar_chain", "--out", "run.parquet"))
    assert sorted(path.name for path in folder.iterdir()) == ["arm.urdf", "run.recording"]


def test_what_is_wrong_in_a_file_is_told_line_by_line(folder: Path) -> None:
    path = folder / "arm.urdf"
    path.write_text(CHAIN.replace('<mass value="1"', '<mass value="-1"', 1))
    answer = ask("check", "arm.urdf")
    assert answer.exit_code == 1
    assert "arm.urdf: URDF, 1 to tell of the file" in answer.stdout
    assert re.search(r"wrong     line [0-9]+, link 'link_5': its mass is -1 kg\. Remedy: 1 kg\.", answer.stdout)
    assert "refused   robot 'planar_chain', line" in answer.stdout
    (found,) = json.loads(ask("check", "arm.urdf", "--json").stdout)["review"]["findings"]
    assert (found["kind"], found["weight"], found["remedy"]) == ("negative mass", "wrong", "1 kg")
    path.write_text(CHAIN)
    review = told("check", "arm.urdf", "--states", "1")["review"]
    assert (review["findings"], review["merged"], review["refused"]) == ([], [["tip", "link_1"]], "")
    assert "nothing to tell of the file" in ask("check", "arm.urdf", "--states", "1").stdout
    assert told("check", "planar_chain", "--states", "1")["review"] is None


def test_a_terminal_obeys_no_stranger(folder: Path) -> None:
    system, state = dyn.example("planar_chain")
    recording = dyn.simulate(system, state, duration=0.01)
    replace(recording, events=((0.0, "\x1b[2Jgone\x9b\nroot#"),)).save("run.recording")
    answer = CliRunner().invoke(armsweep, ["convert", "run.recording", "run.csv"], color=True)
    assert answer.stdout.splitlines()[1] == "at 0 s: \ufffd[2Jgone\ufffd\ufffdroot#"
    answer = CliRunner().invoke(armsweep, ["convert", "run.recording", "run\x1b[2J"], color=True)
    assert "\x1b" not in answer.stderr


def test_an_error_of_our_own_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError("ours")

    monkeypatch.setattr(dyn, "study", broken)
    with pytest.raises(ValueError, match="ours"):
        CliRunner().invoke(armsweep, ["check", "planar_chain"], catch_exceptions=False)


def test_the_page_is_served_by_panel_with_its_own_options(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[list[str]] = []
    monkeypatch.setattr(sys, "argv", sys.argv)
    monkeypatch.setattr("app.commands.serving.main", lambda: given.append(sys.argv))
    assert ask("serve", "--prefix", "/arms", "--port", "5033", "--num-procs", "2", "--show").exit_code == 0
    assert given == [["panel", "serve", str(PAGE), "--prefix", "/arms", "--num-procs", "2", "--port", "5033", "--show"]]
    assert (PAGE / "main.py").is_file()


def test_a_shell_completes_machines_and_files() -> None:
    def offered(begun: str) -> list[str]:
        command = armsweep.commands["check"]
        with command.make_context("check", [], resilient_parsing=True) as context:
            return [item.value for item in command.params[0].shell_complete(context, begun)]

    assert offered("two_a") == ["two_arm_flyer", "two_arms_and_box"]
    assert offered("./ar") == ["./ar"]
    assert set(dyn.examples()) | set(dyn.robot_names()) == set(offered(""))


@pytest.mark.parametrize(
    "words", [("planar_chain",), ("two_planar_arms",), ("free_flyer", "--floating"), ("arm.urdf",)]
)
def test_a_bench_times_all_methods_beside_the_solver(folder: Path, words: tuple[str, ...]) -> None:
    (folder / "arm.urdf").write_text(CHAIN)
    report = told("bench", *words, "--seconds", "0.01", "--batch", "7")
    system, _ = machines.machine(words[0], "--floating" in words)
    solver, batch, *methods = report["methods"]
    assert [one["method"] for one in methods] == list(dyn.methods(system))
    assert (solver["method"], solver["times"], solver["difference"]) == ("solver", 1.0, 0.0)
    assert (batch["method"], batch["states"]) == ("batch", 7)
    assert report["laps"] >= 3
    for one in report["methods"]:
        assert 0.0 < one["least"] <= one["seconds"]
        assert one["times"] == pytest.approx(one["seconds"] / solver["seconds"])
        assert one["difference"] < 1e-9
        assert one["calls"] >= report["laps"]
    assert min(one["times"] for one in methods) > 3.0  # each of them is Python, or hands every stage to it


def test_a_bench_tells_of_another_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    solve = dyn.forward_dynamics

    def otherwise(system: dyn.System, state: dyn.State, tau: Any, method: str) -> Any:
        return solve(system, state, 1.001 * tau if method == "kkt" else tau, method)

    monkeypatch.setattr(dyn, "forward_dynamics", otherwise)
    answer = ask("bench", "planar_chain", "--seconds", "0.01", "--batch", "3")
    assert answer.exit_code == 1
    assert answer.stdout.rstrip().endswith("They do not agree to 1e-09.")
    rows = {
        line.split()[0]: float(line.split()[-1])
        for line in answer.stdout.splitlines()
        if line.startswith(("kkt", "mass"))
    }
    assert rows["mass_matrix"] < 1e-9 < 1e-6 < rows["kkt"]
    assert "there is no machine and no file 'arm'" in fails(2, ["bench", "arm"])


def test_packaging_knows_the_command() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    module, _, name = scripts["armsweep"].partition(":")
    assert isinstance(getattr(import_module(module), name), click.Group)


def process(*words: str, **options: Any) -> subprocess.Popen[str]:
    own = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, *words], env=own, **pipes | options)  # type: ignore[call-overload, no-any-return]


@pytest.mark.slow
def test_as_a_process_it_answers_in_json_and_help_loads_no_mechanics() -> None:
    helping = process("-c", "import sys, app.commands.command; print('numpy' in sys.modules)")
    checking = process("-m", "app.commands", "check", "planar_chain", "--states", "2", "--json")
    assert helping.communicate(timeout=60)[0] == "False\n"
    printed, _ = checking.communicate(timeout=240)
    assert checking.returncode == 0
    assert json.loads(printed)["agrees"]


def listening() -> None:
    """Who starts tests in the background has their children deaf to it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


LOST = """
import signal, click
from app.commands.ending import Commands
compiler = "import signal\\ntry:\\n    signal.raise_signal(signal.SIGINT)\\nexcept KeyboardInterrupt:\\n    pass"
@click.group(cls=Commands)
def words(): pass
@words.command()
def run():
    exec(compiler, {"__name__": NAME})
    print("went on")
words(["run"])
"""
"""A command in which somebody else's code loses an interruption."""


@pytest.mark.parametrize("name", ["numba.core.event", "llvmlite.binding.ffi"])
def test_what_is_interrupted_while_it_compiles_ends_at_once(name: str) -> None:
    running = process("-c", LOST.replace("NAME", repr(name)), preexec_fn=listening)
    printed, said = running.communicate(timeout=60)
    assert (running.returncode, printed, said) == (130, "", "\narmsweep: stopped.\n")


@pytest.mark.slow
def test_as_a_process_it_stops_when_it_is_told_to_and_leaves_nothing(folder: Path) -> None:
    words = ("run", "four_arms_and_box", "--seconds", "9000", "--out", str(folder / "run.csv"))
    running = process("-m", "app.commands", *words, preexec_fn=listening)
    time.sleep(3.0)
    running.send_signal(signal.SIGINT)
    printed, said = running.communicate(timeout=60)
    # Python ends itself by the signal, 130 to a shell, if that came within an exec(), as while a dataclass was made.
    assert running.returncode in (130, -signal.SIGINT)
    assert (printed, said.strip()) == ("", "armsweep: stopped.")
    assert not list(folder.iterdir())


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no such signal here")
@pytest.mark.parametrize("name", ["SIGHUP", "SIGTERM"])
def test_a_lost_connection_and_a_shutdown_leave_no_half_file(name: str, folder: Path) -> None:
    told_of = dyn.simulate(*dyn.example("two_arms_and_box"), duration=2.0, dt=1e-3)
    told_of.save("run.recording")
    number = getattr(signal, name)
    options = {"preexec_fn": lambda: signal.signal(number, signal.SIG_DFL)}
    running = process("-m", "app.commands", "convert", "run.recording", "run.csv", "--long", **options)
    while running.poll() is None and len(list(folder.iterdir())) < 2:
        time.sleep(0.002)
    running.send_signal(number)
    printed, _ = running.communicate(timeout=60)
    assert (running.returncode, printed) == (128 + number, "")
    assert [one.name for one in folder.iterdir()] == ["run.recording"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
@pytest.mark.parametrize("words", [("check", "planar_chain", "--states", "1", "--json"), ("--help",)])
def test_what_is_printed_to_a_full_disk_is_said_in_a_line(words: tuple[str, ...]) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        running = process("-m", "app.commands", *words, stdout=full)
        _, said = running.communicate(timeout=240)
    assert (running.returncode, said) == (1, "armsweep: the system refuses: No space left on device.\n")
