"""R87: the planar chain's operations, and the order of its sums; Tables I-III, Figs 1-4."""

from __future__ import annotations

import numpy as np

from dynamics.papers.counting import OperationCount, PublishedCount, count_operations
from dynamics.papers.result import (
    Contents,
    PaperFigure,
    PaperNumber,
    curve,
    entries,
    equality,
    row_numbers,
    total_numbers,
)
from dynamics.solve.mass_matrix_inverse import operator_factors, state_covariance
from dynamics.system.examples import example
from dynamics.witness.equation_of_motion import mass_matrix

LINKS = 10
"""Length of the chain whose counts are divided by its links: they grow by the same amount for each."""
ASSEMBLED = 6
"""Length of the chain whose mass matrix is assembled."""
MOST = 12
"""Largest number of links in Fig. 4."""


def counted(method: str, n_links: int) -> tuple[OperationCount, PublishedCount]:
    """The code's count and the paper's."""
    count = count_operations(method, n_links)
    assert count.published is not None
    return count, count.published


def order_of_sums() -> Contents:
    """Fig. 2: M by the double sum of R87 (25) compared with M column by column, (32)."""
    system, state = example("puma560")
    f = operator_factors(system, state)
    rotors = np.diag([joint.rotor_inertia for joint in system.joint_models])
    summed = f.h @ state_covariance(f) @ f.h.T + rotors
    column = "largest difference, of M's largest element"
    yield equality("both orders", column, summed, mass_matrix(system, state), 1e-12)


def table_2() -> Contents:
    """One link's operations."""
    count, published = counted("planar_filter", LINKS)
    yield from row_numbers(published.rows, LINKS)
    yield from total_numbers(count, "Total", each=LINKS)
    yield PaperNumber("Total", "divisions", "", published.divisions / LINKS, count.divisions / LINKS)
    yield PaperNumber("N links", "flops, each link", "", 27.0, count.flops / LINKS)


def table_3() -> Contents:
    """Operations for the mass matrix and the steps after it."""
    rows, n = tuple(row_numbers(counted("planar_batch", ASSEMBLED)[1].rows)), ASSEMBLED
    yield from rows
    assembled = sum(number.published for number in rows if number.row not in ("factors", "solution")) / 2.0
    yield PaperNumber(
        "assembly, as the text sums it up", "flops", "", 2.0 * n * (n + 5), assembled,
        reason="the table's own rows add up to 2N² + 7N pairs of a multiplication and an addition, not 2N(N + 5); "
            "the text does not say what else it adds",
    )  # fmt: skip


def fig_4() -> Contents:
    """Both methods' flops against links."""
    links = np.arange(1.0, MOST + 1)
    both = [[counted(method, int(n)) for n in links] for method in ("planar_filter", "planar_batch")]
    printed = np.array([[published.flops for _, published in own] for own in both], dtype=float)
    ours = np.array([[count.flops for count, _ in own] for own in both])
    for column, (one, other), reason in (
        ("by the printed polynomials", printed,
         "at four links the printed polynomials are 108 and 109.3: the filter is cheaper by one flop in a hundred, "
         "which the paper does not call a gain"),
        ("counted by running both", ours,
         "the batch method takes less than its printed polynomial: to factor M takes N³/6 pairs of a multiplication "
         "and an addition, not N³/3, and there are N(N − 1)/2 elements below the diagonal"),
    ):  # fmt: skip
        first, row = float(links[int(np.argmax(one < other))]), "fewest links for which the filter takes less"
        yield PaperNumber(row, column, "", 5.0, first, reason=reason)
    curves = (
        curve("filter and smoother, 27 N", links, printed[0]),
        curve("filter and smoother, counted", links, ours[0], "points"),
        curve("batch, N³/3 + N² + 2N(N + 5)", links, printed[1], "dashed"),
        curve("batch, counted", links, ours[1], "points"),
    )
    yield PaperFigure(curves, "links N", "flops")


RESULTS = entries(
    "R87",
    ("r87_fig_1", "Fig. 1", "Links and joints, numbered from the tip",
     "A drawing, which the scan lost. The page's arms are numbered this way: a click on a link shows its "
     "number.", None),
    ("r87_table_1", "Table I", "What an estimator and a mechanic call the same thing",
     "Words, no numbers. Estimation has them side by side, each with its value at the cursor.", None),
    ("r87_fig_2", "Fig. 2", "The order of a double sum reversed",
     "The mass matrix of the PUMA 560 summed in one order and found column by column in the other.", order_of_sums),
    ("r87_fig_3", "Fig. 3", "Filter and smoother as a diagram",
     "A drawing, which the scan lost. Walk's map is that diagram, with the numbers of the moment.", None),
    ("r87_table_2", "Table II", "Operations of filter and smoother on one planar link",
     f"Counted by running the planar filter on numbers that count, for {LINKS} links, and divided by them. A flop is "
     "one multiplication and one addition.", table_2),
    ("r87_table_3", "Table III", "Operations of the batch method",
     f"Counted by assembling, factoring and solving for {ASSEMBLED} links, with N³/3 operations (the "
     "text says flops) to factor and N² flops to solve.", table_3),
    ("r87_fig_4", "Fig. 4", "Number of links from which the filter takes less",
     "The scan lost the curves; they are drawn from the polynomials that the text prints, with the counts of the code "
     "as dots.", fig_4),
)  # fmt: skip
