"""Results as text and as JSON."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict
from importlib import metadata
from pathlib import Path

from benchmarks.contest import Result

PACKAGES = ("numpy", "scipy", "numba", "pin", "mujoco", "panel", "bokeh", "pyvista")


def circumstances() -> dict[str, str]:
    """Versions and machine, so that figures can be read later."""
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            versions[package] = "not installed"
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {"python": platform.python_version(), "machine": platform.machine(), "cores": str(cores), **versions}


def as_text(result: Result) -> str:
    rows = [f"{result.title}" + (f"   [{result.limit}]" if result.limit else "")]
    for line in result.lines:
        rows.append(
            f"  {line.contender:<30} median {line.median_seconds * result.scale:10.3f} {result.unit}   "
            f"fastest {line.fastest_seconds * result.scale:10.3f}   ours/this {line.ratio:7.3f}   "
            f"off {line.distance:8.1e}   {line.note}"
        )
    rows += [f"  {name:<48} {value:12.4g}" for name, value in result.facts.items()]
    return "\n".join(rows)


def write_json(path: Path, results: Sequence[Result]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"circumstances": circumstances(), "contests": [asdict(result) for result in results]}
    path.write_text(json.dumps(content, indent=1) + "\n")
