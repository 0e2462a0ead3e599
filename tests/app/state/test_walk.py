"""The walk visits what the computation visits, in its order; nothing of it needs a page."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import dynamics as dyn
from app.motion.presets import PRESETS
from app.state import walk
from app.state.walk import Place

EXAMPLES = sorted({preset.example for preset in PRESETS.values()})


@dataclass
class At:
    """A cursor that may point anywhere."""

    stage: str = "filter"
    arm: int = 0
    link: int = 0
    half: int = 0


def branching() -> dyn.System:
    """Two fingers on a wrist."""
    body = "<inertial><mass value='1'/><inertia ixx='.1' iyy='.1' izz='.1' ixy='0' ixz='0' iyz='0'/></inertial>"
    links = "".join(f"<link name='{name}'>{body}</link>" for name in ("base", "wrist", "left", "right", "nail"))
    joints = "".join(
        f"<joint name='to_{child}' type='continuous'><parent link='{parent}'/><child link='{child}'/>"
        f"<origin xyz='{x} 0 .2'/><axis xyz='0 1 0'/></joint>"
        for parent, child, x in (
            ("base", "wrist", 0.0), ("wrist", "left", -0.1), ("wrist", "right", 0.1), ("right", "nail", 0.0)
        )
    )  # fmt: skip
    return dyn.single_arm(dyn.load_urdf_text(f"<robot name='hand'>{links}{joints}</robot>".encode(), "hand"))


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_stages_are_those_of_the_solution(name: str) -> None:
    system, state = dyn.example(name)
    assert walk.stages(system) == tuple(dyn.forward_dynamics(system, state).stages)
    if system.is_held:
        system = dyn.release(system)
        assert walk.stages(system) == tuple(dyn.forward_dynamics(system, state).stages)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_link_is_visited_once_and_after_what_it_needs(name: str) -> None:
    check_order(dyn.example(name)[0])


def test_in_a_tree_every_body_comes_before_its_inboard_neighbor() -> None:
    check_order(branching())


def check_order(system: dyn.System) -> None:
    for stage in walk.stages(system):
        visited = [link for _, link in walk.visits(system, stage)]
        if stage == "contact":
            assert visited == [contact.link for contact in system.contacts]
            continue
        assert sorted(visited) == list(range(system.n_links))
        step = {link: at for at, link in enumerate(visited)}
        inward = walk.direction(stage) == "inward"
        for k, inner in enumerate(system.inboard):
            assert inner < 0 or (step[k] < step[int(inner)]) == inward


def test_opposite_sweeps_run_opposite_ways() -> None:
    ways = {stage: walk.direction(stage) for stage in ("filter", "filter_correction", "smoother", "smoother_final")}
    assert ways == {
        "filter": "inward", "filter_correction": "inward", "smoother": "outward", "smoother_final": "outward"
    }  # fmt: skip
    assert walk.direction("dual_filter") == "outward"


@pytest.mark.parametrize("name", EXAMPLES)
def test_half_steps_go_through_the_whole_computation_and_back(name: str) -> None:
    system = dyn.example(name)[0]
    everything = walk.whole_walk(system)
    assert len(set(everything)) == len(everything)
    place = everything[0]
    for expected in everything[1:]:
        place = walk.walk_half(system, place, 1)
        assert place == expected
    assert walk.walk_half(system, place, 1) == place
    for expected in everything[-2::-1]:
        place = walk.walk_half(system, place, -1)
        assert place == expected
    assert walk.walk_half(system, place, -1) == place


def test_a_link_step_stops_where_its_stage_ends() -> None:
    system = dyn.example("puma560")[0]
    last = system.n_joints - 1
    assert walk.walk_link(system, At(link=last), 1) == Place("filter", 0, last, 0)
    assert walk.walk_link(system, At(link=0), 1) == Place("filter", 0, 1, 0)
    assert walk.walk_link(system, At("smoother", link=last), 1) == Place("smoother", 0, last - 1, 0)
    assert walk.walk_link(system, At("smoother", link=0), 1) == Place("smoother", 0, 0, 0)


def test_a_link_step_goes_on_to_the_next_arm() -> None:
    system = dyn.example("two_arms_and_box")[0]
    per_arm = system.n_joints // 2
    assert walk.walk_link(system, At(link=per_arm - 1), 1) == Place("filter", 1, per_arm, 0)
    assert walk.walk_link(system, At("smoother", link=0), 1) == Place("smoother", 1, 2 * per_arm - 1, 0)
    assert walk.walk_link(system, At("contact", link=0), 1) == Place("contact", 1, per_arm, 0)


def test_arms_are_compared_at_the_same_step() -> None:
    system = dyn.example("four_arms_and_box")[0]
    per_arm = system.n_joints // 4
    assert walk.walk_arm(system, At(link=2, half=1), 1) == Place("filter", 1, per_arm + 2, 1)
    assert walk.walk_arm(system, At(arm=3, link=3 * per_arm), 1).arm == 3
    assert walk.walk_arm(system, At("contact"), 2) == Place("contact", 2, 2 * per_arm, 0)


def test_stages_keep_the_link_where_they_visit_it() -> None:
    system = dyn.example("two_arms_and_box")[0]
    assert walk.walk_stage(system, At(link=3), 1) == Place("smoother", 0, 3, 0)
    assert walk.walk_stage(system, At("smoother", 0, 3), 1) == Place("contact", 0, 0, 0)
    assert walk.walk_stage(system, At("smoother_final", 0, 3), 1) == Place("smoother_final", 0, 3, 0)
    assert walk.walk_stage(system, At("filter", 0, 3, 1), -1) == Place("filter", 0, 3, 1)


def test_a_base_that_floats_has_one_half_step() -> None:
    system = dyn.example("free_flyer")[0]
    base = system.n_links - 1
    assert walk.halves(system, "filter", base) == (walk.PREDICTION,)
    assert walk.halves(system, "smoother", base) == (walk.CORRECTION,)
    assert walk.nearest(system, At("smoother", 0, base, 0)).half == walk.CORRECTION


def test_a_cursor_that_points_at_nothing_means_something_near() -> None:
    held = dyn.example("two_arms_and_box")[0]
    free = dyn.release(held)
    assert walk.nearest(free, At("contact", 1, 7)) == Place("filter", 1, 7, 0)
    assert walk.nearest(held, At("contact", 1, 9)) == Place("contact", 1, 7, 0)
    assert walk.nearest(held, At("filter", 0, 999)) == Place("filter", 0, 0, 0)
    assert walk.nearest(held, At("filter", 0, 8)) == Place("filter", 1, 8, 0)
