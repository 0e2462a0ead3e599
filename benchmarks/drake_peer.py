"""One chain in Drake's MultibodyPlant, continuous in time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers import optional

Array = NDArray[np.float64]
drake = optional("pydrake")


def drake_acceleration(
    urdf: str, root: str, gravity: Sequence[float], q: Array, qd: Array, tau: Array
) -> Callable[[], Array]:
    """A call that recomputes the joint accelerations: setting the state clears the context's cache."""
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant

    plant = MultibodyPlant(0.0)
    Parser(plant).AddModelsFromString(urdf, "urdf")
    plant.WeldFrames(plant.world_frame(), plant.GetFrameByName(root))
    plant.mutable_gravity_field().set_gravity_vector(gravity)
    plant.Finalize()
    context = plant.CreateDefaultContext()
    plant.get_applied_generalized_force_input_port().FixValue(context, tau)
    state, n = np.concatenate([q, qd]), len(q)

    def acceleration() -> Array:
        context.SetContinuousState(state)
        return np.asarray(plant.EvalTimeDerivatives(context).CopyToVector()[n:])

    # The plant must outlive its context.
    acceleration.plant = plant  # type: ignore[attr-defined]
    return acceleration
