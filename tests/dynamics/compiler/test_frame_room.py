"""Deep Python calls find their room at once."""

from __future__ import annotations

import pytest

from dynamics.compiler.frame_room import with_room_for_frames

resource = pytest.importorskip("resource", reason="Windows does not count a thread's pages")
CALLS = 300


def leaf() -> None:
    """What is called often at one depth."""


def call_below(depth: int) -> None:
    if depth > 0:
        call_below(depth - 1)
    else:
        for _ in range(CALLS):
            leaf()


def at_every_depth() -> int:
    """Pages that the system had to bring while ``leaf`` was called often from each of 400 depths."""
    before = resource.getrusage(resource.RUSAGE_THREAD).ru_minflt
    for depth in range(400):
        call_below(depth)
    return resource.getrusage(resource.RUSAGE_THREAD).ru_minflt - before


def test_no_call_below_maps_memory() -> None:
    roomy = with_room_for_frames(lambda: at_every_depth())
    roomy()  # touches the room once
    assert roomy() < CALLS <= at_every_depth()


def test_the_function_stays_what_it_is() -> None:
    @with_room_for_frames
    def scaled(a: float, *, by: float = 2.0) -> float:
        """a times ``by``."""
        return a * by

    assert (scaled(3.0), scaled(3.0, by=0.5)) == (6.0, 1.5)
    assert scaled.__doc__ == "a times ``by``."
    assert with_room_for_frames(len)("abc") == 3
