"""Every parameter of every public function and method, given what nobody means: a named error, or a sound answer."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

import dynamics as dyn
from tests.dynamics.absurd_values import absurd, faults
from tests.dynamics.valid_arguments import call_of, walked

NOT_READ = {"TextbookRecording.solution_at": {"method"}}
"""Parameters that are there because a sibling has them."""


def test_every_public_function_is_walked() -> None:
    functions = {name for name in dyn.__all__ if inspect.isfunction(inspect.unwrap(getattr(dyn, name)))}
    assert functions - set(walked()) == {
        "examples", "robot_names", "compile_kernels", "textbook_letters", "paper_results", "questions"
    }  # fmt: skip


def test_every_public_class_that_is_called_is_walked() -> None:
    owners = {name.partition(".")[0].partition(",")[0] for name in walked()}
    simulated = {"Simulation", "TextbookSimulation", "Recording", "TextbookRecording", "Solver", "Grasp", "Release"}
    controllers = {"JointPD", "TaskSpacePD", "ConstantTorque"}
    assert simulated | controllers | {"System", "Robot", "Reading", "TaskObject"} <= owners


ONLY_COMPILED = {"Solver.__call__", "Recording.to_html", "Recording.to_film", "Recording.to_gltf"}
"""A kernel tells by an argument's type whether it can be used as it is; a whole page or film is made of a recording."""
DRAWN = {"Recording.to_film"}


def marks(name: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.compiled_only] * (name in ONLY_COMPILED) + [pytest.mark.render] * (name in DRAWN)


@pytest.mark.slow
@pytest.mark.parametrize("name", [pytest.param(name, marks=marks(name)) for name in walked()])
def test_what_nobody_means_is_refused_by_name_and_briefly(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # "1" is the name of a file, too
    call = call_of(name, tmp_path)
    call.answer()  # or what is wrong with one argument would be hidden by another
    found = {}
    for parameter, annotation in call.annotations.items():
        if parameter in NOT_READ.get(name, ()):
            continue
        for told, (value, must_refuse) in absurd(call.arguments[parameter], annotation).items():
            fresh = call_of(name, tmp_path) if name.startswith(("Simulation.", "TextbookSimulation.")) else call
            if wrong := faults(fresh, {parameter: value}, must_refuse):
                found[f"{parameter}: {told}"] = wrong
    assert not found
