"""What compiling costs: cold, from the cache, and kernel by kernel.

A server's first start compiles what a session calls; ``python -m dynamics.compilation`` also compiles the ensemble's
kernels. Each run uses new caches in a temporary folder, so it is a first start; ``rounds`` is not used.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.contest import Claim, Result

SLOW = True
ROOT = Path(__file__).resolve().parents[1]
COLD, CACHED = 30.0, 1.0  # s
SHOWN = 25

FIRST_START = """
import time

import app.page
from dynamics.compilation import compile_kernels

started = time.perf_counter()
compile_kernels(announce=print)
print("SECONDS", time.perf_counter() - started)
"""

FROM_CACHE = """
import time

import app.page
from app.startup import compile_first

started = time.perf_counter()
compile_first()
print("SECONDS", time.perf_counter() - started)
"""

KERNEL_BY_KERNEL = """
import json
import time

from numba.core import event

from dynamics.compilation import compile_one, wanted_calls


class Cost(event.Listener):
    "Seconds of each function without those that it calls."

    def __init__(self):
        self.open, self.seconds, self.count = [], {}, {}

    def on_start(self, started):
        self.open.append([time.perf_counter(), 0.0])

    def on_end(self, ended):
        start, inner = self.open.pop()
        whole = time.perf_counter() - start
        if self.open:
            self.open[-1][1] += whole
        function = ended.data["dispatcher"].py_func
        ours = function.__module__.startswith("dynamics.")
        name = function.__name__ if ours else "numba's own"
        self.seconds[name] = self.seconds.get(name, 0.0) + whole - inner
        self.count[name] = self.count.get(name, 0) + 1


cost = Cost()
event.register("numba:compile", cost)
for index in range(len(wanted_calls(True))):
    compile_one(True, index)
print("COST", json.dumps([cost.seconds, cost.count]))
"""


def contest(rounds: int) -> Result:
    del rounds
    with (
        tempfile.TemporaryDirectory() as one,
        tempfile.TemporaryDirectory() as other,
        tempfile.TemporaryDirectory() as third,
    ):
        started, before = time.perf_counter(), os.times()
        in_python("-m", "dynamics", cache=one)
        cold, after = time.perf_counter() - started, os.times()
        cached = seconds_in(FROM_CACHE, one)
        first_start = seconds_in(FIRST_START, third)
        seconds, count = json.loads(in_python("-c", KERNEL_BY_KERNEL, cache=other).split("COST ")[1])
    costly = sorted(seconds, key=lambda name: -seconds[name])
    facts = {f"{name} (compiled {count[name]} times), s": seconds[name] for name in costly[:SHOWN]}
    facts[f"the other {max(len(costly) - SHOWN, 0)}, s"] = sum(seconds[name] for name in costly[SHOWN:])
    facts["processor time of the cold start, s"] = (
        after.children_user + after.children_system - before.children_user - before.children_system
    )
    facts["all, in one process, s"] = sum(seconds.values())
    claims = (
        Claim("cold, a server's first start, s", first_start, COLD),
        Claim("cold, every kernel and the interpreter's start, s", cold, COLD),
        Claim("from the cache, s", cached, CACHED),
    )
    return Result("compilation of every kernel", "s", 1.0, (), "", 1, facts, claims)


def seconds_in(program: str, cache: str) -> float:
    """The seconds that ``program`` prints about itself."""
    return float(in_python("-c", program, cache=cache).split("SECONDS ")[1].split()[0])


def in_python(*arguments: str, cache: str) -> str:
    """The output of a new interpreter whose compiled code is cached in ``cache``."""
    environment = dict(os.environ, NUMBA_CACHE_DIR=cache)
    ran = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    return ran.stdout
