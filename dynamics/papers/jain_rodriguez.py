"""JR: free flyers from any base; Figs 1-5. The paper prints no tables."""

from __future__ import annotations

import numpy as np

from dynamics.methods.forward_dynamics import forward_dynamics
from dynamics.methods.other_base import OtherBase, from_another_base
from dynamics.operators.rebase import rebase
from dynamics.papers.result import Entry, Found, PaperNumber, PaperResult, drawing
from dynamics.recursion.transport import transport
from dynamics.system.examples import example
from dynamics.system.solution import Solution

SAME = 1e-8
"""Of two ways to one quantity, of its size."""
MIDDLE = 3
"""The link that is called the base in Fig. 4: neither the tip's nor the body's."""


def _moment() -> Solution:
    system, state = example("free_flyer")
    return forward_dynamics(system, state, np.linspace(-1.0, 1.0, system.n_joints))


def fig_2() -> Found:
    """A base that moves freely is a joint with six freedoms: D(n) = P(n), G(n) = 1."""
    solution = _moment()
    system = solution.system
    dense = forward_dynamics(system, solution.state, solution.tau, method="kkt")
    assert solution.base_acceleration is not None
    assert dense.base_acceleration is not None
    size = np.abs(dense.base_acceleration).max()
    apart = float(np.abs(solution.base_acceleration - dense.base_acceleration).max() / size)
    freedoms = system.n_velocity - system.n_joints
    return Found(
        (
            PaperNumber("base", "freedoms", "", 6.0, float(freedoms)),
            PaperNumber("base", "acceleration against the dense solve, of its size", "", 0.0, apart, SAME),
        )
    )


def _from(link: int) -> Found:
    solution = _moment()
    system = solution.system
    other = from_another_base(solution, rebase(system, system.link_names[link]))
    own = solution.stages["dual_filter"]
    tip_to_base = solution.stages["filter"]["articulated_inertia"]
    return Found(
        (
            *(_unchanged(name, expected, found) for name, expected, found in _both(solution, other)),
            PaperNumber(
                "P", "whether it changes, 1 or 0", "", 1.0,
                float(_change(np.asarray(tip_to_base), other.articulated_inertia[: len(tip_to_base)]) > SAME),
            ),
            PaperNumber(
                "S", "whether it changes, 1 or 0", "", 1.0,
                float(
                    _change(np.asarray(own["dual_articulated_inertia"]), other.dual_articulated_inertia) > SAME
                ),
            ),
        )
    )  # fmt: skip


def _both(solution: Solution, other: OtherBase) -> tuple[tuple[str, np.ndarray, np.ndarray], ...]:
    own = solution.stages["dual_filter"]["operational_space_inertia"]
    return (
        ("joint accelerations", solution.joint_acceleration, other.joint_acceleration),
        ("links' accelerations", solution.stages["smoother"]["acceleration"], other.acceleration),
        ("P + S", own, other.operational_space_inertia),
    )


def _unchanged(name: str, expected: np.ndarray, found: np.ndarray) -> PaperNumber:
    return PaperNumber(name, "largest change, of its size", "", 0.0, _change(expected, found), SAME)


def _change(expected: np.ndarray, found: np.ndarray) -> float:
    return float(np.abs(found - expected).max() / np.abs(expected).max())


def fig_3() -> Found:
    """Link 1 as the base."""
    return _from(0)


def fig_4() -> Found:
    """A link between both ends as the base."""
    return _from(MIDDLE)


def fig_5() -> Found:
    """A tree, made of the free flyer by counting from its middle: two branches."""
    before = _moment()
    flyer = before.system
    tree = rebase(flyer, flyer.link_names[MIDDLE])
    other = from_another_base(before, tree)
    branches = int(np.sum(np.asarray(tree.inboard) == tree.n_links - 1))
    operators = transport(tree, other.solution.state)
    rows, inertia = operators.rows, operators.updated[: len(operators.rows)]
    dense = forward_dynamics(tree, other.solution.state, other.solution.tau, method="kkt")
    expected, found = dense.joint_acceleration, other.solution.joint_acceleration
    return Found(
        (
            PaperNumber("tree", "branches that its base gathers", "", 2.0, float(branches)),
            PaperNumber("joint accelerations", "against the dense solve, of their size", "", 0.0,
                        _change(expected, found), SAME),
            PaperNumber("P⁺ along every joint", "H P⁺, of P's size", "", 0.0,
                        float(np.abs(np.einsum("ki,kij->kj", rows, inertia)).max()
                              / np.abs(inertia).max()), SAME),
        )
    )  # fmt: skip


TOLD = "The drawing is lost. Its statement is tried on the free flyer with torques from −1 to 1 N m."
RESULTS: tuple[Entry, ...] = (
    drawing("jr_fig_1", "JR", "Figure 1", "Links and hinges, numbered from the tip",
            "A drawing, which the scan lost. The page's free flyer is numbered so."),
    (PaperResult("jr_fig_2", "JR", "Figure 2", "A base with six freedoms", TOLD), fig_2),
    (PaperResult("jr_fig_3", "JR", "Figure 3", "The outermost link as the base", TOLD), fig_3),
    (PaperResult("jr_fig_4", "JR", "Figure 4", "A link in the middle as the base", TOLD), fig_4),
    (
        PaperResult("jr_fig_5", "JR", "Figure 5", "Trees: gathered inward, scattered outward",
                    f"{TOLD} Counted from its middle link, it is a tree of two branches."),
        fig_5,
    ),
)  # fmt: skip
