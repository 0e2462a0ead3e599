"""What drives a machine: it moves, within its limits, as the words say; what does not fit is refused by name."""

import numpy as np
import pytest
from numpy.typing import NDArray

import dynamics as dyn
from app.motion.actuation import DRIVES, drive_in_words
from app.motion.presets import PRESETS
from app.motion.run import Run
from app.motion.setup import Machine, Setup, machine_of_file, machine_of_preset
from tests.app.arrival import computed

Array = NDArray[np.float64]
LINK = "<link name='{}'><inertial><origin xyz='{}'/><mass value='1'/>\
<inertia ixx='.02' iyy='.02' izz='.02' ixy='0' ixz='0' iyz='0'/></inertial></link>"
LIMIT = "<limit lower='{}' upper='{}' effort='1000' velocity='10'/>"


def robot(*joints: tuple[str, str, str, str, str, str], name: str = "r") -> bytes:
    """Of (parent, child, kind, axis, origin of the joint, limits); each child's mass is a little along its own x."""
    links = "".join(LINK.format(child, "0.1 0 0.02") for _, child, *_ in joints)
    inner = "".join(
        f"<joint name='to_{child}' type='{kind}'><parent link='{parent}'/><child link='{child}'/><axis xyz='{axis}'/>"
        f"<origin xyz='{origin}'/>{limits}</joint>"
        for parent, child, kind, axis, origin, limits in joints
    )
    return f"<robot name='{name}'><link name='base'/>{links}{inner}</robot>".encode()


def turning(
    parent: str, child: str, axis: str, origin: str = "0.4 0 0", lower: float = -2.0, upper: float = 2.0
) -> tuple[str, str, str, str, str, str]:
    return parent, child, "revolute", axis, origin, LIMIT.format(lower, upper)


STRAIGHT = robot(
    turning("base", "a", "0 0 1", "0 0 .2"),
    turning("a", "b", "0 1 0"),
    turning("b", "c", "0 1 0"),
    turning("c", "d", "0 1 0"),
)
GANTRY = robot(
    ("base", "x", "prismatic", "1 0 0", "0 0 1", LIMIT.format(-0.3, 0.3)),
    ("x", "y", "prismatic", "0 1 0", "0 0 0", LIMIT.format(0.0, 0.2)),
    ("y", "z", "prismatic", "0 0 1", "0 0 -0.2", LIMIT.format(-0.1, 0.1)),
)
TREE = robot(
    turning("base", "trunk", "0 0 1", "0 0 .5"),
    *(
        turning(parent, f"{side}{k}", "0 1 0", "0.3 0 0" if k else f"0 {y} 0.1", 0.1, 2.0)
        for side, y in (("left", 0.2), ("right", -0.2))
        for k, parent in enumerate(("trunk", f"{side}0", f"{side}1"))
    ),
)
ONE = robot(turning("base", "a", "0 1 0"))
SLIDE = robot(
    ("base", "a", "prismatic", "1 0 0", "0 0 0", LIMIT.format(-1, 1)),
    ("a", "b", "prismatic", "1 0 0", "0 0 0", LIMIT.format(-1, 1)),
)
FILES = {"straight": STRAIGHT, "gantry": GANTRY, "tree": TREE, "one joint": ONE, "one line": SLIDE}


def file(name: str) -> Machine:
    return machine_of_file(FILES[name], f"{name}.urdf")


def run_of(machine: Machine, until: float, **fields: object) -> Run:
    return computed(Setup(machine, **fields).run(), until)  # type: ignore[arg-type]


def joints_of(run: Run, times: Array) -> Array:
    return np.array([run.solution_at(float(time)).state.q for time in times])


def test_a_file_of_the_users_own_moves_when_it_is_opened_within_its_limits() -> None:
    for name in FILES:
        machine = file(name)
        run = run_of(machine, 5.0)
        q = joints_of(run, np.arange(0.0, 5.0, 0.1))
        joints = machine.system.joint_models
        for k, joint in enumerate(joints):
            assert joint.lower - 1e-6 <= q[:, k].min() <= q[:, k].max() <= joint.upper + 1e-6
            assert np.ptp(q[:, k]) > 0.1 * min(1.0, joint.upper - joint.lower), machine.system.joint_names[k]
        assert not run.limits_met


def test_the_tip_of_any_chain_follows_its_circle() -> None:
    """Judged by the tip's own places: all as far from one centre, in one plane, round it in the stated time."""
    for name in ["straight", "gantry", "tree"]:
        machine = file(name)
        run = run_of(machine, 8.0, drive="circle")
        circle = run.actuation.circle
        times = np.linspace(1.0, 1.0 + circle.period, 40)
        moments = [run.solution_at(float(time)) for time in times]
        tips = np.array([dyn.forward_kinematics(moment.system, moment.state).tip_pose[0][:3, 3] for moment in moments])
        middle = tips[:-1].mean(axis=0)
        assert np.linalg.norm(tips - middle, axis=1) == pytest.approx(circle.radius, rel=0.03)
        assert np.linalg.svd(tips - middle, compute_uv=False)[2] < 0.05 * circle.radius
        assert np.linalg.norm(tips[-1] - tips[0]) < 0.03 * circle.radius
        across = f"{200.0 * circle.radius:.3g}\u00a0cm across"
        words = drive_in_words(DRIVES["circle"], machine.system, circle)
        assert across in words
        assert ("lead the tip of right2 round" in words) == (name == "tree")
        assert ("and bent" in words) == bool(np.abs(machine.state.q - circle.goal).max() > 0.5)
        assert circle.radius > 0.02
        q = joints_of(run, times)
        lower, upper = ([getattr(joint, end) for joint in machine.system.joint_models] for end in ("lower", "upper"))
        assert np.all((q > np.array(lower) - 2e-3) & (q < np.array(upper) + 2e-3))


def test_a_drive_that_does_not_fit_is_refused_by_name() -> None:
    for machine, drive, words in (
        (lambda: file("one joint"), "circle", "one joint"), (lambda: file("one line"), "circle", "one line"),
        (lambda: machine_of_preset(PRESETS["free_flyer"]), "circle", "floats"),
        (lambda: machine_of_preset(PRESETS["two_arms_and_box"]), "circle", "hold"),
        (lambda: machine_of_preset(PRESETS["two_arms_and_box"]), "reach", "hold"),
        (lambda: machine_of_preset(PRESETS["puma560"]), "carry", "nothing is held"),
    ):  # fmt: skip
        found = machine()
        assert words in found.refusals[drive]
        with pytest.raises(dyn.ModelError, match=f"{DRIVES[drive].title}.*{words}"):
            Setup(found, drive=drive).run()
