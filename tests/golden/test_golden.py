"""The code answers what the golden files say. After a change that is meant: ``python -m tests.golden``."""

from __future__ import annotations

import pytest

from tests.golden import FILES

MOST = 20
"""Lines of what differs that are worth reading."""

MACHINES = [name for name in FILES if name != "papers" and not name.startswith("page_")]


def check(names: list[str]) -> None:
    differences = [line for name in names for line in FILES[name]().differences(f"{name}.txt")]
    more = f"\nand {len(differences) - MOST} more" if len(differences) > MOST else ""
    assert not differences, "\n".join(differences[:MOST]) + more


@pytest.mark.parametrize("machine", MACHINES)
def test_mechanics_of_every_machine(machine: str) -> None:
    check([machine])


@pytest.mark.compiled_only
def test_results_of_the_papers_and_counts() -> None:
    check(["papers"])


@pytest.mark.compiled_only
def test_numbers_on_the_page() -> None:
    check([name for name in FILES if name.startswith("page_")])
