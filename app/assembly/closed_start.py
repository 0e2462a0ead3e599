"""Where a robot whose loops are open as it stands begins: closed near there, or near a posture drawn for it."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from math import pi

import numpy as np

import dynamics as dyn

POSTURES = 40


def closed_start(system: dyn.System, state: dyn.State) -> tuple[dyn.State, str]:
    """The nearest closed state, and nothing; where none is found, one near a posture drawn within limits, and why.

    The same each time.

    Raises:
        SingularConfigurationError: for loops, or arms round an object, that no posture drawn closes.
    """
    try:
        return dyn.project(system, state), ""
    except dyn.SingularConfigurationError as error:
        for posture in _drawn(system, state):
            with suppress(dyn.SingularConfigurationError):
                return dyn.project(system, posture), f"{error} Another posture, drawn at random, is taken."
        raise


def _drawn(system: dyn.System, state: dyn.State) -> Iterator[dyn.State]:
    ends = np.array([(joint.lower, joint.upper) for joint in system.joint_models]).T
    lower, upper = np.clip(ends, *(state.q + way for way in (-pi, pi)))
    for q in np.random.default_rng(0).uniform(lower, upper, (POSTURES, system.n_joints)):
        yield replace(state, q=q)
