"""TML: operations of Lagrange's and Newton and Euler's forms; Tables 1-5, Figs 1-4."""

from __future__ import annotations

from functools import partial

import numpy as np

from dynamics.papers.counting import count_operations, sample_robot
from dynamics.papers.critical_path import critical_path
from dynamics.papers.result import (
    COLUMNS,
    Contents,
    PaperFigure,
    PaperNumber,
    curve,
    entries,
    equality,
    row_numbers,
    total_numbers,
)
from dynamics.system.assembly import single_arm
from dynamics.witness.equivalence import steps_of_the_proof

LINKS = 6
"""Number of links for which the polynomials are evaluated: an arm as in the paper's introduction."""
MOST = 12
FORMS = (("Lagrange", "lagrange", 2), ("Newton-Euler", "newton_euler", 3), ("modified Newton-Euler",
         "newton_euler_modified", 4))  # fmt: skip
"""A row's label, the method that is counted, and the table that breaks it down."""
ROWS = "by what the rows above say"


def table_1() -> Contents:
    """Whole counts."""
    lengths, curves = range(1, MOST + 1), []
    for name, method, table in FORMS:
        reason = f"by what the rows of Table {table} say"
        yield from total_numbers(count_operations(method, LINKS), name, reason)
        counts = [count_operations(method, n) for n in lengths]
        printed = [0.0 if count.published is None else count.published.multiplications for count in counts]
        curves.append(curve(f"{name}, printed", lengths, printed))
        curves.append(curve(f"{name}, counted", lengths, [count.multiplications for count in counts], "points"))
    yield PaperFigure(tuple(curves), "links n", "multiplications", log_y=True)


def term_by_term(method: str) -> Contents:
    """The terms of one formulation, Tables 2 to 4."""
    count = count_operations(method, LINKS)
    assert count.published is not None
    yield from row_numbers(count.published.rows)
    yield from total_numbers(count, "Total", ROWS)


def table_5() -> Contents:
    """The longest chain of operations, with one processor per term."""
    found = critical_path("newton_euler_modified", LINKS)
    assert found.published is not None
    yield from row_numbers(found.rows)
    for column, published, ours in zip(COLUMNS, found.published, found.path[:2], strict=False):
        yield PaperNumber("Total", column, "", published, ours, reason=ROWS)


LINES = (
    "angular velocity", "angular acceleration", "centripetal part of a point's", "rotational part", "both together",
    "the frame's, link by link", "by derivatives of its place", "the mass centre's", "by derivatives",
    "moment of one link", "with its pseudo-inertia", "as an integral of dyads", "as vector products", "as traces",
    "by derivatives of the rotation", "joint by joint", "the three other terms", "the first of them", "as a trace",
    "z × r̄ as a derivative", "so by derivatives", "the middle terms", "as a trace", "z × r as a derivative",
    "so by derivatives", "all of one link", "in one 4 × 4 product", "what the next link adds", "its force as a trace",
    "by derivatives", "its moment", "∂p/∂θ goes on to the next link", "what it adds, in one 4 × 4 product",
)  # fmt: skip
"""Lines of (4.1)-(4.33)."""
SAME = 1e-10


def section_4() -> Contents:
    """The proof, both sides of each line: by vectors from link to link, and by derivatives of transforms."""
    system, k = single_arm(sample_robot(LINKS)), np.arange(LINKS)
    lines = steps_of_the_proof(system, system.state(np.cos(k), np.sin(1.0 + k)), np.linspace(-3.0, 4.0, LINKS))
    for (number, (left, right)), words in zip(lines.items(), LINES, strict=True):
        yield equality(f"({number})", f"{words}: both sides", right, left, SAME)


ABOUT = f"Counted by running the code on numbers that count, for {LINKS} links, beside the printed polynomial."
RESULTS = entries(
    "TML",
    ("tml_section_4", "Section 4", "Both formulations are the same equations",
     f"Each line of the proof, for an arm of {LINKS} links in motion: how far its two sides are apart.", section_4),
    ("tml_fig_1", "Fig. 1", "Frames fixed in the links of an arm",
     "A drawing. The rotations between frames that it stands for are checked by tests.", None),
    ("tml_fig_2", "Fig. 2", "A link's two frames and what leads between them",
     "A drawing. Arms given in such frames are read by dynamics.robot.from_denavit_hartenberg.", None),
    ("tml_fig_3", "Fig. 3", "A piece of mass of a link",
     "A drawing; the pseudo-inertia that it leads to is checked by tests.", None),
    ("tml_fig_4", "Fig. 4", "Forces and moments on a link",
     "A drawing. Methods balances them link by link, and Check for every link at once.", None),
    ("tml_table_1", "Table 1", "Operations of the three formulations",
     f"{ABOUT} Lagrange's row is damaged in the scan; adding up the appendix restores it.", table_1),
    ("tml_table_2", "Table 2", "Lagrange's operations, term by term",
     f"{ABOUT} Its damaged rows are restored from the appendix.", partial(term_by_term, "lagrange")),
    ("tml_table_3", "Table 3", "Newton and Euler's operations, term by term", ABOUT,
     partial(term_by_term, "newton_euler")),
    ("tml_table_4", "Table 4", "Operations of the modified form, term by term", ABOUT,
     partial(term_by_term, "newton_euler_modified")),
    ("tml_table_5", "Table 5", "Steps if every term has a processor of its own",
     f"{ABOUT} The scan has lost one number, the multiplications of the way back; its total gives it.", table_5),
)  # fmt: skip
