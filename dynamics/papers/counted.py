"""Rows of operation counts beside the printed ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dynamics.counting.counting import OperationCount, Row, count_operations
from dynamics.papers.result import PaperNumber

COLUMNS = ("multiplications", "additions", "divisions")


def row_numbers(rows: Iterable[Row], each: float = 1.0) -> Iterator[PaperNumber]:
    """Term by term, what the paper counts or the code does.

    Args:
        each: what every count is divided by: the links, for counts of one link.
    """
    for row in rows:
        for i, column in enumerate(COLUMNS):
            published, ours = row.published[i] / each, row.counted[i] / each
            if published or ours:
                reason = "" if published == ours else row.reason
                yield PaperNumber(row.term, column, "", published, ours, reason=reason)


def total_numbers(count: OperationCount, row: str, reason: str, each: float = 1.0) -> Iterator[PaperNumber]:
    """The whole count."""
    assert count.published is not None
    for column in COLUMNS[:2]:
        published, ours = getattr(count.published, column) / each, getattr(count, column) / each
        yield PaperNumber(row, column, "", published, ours, reason="" if published == ours else reason)


def flops(method: str, n_links: int) -> tuple[float, float]:
    """By the paper's polynomial, and counted."""
    count = count_operations(method, n_links)
    assert count.published is not None
    assert count.published.flops is not None
    return count.published.flops, count.flops
