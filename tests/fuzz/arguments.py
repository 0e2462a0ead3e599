"""Public functions with one or two of their arguments replaced by an absurd value."""

import tempfile
from contextlib import chdir
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

from tests.conftest import UNCOMPILED
from tests.dynamics.absurd_values import ABSURD, NO_NUMBERS, TOO_LARGE, absurd, faults
from tests.dynamics.valid_arguments import NOT_READ, ONLY_COMPILED, call_of, walked
from tests.fuzz.attack import Attack

Replaced = tuple[str, str | list[float]]
"""A parameter, and what stands in its place: by its name, or numbers that are repeated in its shape."""
IN_SHAPE = tuple(f"{told} in its shape" for told in (*NO_NUMBERS, *TOO_LARGE))
PATIENT = ("dt", "duration", "attempts", "most_steps", "steps", "n_samples", "n_links", "n_arms", "accuracy")
"""What may be asked to take long."""


@st.composite
def replaced(draw: st.DrawFn) -> tuple[str, tuple[Replaced, ...]]:
    """The name of a function and up to two of its parameters with what stands in their places."""
    name = draw(st.sampled_from(sorted(set(walked()) - (ONLY_COMPILED if UNCOMPILED else set()))))
    with tempfile.TemporaryDirectory() as folder:
        parameters = sorted(call_of(name, Path(folder)).arguments)
    chosen = draw(st.lists(st.sampled_from(parameters), min_size=1, max_size=2, unique=True))
    values = st.sampled_from((*ABSURD, *IN_SHAPE))
    return name, tuple(
        (each, draw(values if each in PATIENT else values | st.lists(st.floats(), min_size=1, max_size=3)))
        for each in chosen
    )


def refuses_or_answers(case: tuple[str, tuple[Replaced, ...]]) -> None:
    """A named error, or a sound answer, soon and without a warning."""
    name, changes = case
    with tempfile.TemporaryDirectory() as folder, chdir(folder):  # what looks like a file's name may become one
        call, values, must_refuse = call_of(name, Path(folder)), dict[str, Any](), False
        for parameter, told in changes:
            if isinstance(told, list):
                values[parameter] = np.resize(told, np.shape(_array(call.arguments[parameter])))
                continue
            known = absurd(call.arguments[parameter], call.annotations[parameter])
            if told in known and parameter not in NOT_READ.get(name, ()):
                values[parameter], strict = known[told]
                must_refuse |= strict
        assert not (found := faults(call, values, must_refuse)), found


def _array(value: Any) -> Any:
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        return 0.0


FOUND: dict[str, tuple[str, tuple[Replaced, ...]]] = {
    "a step backwards": ("run_redundant", (("dt", "minus one"),)),
    "a count that takes all memory": ("planar_chain", (("n_links", "a billion"),)),
    "a count that takes forever": ("count_operations", (("n_links", "a billion"),)),
    "samples that take all memory": ("sample_estimation", (("n_samples", "a billion"),)),
    "a torque without its imaginary part": ("forward_dynamics", (("tau", "complex in its shape"),)),
    "dates as torques": ("forward_dynamics_batch", (("tau", "dates in its shape"),)),
    "masked rates": ("System.state", (("qd", "masked in its shape"),)),
    "text as torques": ("Simulation", (("tau", "text in its shape"),)),
    "a duration as an index": ("Reading.lines", (("half", "duration"),)),
    "true as an index": ("System.path_inward", (("k", "true"),)),
    "a complex time": ("Recording.state_at", (("t", "complex"),)),
    "a longer float in a message": ("Recording.state_at", (("t", "a longer float"),)),
    "no number of inverse dynamics": ("inverse_dynamics", (("joint_acceleration", "1e308 in its shape"),)),
    "no number of a group": ("group_inverse", (("object_acceleration", "1e308 in its shape"),)),
    "no number of a text": ("read_textbook", (("tau", "1e308 in its shape"),)),
    "an error of LAPACK": ("TaskObject", (("inertia", "1e308 in its shape"),)),
    "an error of numba": ("Solver.__call__", (("x", "nothing"),)),
    "not even a first step": ("simulate", (("tau", "1e308 in its shape"),)),
    "a quaternion too long": ("System.unpack", (("x", "1e308 in its shape"),)),
    "a system that is none": ("agreement", (("system", "text"),)),
    "a solution that is none": ("stage_difference", (("found", "none"),)),
    "a class as breaks": ("read_textbook", (("breaks", "class"),)),
    "endless events": ("simulate", (("events", "endless"),)),
    "forces whose squares no number holds": ("identities", (("external_forces", [7.7e153]),)),
    "a number in an array as a seed": ("study", (("seed", [0.0]),)),
    "records as a method": ("mass_matrix", (("method", "records"),)),
}
ATTACKS = {"absurd arguments": Attack(replaced(), refuses_or_answers, FOUND, examples=120)}
