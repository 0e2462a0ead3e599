"""Each fault of a file is told by the line that one would edit, and its remedy gives the robot that was meant."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn

ARM = """<?xml version="1.0"?>
<robot name="mine">
  <link name="base"/>
  <joint name="a1" type="revolute">
    <parent link="base"/>
    <child link="upper"/>
    <origin xyz="0 0 0.3" rpy="0 0 0"/>
    <axis xyz="0 0 1"/>
    <limit lower="-2.5" upper="2.5" effort="100" velocity="3"/>
    <dynamics damping="0.1" friction="0.05"/>
  </joint>
  <link name="upper">
    <inertial>
      <origin xyz="0.1 0 0" rpy="0 0 0"/>
      <mass value="3.0"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.03"/>
    </inertial>
    <visual><origin xyz="0.1 0 0"/><geometry><box size="0.3 0.1 0.1"/></geometry></visual>
  </link>
  <joint name="a2" type="revolute">
    <parent link="upper"/>
    <child link="fore"/>
    <origin xyz="0.25 0 0" rpy="0 0 0"/>
    <axis xyz="0 1 0"/>
    <limit lower="-2.0" upper="2.0" effort="60" velocity="3"/>
    <dynamics damping="0.1" friction="0.05"/>
  </joint>
  <link name="fore">
    <inertial>
      <origin xyz="0.08 0 0" rpy="0 0 0"/>
      <mass value="1.5"/>
      <inertia ixx="0.002" ixy="0" ixz="0" iyy="0.008" iyz="0" izz="0.008"/>
    </inertial>
    <visual><origin xyz="0.08 0 0"/><geometry><cylinder radius="0.04" length="0.2"/></geometry></visual>
  </link>
</robot>
"""
FORE = ('ixx="0.002" ixy="0" ixz="0" iyy="0.008" iyz="0" izz="0.008"', 'mass value="1.5"')
FAULTS = {
    # what is replaced, by what, the kind that is told, and whether the remedy gives the very arm
    "products of inertia": ('ixx="0.002" ixy="0"', 'ixx="0.002" ixy="0.02"', "negative moment", False),
    "a negative moment": ('iyz="0" izz="0.008"', 'iyz="0" izz="-0.008"', "negative moment", True),
    "three moments": ('iyy="0.03"', 'iyy="0.3"', "triangle inequality", False),
    "no inertia": (FORE[0], 'ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"', "zero inertia", False),
    "an inertia in g m²": (FORE[0], 'ixx="2" ixy="0" ixz="0" iyy="8" iyz="0" izz="8"', "inertia too large", True),
    "a mass in grams": (FORE[1], 'mass value="1500"', "absurd density", True),
    "a centre in millimetres": ('origin xyz="0.08 0 0" rpy', 'origin xyz="80 0 0" rpy', "mass centre outside", True),
    "a shape in millimetres": ('radius="0.04" length="0.2"', 'radius="40" length="200"', "shape in millimetres", True),
    "a box in millimetres": ('size="0.3 0.1 0.1"', 'size="300 100 100"', "shape in millimetres", True),
    "a length below zero": ('length="0.2"', 'length="-0.2"', "no size", True),
    "a box without height": ('size="0.3 0.1 0.1"', 'size="0.3 0.1 0"', "no size", True),
    "a link by another's name": ('link name="fore"', 'link name="upper"', "doubled name", True),
    "a link without a name": ('link name="fore"', "link", "no name", True),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_the_line_is_that_of_the_fault_and_the_remedy_mends_it(name: str) -> None:
    old, new, kind, is_exact = FAULTS[name]
    assert ARM.count(old) == 1
    text = ARM.replace(old, new)
    line = 1 + ARM[: ARM.index(old)].count("\n")
    report = dyn.robot_report(text.encode())
    assert [(each.kind, each.line) for each in report.findings] == [(kind, line)]
    mended, meant = report.repaired(), dyn.load_urdf_text(ARM)
    assert dyn.robot_report(report.repaired_text().encode()).findings == ()
    if is_exact:
        assert mended.joint_names == meant.joint_names
        for one, other in zip(mended.links, meant.links, strict=True):
            assert (one.name, one.mass) == (other.name, pytest.approx(other.mass))
            np.testing.assert_allclose(one.inertia, other.inertia, rtol=1e-9)
            np.testing.assert_allclose(one.center_of_mass, other.center_of_mass, atol=1e-12)


def test_a_sound_arm_of_many_lines_has_no_fault() -> None:
    assert dyn.robot_report(ARM.encode()).findings == ()
