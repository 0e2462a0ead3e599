"""One forward-dynamics call, every stage of every link kept on our side."""

from __future__ import annotations

import dynamics as dyn
from benchmarks.contest import Result, compete
from benchmarks.forward_dynamics_call import PINOCCHIO, contenders
from benchmarks.peers import WITHOUT, bare_urdf

ROBOT = "iiwa14"


def contest(rounds: int) -> Result:
    system = dyn.single_arm(dyn.load(ROBOT).without(*WITHOUT))
    return compete(
        f"one forward-dynamics call, {ROBOT}, 7 joints",
        contenders(system, bare_urdf(ROBOT)),
        tolerance=1e-9,
        rounds=rounds,
        calls=2000,
        unit="us",
        limits={PINOCCHIO: 0.40},
    )
