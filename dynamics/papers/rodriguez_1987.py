"""R87: the planar chain's operations, and the order of its sums; Tables I-III, Figs 1-4."""

from __future__ import annotations

import numpy as np

from dynamics.counting.counting import count_operations
from dynamics.operators.composite_inertia import mass_matrix
from dynamics.operators.operator_factors import operator_factors, state_covariance
from dynamics.papers.counted import flops, row_numbers, total_numbers
from dynamics.papers.result import Entry, Found, PaperCurve, PaperFigure, PaperNumber, PaperResult, drawing
from dynamics.system.examples import example

LINKS = 10
"""Of the chain whose counts are divided by its links: they grow by the same for each."""
ASSEMBLED = 6
"""Links of the chain whose mass matrix is assembled."""
MOST = 12
"""Links up to which Fig. 4 is drawn."""


def order_of_sums() -> Found:
    """Fig. 2: M by the double sum of R87 (25) against M column by column, (32)."""
    system, state = example("puma560")
    f = operator_factors(system, state)
    summed = f.h @ state_covariance(f) @ f.h.T
    turned = mass_matrix(system, state)
    rotors = np.diag([joint.rotor_inertia for joint in system.joint_models])
    apart = float(np.abs(summed + rotors - turned).max() / np.abs(turned).max())
    return Found((PaperNumber("both orders", "largest difference, of M's largest element", "", 0.0, apart, 1e-12),))


def table_2() -> Found:
    """One link's operations."""
    count = count_operations("planar_filter", LINKS)
    assert count.published is not None
    total = PaperNumber("Total", "divisions", "", count.published.divisions / LINKS, count.divisions / LINKS)
    per_link = PaperNumber("N links", "flops, each link", "", 27.0, count.flops / LINKS)
    return Found(
        (*row_numbers(count.published.rows, LINKS), *total_numbers(count, "Total", "", LINKS), total, per_link)
    )


def table_3() -> Found:
    """The mass matrix's operations, and what follows it."""
    count = count_operations("planar_batch", ASSEMBLED)
    assert count.published is not None
    n = ASSEMBLED
    rows = list(row_numbers(count.published.rows))
    assembled = sum(number.published for number in rows if number.row not in ("factors", "solution")) / 2.0
    whole = PaperNumber(
        "assembly, as the text sums it up", "flops", "", 2.0 * n * (n + 5), assembled,
        reason="the table's own rows add up to 2N² + 7N pairs of a multiplication and an addition, not 2N(N + 5); what "
        "else the text adds is not said",
    )  # fmt: skip
    return Found((*rows, whole))


def fig_4() -> Found:
    """Both methods' flops against links."""
    links = np.arange(1.0, MOST + 1)
    filtered, batch = (
        np.array([flops(method, int(n)) for n in links]).T for method in ("planar_filter", "planar_batch")
    )
    printed, counted = (
        float(links[int(np.argmax(filter_ < batch_))])
        for filter_, batch_ in zip(filtered, batch, strict=True)
    )  # fmt: skip
    numbers = (
        PaperNumber(
            "fewest links for which the filter takes less", "by the printed polynomials", "", 5.0, printed,
            reason="at four links the printed polynomials are 108 and 109.3: the filter is cheaper by one flop in a "
            "hundred, which the paper does not call a gain",
        ),
        PaperNumber(
            "fewest links for which the filter takes less", "counted by running both", "", 5.0, counted,
            reason="the batch method takes less than its printed polynomial: to factor M takes N³/6 pairs of a "
            "multiplication and an addition, not N³/3, and there are N(N − 1)/2 elements below the diagonal",
        ),
    )  # fmt: skip
    return Found(
        numbers,
        PaperFigure(
            (
                PaperCurve("filter and smoother, 27 N", links, filtered[0]),
                PaperCurve("filter and smoother, counted", links, filtered[1], "points"),
                PaperCurve("batch, N³/3 + N² + 2N(N + 5)", links, batch[0], "dashed"),
                PaperCurve("batch, counted", links, batch[1], "points"),
            ),
            "links N",
            "flops",
        ),
    )


RESULTS: tuple[Entry, ...] = (
    drawing("r87_fig_1", "R87", "Fig. 1", "Links and joints, numbered from the tip",
            "A drawing, which the scan lost. The page's arms are numbered so: a click on a link says its number."),
    drawing("r87_table_1", "R87", "Table I", "What an estimator and a mechanic call the same thing",
            "Words, no numbers. Estimation has them side by side, each with its value at the cursor."),
    (
        PaperResult("r87_fig_2", "R87", "Fig. 2", "The order of a double sum turned round",
                    "The mass matrix of the PUMA 560 summed in one order and found column by column in the other."),
        order_of_sums,
    ),
    drawing("r87_fig_3", "R87", "Fig. 3", "Filter and smoother as a diagram",
            "A drawing, which the scan lost. Walk's map is that diagram, with the numbers of the moment."),
    (
        PaperResult("r87_table_2", "R87", "Table II", "Operations of filter and smoother on one planar link",
                    f"Counted by running the planar filter on numbers that count, for {LINKS} links, and divided by "
                    "them. A flop is one multiplication and one addition."),
        table_2,
    ),
    (
        PaperResult("r87_table_3", "R87", "Table III", "Operations of the batch method",
                    f"Counted by assembling, factoring and solving for {ASSEMBLED} links, with N³/3 + N² flops for "
                    "the last two, as the text has it."),
        table_3,
    ),
    (
        PaperResult("r87_fig_4", "R87", "Fig. 4", "From how many links on the filter takes less",
                    "The scan lost the curves; they are drawn from the polynomials that the text prints, with the "
                    "counts of the code as dots."),
        fig_4,
    ),
)  # fmt: skip
