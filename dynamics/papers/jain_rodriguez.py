"""JR: free flyers from any base; Figs 1-5. The paper prints no tables."""

from __future__ import annotations

from functools import partial

import numpy as np

from dynamics.papers.critical_path import critical_path
from dynamics.papers.result import Contents, PaperFigure, PaperNumber, curve, entries, equality, relative
from dynamics.solve.forward_dynamics import forward_dynamics
from dynamics.solve.other_base import from_another_base
from dynamics.solve.rebase import rebase
from dynamics.system.examples import example
from dynamics.system.solution import Solution
from dynamics.witness.equation_of_motion import mass_matrix

SAME = 1e-8
"""Largest relative difference of two computations of one quantity."""
OUTERMOST, MIDDLE = 0, 3
"""Links that serve as the base in Figs 3 and 4: the outermost, and one that is neither the outermost nor the body."""


def moment() -> Solution:
    """A free flyer under torques."""
    system, state = example("free_flyer")
    return forward_dynamics(system, state, np.linspace(-1.0, 1.0, system.n_joints))


def fig_2() -> Contents:
    """A base that moves freely is a joint with six freedoms: D(n) = P(n), G(n) = 1."""
    solution = moment()
    system, n = solution.system, solution.system.n_joints
    dense = forward_dynamics(system, solution.state, solution.tau, method="kkt")
    assert solution.base_acceleration is not None and dense.base_acceleration is not None
    whole = np.linalg.inv(mass_matrix(system, solution.state))[n : n + 6, n : n + 6]
    free = solution.stages["filter"]["articulated_inertia"][n] @ whole
    found, expected = solution.base_acceleration, dense.base_acceleration
    yield equality("base", "P(n) = D(n) against the dense inverse, of its size", free, np.eye(6), SAME)
    yield equality("base", "acceleration against the dense solve, of its size", found, expected, SAME)


def from_link(link: int) -> Contents:
    """Figs 3 and 4: another link as the base; accelerations and P + S stay the same, P and S do not."""
    solution = moment()
    system, stages = solution.system, solution.stages
    other = from_another_base(solution, rebase(system, system.link_names[link]))
    dual, tip_to_base = stages["dual_filter"], np.asarray(stages["filter"]["articulated_inertia"])
    for name, new, old in (
        ("joint accelerations", other.joint_acceleration, solution.joint_acceleration),
        ("links' accelerations", other.acceleration, stages["smoother"]["acceleration"]),
        ("P + S", other.operational_space_inertia, dual["operational_space_inertia"]),
    ):
        yield equality(name, "largest change, of its size", new, old, SAME)
    for name, new, old in (
        ("P", other.articulated_inertia[: len(tip_to_base)], tip_to_base),
        ("S", other.dual_articulated_inertia, np.asarray(dual["dual_articulated_inertia"])),
    ):
        yield PaperNumber(name, "whether it changes, 1 or 0", "", 1.0, float(relative(new, old) > SAME))


def fig_5() -> Contents:
    """Machines that branch at the base: two arms in flight, and a legged robot with four extremal bodies."""
    for name, extremal in (("two_arm_flyer", 2), ("solo12", 4)):
        system, state = example(name)
        tau = np.linspace(-1.0, 1.0, system.n_joints)
        found, both, dense = (
            forward_dynamics(system, state, tau, each) for each in ("filter_smoother", "two_filter", "kkt")
        )
        dual, smoother = found.stages["dual_filter"], found.stages["smoother"]
        inverse = np.linalg.inv(dual["operational_space_inertia"])
        tips = system.n_links - len({int(k) for k in system.inboard if k >= 0})
        yield PaperNumber(name, "bodies with nothing outboard", "", extremal, tips)
        for column, one, other in (
            ("two filters against the dense solve", both.packed_acceleration, dense.packed_acceleration),
            ("every link by itself, (3.12), against the smoother", dual["acceleration"], smoother["acceleration"]),
            ("P + S against the co-state covariance", inverse, smoother["costate_covariance"]),
        ):
            yield equality(name, column, one, other, SAME)


def parallel() -> Contents:
    """Section 3.3.2: steps along the longest chain, compared with the best method on one processor."""
    algorithms = (
        ("two_filter", "Algorithm 6", "links wait for frames, which go outward before either filter starts, and the "
         "second filter takes more steps than the first: one filter and smoother on one processor is done sooner"),
        ("own_coordinates", "Algorithm 7", "links that know their own poses wait for no frames; both filters still go "
         "through every link"),
    )  # fmt: skip
    lengths, column = (2, 4, 7, 15, 30), "steps, beside the best on one processor"
    paths = {method: [critical_path(method, n) for n in lengths] for method, *_ in algorithms}
    for method, words, reason in algorithms:
        for path in paths[method]:
            if path.n_links in (7, 30):
                row = f"{words}, a base and {path.n_links} links"
                yield PaperNumber(row, column, "", path.serial.steps, path.path.steps, reason=reason)
    six, seven = paths.values()
    curves = (
        curve("one filter and smoother, one processor", lengths, [path.serial.steps for path in six]),
        curve("Algorithm 6, two filters at once", lengths, [path.path.steps for path in six], "dashed"),
        curve("Algorithm 7, with their own coordinates", lengths, [path.path.steps for path in seven]),
    )
    yield PaperFigure(curves, "links beside the base", "operations one after the other")


ABOUT = "The drawing is lost. Its statement is tried on the free flyer with torques from −1 to 1 N m."
RESULTS = entries(
    "JR",
    ("jr_fig_1", "Figure 1", "Links and hinges, numbered from the tip",
     "A drawing, which the scan lost. The page's free flyer is numbered this way.", None),
    ("jr_fig_2", "Figure 2", "A base with six freedoms", ABOUT, fig_2),
    ("jr_fig_3", "Figure 3", "The outermost link as the base", ABOUT, partial(from_link, OUTERMOST)),
    ("jr_fig_4", "Figure 4", "A link in the middle as the base", ABOUT, partial(from_link, MIDDLE)),
    ("jr_fig_5", "Figure 5", "Trees: gathered inward, scattered outward",
     "The drawing is lost. Its statement is tried on two arms in flight and on a legged robot, with torques from −1 to "
     "1 N m.", fig_5),
    ("jr_parallel", "Section 3.3.2", "Two filters at once",
     "Counted by running the code on numbers that count. Where 'printed' stands, the paper has no number: it is the "
     "best method on one processor.", parallel),
)  # fmt: skip
