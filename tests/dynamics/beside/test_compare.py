"""Conventions told apart or not; files; floating machines; and what cannot be compared, in words."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat

import dynamics as dyn
from dynamics.beside.rerun import Moment, rerun
from dynamics.beside.views import FRAMES, Frame, View
from dynamics.faults.alteration import FORMS, Form
from tests.dynamics.beside.drawn import Drawn, drawn

pytestmark = pytest.mark.compiled_only  # no kernel knows of it

NAMES = {
    "P": "articulated_inertia", "G": "kalman_gain", "D": "joint_inertia", "z": "predicted_force",
    "eps": "innovation", "alpha": "acceleration",
}  # fmt: skip


def moment_of(it: Drawn) -> Moment:
    return Moment(it.system, it.state, it.tau, it.wrench)


def written(it: Drawn, frame: Frame, form: Form) -> dict[str, np.ndarray]:
    """Ours in another convention, from base to tip."""
    view = View(it.system, rerun(moment_of(it), form), frame)
    return {name: view.shown(quantity)[::-1] for name, quantity in NAMES.items()}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_motion(form: Form) -> None:
    it = drawn(1, (5, 7), 0.4, rough=True)
    ours = dyn.forward_dynamics(it.system, it.state, it.tau, external_forces=it.wrench)
    run = rerun(moment_of(it), form)
    for stage, name, letter in (
        ("smoother", "joint_acceleration", "theta_dd"), ("filter", "articulated_inertia", "P"),
        ("smoother", "costate_covariance", "Lam"),
    ):  # fmt: skip
        expected = ours.stages[stage][name]
        assert np.abs(run.letters[letter] - expected).max() < 1e-11 * np.abs(expected).max()
    assert np.abs(run.letters["M_q"] - dyn.mass_matrix(it.system, it.state)).max() < 1e-12 * run.letters["M_q"].max()


@pytest.mark.parametrize("number", range(0, len(FRAMES), 7))
@pytest.mark.parametrize("form", FORMS[::3])
def test_a_convention_is_found_and_undone(number: int, form: Form) -> None:
    it = drawn(2, (4, 6))
    found = dyn.compare(it.system, it.state, written(it, FRAMES[number], form), it.tau)
    assert found.agrees, str(found)
    assert not found.ambiguous
    assert FRAMES[number].order in found.convention
    assert FRAMES[number].axes in found.convention
    assert ("weight" in found.convention) != form.lifted
    ours = dyn.forward_dynamics(it.system, it.state, it.tau)
    for name in ("articulated_inertia", "kalman_gain"):
        expected = ours.stages["filter"][name]
        assert np.abs(found.converted[name] - expected).max() < 1e-10 * np.abs(expected).max()


def test_what_cannot_be_told_is_named() -> None:
    system = dyn.single_arm(dyn.planar_chain(3), gravity=(0.0, 0.0, 0.0))
    state = system.state()  # at zero link axes are inertial ones, and nothing moves
    found = dyn.compare(
        system, state, {"P": dyn.forward_dynamics(system, state).stages["filter"]["articulated_inertia"]}
    )
    assert found.agrees
    assert any("link axes" in each for each in found.ambiguous)
    assert any("inertial axes" in each for each in found.ambiguous)
    assert "otherwise" in str(found)


def test_a_machine_that_floats() -> None:
    system = dyn.free_flyer(dyn.load("free_flyer"))
    rng = np.random.default_rng(3)
    n = system.n_joints
    state = system.state(rng.normal(size=n), rng.normal(size=n), None, rng.normal(size=6))
    stages = dyn.forward_dynamics(system, state).stages
    theirs = {"P": stages["filter"]["articulated_inertia"], "alpha": stages["smoother"]["acceleration"]}
    assert dyn.compare(system, state, theirs).agrees


@pytest.mark.slow
def test_one_link_alone_is_broken() -> None:
    it = drawn(4, (4, 6))
    theirs = written(it, FRAMES[3], FORMS[0])
    theirs["D"] = theirs["D"].copy()
    theirs["D"][1] *= 1.01  # the second from the base
    found = dyn.compare(it.system, it.state, theirs, it.tau)
    assert found.first_stage is not None
    assert (found.first_stage.name, found.first_link) == ("D", it.system.n_links - 2)
    assert not found.causes
    assert "Nothing that we know how to do wrong" in str(found)


def saved(folder: Path, arrays: Mapping[str, np.ndarray]) -> list[Path]:
    rows = [[name, *np.ravel(row)] for name, array in arrays.items() for row in array]
    np.savez(folder / "a.npz", **arrays)
    savemat(folder / "a.mat", dict(arrays), do_compression=True)
    (folder / "a.json").write_text(json.dumps({name: array.tolist() for name, array in arrays.items()}))
    (folder / "a.csv").write_text("\n".join(",".join(str(cell) for cell in row) for row in rows))
    return [folder / f"a.{kind}" for kind in ("npz", "mat", "json", "csv")]


@pytest.mark.slow
def test_what_is_tiny_is_no_nothing() -> None:
    """An inertia of 1e-17 kg m^2 is one: twice as much is wrong, and none at all."""
    system = dyn.single_arm(dyn.planar_chain(3, length=1e-4, mass=1e-9, radius=1e-5))
    state, tau = system.state(np.full(3, 0.3)), np.zeros(3)
    ours = dyn.forward_dynamics(system, state, tau).stages["filter"]["joint_inertia"]
    mass = dyn.mass_matrix(system, state)
    assert 0.0 < np.abs(mass).max() < 1e-12
    assert dyn.compare(system, state, {"M": mass, "D": ours}, tau).agrees
    assert not dyn.compare(system, state, {"M": 0.0 * mass}, tau).agrees
    assert not dyn.compare(system, state, {"D": 2.0 * ours}, tau).agrees


def test_files_and_functions(tmp_path: Path) -> None:
    it = drawn(2, (4, 6))
    arrays = {name: np.array(array) for name, array in written(it, FRAMES[3], FORMS[0]).items()}
    ways = [*saved(tmp_path, arrays), lambda q, qd, tau: arrays]
    for theirs in ways:
        found = dyn.compare(it.system, it.state, theirs, it.tau)
        assert found.agrees, str(found)
        assert len(found.stages) == len(arrays)


def bomb(folder: Path) -> Path:
    with zipfile.ZipFile(folder / "bomb.npz", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("P.npy", bytes(100_000_000))
    return folder / "bomb.npz"


def matlab_bomb(folder: Path) -> Path:
    savemat(folder / "bomb.mat", {"P": np.zeros(12_000_000)}, do_compression=True)
    return folder / "bomb.mat"


def cells(folder: Path) -> Path:
    savemat(folder / "cells.mat", {"P": np.array([[1.0], [2.0, 3.0]], dtype=object)})
    return folder / "cells.mat"


def vast(folder: Path) -> Path:
    """Some bytes that say of themselves that they are 20,000 x 20,000 numbers."""
    savemat(folder / "vast.mat", {"P": np.zeros((3, 5))})
    data = (folder / "vast.mat").read_bytes()
    told, wanted = (np.array(shape, "i4").tobytes() for shape in ((3, 5), (20_000, 20_000)))
    (folder / "vast.mat").write_bytes(data.replace(told, wanted))
    return folder / "vast.mat"


def objects(folder: Path) -> Path:
    np.savez(folder / "objects.npz", P=np.array([{}], dtype=object))
    return folder / "objects.npz"


def text(name: str, data: bytes) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        (folder / name).write_bytes(data)
        return folder / name

    return write


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (bomb, "unpacks to"), (matlab_bomb, "unpacks to"), (cells, "is a 'cell'"), (vast, "unpacks to"),
        (objects, "pickle"),
        (text("a.json", b"[" * 100_000), "cannot be read"), (text("a.json", b"[1]"), "expected an object"),
        (text("a.csv", b"P,one"), "cannot be read"), (text("a.mat", b"no"), "cannot be read"),
        (text("a.npz", b"PK"), "cannot be read"), (text("a.txt", b""), "expected a file that ends in"),
        (lambda folder: folder / "none.npz", "cannot be read"), (lambda folder: folder, "expected a file"),
    ],
)  # fmt: skip
def test_hostile_files(tmp_path: Path, make: Callable[[Path], Path], said: str) -> None:
    system = dyn.single_arm(dyn.planar_chain(2))
    with pytest.raises(dyn.StateError, match=said):
        dyn.compare(system, system.state(), make(tmp_path))


@pytest.mark.parametrize(
    ("theirs", "said"),
    [
        ({}, "expected arrays by their names"), ({"nobody": [1.0]}, "nothing is called"),
        ({"P": [1.0]}, "shape"), ({"D": [1.0, np.nan]}, "finite"), ({"D": ["a", "b"]}, "expected numbers"),
        (lambda q, qd, tau: 3, "expected arrays"), (7, "expected arrays"),
    ],
)  # fmt: skip
def test_what_is_no_array_of_the_machine(theirs: object, said: str) -> None:
    system = dyn.single_arm(dyn.planar_chain(2))
    with pytest.raises(dyn.StateError, match=said):
        dyn.compare(system, system.state(), theirs)  # type: ignore[arg-type]


def test_what_is_not_compared() -> None:
    system = dyn.single_arm(dyn.planar_chain(2))
    with pytest.raises(dyn.StateError, match="tolerance"):
        dyn.compare(system, system.state(), {"D": np.ones(2)}, tolerance=0.5)
    with pytest.raises(dyn.StateError, match="each of"):
        dyn.compare(system, system.state(), {"D": np.ones(2)}, joints=["joint_1"])


def test_the_order_of_joints_can_be_said() -> None:
    it = drawn(5, (5, 7))
    order = np.random.default_rng(1).permutation(it.system.n_joints)
    theirs = {"qdd": dyn.forward_dynamics(it.system, it.state, it.tau).joint_acceleration[order]}
    names = [it.system.joint_names[k] for k in order]
    assert dyn.compare(it.system, it.state, theirs, it.tau, joints=names).agrees
