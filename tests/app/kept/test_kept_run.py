"""What kept runs are called, what they take, and how many of them there is room for."""

from __future__ import annotations

import dataclasses
from types import MappingProxyType

import numpy as np
import pytest

from app.kept import kept_run
from app.kept.kept_run import LETTERS, LONGEST_NAME, Kept, free_letter, name_of, size_of, why_not_kept
from app.kept.names import described, told_apart
from app.motion.bodies import Body, body_of
from app.motion.interventions import Pushed, Released
from app.motion.numerics import Numerics
from app.motion.presets import PRESETS
from app.motion.setup import Setup, machine_of_preset


def plain(preset: str) -> Setup:
    return Setup(machine_of_preset(PRESETS[preset]))


def test_a_name_says_what_was_changed() -> None:
    setup = plain("two_arms_and_box")
    title = PRESETS["two_arms_and_box"].title
    assert described(setup) == title
    system = setup.machine.system
    box = system.n_links
    heavy, light = ({box: body_of(system, box).scaled(mass)} for mass in (5.0, 2.5))
    assert described(dataclasses.replace(setup, bodies=heavy)) == f"{title}, object 5 kg"
    askew = {box: dataclasses.replace(light[box], inertia=(0.1, 0.1, 0.1, 0.0, 0.0, 0.01))}
    assert described(dataclasses.replace(setup, bodies=askew)) == f"{title}, object changed"
    wrench = np.zeros((setup.machine.system.n_links + 1, 6))
    changed = dataclasses.replace(
        setup, bodies=light, interventions=(Pushed(0.25, wrench), Pushed(0.5, None), Released(1))
    )
    assert described(changed) == f"{title}, object 2.5 kg, pushed at 0.25 s, let go at 1 s"
    joints = setup.machine.system.joint_names
    one = dataclasses.replace(setup, torques=MappingProxyType({joints[2]: -1.5}))
    assert described(one) == f"{title}, -1.5 N m at {joints[2]}"
    two = dataclasses.replace(setup, torques=MappingProxyType({joints[2]: -1.5, joints[3]: 1.0}), posture=(0.0,) * 12)
    assert described(two) == f"{title}, torques at 2 joints, another start"


CHANGED = {
    "torques": {"joint_1": 1.0},
    "posture": (0.1,) * 6,
    "interventions": (Released(1.0),),
    "drive": "free",
    "bodies": {0: Body(1.0, (0.0, 0.0, 0.0), (0.1, 0.1, 0.1, 0.0, 0.0, 0.0))},
    "gravity": (0.0, 0.0, -1.62),
    "damping": 0.5,
    "numerics": Numerics("euler"),
}


@pytest.mark.parametrize("field", [field.name for field in dataclasses.fields(Setup) if field.name != "machine"])
def test_whatever_was_changed_is_told(field: str) -> None:
    setup = plain("puma560")
    changed = dataclasses.replace(setup, **{field: CHANGED[field]})
    assert described(changed) != described(setup)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  two\n arms ", "two arms"),
        ("x" * 5000, "x" * (LONGEST_NAME - 1) + "…"),
        ("y" * LONGEST_NAME, "y" * LONGEST_NAME),
        ("many words of one name, " * 3 + "pushed at 3 s", "many words of one name, " * 3 + "pushed…"),
        ("\0\u202e\ud800", ""),
        ("=HYPERLINK(1)", "HYPERLINK(1)"),
        ("<b>heavy</b>", "<b>heavy</b>"),
        ("", ""),
    ],
)
def test_a_name_is_one_line_that_can_be_printed(text: str, name: str) -> None:
    assert name_of(text) == name


def kept_of(count: int) -> tuple[Kept, ...]:
    setup = plain("planar_chain")
    return tuple(Kept(setup.run(), letter, letter, setup=setup) for letter in LETTERS[:count])


def test_there_are_as_many_as_letters_and_one_that_is_free_is_given_again() -> None:
    kept = kept_of(len(LETTERS))
    assert f"{len(LETTERS)} runs" in why_not_kept(kept, plain("planar_chain").run())
    assert not why_not_kept(kept[1:], plain("planar_chain").run())
    assert free_letter((kept[0], *kept[2:])) == "B"
    titles = [each.title for each in kept]
    assert told_apart("A", titles) == "A (2)"
    assert told_apart("Z", titles) == "Z"


def test_their_recordings_take_no_more_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = plain("two_arms_and_box")
    run = setup.run()
    begun = size_of(run)
    while run.end < 2.0:
        run.accept(run.compute())
    arrays = [getattr(part, name) for leg in run.legs for part in leg.recording.segments
              for name in ("times", "x", "v", "acceleration", "tau", "drift", "wrench")]  # fmt: skip
    held = sum(array.nbytes for array in arrays)
    assert size_of(run) == pytest.approx(held * run.duration / run.end, rel=0.01)  # as much as all of it will take
    assert size_of(run) <= begun <= 3 * size_of(run)  # before anything is known, no less than later
    kept = (Kept(run, "", "A", setup=setup),)
    monkeypatch.setattr(kept_run, "MOST_BYTES", round(1.5 * size_of(run)))
    assert "room" in why_not_kept(kept, setup.run())
    assert not why_not_kept(kept, run)  # the same one takes nothing more
    assert not why_not_kept((), setup.run())  # one is always kept
