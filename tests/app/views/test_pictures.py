"""Pictures for a browser without WebGL: one at a time, the newest scene's, and a word where there are none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import numpy as np
import pytest

from app.job import Jobs
from app.views.pictures import Pictures

Run = Callable[[Coroutine[Any, Any, None]], None]


class Server:
    def draw(self, scene: object, transforms: object, size: tuple[int, int]) -> bytes:
        return str(scene).encode()

    def close(self) -> None:
        pass


class Broken(Server):
    def draw(self, scene: object, transforms: object, size: tuple[int, int]) -> bytes:
        raise RuntimeError("no EGL here")


async def settle(jobs: Jobs) -> None:
    while jobs.running:
        await asyncio.wait(jobs.running)
        jobs.attend()


def test_a_picture_of_a_scene_that_is_gone_is_not_shown(run_async: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async def live() -> None:
        monkeypatch.setattr("scenes.PictureServer", Server)
        shown: list[bytes] = []
        jobs = Jobs(print)
        pictures = Pictures(jobs, shown.append)
        pictures.ask("old", np.zeros((0, 12)))  # type: ignore[arg-type]
        assert pictures.busy
        pictures.forget()
        pictures.ask("new", np.zeros((0, 12)))  # type: ignore[arg-type]
        await settle(jobs)
        assert shown == [b"new"]
        assert not pictures.busy

    run_async(live())


def test_a_server_without_pictures_says_so_once(run_async: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async def live() -> None:
        monkeypatch.setattr("scenes.PictureServer", Broken)
        told: list[str] = []
        jobs = Jobs(told.append)
        pictures = Pictures(jobs, print)
        pictures.ask("scene", np.zeros((0, 12)))  # type: ignore[arg-type]
        await settle(jobs)
        assert told == ["this browser has no WebGL, and the server draws no pictures either: no EGL here"]
        assert pictures.busy  # for good: nothing is asked for again

    run_async(live())
