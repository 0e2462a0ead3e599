"""The walk visits what the computation visits, in its order; by hand, link by link, and by itself."""

import pytest

import dynamics as dyn
from app.motion.presets import PRESETS
from app.state import Session, walk
from app.state.walk import AutoWalk, Place

EXAMPLES = sorted({preset.example for preset in PRESETS.values()})


def at(stage: str = "filter", arm: int = 0, link: int = 0, half: int = 0) -> Place:
    """A cursor that may point anywhere."""
    return Place(stage, arm, link, half)


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


def test_the_stages_are_those_of_the_solution() -> None:
    for name in EXAMPLES:
        system, state = dyn.example(name)
        assert walk.stages(system) == tuple(dyn.forward_dynamics(system, state).stages), name
        if system.is_held:
            system = dyn.release(system)
            assert walk.stages(system) == tuple(dyn.forward_dynamics(system, state).stages), name


def test_every_link_is_visited_once_and_after_what_it_needs() -> None:
    for system in (*(dyn.example(name)[0] for name in EXAMPLES), branching()):
        for stage in walk.stages(system):
            visited = [link for _, link in walk.visits(system, stage)]
            if stage == "contact":
                assert visited == [contact.link for contact in system.contacts]
                continue
            assert sorted(visited) == list(range(system.n_links))
            step = {link: at for at, link in enumerate(visited)}
            inward = stage in ("filter", "filter_correction")
            assert (walk.direction(stage) == "inward") == inward
            for k, inner in enumerate(system.inboard):
                assert inner < 0 or (step[k] < step[int(inner)]) == inward, (system.joint_names, stage, k)


def test_half_steps_go_through_the_whole_computation_and_back() -> None:
    for name in EXAMPLES:
        system = dyn.example(name)[0]
        everything = walk.whole_walk(system)
        assert len(set(everything)) == len(everything)
        for way in (1, -1):
            places = everything[::way]
            for place, expected in zip(places, [*places[1:], places[-1]], strict=True):
                assert walk.walk_half(system, place, way) == expected, name


def test_steps_along_links_arms_and_stages() -> None:
    """A step along the links stops where its stage ends, and goes on to the next arm; arms keep the step."""
    for name, along, where, count, expected in (
        ("puma560", walk.walk_link, at(link=5), 1, ("filter", 0, 5, 0)),
        ("puma560", walk.walk_link, at(link=0), 1, ("filter", 0, 1, 0)),
        ("puma560", walk.walk_link, at("smoother", link=5), 1, ("smoother", 0, 4, 0)),
        ("puma560", walk.walk_link, at("smoother", link=0), 1, ("smoother", 0, 0, 0)),
        ("two_arms_and_box", walk.walk_link, at(link=6), 1, ("filter", 1, 7, 0)),
        ("two_arms_and_box", walk.walk_link, at("smoother", link=0), 1, ("smoother", 1, 13, 0)),
        ("two_arms_and_box", walk.walk_link, at("contact", link=0), 1, ("contact", 1, 7, 0)),
        ("four_arms_and_box", walk.walk_arm, at(link=2, half=1), 1, ("filter", 1, 9, 1)),
        ("four_arms_and_box", walk.walk_arm, at(arm=3, link=21), 1, ("filter", 3, 21, 0)),
        ("four_arms_and_box", walk.walk_arm, at("contact"), 2, ("contact", 2, 14, 0)),
        ("two_arms_and_box", walk.walk_stage, at(link=3), 1, ("smoother", 0, 3, 0)),
        ("two_arms_and_box", walk.walk_stage, at("smoother", 0, 3), 1, ("contact", 0, 0, 0)),
        ("two_arms_and_box", walk.walk_stage, at("smoother_final", 0, 3), 1, ("smoother_final", 0, 3, 0)),
        ("two_arms_and_box", walk.walk_stage, at("filter", 0, 3, 1), -1, ("filter", 0, 3, 1)),
    ):
        found = along(dyn.example(name)[0], where, count)
        assert found == Place(*expected), (name, where, count)


def test_a_floating_base_has_one_half_step() -> None:
    system = dyn.example("free_flyer")[0]
    base = system.n_links - 1
    assert walk.halves(system, "filter", base) == (walk.PREDICTION,)
    assert walk.halves(system, "smoother", base) == (walk.CORRECTION,)
    assert walk.nearest(system, at("smoother", 0, base, 0)).half == walk.CORRECTION


@pytest.fixture
def session() -> Session:
    session = Session("two_planar_arms")
    session.run.accept(session.run.compute())
    return session


def test_it_goes_through_all_stages_and_stops_at_the_end(session: Session) -> None:
    now = 0.0
    auto_walk = AutoWalk(session, lambda: now, pace="Fast")
    session.walk_to_start()
    auto_walk.toggle()
    seen = []
    while auto_walk.active:
        seen.append(session.place.stage)
        now += 1.0
        auto_walk.draw()
    assert list(dict.fromkeys(seen)) == ["filter", "smoother", "contact", "filter_correction", "smoother_final"]
    assert session.at_end_of_walk
    auto_walk.toggle()
    assert session.place.stage == "filter"
