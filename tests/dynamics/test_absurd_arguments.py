"""Every parameter of every public function and method, given an absurd value: a named error, or a sound answer."""

from itertools import count
from pathlib import Path

import pytest

from tests.dynamics.absurd_values import absurd, faults
from tests.dynamics.valid_arguments import NOT_READ, ONLY_COMPILED, call_of, walked

DRAWN = {"Recording.to_film"}
SLOW = "TextbookSimulation", "compare", "worst_case", "sensitivity", "study"
"""What takes long even with good arguments: the attack and ``--full`` try it."""


@pytest.mark.compiled_only
def test_one_absurd_value_a_parameter_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The values in turn, so that each is tried at some parameter; the attack draws others."""
    monkeypatch.chdir(tmp_path)  # "1" is the name of a file, too
    turn, found = count(), {}
    for name in sorted(set(walked()) - ONLY_COMPILED):
        if name.startswith(SLOW):
            continue
        call = call_of(name, tmp_path)
        for parameter, annotation in call.annotations.items():
            if parameter in NOT_READ.get(name, ()):
                continue
            values = list(absurd(call.arguments[parameter], annotation).items())
            words, (value, must_refuse) = values[next(turn) % len(values)]
            fresh = call_of(name, tmp_path) if name.startswith("Simulation.") else call
            if wrong := faults(fresh, {parameter: value}, must_refuse):
                found[f"{name}, {parameter}: {words}"] = wrong
    assert not found


def marks(name: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.compiled_only] * (name in ONLY_COMPILED) + [pytest.mark.render] * (name in DRAWN)


@pytest.mark.full
@pytest.mark.parametrize("name", [pytest.param(name, marks=marks(name)) for name in walked()])
def test_every_absurd_value_is_refused_by_name(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    call = call_of(name, tmp_path)
    call.answer()  # or what is wrong with one argument would be hidden by another
    found = {}
    for parameter, annotation in call.annotations.items():
        if parameter in NOT_READ.get(name, ()):
            continue
        for words, (value, must_refuse) in absurd(call.arguments[parameter], annotation).items():
            fresh = call_of(name, tmp_path) if name.startswith(("Simulation.", "TextbookSimulation.")) else call
            if wrong := faults(fresh, {parameter: value}, must_refuse):
                found[f"{parameter}: {words}"] = wrong
    assert not found
