"""A little of every attack, always the same, and every failure that one has found, by its name."""

import pytest

from tests.fuzz.attack import attacks, targets
from tests.fuzz.rounds import attacked

EVERY = [(target, name) for target in targets() for name in attacks(target)]


@pytest.mark.parametrize("target", targets())
def test_what_is_drawn_holds(target: str) -> None:
    for name, attack in attacks(target).items():
        assert attack.run(number=0, examples=max(attack.examples // 3, 1)) > 0, name


@pytest.mark.full
@pytest.mark.parametrize(("target", "name"), EVERY)
def test_a_round_of_many_draws_holds(target: str, name: str) -> None:
    assert attacks(target)[name].run(number=1, examples=100) > 0


@pytest.mark.parametrize("target", targets())
def test_what_failed_once_holds(target: str) -> None:
    for name, attack in attacks(target).items():
        for case, drawn in attack.found.items():
            try:
                held = attack.holds(drawn)
            except Exception as error:
                raise AssertionError(f"{name}: {case}") from error
            assert held


@pytest.mark.full
def test_an_attack_reports_what_it_has_tried() -> None:
    assert "0 failures" in attacked([("files", "garbled robot settings")], 0.01, 1, 1)
