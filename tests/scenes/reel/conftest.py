"""Motions to draw: of one arm, of arms that let go of what they hold, of a tree, of a satellite."""

from functools import cache

import numpy as np

import dynamics as dyn
from tests.dynamics.systems import legged_file

MACHINES = ("puma560", "two_arms_and_box", "free_flyer", "tree")
LENGTH, LETS_GO = 0.3, 0.2


@cache
def motion(name: str) -> dyn.Recording:
    if name == "tree":
        system = dyn.single_arm(dyn.load_urdf_text(legged_file(3, 2)))
        state = system.state(qd=0.5 + np.arange(system.n_joints))
    else:
        system, state = dyn.example(name)
    events = [dyn.Release(LETS_GO)] if system.is_held else []
    return dyn.simulate(system, state, duration=LENGTH, dt=0.002, events=events)
