"""Before the page has come, the machine's own motion is shown, small, and only where that is what is asked for."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from app.motion.presets import PRESETS
from app.motion.world import Numerics, body_of
from app.opening.__main__ import GRAIN, INTERVAL, packed_opening
from app.opening.opening import FILES, begins_with, first_page
from app.replay import instants
from app.state import Session
from app.state.address import query_of
from app.views.scene_options import PastPaths, look_at
from scenes import Scene
from tests.app.arrival import computed
from tests.app.replay.test_replay import opened, series_of

FIRST = "iiwa14"
MOST_BYTES = 100_000
"""Four tenths of a second of a line of 2 Mbit/s."""
pytestmark = pytest.mark.compiled_only


def kept_opening(preset: str) -> bytes:
    return (FILES / f"{preset}.gz").read_bytes()


def unpacked(packed: bytes) -> tuple[dict[str, Any], NDArray[np.float32]]:
    """What the browser reads of it, and the poses (instants, meshes, 12)."""
    data, held = opened(packed)
    poses = series_of(data["pictures"]["poses"], held)
    return data, poses.T.reshape(poses.shape[1], -1, 12)


def test_it_is_small_and_the_machines_own_motion() -> None:
    assert len(kept_opening(FIRST)) < MOST_BYTES
    data, poses = unpacked(kept_opening(FIRST))
    session = Session(FIRST)
    computed(session.run)
    times = instants(session.run.end, INTERVAL)
    assert (data["duration"], data["interval"], len(poses)) == (session.run.end, INTERVAL, len(times))
    first = session.run.solution_at(0.0)
    scene = Scene(session.system, first, "light")
    is_body = np.array([layer < 2 for layer in data["pictures"]["layerOf"]])
    bodies = [k for k, mesh in enumerate(scene.meshes) if mesh.layer in ("links", "object")]
    for k in (0, len(times) // 3, len(times) - 1):
        solution = session.run.solution_at(float(times[k]))
        look = look_at(session, PastPaths(), solution, float(times[k]))
        exact = scene.transforms(solution, ("links", "object"), look)[bodies]
        np.testing.assert_allclose(poses[k][is_body], exact, rtol=0, atol=0.51 * GRAIN)


@pytest.mark.parametrize(
    "preset", [FIRST, "dual_arm_satellite", *(pytest.param(name, marks=pytest.mark.full) for name in PRESETS)]
)
def test_what_is_kept_is_what_would_be_packed(preset: str) -> None:
    """Or ``python -m app.opening`` has to write it anew."""
    (kept, poses), (data, own) = unpacked(kept_opening(preset)), unpacked(packed_opening(preset))
    assert (kept["layers"], kept["pictures"]["layerOf"]) == (data["layers"], data["pictures"]["layerOf"])
    np.testing.assert_allclose(poses, own, rtol=0, atol=1.01 * GRAIN)


def test_a_server_that_starts_shows_the_machine_that_is_asked_for() -> None:
    for asked, shown in (("panda", "panda"), ("ghost", FIRST), ("</script>", FIRST)):
        page = first_page({"preset": asked}, "static/extensions/panel/", starting=True)
        assert f'{{"preset": "{shown}", ' in page
        assert page == first_page({"preset": shown}, "static/extensions/panel/", starting=True)
        assert "data-starting" in page
        assert "{{" not in page
        assert "{%" not in page


def test_a_page_begins_as_its_address_says() -> None:
    begin = begins_with({"play": "0"})  # one wish needs no machine
    assert (begin["preset"], begin["time"], begin["playing"]) == (FIRST, 0.0, False)
    begin = begins_with({"preset": "panda", "t": "2.5", "play": "1", "speed": "0.1", "layers": "frames,</script>"})
    layers = ["frames", "</script>"]
    assert begin == {"preset": "panda", "time": 2.5, "playing": True, "speed": 0.1, "layers": layers}
    page = first_page({"preset": "panda", "layers": "</script>"}, "")
    assert page.count("</script>") == first_page({"preset": "panda"}, "").count("</script>")


def test_a_changed_pushed_or_broken_motion_is_not_shown() -> None:
    session = Session("two_arms_and_box")
    box, heavy = session.system.n_links, body_of(session.system, 3).scaled(9.0)
    for name, change in {
        "mass": {"bodies": {box: body_of(session.system, box).scaled(3.0)}}, "torques": {"torques": {"1/joint_2": 5.0}},
        "bodies": {"bodies": {3: heavy}}, "gravity": {"gravity": (0.0, 0.0, 0.0)}, "damping": {"damping": 0.5},
        "method": {"numerics": Numerics("euler")}, "step": {"numerics": Numerics(step=5e-4)},
        "posture": {"posture": tuple(session.solution().state.q.tolist())},
    }.items():  # fmt: skip
        assert session.change("", **change), session.message
        query = query_of(session)
        session.undo()
        assert name in query
        assert begins_with(query) is None, name
        assert begins_with({key: value for key, value in query.items() if key != name}) is not None, name
    for name in ("happenings", "breaks"):
        assert begins_with({"preset": "panda", name: "x"}) is None, name
    assert begins_with({"preset": "ghost"})["preset"] == FIRST  # as the page itself does
