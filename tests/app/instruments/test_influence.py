"""Influence: each number is that of ``dynamics`` for the same moment, and a click is the torque of one joint."""

import html
import re

import numpy as np
import pytest

import dynamics as dyn
from app.instruments.influence import InfluenceMaps
from app.instruments.influence_html import bands_of, choices
from app.number_text import number_text, size_of
from app.state import Session
from app.state.address import query_of
from app.views.scene_options import PastPaths, look_at
from tests.app.arrival import paused

pytestmark = pytest.mark.compiled_only
PRESETS = ["puma560", "two_arms_and_box", "free_flyer"]


def opened(preset: str, time: float) -> tuple[Session, InfluenceMaps]:
    session = paused(preset, time)
    instrument = InfluenceMaps(session)
    instrument.paint("light")
    instrument.draw()
    return session, instrument


def test_every_number_is_that_of_the_dynamics() -> None:
    for preset in PRESETS:
        for time in (0.0, 0.7):
            session, instrument = opened(preset, time)
            system, n = session.solution().system, session.solution().system.n_joints
            maps, rng = dyn.influence(system, session.solution().state), np.random.default_rng(7)
            joints = {"W": maps.W, "W_FREE": maps.W_free, "ΔW": maps.delta_W}
            units = [each.unit for band in bands_of(system) for each in band.rows]
            rest = [*maps.link_acceleration[n:]]
            rest += [maps.contact_force[6 * c.tip : 6 * c.tip + 6] for c in system.contacts]
            rest += [maps.object_acceleration] if system.is_held else []
            for choice in choices(system):
                instrument._go(f"map {choice}")
                sheet = instrument._maps
                numbers = np.frombuffer(sheet.numbers, dtype="<f8")
                cells = re.findall(r"data-n='(\d+)' data-go='cell (\d+) (\d+)'", sheet.html)
                found = {(int(row), int(joint)): numbers[int(n)] for n, row, joint in cells}
                expected = np.concatenate([joints[choice], *rest])
                assert len(found) == expected.size
                assert all(found[at] == value for at, value in np.ndenumerate(expected)), (time, choice)
                for row, j in zip(rng.integers(0, len(expected), 4), rng.integers(0, n, 4), strict=True):
                    instrument._go(f"cell {row} {j}")
                    (said,) = re.findall(r"class='answer'>([^<]+)<", instrument._maps.html)
                    assert said == f"{number_text(expected[row, j], size_of(expected[row]))} {units[row]}"


def test_arrows_are_what_a_newton_metre_changes() -> None:
    """Against the motion itself: the solution with the torque less that without it."""
    for preset in PRESETS:
        session, instrument = opened(preset, 0.9)
        before = session.solution()
        system, joint = before.system, before.system.n_joints - 2
        instrument._go(f"cell 1 {joint}")
        assert "influence" in session.layers
        more = before.tau.copy()
        more[joint] += 1.0
        stage = "smoother_final" if system.is_held else "smoother"
        after, start = (
            dyn.forward_dynamics(system, before.state, tau).stages[stage]["acceleration"] for tau in (more, before.tau)
        )
        change, drawn = after - start, look_at(session, PastPaths(), before, session.time).influence
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
    words = html.unescape(re.sub(r"<[^>]+>", "", instrument._maps.html))
    assert "1 N m at arm 1, link_4" in words
    assert "acceleration of arm 2, link_5" in words
    before = (session.cursor.link, session.torqued, instrument._row, instrument._choice)
    for nonsense in ("cell 99 0", "cell 0 99", "cell 1", "cell -1 2", "joint x", "row 1e3", "map V", "sweep", "walk up",
                     "", "cell 0 0 0", "joint", "<b>"):  # fmt: skip
        instrument._go(nonsense)
        assert (session.cursor.link, session.torqued, instrument._row, instrument._choice) == before, nonsense
    instrument._joint_menu.value = "joint 5"
    assert session.torqued == 5
    instrument._row_menu.value = "row 20"  # of the object: the cursor stays with its link
    assert (instrument._row, session.cursor.link) == (20, 9)
