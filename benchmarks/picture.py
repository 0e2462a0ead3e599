"""A moment's picture: the poses of everything drawn, all layers, and the share of a frame that computing them takes."""

from __future__ import annotations

import statistics
import time

import dynamics as dyn
import scenes
from benchmarks.contest import Claim, Line, Result

FRAME = 1.0 / 30.0
SHARE = 0.25
CALLS = 20


def contest(rounds: int) -> Result:
    lines, claims = [], []
    for name in dyn.examples():
        solution = dyn.forward_dynamics(*dyn.example(name))
        scene = scenes.Scene(solution.system, solution)
        scene.transforms(solution)
        taken = []
        for _ in range(rounds):
            start = time.perf_counter()
            for _ in range(CALLS):
                scene.transforms(solution)
            taken.append((time.perf_counter() - start) / CALLS)
        median = statistics.median(taken)
        lines.append(Line(name, median, min(taken), 1.0, 0.0, f"{len(scene.meshes)} meshes"))
        claims.append(Claim(f"{name}, share of a frame", median / FRAME, SHARE))
    return Result("a moment's picture, every layer", "ms", 1e3, tuple(lines), rounds=rounds, claims=tuple(claims))
