"""Faults planted in an algorithm, on machines of every kind: what is left of each is as small as can be."""

import contextlib
import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import dynamics as dyn
from dynamics.beside.rerun import Moment
from dynamics.minimal.case import case_of
from dynamics.minimal.cut import without_links
from dynamics.minimal.judged import Judge
from dynamics.minimal.rounder import (
    rounded,
    simpler_axes,
    simpler_inertias,
    simpler_masses,
    simpler_numbers,
    simpler_rotations,
    weight,
)
from dynamics.minimal.shrinking import simplifications
from dynamics.robot.validity import check_robot
from tests.dynamics.beside.drawn import Drawn, drawn, machine_of, moment_of
from tests.dynamics.beside.plain_aba import FAULTS, run
from tests.dynamics.every import every

pytestmark = pytest.mark.compiled_only
Algorithm = Callable[..., Mapping[str, np.ndarray]]


def planted(fault: str) -> Algorithm:
    def theirs(system: dyn.System, state: dyn.State, tau: np.ndarray, wrench: np.ndarray) -> Mapping[str, np.ndarray]:
        it = Drawn(None, system, state, tau, wrench)  # type: ignore[arg-type]
        return run(machine_of(system), moment_of(it), fault)

    return theirs


def broken(line: str, *letters: str) -> Algorithm:
    def theirs(system: dyn.System, state: dyn.State, tau: np.ndarray) -> Mapping[str, np.ndarray]:
        found = dyn.read_textbook(system, state, tau, breaks=[line])
        return {letter: np.array(found.letter(letter)) for letter in letters}

    return theirs


def is_minimal(found: dyn.MinimalReproduction, theirs: Algorithm, pushed: bool) -> bool:
    """Whether no single step from it still parts so; a judge of its own says it."""
    moment = Moment(found.system, found.state, found.tau, found.external_forces)
    judge = Judge(theirs, moment, pushed, 1e-9)
    for case in simplifications(case_of(moment)):
        try:
            simpler = case.moment()
        except (dyn.ModelError, dyn.StateError):
            continue
        if judge(simpler):
            return False
    return judge.calls > 2  # some single steps there were, if few


def printed_by(program: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(program, "smallest.py", "exec"), {"__name__": "__main__"})
    return out.getvalue()


def held_to(found: dyn.MinimalReproduction, before: dyn.Comparison) -> None:
    """It parts where it did, for the same cause, and its program says so of itself."""
    after = found.comparison
    assert before.first_stage is not None
    assert after.first_stage is not None
    assert after.first_stage.name == before.first_stage.name
    assert {cause.key for cause in after.causes} == {cause.key for cause in before.causes}
    assert after.difference_in_words[0] in printed_by(found.to_python())
    name = after.first_stage.name
    assert np.abs(found.ours[name] - found.theirs[name]).max() > 1e-9


@pytest.mark.full
def test_a_tree() -> None:
    fault, links = "lever on the wrong side", 2
    it = drawn(list(FAULTS).index(fault), (4, 5), 0.4, rough=True)
    theirs = planted(fault)
    before = dyn.compare(it.system, it.state, theirs(it.system, it.state, it.tau, it.wrench), it.tau, it.wrench)
    found = dyn.minimal_reproduction(it.system, it.state, theirs, it.tau, it.wrench)
    assert found.is_smallest
    assert found.system.n_links <= links < found.links
    assert str(found).startswith(f"{found.system.n_links} of {it.system.n_links} links are left")
    assert not found.failed
    held_to(found, before)
    assert is_minimal(found, theirs, pushed=True)
    assert {link.mass for link in found.system.link_models} == {1.0}
    assert set(np.abs(found.state.qd)) <= {0.0, 1.0}
    assert set(np.abs([joint.axis for joint in found.system.joint_models]).ravel()) <= {0.0, 0.6, 0.8, 1.0}


@pytest.mark.full
def test_a_machine_that_floats() -> None:
    system = dyn.free_flyer(drawn(3, (3, 4)).robot.load())
    rng = np.random.default_rng(3)
    n = system.n_joints
    state, tau = system.state(rng.normal(size=n), rng.normal(size=n), None, rng.normal(size=6)), rng.normal(size=n)
    theirs = broken("inward_filter.correction.P_plus~G-H-P~drop", "P", "alpha")
    found = dyn.minimal_reproduction(system, state, theirs, tau)
    assert found.is_smallest
    assert found.system.n_links == 2
    held_to(found, dyn.compare(system, state, theirs(system, state, tau), tau))
    assert is_minimal(found, theirs, pushed=False)


@pytest.mark.full
def test_arms_that_hold_an_object() -> None:
    system, state = dyn.example("one_arm_by_a_point")
    tau = np.linspace(-1.0, 1.0, system.n_joints)
    theirs = broken("inward_filter.correction.P_plus~G-H-P~drop", "D", "x_0")
    found = dyn.minimal_reproduction(system, state, theirs, tau)
    assert found.is_smallest
    assert found.system.is_held  # or there would be no x_0
    assert (found.system.n_arms, found.system.n_links) == (1, 2)
    held_to(found, dyn.compare(system, state, theirs(system, state, tau), tau))
    assert found.ours["x_0"].shape == found.theirs["x_0"].shape


def chain(fault: str = "Ia c left out", joints: int = 3) -> tuple[dyn.System, dyn.State, Algorithm]:
    system = dyn.single_arm(dyn.planar_chain(joints))
    state = system.state(np.full(joints, 0.3), np.arange(1.0, joints + 1))
    algorithm = planted(fault)
    return system, state, lambda *moment: algorithm(*moment, np.zeros((moment[0].n_links + 1, 6)))


@pytest.mark.full
def test_what_it_cannot_do_is_left_alone() -> None:
    system, state, theirs = chain()

    def only_three(system: dyn.System, state: dyn.State, tau: np.ndarray) -> Mapping[str, np.ndarray]:
        if system.n_joints != 3:
            raise IndexError("this is for three joints")
        return theirs(system, state, tau)

    found = dyn.minimal_reproduction(system, state, only_three)
    assert found.system.n_joints == 3
    assert found.failed > 0
    assert "raised an error" in str(found)
    assert "only_three" in found.to_python()
    assert dyn.minimal_reproduction(system, state, only_three).to_python() == found.to_python()  # the same every time


def test_it_asks_no_more_often_than_it_may() -> None:
    system, state, theirs = chain()
    calls = []

    def counted(*moment: object) -> Mapping[str, np.ndarray]:
        calls.append(moment)
        return theirs(*moment)

    found = dyn.minimal_reproduction(system, state, counted, most_calls=5)
    assert len(calls) == found.calls == 5
    assert not found.is_smallest
    assert "ran out" in str(found)


def test_it_is_the_smallest_and_is_saved(tmp_path: Path) -> None:
    system, state, theirs = chain(joints=2)
    found = dyn.minimal_reproduction(system, state, theirs)
    assert found.is_smallest
    held_to(found, dyn.compare(system, state, theirs(system, state, np.zeros(2)), np.zeros(2)))
    found.save(tmp_path / "smallest.py")
    assert (tmp_path / "smallest.py").read_text() == found.to_python()
    for ending in ("npz", "json"):
        found.save(tmp_path / f"smallest.{ending}")
        again = dyn.compare(found.system, found.state, tmp_path / f"smallest.{ending}", found.tau)
        assert str(again) == str(found.comparison)
    with pytest.raises(dyn.StateError, match="ends in"):
        found.save(tmp_path / "smallest.txt")
    with pytest.raises(dyn.StateError, match="cannot be written"):
        found.save(tmp_path / "none" / "smallest.py")


def test_what_cannot_be_made_smaller() -> None:
    system, state, theirs = chain()
    with pytest.raises(dyn.StateError, match="numbers of one moment"):
        dyn.minimal_reproduction(system, state, dict(theirs(system, state, np.zeros(3))))  # type: ignore[arg-type]
    with pytest.raises(dyn.StateError, match="agrees with ours"):
        dyn.minimal_reproduction(system, state, chain("")[2])
    with pytest.raises(dyn.StateError, match="expected a function of a system, its state and tau"):
        dyn.minimal_reproduction(system, state, lambda q: {})


@every(range(4))
def test_what_is_left_stands_where_it_stood(seed: int) -> None:
    it = drawn(seed, (6, 9), 0.4)
    rng, robot = np.random.default_rng(seed), it.system.robots[0]
    n = len(robot.links)
    gone = set(rng.choice(n, size=n // 2, replace=False).tolist())
    left = [k for k in range(n) if k not in gone]
    q = np.where(np.isin(np.arange(n), list(gone)), 0.0, it.state.q)
    poses = dyn.link_poses(it.system, it.system.state(q))
    cut = without_links(robot, gone)
    check_robot(cut.robot)
    system = dyn.single_arm(cut.robot)
    state = system.state(q[left])
    assert np.abs(dyn.link_poses(system, state) - poses[left]).max() < 1e-14
    tips = dyn.tip_poses(it.system, it.system.state(q))
    for tip, was in zip(dyn.tip_poses(system, state), cut.tips, strict=True):
        assert np.abs(tip - tips[was]).max() < 1e-14
    assert {tip.link for tip in cut.robot.tips} <= set(range(len(left))) - set(cut.robot.inboard)


def test_a_chain_cut_to_its_first_link_keeps_its_tip() -> None:
    robot = replace(dyn.planar_chain(4), frames={})
    cut = without_links(robot, {0, 1, 2})
    assert [link.name for link in cut.robot.links] == ["link_4"]
    assert cut.robot.tips[0].pose[:3, 3] == pytest.approx([0.0, -1.2, 0.0])


@every([(0, 1), (1, -1), (-1, 2), (1, 0.5), (2, 0.25), (0.1, -0.1), (0.3, 1 / 3), (300.0, 310.0)])
def test_what_is_lighter(lighter: float, heavier: float) -> None:
    assert weight(lighter) < weight(heavier)
    assert rounded([1234.5, -0.0126, 0.0], 2).tolist() == [1200.0, -0.013, 0.0]
    assert weight(rounded(np.pi, 3)) == weight(3.14)


def drawn_tensor(rng: np.random.Generator) -> np.ndarray:
    cloud = rng.normal(size=(3, 3))
    return np.trace(cloud @ cloud.T) * np.eye(3) - cloud @ cloud.T


def unit(rng: np.random.Generator) -> np.ndarray:
    axis = rng.normal(size=3)
    return np.asarray(axis / np.linalg.norm(axis))


def is_rotation(matrix: np.ndarray) -> bool:
    return bool(np.abs(matrix @ matrix.T - np.eye(3)).max() < 1e-15 and np.linalg.det(matrix) > 0.0)


def is_tensor(matrix: np.ndarray) -> bool:
    moments = np.linalg.eigvalsh(matrix)
    return bool(moments[0] > 0.0 and moments[0] + moments[1] > moments[2])


KINDS: dict[str, tuple[Callable[..., Iterator[np.ndarray]], Callable[..., np.ndarray], Callable[..., bool], int]] = {
    "numbers": (simpler_numbers, lambda rng: rng.normal(size=3), lambda value: True, 0),
    "a number": (simpler_numbers, lambda rng: np.asarray(rng.normal()), lambda value: True, 0),
    "masses": (simpler_masses, lambda rng: np.asarray(rng.uniform(0.1, 9.0)), lambda value: value > 0.0, 1),
    "axes": (simpler_axes, unit, lambda value: abs(value @ value - 1.0) < 1e-15, 1),
    "rotations": (simpler_rotations, lambda rng: Rotation.random(rng=rng).as_matrix(), is_rotation, weight(np.eye(3))),
    "tensors": (simpler_inertias, drawn_tensor, is_tensor, weight(np.eye(3))),
}


@every(KINDS)
def test_it_gets_simpler_until_nothing_is(kind: str) -> None:
    simpler, draw, is_one, least = KINDS[kind]
    for seed in range(20):
        value = draw(np.random.default_rng(seed))
        found = list(simpler(value))
        assert len(found) >= 3
        assert [weight(each) for each in found] == sorted(weight(each) for each in found)
        assert all(weight(each) < weight(value) and is_one(each) and each.shape == value.shape for each in found)
        while found := list(simpler(value)):
            value = found[-1]
        assert weight(value) == least
