"""JR: free flyers from any base; Figs 1-5. The paper prints no tables."""

from __future__ import annotations

from functools import partial

import numpy as np

from dynamics.methods.forward_dynamics import forward_dynamics
from dynamics.methods.other_base import from_another_base
from dynamics.operators.rebase import rebase
from dynamics.papers.result import Found, PaperNumber, entries, equality, relative
from dynamics.recursion.transport import transport
from dynamics.system.examples import example
from dynamics.system.solution import Solution

SAME = 1e-8
"""Of two ways to one quantity, of its size."""
OUTERMOST, MIDDLE = 0, 3
"""Links that are called the base in Figs 3 and 4: the tip's, and one that is neither the tip's nor the body's."""


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
    apart = relative(solution.base_acceleration, dense.base_acceleration)
    freedoms = system.n_velocity - system.n_joints
    return Found(
        (
            PaperNumber("base", "freedoms", "", 6.0, float(freedoms)),
            equality("base", "acceleration against the dense solve, of its size", apart, SAME),
        )
    )


def from_link(link: int) -> Found:
    """Figs 3 and 4: another link as the base; accelerations and P + S stay as they are, P and S do not."""
    solution = _moment()
    system, stages = solution.system, solution.stages
    other = from_another_base(solution, rebase(system, system.link_names[link]))
    dual, tip_to_base = stages["dual_filter"], np.asarray(stages["filter"]["articulated_inertia"])
    same = (
        ("joint accelerations", other.joint_acceleration, solution.joint_acceleration),
        ("links' accelerations", other.acceleration, stages["smoother"]["acceleration"]),
        ("P + S", other.operational_space_inertia, dual["operational_space_inertia"]),
    )
    changed = (
        ("P", other.articulated_inertia[: len(tip_to_base)], tip_to_base),
        ("S", other.dual_articulated_inertia, np.asarray(dual["dual_articulated_inertia"])),
    )
    return Found(
        (
            *(equality(name, "largest change, of its size", relative(new, old), SAME) for name, new, old in same),
            *(
                PaperNumber(name, "whether it changes, 1 or 0", "", 1.0, float(relative(new, old) > SAME))
                for name, new, old in changed
            ),
        )
    )


def fig_5() -> Found:
    """A tree, made of the free flyer by counting from its middle: two branches."""
    before = _moment()
    tree = rebase(before.system, before.system.link_names[MIDDLE])
    found = from_another_base(before, tree).solution
    branches = int(np.sum(np.asarray(tree.inboard) == tree.n_links - 1))
    operators = transport(tree, found.state)
    rows, inertia = operators.rows, operators.updated[: len(operators.rows)]
    freed = np.abs(np.einsum("ki,kij->kj", rows, inertia)).max() / np.abs(inertia).max()
    dense = forward_dynamics(tree, found.state, found.tau, method="kkt")
    apart = relative(found.joint_acceleration, dense.joint_acceleration)
    return Found(
        (
            PaperNumber("tree", "branches that its base gathers", "", 2.0, float(branches)),
            equality("joint accelerations", "against the dense solve, of their size", apart, SAME),
            equality("P⁺ along every joint", "H P⁺, of P's size", freed, SAME),
        )
    )


ABOUT = "The drawing is lost. Its statement is tried on the free flyer with torques from −1 to 1 N m."
RESULTS = entries(
    "JR",
    ("jr_fig_1", "Figure 1", "Links and hinges, numbered from the tip",
     "A drawing, which the scan lost. The page's free flyer is numbered so.", None),
    ("jr_fig_2", "Figure 2", "A base with six freedoms", ABOUT, fig_2),
    ("jr_fig_3", "Figure 3", "The outermost link as the base", ABOUT, partial(from_link, OUTERMOST)),
    ("jr_fig_4", "Figure 4", "A link in the middle as the base", ABOUT, partial(from_link, MIDDLE)),
    ("jr_fig_5", "Figure 5", "Trees: gathered inward, scattered outward",
     f"{ABOUT} Counted from its middle link, it is a tree of two branches.", fig_5),
)  # fmt: skip
