"""A right angle to its last printed digit is a right angle; other angles stay as they are written."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from dynamics.descriptions.urdf import load_urdf_text
from dynamics.robot.right_angle import as_meant, without_rounding
from dynamics.sources.library import load, robot_names
from tests.dynamics.descriptions.test_urdf import joint, link, robot

RIGHT = [
    ("1.5708", 1), ("1.57080", 1), ("1.570796", 1), ("1.57079632679", 1), ("1.570796327", 1), ("1.5707963267948966", 1),
    ("1.57079632679489661923", 1), ("-1.5708", -1), ("+1.5708", 1), ("1.5708e0", 1), ("15.7080E-1", 1), ("3.1416", 2),
    ("3.14159", 2), ("3.141592653589793", 2), ("-3.14159265", -2), ("4.71239", 3), ("6.2832", 4),
]  # fmt: skip
NOT_RIGHT = [
    "1.5707", "1.57079", "1.5709", "1.57081", "1.571", "1.57", "1.6", "2", "1.5", "3", "3.14", "3.142", "3.1415", "0",
    "0.0000", "0e9999", "0e99999999999999999999", "0.0e-99999999999999999999", "1e-99999999999999999999", "1e-4",
    "0.0001", "1.570796326795e300", "7.85398", "1.5707963267948970", "0.7854", "0.1549967419",
]  # fmt: skip


def with_origin(rpy: str, axis: str = "0 0 1") -> str:
    inside = f'<origin xyz="0.1 0.2 0.3" rpy="{rpy}"/><axis xyz="{axis}"/>'
    return robot(link("base", ""), link("a"), joint("j", "base", "a", inside))


@given(st.decimals(-8, 8, allow_nan=False, places=6))
def test_only_a_right_angle_to_its_last_digit_is_changed(value: object) -> None:
    """No angle moves by more than half its last digit."""
    assert {text: float(as_meant(text)) for text, _ in RIGHT} == {text: turns * math.pi / 2 for text, turns in RIGHT}
    assert [as_meant(text) for text in NOT_RIGHT] == NOT_RIGHT
    assert abs(float(as_meant(str(value))) - float(str(value))) <= 0.5e-6


def test_turns_inertias_and_axes_of_a_file_are_exact() -> None:
    """Quarter turns were off by up to 7e-6, and products of inertia of 1e-12 came of a body turned by 1.5708."""
    for rpy in product(["0", "1.5708", "-1.570796327", "3.14159265359"], repeat=3):
        found = load_urdf_text(with_origin(" ".join(rpy))).joints[0].origin
        assert set(np.unique(np.abs(found[:3, :3]))) == {0.0, 1.0}
        meant = Rotation.from_euler("xyz", [float(as_meant(angle)) for angle in rpy]).as_matrix()
        assert np.allclose(found[:3, :3], meant, rtol=0.0, atol=1e-15), rpy
        assert found[:3, 3].tolist() == [0.1, 0.2, 0.3]
    for text in ("1.5707 0 0", "1.571 0 0.3", "0 0.7854 0", "1e-6 0 0", "0.1 0.2 0.3"):
        found = load_urdf_text(with_origin(text)).joints[0].origin[:3, :3]
        expected = Rotation.from_euler("xyz", [float(angle) for angle in text.split()]).as_matrix()
        assert np.allclose(found, expected, rtol=0.0, atol=2e-16), text
        assert not np.array_equal(np.abs(found), np.round(np.abs(found))), text
    # Products of inertia of 1e-12 came of a body that is turned by 1.5708.
    body = (
        '<inertial><origin rpy="1.5708 0 0"/><mass value="1"/>'
        '<inertia ixx="0.03" iyy="0.02" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>'
    )
    inertia = load_urdf_text(robot(link("base", ""), link("a", body), joint("j", "base", "a"))).links[0].inertia
    assert np.array_equal(inertia, np.diag([0.03, 0.01, 0.02]))


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=9))
def test_only_rounding_is_dropped(values: list[float]) -> None:
    found = without_rounding(np.array(values))
    assert np.abs(found - values).max() <= 1e-15
    assert not ((np.abs(found) > 0.0) & (np.abs(found) < 1e-15)).any()
    axes = {"0 6.1e-17 2": [0, 0, 1], "0 -0 -1": [0, 0, -1], "1e-16 1 0": [0, 1, 0], "0 1e-12 1": [0, 1e-12, 1]}
    assert {text: load_urdf_text(with_origin("0 0 0", text)).joints[0].axis.tolist() for text in axes} == axes


def test_packaged_robots_have_no_almost_right_angles() -> None:
    """Between rounding and a thousandth of a degree there is no angle that a drawing shows."""
    for name in robot_names():
        entries = np.concatenate([joint.origin[:3, :3].ravel() for joint in load(name).joints])
        assert not ((np.abs(entries) > 0.0) & (np.abs(entries) < 1e-5)).any(), name
        assert not ((np.abs(entries) < 1.0) & (np.abs(entries) > 1.0 - 1e-10)).any(), name
