"""A worker that was told to give back all memory at once keeps some for the next batch."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
BATCHES = """
import resource, sys
import numpy as np
from dynamics.ensemble.hands import _kept

def batch(_):
    return [np.ones(50_000) for _ in range(10)][0].sum()

begun = (lambda work, number: work(number)) if sys.argv[1] == "plain" else _kept
begun(batch, 0)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for number in range(200):
    begun(batch, number)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="it is glibc's own")
def test_pages_are_not_asked_for_anew_for_each_batch() -> None:
    """As in a worker of Dask, whose nanny tells it so."""

    def faults(how: str) -> int:
        told = os.environ | {"MALLOC_TRIM_THRESHOLD_": "65536"}
        ran = subprocess.run(
            [sys.executable, "-c", BATCHES, how], cwd=ROOT, env=told, capture_output=True, text=True, timeout=120
        )
        assert ran.returncode == 0, ran.stderr
        return int(ran.stdout)

    assert faults("plain") > 100_000
    assert faults("kept") < 10_000
