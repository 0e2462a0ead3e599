"""A little of every attack, always the same, and every failure that one has found, by its name."""

from __future__ import annotations

import pytest

from tests.fuzz.attack import attacks, targets

EVERY = {(target, name): attack for target in targets() for name, attack in attacks(target).items()}
FOUND = [(target, name, case) for (target, name), attack in EVERY.items() for case in attack.found]


@pytest.mark.slow
@pytest.mark.parametrize(("target", "name"), EVERY)
def test_what_is_drawn_holds(target: str, name: str) -> None:
    assert EVERY[target, name].run(number=0, examples=EVERY[target, name].examples) > 0


@pytest.mark.parametrize(("target", "name", "case"), FOUND)
def test_what_failed_once_holds(target: str, name: str, case: str) -> None:
    assert EVERY[target, name].holds(EVERY[target, name].found[case])
