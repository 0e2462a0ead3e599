"""Room for the frames of deep Python calls, so that no call maps memory."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TypeVar

Function = TypeVar("Function", bound=Callable[..., object])
SLOTS = 70_000  # more than half of the 2^17 that CPython then makes room for: all that is called takes the others


def with_room_for_frames(function: Function) -> Function:
    """``function``, which other functions find room for their frames below.

    CPython makes room for frames in pieces of 16 kB, and gives a piece back as soon as it is empty. Of a compiler's
    million calls at one depth, which straddles two pieces, each would map and unmap memory, a fifth of the whole
    time. A frame that claims many slots gets a large piece, and leaves what it does not use to the frames below.
    """
    if isinstance(function, FunctionType):
        function.__code__ = function.__code__.replace(co_stacksize=SLOTS)
    return function
