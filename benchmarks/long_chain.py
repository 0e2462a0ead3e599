"""One forward-dynamics call of a chain of 100 joints."""

from __future__ import annotations

import dynamics as dyn
from benchmarks.contest import Result, compete
from benchmarks.forward_dynamics_call import PINOCCHIO, contenders
from benchmarks.peers import chain_urdf
from dynamics.robot_files.urdf import load_urdf_text

JOINTS = 100


def chain(n_joints: int) -> dyn.System:
    return dyn.single_arm(load_urdf_text(chain_urdf(n_joints), name="chain"))


def contest(rounds: int) -> Result:
    return compete(
        f"one forward-dynamics call, chain of {JOINTS} joints",
        contenders(chain(JOINTS), chain_urdf(JOINTS), 0.3),
        tolerance=1e-8,
        rounds=rounds,
        calls=200,
        unit="us",
        limits={PINOCCHIO: 0.25},
    )
