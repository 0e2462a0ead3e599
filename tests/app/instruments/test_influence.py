"""*Influence*: every number of it is that of ``dynamics`` for the same moment, and a click is one joint's torque."""

from __future__ import annotations

import html
import re

import numpy as np
import pytest

import dynamics as dyn
from app.equations.sheet import Figures
from app.instruments.influence import InfluenceMaps
from app.instruments.influence_html import sweeps_html
from app.instruments.influence_maps import acceleration_unit, bands_of, choices, stacked, torque_unit
from app.number_text import number_text, size_of
from app.state import Session
from app.state.address import asked, query_of
from app.views.look import answers, look_at
from app.views.past import Past
from dynamics.sources.planar_chain import planar_chain_urdf

PRESETS = ["puma560", "two_arms_and_box", "four_arms_and_box", "planar_chain"]


def opened(preset: str, time: float) -> tuple[Session, InfluenceMaps]:
    session = Session(preset)
    while session.run.end < time:
        session.run.accept(session.run.compute())
    session.playing = False
    session.seek(time)
    instrument = InfluenceMaps(session)
    instrument.paint("light")
    instrument.draw()
    return session, instrument


def cells(instrument: InfluenceMaps) -> dict[tuple[int, int], float]:
    """What stands in the table, by row and joint."""
    sheet = instrument._maps
    numbers = np.frombuffer(sheet.numbers, dtype="<f8")
    found = re.findall(r"data-n='(\d+)' data-go='cell (\d+) (\d+)'", sheet.html)
    return {(int(row), int(joint)): numbers[int(n)] for n, row, joint in found}


def plain(text: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", text))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("time", [0.0, 0.7])
def test_every_number_is_that_of_the_dynamics(preset: str, time: float) -> None:
    session, instrument = opened(preset, time)
    solution = session.solution()
    system, n = solution.system, solution.system.n_joints
    maps = dyn.influence(system, solution.state)
    joints = {"W": maps.W, "W_FREE": maps.W_free, "ΔW": maps.delta_W}
    rng = np.random.default_rng(7)
    for choice in choices(system):
        instrument._go(f"map {choice}")
        found = cells(instrument)
        rest = [] if not system.is_held else [
            maps.contact_force[6 * contact.tip : 6 * contact.tip + 6] for contact in system.contacts
        ] + [maps.object_acceleration]  # fmt: skip
        expected = np.concatenate([joints[choice], *rest])
        assert len(found) == expected.size
        assert all(found[at] == value for at, value in np.ndenumerate(expected))
        for row, j in zip(rng.integers(0, len(expected), 4), rng.integers(0, n, 4), strict=True):
            instrument._go(f"cell {row} {j}")
            said = re.search(r"class='answer'>([^<]+)<", instrument._maps.html)
            unit = [each.unit for band in bands_of(system) for each in band.rows][row]
            assert said[1] == f"{number_text(expected[row, j], size_of(expected[row]))} {unit}"


@pytest.mark.parametrize("preset", PRESETS)
def test_the_parts_add_up_to_the_acceleration_that_is_said(preset: str) -> None:
    session, instrument = opened(preset, 0.6)
    solution = session.solution()
    parts = dyn.acceleration_parts(solution)
    names = ["torque", "bias_force", "bias_acceleration", *(["contact"] if solution.system.is_held else [])]
    whole = sum(getattr(parts, name) for name in names)
    assert np.allclose(whole, solution.joint_acceleration, atol=1e-9 * size_of(np.array([parts.torque, parts.contact])))
    for k in (0, solution.system.n_joints - 1):
        instrument._go(f"cell {k} 0")
        said = re.findall(r"class='amount'>([^<]+)<", instrument._below.html)
        beside = size_of([getattr(parts, name)[k] for name in names])
        expected = [number_text(getattr(parts, name)[k], beside) for name in names]
        assert said == [*expected, number_text(solution.joint_acceleration[k], beside)]
    bars = [source.data for source in instrument._bars._sources]
    for name, bar in zip(names, bars, strict=False):
        assert np.allclose(np.array(bar["to"]) - np.array(bar["from"]), getattr(parts, name), atol=1e-9)
    assert np.array_equal(instrument._bars._sum.data["sum"], solution.joint_acceleration)


@pytest.mark.parametrize("preset", ["puma560", "two_arms_and_box"])
def test_the_three_sweeps_leave_what_the_dynamics_leaves(preset: str) -> None:
    session, instrument = opened(preset, 0.4)
    solution = session.solution()
    system = solution.system
    maps = dyn.influence(system, solution.state)
    k = 2
    session.select_link(k)
    wanted = {
        "inward_gains": [("joint_inertia", k), ("kalman_gain", k)],
        "outward_covariance": [("costate_covariance", k), ("output_map", k)],
    }
    if system.is_held:
        wanted["inward_influence"] = [("contact_influence_sweep", k)]
    for sweep, left in wanted.items():
        instrument._go(f"sweep {sweep}")
        numbers = set(np.frombuffer(instrument._below.numbers, dtype="<f8"))
        assert f"data-go='sweep {sweep}' aria-pressed='true'" in instrument._below.html
        for name, at in left:
            assert set(np.ravel(maps.sweeps[sweep][name][at])) <= numbers
    instrument._go("walk smoother")
    assert (session.cursor.stage, session.cursor.link, session.walked) == ("smoother", k, True)


@pytest.mark.parametrize("preset", ["puma560", "two_arms_and_box", "four_arms_and_box"])
def test_arrows_are_what_a_newton_metre_changes(preset: str) -> None:
    """Against the motion itself: the solution with the torque less that without it."""
    session, instrument = opened(preset, 0.9)
    before = session.solution()
    system, joint = before.system, before.system.n_joints - 2
    instrument._go(f"cell 1 {joint}")
    assert "influence" in session.layers
    more = before.tau.copy()
    more[joint] += 1.0
    after = dyn.forward_dynamics(system, before.state, more)
    start = dyn.forward_dynamics(system, before.state, before.tau)
    stage = "smoother_final" if system.is_held else "smoother"
    change = after.stages[stage]["acceleration"] - start.stages[stage]["acceleration"]
    drawn = look_at(session, Past(), before, session.time).influence
    for k, pose in enumerate(before.link_pose):
        lever = pose[:3, :3] @ system.link_models[k].center_of_mass
        assert np.allclose(drawn[k, 0], pose[:3, 3] + lever)
        moved = change[k, 3:] + np.cross(change[k, :3], lever)
        assert np.allclose(drawn[k, 1], moved, atol=1e-8 * np.abs(change).max() + 1e-10)
    instrument._show_arrows(False)
    assert "influence" not in session.layers


def test_a_click_leads_link_and_torque_and_what_is_not_there_leads_nowhere() -> None:
    session, instrument = opened("two_arms_and_box", 0.3)
    instrument._go("cell 9 3")
    assert (session.cursor.link, session.cursor.arm, session.torqued) == (9, 1, 3)
    assert query_of(session)["torqued"] == "3"
    words = plain(instrument._maps.html)
    assert "1 N m at arm 1, link 4" in words
    assert "acceleration of arm 2, link 3" in words
    before = (session.cursor.link, session.torqued, instrument._row, instrument._choice)
    for nonsense in ("cell 99 0", "cell 0 99", "cell 1", "cell -1 2", "joint x", "row 1e3", "map V", "sweep", "walk up",
                     "", "cell 0 0 0", "joint", "<b>"):  # fmt: skip
        instrument._go(nonsense)
        assert (session.cursor.link, session.torqued, instrument._row, instrument._choice) == before, nonsense
    instrument._joint_menu.value = "joint 5"
    assert session.torqued == 5
    instrument._row_menu.value = "row 20"  # of the object: the cursor stays with its link
    assert (instrument._row, session.cursor.link) == (20, 9)


def test_an_arm_that_holds_with_two_hands_shows_both() -> None:
    """Each contact is told apart in the maps, and each is carried inward by the third sweep."""
    tree = dyn.example("two_arm_flyer")[0].robots[0]
    system = dyn.multi_arm([tree], [np.eye(4)], dyn.TaskObject.box((0.2, 0.3, 0.4), 3.0))
    state = system.state(q=np.full(system.n_joints, 0.4), object_pose=np.eye(4))
    system = dyn.grasp(system, state, ["rigid", "soft_finger"])
    words = [row.words for band in bands_of(system) for row in band.rows]
    assert len(set(words)) == len(words) == system.n_joints + 18
    maps, k, figures = dyn.influence(system, state), system.n_joints - 1, Figures()
    text, left = sweeps_html(system, maps, "inward_influence", k, figures), maps.sweeps["inward_influence"]
    numbers = set(np.frombuffer(figures.numbers, dtype="<f8"))
    for i, contact in enumerate(system.contacts):
        assert f"arm 1, {system.link_names[contact.link]}</small>" in text
        tip = 6 * contact.tip
        for value in (left["contact_transition"][i, k], left["tip_map"][k, tip : tip + 6]):
            assert set(np.ravel(value)) <= numbers


def test_what_another_machine_has_not_is_left() -> None:
    session, instrument = opened("two_arms_and_box", 0.2)
    instrument._go("cell 30 13")
    instrument._go("map ΔW")
    instrument._go("sweep inward_influence")
    session.open_preset("planar_chain")
    instrument.draw()
    n = session.system.n_joints
    assert (session.torqued_here, instrument._row, instrument._choice) == (n - 1, n - 1, "W")
    assert "data-go='map" not in instrument._maps.html
    assert "inward_influence" not in instrument._below.html
    assert query_of(session)["torqued"] == str(n - 1)  # which a page that opens this link has
    assert asked(query_of(session), Session("planar_chain")).other["torqued"] == n - 1


def test_a_sliding_joint_is_pushed_by_newtons() -> None:
    urdf = planar_chain_urdf(3).replace('type="continuous">', 'type="prismatic"><limit lower="-1" upper="1" />', 1)
    system = dyn.single_arm(dyn.load_urdf_text(urdf))
    slid = next(j for j, joint in enumerate(system.joint_models) if joint.kind == "prismatic")
    assert (torque_unit(system, slid), acceleration_unit(system, slid)) == ("N", "m/s²")
    assert (torque_unit(system, slid - 1), acceleration_unit(system, slid - 1)) == ("N m", "rad/s²")
    assert [band.title for band in bands_of(system)] == ["Joints accelerate"]
    assert stacked(system, dyn.influence(system, system.state()), "W").shape == (3, 3)


def test_a_flyer_has_no_influence_and_its_layers_ask_for_none() -> None:
    session = Session("free_flyer")
    session.layers = [*session.layers, "influence"]
    assert look_at(session, Past(), session.solution(), 0.0).influence is None
    session.open_preset("puma560")
    found = look_at(session, Past(), session.solution(), 0.0).influence
    assert np.array_equal(found, answers(session.solution(), 0))
