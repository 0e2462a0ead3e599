"""A right angle to its last printed digit is a right angle; what the digits do not say is not put into them."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
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


@pytest.mark.parametrize(("text", "turns"), RIGHT)
def test_a_right_angle_to_its_last_digit_is_one(text: str, turns: int) -> None:
    assert float(as_meant(text)) == turns * math.pi / 2


@pytest.mark.parametrize("text", NOT_RIGHT)
def test_what_the_digits_do_not_say_stays(text: str) -> None:
    assert as_meant(text) == text


@given(st.decimals(-8, 8, allow_nan=False, places=6))
def test_no_angle_moves_by_more_than_half_its_last_digit(value: object) -> None:
    assert abs(float(as_meant(str(value))) - float(str(value))) <= 0.5e-6


@pytest.mark.parametrize("rpy", list(product(["0", "1.5708", "-1.570796327", "3.14159265359"], repeat=3)))
def test_quarter_turns_of_a_file_are_exact(rpy: tuple[str, str, str]) -> None:
    """Each was off by up to 7e-6, and by 1e-10 with ten digits, in every matrix of every moment."""
    found = load_urdf_text(with_origin(" ".join(rpy))).joints[0].origin
    assert set(np.unique(np.abs(found[:3, :3]))) == {0.0, 1.0}
    meant = Rotation.from_euler("xyz", [float(as_meant(angle)) for angle in rpy]).as_matrix()
    assert np.allclose(found[:3, :3], meant, rtol=0.0, atol=1e-15)
    assert found[:3, 3].tolist() == [0.1, 0.2, 0.3]


@pytest.mark.parametrize("rpy", ["1.5707 0 0", "1.571 0 0.3", "0 0.7854 0", "1e-6 0 0", "0.1 0.2 0.3"])
def test_other_turns_are_as_written(rpy: str) -> None:
    found = load_urdf_text(with_origin(rpy)).joints[0].origin[:3, :3]
    expected = Rotation.from_euler("xyz", [float(angle) for angle in rpy.split()]).as_matrix()
    assert np.allclose(found, expected, rtol=0.0, atol=2e-16)
    assert not np.array_equal(np.abs(found), np.round(np.abs(found)))


def test_inertias_and_shapes_turn_exactly_too() -> None:
    """Products of inertia of 1e-12 came of a body that is turned by 1.5708."""
    body = (
        '<inertial><origin rpy="1.5708 0 0"/><mass value="1"/>'
        '<inertia ixx="0.03" iyy="0.02" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>'
    )
    inertia = load_urdf_text(robot(link("base", ""), link("a", body), joint("j", "base", "a"))).links[0].inertia
    assert np.array_equal(inertia, np.diag([0.03, 0.01, 0.02]))


@pytest.mark.parametrize(
    ("written", "axis"),
    [("0 6.1e-17 2", [0, 0, 1]), ("0 -0 -1", [0, 0, -1]), ("1e-16 1 0", [0, 1, 0]), ("0 1e-12 1", [0, 1e-12, 1])],
)
def test_an_axis_keeps_what_is_more_than_rounding(written: str, axis: list[float]) -> None:
    assert load_urdf_text(with_origin("0 0 0", written)).joints[0].axis.tolist() == axis


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=9))
def test_only_rounding_is_dropped(values: list[float]) -> None:
    found = without_rounding(np.array(values))
    assert np.abs(found - values).max() <= 1e-15
    assert not ((np.abs(found) > 0.0) & (np.abs(found) < 1e-15)).any()


@pytest.mark.parametrize("name", robot_names())
def test_packaged_robots_have_no_almost_right_angles(name: str) -> None:
    """Between rounding and a thousandth of a degree there is no angle that a drawing shows."""
    packaged = load(name)
    entries = np.concatenate([joint.origin[:3, :3].ravel() for joint in packaged.joints])
    assert not ((np.abs(entries) > 0.0) & (np.abs(entries) < 1e-5)).any()
    assert not ((np.abs(entries) < 1.0) & (np.abs(entries) > 1.0 - 1e-10)).any()
