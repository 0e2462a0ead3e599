"""One machine in three modes: kept when the mode is switched, by links, undo and session files; a file's own, too."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from app.assembly.build import KINDS, OWN, Base, Build, Thing
from app.assembly.robots import TITLES, packaged
from app.controls.chooser import Chooser
from app.controls.put_together import PutTogether
from app.motion.built_machine import EXAMPLES, build_of, machine_of_build, preset_of
from app.motion.presets import MODE_OF_KIND, MODES, PRESETS
from app.motion.setup import Machine, Setup, machine_of_file
from app.saved.read import found_in
from app.saved.written import written
from app.state import Session
from app.state.address import asked, query_of
from app.state.build_text import asked_build, text_of_build
from app.state.opening import RefusedError
from app.state.setup_text import asked_setup, query_of_setup
from tests.dynamics.systems import draw_robot

Settled = Callable[..., None]
BUILDS = [
    Build("single_arm", ("free_flyer",)),
    Build("free_flyer", ("puma560",)),
    Build("multi_arm", ("puma560", "panda", "iiwa14")),
    Build("multi_arm", ("iiwa14",) * 2, Thing("beam", (1.3, 0.15), 7.5), (Base(-1.3, 0.02, 0.3), Base(1.3, 0.0, 3.4))),
    Build("multi_arm", ("panda",) * 3, Thing("sphere", mass=0.25)),
    Build("multi_arm", ("jazidie_arm",) * 2, Thing("cylinder", (0.1, 0.3))),
]


def drawn_file() -> bytes:
    return draw_robot(np.random.default_rng(0), 6, kinds=("revolute",)).urdf().encode()


@pytest.mark.parametrize("name", list(TITLES)[:-2])
def test_the_robot_is_kept_when_the_mode_is_switched(name: str, settled: Settled) -> None:
    session = Session("puma560")
    settled(session, lambda: session.put_together(Build("single_arm", (name,))))
    for mode in ("Multi-arm", "Free-flying", "Single arm", "Free-flying", "Multi-arm"):
        settled(session, lambda mode=mode: session.open_mode(mode))
        assert (session.message, session.mode) == ("", mode)
        assert session.build is not None
        assert set(session.build.robots) == {name}
        for robot in session.loaded.robots:
            assert robot.joint_names == packaged(name).joint_names


def test_who_has_chosen_a_mode_may_think_better_of_it_at_once(settled: Settled) -> None:
    """A control that shows the old machine for an instant would take the way back to it for a repetition."""
    session = Session("stanford")
    chooser = Chooser(session)
    settled(session, lambda: setattr(chooser._mode, "value", "Multi-arm"))
    assert session.mode == "Multi-arm"
    chooser._mode.value = "Single arm"
    assert (session.mode, session.mode_ahead) == ("Single arm", "Single arm")


def test_undo_and_redo_go_through_the_modes(settled: Settled) -> None:
    session = Session("puma560")
    seen = [session.setup]
    for mode in ("Multi-arm", "Free-flying"):
        settled(session, lambda mode=mode: session.open_mode(mode))
        seen.append(session.setup)
    for setup in seen[1::-1]:
        session.undo()
        assert session.setup is setup
    for setup in seen[1:]:
        session.redo()
        assert session.setup is setup


def test_what_it_held_is_held_again(settled: Settled) -> None:
    session = Session("puma560")
    held = Build("multi_arm", ("puma560", "panda"), Thing("sphere", (0.3,), 2.0))
    settled(session, lambda: session.put_together(held))
    settled(session, lambda: session.open_mode("Free-flying"))
    settled(session, lambda: session.open_mode("Multi-arm"))
    assert session.build == held


def test_a_mode_that_a_packaged_motion_shows_is_that_motion(settled: Settled) -> None:
    session = Session("two_arms_and_box")
    session.open_mode("Single arm")
    assert session.preset.name == "iiwa14"
    session.open_mode("Multi-arm")
    assert session.preset.name == "two_arms_and_box"
    settled(session, lambda: session.open_mode("Free-flying"))
    assert session.preset.title == "KUKA iiwa 14, floating"
    session.open_mode("Single arm")
    assert session.preset.name == "iiwa14"


def test_every_packaged_motion_is_a_build_of_its_own_kind() -> None:
    for preset in PRESETS.values():
        build = EXAMPLES[preset.example]
        system, _ = dyn.example(preset.example)
        assert MODE_OF_KIND[build.kind] == preset.mode
        assert len(build.robots) == system.n_arms
        assert [packaged(name).joint_names for name in build.robots] == [each.joint_names for each in system.robots]
        if system.task_object is not None:
            assert build.thing.mass == system.task_object.mass
            assert build.thing.size == system.task_object.geometry[0].size
        assert preset_of(build) is not None


def test_a_file_of_ones_own_is_kept_in_three_modes(open_file: Callable[..., None], settled: Settled) -> None:
    session, text = Session("puma560"), drawn_file()
    open_file(session, text, "mine.urdf")
    own = session.loaded.robots[0]
    for mode in ("Multi-arm", "Free-flying", "Single arm"):
        settled(session, lambda mode=mode: session.open_mode(mode))
        assert (session.message, session.mode) == ("", mode)
        assert session.setup.machine.file is not None
        assert "mine.urdf" in session.preset.title
        assert [robot.joint_names for robot in session.loaded.robots] == [own.joint_names] * session.loaded.n_arms
    assert session.build == Build("single_arm", (OWN,))


@pytest.mark.slow
def test_a_file_of_ones_own_holds_with_another(open_file: Callable[..., None], settled: Settled) -> None:
    session, text = Session("puma560"), drawn_file()
    open_file(session, text, "mine.urdf")
    settled(session, lambda: session.put_together(Build("multi_arm", (OWN, "panda"))))
    assert session.message == ""
    query = query_of_setup(session.setup)
    assert query["preset"] == "file"
    setup, _ = asked_setup(query, machine_of_file(text, "mine.urdf"))
    same(setup, session.setup)
    saved, texts = found_in(written(session).encode(), Session("puma560"))
    same(saved.setup, session.setup)
    assert list(texts.values()) == [text]
    with pytest.raises(RefusedError, match="not part of a link"):
        asked_setup(query)


def same(one: Setup, other: Setup) -> None:
    assert one.machine.built is not None
    assert other.machine.built is not None
    assert one.machine.built.build == other.machine.built.build
    assert one.machine.state.q == pytest.approx(other.machine.state.q, abs=0.0)
    assert one.machine.preset == other.machine.preset


@pytest.mark.parametrize("build", BUILDS)
def test_a_link_and_a_session_file_bring_it_back(build: Build, settled: Settled) -> None:
    session = Session("puma560")
    settled(session, lambda: session.put_together(build))
    assert session.message == ""
    query = query_of(session)
    found = asked(query, Session("puma560"))
    same(found.setup, session.setup)
    assert found.setup.run().start.q == pytest.approx(session.run.start.q, abs=0.0)
    saved, _ = found_in(written(session).encode(), Session("puma560"))
    same(saved.setup, session.setup)


@pytest.mark.parametrize("build", BUILDS)
def test_a_build_is_read_as_it_is_written(build: Build) -> None:
    assert asked_build(text_of_build(build)) == build


@pytest.mark.parametrize(
    "text",
    [
        "",
        "single_arm",
        "two_arm;puma560",
        "single_arm;robot",
        "single_arm;puma560,puma560",
        "single_arm;puma560;box",
        "multi_arm;" + ",".join(["puma560"] * 9),
        "multi_arm;puma560;egg",
        "multi_arm;puma560;box,1,2",
        "multi_arm;puma560;box,1,2,1e9",
        "multi_arm;puma560;box,nan,1,1",
        "multi_arm;puma560;box,0kg",
        "multi_arm;puma560;box;1,2",
        "multi_arm;puma560;box;1,2,99",
        "multi_arm;puma560;box;1,2,3;4",
        "multi_arm;" + ",;" * 10_000,
    ],
)
def test_what_a_link_says_of_a_machine_is_not_trusted(text: str) -> None:
    with pytest.raises(RefusedError):
        asked_setup({"preset": "built", "build": text})


def test_a_link_without_a_machine_says_so() -> None:
    with pytest.raises(RefusedError, match="how its machine is put together"):
        asked_setup({"preset": "built"})


@pytest.mark.slow
def test_what_cannot_be_put_together_leaves_the_machine(settled: Settled) -> None:
    session = Session("puma560")
    before = session.setup
    far = Build("multi_arm", ("panda",) * 2, bases=(Base(-9.0, 0.0, 0.0), Base(1.0, 0.0, 0.0)))
    settled(session, lambda: session.put_together(far))
    assert "Arm 1, Panda, does not reach" in session.message
    assert session.setup is before
    assert session.mode_ahead == "Single arm"


def test_another_machine_that_is_opened_meanwhile_stays(run_async: Callable[[Coroutine[Any, Any, Any]], Any]) -> None:
    session = Session("puma560")

    async def live() -> None:
        session.put_together(Build("free_flyer", ("panda",)))
        session.open_preset("planar_chain")
        while session.opening.awaited is not None:
            session.jobs.attend()
            await asyncio.sleep(0.001)

    run_async(live())
    assert session.preset.name == "planar_chain"


@pytest.mark.parametrize("kind", KINDS)
def test_it_moves_as_its_drive_says(kind: str) -> None:
    build = Build(kind, ("panda",) * (2 if kind == "multi_arm" else 1))  # type: ignore[arg-type]
    run = Setup(machine_of_build(build)).run()
    while run.end < 2.5:
        run.accept(run.compute())
    assert not run.failure
    start, then = run.solution_at(0.0), run.solution_at(2.5)
    assert np.abs(then.state.q - start.state.q).max() > 0.05
    if kind == "multi_arm":
        assert then.state.object_pose is not None
        assert start.state.object_pose is not None
        lifted = then.state.object_pose[2, 3] - start.state.object_pose[2, 3]
        assert lifted == pytest.approx(machine_of_build(build).preset.carry[2], rel=0.1)


def test_the_menus_follow_what_is_put_together(settled: Settled) -> None:
    session = Session("puma560")
    chooser = Chooser(session)
    for mode in MODES[::-1]:
        settled(session, lambda mode=mode: session.open_mode(mode))
        assert chooser._mode.value == mode
        assert chooser._preset.value in chooser._preset.options.values()
    assert session.preset.name == "puma560"


@pytest.mark.slow
def test_each_control_asks_for_its_own_change(settled: Settled, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.binding.PATIENCE", 0.0)  # no browser repeats anything here
    session = Session("two_arms_and_box")
    control = PutTogether(session)

    def choose(widget: Any, value: object) -> Build:
        settled(session, lambda: setattr(widget, "value", value))
        assert session.message == ""
        found = build_of(session.setup.machine)
        assert found is not None
        return found

    assert choose(control.arms, 3).robots == ("iiwa14",) * 3
    assert choose(control.shape, "beam").thing == Thing("beam")
    assert choose(control.robot, "panda").robots == ("panda",) * 3
    control.arm.value = 1
    assert choose(control.robot, "puma560").robots == ("panda", "puma560", "panda")
    assert choose(control.mass.widget, "2.5").thing.mass == 2.5
    size = control._thing.size
    assert choose(control.sizes[1].widget, "0.123").thing.size == (size[0], 0.123)
    x, y, yaw = (float(row.field.widget.value) for row in control.places)
    bases = choose(control.places[0].field.widget, f"{x - 0.05:.4f}").bases
    assert bases is not None
    assert (bases[1].x, bases[1].y) == pytest.approx((x - 0.05, y), abs=1e-3)
    assert np.degrees(bases[1].yaw) == pytest.approx(yaw, abs=0.1)
    assert control.places[0].slider.value == pytest.approx(x - 0.05, abs=1e-3)
    bases = choose(control.places[1].slider, round(y + 0.04, 2)).bases
    assert bases is not None
    assert bases[1].y == pytest.approx(y + 0.04, abs=6e-3)
    assert not control.round.disabled
    settled(session, lambda: control.round.param.trigger("clicks"))
    assert session.build is not None
    assert session.build.bases is None
    control.arm.value = -1
    assert control.robot.value == ""  # not all alike
    for _ in range(9):
        session.undo()
    assert session.preset.name == "two_arms_and_box"
    assert control.arms.value == 2


def test_every_kind_of_every_robot_can_be_switched_to() -> None:
    for name, kind in itertools.product(TITLES, KINDS):
        build = Build("single_arm", (name,)).of_kind(kind)
        assert (build.kind, build.robots[0]) == (kind, name)


def test_a_grip_that_is_a_point_is_not_called_rigid() -> None:
    """What hands hold rigidly is what the controls put together, and this motion is not of them."""
    said = PutTogether(Session("point_contact"))._said.object
    assert "Every hand holds rigidly" not in said
    assert "put together here is held rigidly" in said


def test_a_machine_that_is_put_together_of_nothing_asks_nothing() -> None:
    """Whatever a browser sends to its hidden controls."""
    session = Session("puma560")
    known = session.setup.machine
    session.show(Setup(Machine(replace(known.preset, example="elsewhere"), known.system, known.state)), {}, {})
    controls = PutTogether(session)
    assert session.build is None
    assert not controls._column.visible
    before = session.setup
    controls.arms.value = 3
    controls.robot.value = "panda"
    controls.shape.value = "sphere"
    controls.round.clicks += 1
    assert (session.setup, session.message) == (before, "")
