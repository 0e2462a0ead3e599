"""An attack of any length says at its end what it has found, whatever that was."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

from tests.fuzz.rounds import Round, attacked

NAMES = (("files", "one"), ("files", "other"))


def dies_of_three(one: Round) -> tuple[str, str] | None:
    if one.seed == 3 and one.attack == "other":
        os._exit(11)
    return ("TypeError in somewhere", f"the case of {one.seed}") if one.attack == "one" else None


def test_a_process_that_dies_is_a_failure_with_its_seed_and_the_attack_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As it dies of machine code, or of too little memory."""
    from multiprocessing import get_context as context

    monkeypatch.setattr("tests.fuzz.rounds.get_context", lambda _: context("fork"))
    report = attacked(NAMES, 0.01, 1, 1, dies_of_three)
    assert "FAILURE of other (files), seed 3: a process died" in report
    assert "FAILURE of one (files), seed 1: TypeError in somewhere\nthe case of 1" in report
    assert int(report.split()[2]) > 5
    assert report.endswith("2 failures")


@pytest.mark.parametrize("path", sorted(Path(__file__).parent.glob("*.py")), ids=lambda path: path.stem)
def test_what_a_seed_draws_hangs_on_no_order_of_a_set(path: Path) -> None:
    """That of a set of texts is another one in each process."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and any(isinstance(given, ast.Set | ast.SetComp) for given in node.args):
            assert getattr(node.func, "id", "") in ("sorted", "set", "frozenset", "len"), ast.unparse(node)
