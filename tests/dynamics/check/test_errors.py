"""What an identity cannot be asked of."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn


@pytest.mark.parametrize("name", ["iiwa14", "free_flyer", "two_arms_and_box"])
def test_a_solution_without_stages_has_no_identities(name: str) -> None:
    system, state = dyn.example(name)
    for method in dyn.methods(system):
        solution = dyn.forward_dynamics(system, state, np.ones(system.n_joints), method)
        if method == "filter_smoother":
            assert dyn.identities(solution)
        elif not solution.stages:
            with pytest.raises(dyn.ModelError, match=f"'{method}' does not leave"):
                dyn.identities(solution)
        else:
            assert method == "two_filter"
