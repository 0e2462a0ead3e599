"""Results as text, as JSON and as a picture."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib import metadata
from pathlib import Path

from benchmarks.contest import Claim, Result

PEERS = {"pin": "Pinocchio", "mujoco": "MuJoCo", "drake": "Drake"}
PACKAGES = ("numpy", "scipy", "numba", *PEERS, "panel", "bokeh", "pyvista")
UNFAIR = (
    "Pinocchio: its wheel is compiled for any x86-64, without AVX.",
    "Pinocchio: beyond 200 joints it is left out, for the memory that its Data takes there; its exponent ends there.",
    "Pinocchio and Drake return accelerations alone; ours keeps every stage of every link.",
    "MuJoCo: mj_forward runs its whole pipeline; its welds are soft, so with a held object it does other work.",
    "Drake: MultibodyPlant keeps a context with a cache; setting it and copying the result are timed with it.",
    "An RK4 loop in Python around Pinocchio is how it is used from Python; from C++ it would not pay for the loop.",
    "Ours is compiled on this machine for this processor, which no wheel is.",
)


def circumstances() -> dict[str, str]:
    """Versions and machine, so that figures can be read later."""
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            versions[package] = "missing"
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {"python": platform.python_version(), "processor": processor(), "cores": str(cores), **versions}


def processor() -> str:
    """The processor's name if the system reports it, else its architecture."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def as_text(result: Result) -> str:
    """A table: contender, median, fastest, ratio, distance of the answers, and the limit if there is one."""
    limits = {claim.what.split(" / ", 1)[-1]: claim for claim in result.claims}
    rows = [f"{result.title}" + (f"   [{result.limit}]" if result.limit else "")]
    for line in result.lines:
        claim = limits.pop(line.contender, None)
        rows.append(
            f"  {line.contender:<42} median {line.median_seconds * result.scale:10.3f} {result.unit}   "
            f"fastest {line.fastest_seconds * result.scale:10.3f}   ours/this {line.ratio:7.3f}{_limit(claim):<26}   "
            f"off {line.distance:8.1e}   {line.note}"
        )
    rows += [f"  {claim.what:<60} {claim.value:12.4g}{_limit(claim)}" for claim in limits.values()]
    rows += [f"  {name:<60} {value:12.4g}" for name, value in result.facts.items()]
    return "\n".join(rows)


def _limit(claim: Claim | None) -> str:
    return "" if claim is None else f"  limit {claim.limit:.3g} {claim.verdict}"


def write_json(path: Path, results: Sequence[Result], refused: Mapping[str, str], *, quick: bool) -> None:
    """Everything measured; NaN becomes null."""
    path.parent.mkdir(parents=True, exist_ok=True)
    contests = []
    for result in results:
        entry = asdict(result)
        for claim, written in zip(result.claims, entry["claims"], strict=True):
            written["verdict"] = claim.verdict
            written["value"] = claim.value if claim.value == claim.value else None
        contests.append(entry)
    content = {
        "circumstances": circumstances(),
        "quick": quick,
        "unfair": UNFAIR,
        "contests": contests,
        "refused": dict(refused),
    }
    path.write_text(json.dumps(content, indent=1, allow_nan=False) + "\n")


def write_plot(path: Path, results: Sequence[Result]) -> bool:
    """Ratios beside their limits, and curves of growth; False if matplotlib is missing."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        return False
    figure = Figure(figsize=(13.0, 6.0), layout="constrained")
    left, right = figure.subplots(1, 2)
    claims = [(f"{result.title}\n{claim.what}", claim) for result in results for claim in result.claims]
    claims = [(name, claim) for name, claim in claims if claim.value == claim.value]
    places = range(len(claims))
    shares = [claim.value / claim.limit for _, claim in claims]
    left.barh(places, shares, color=["#2e7d32" if share <= 1.0 else "#b23b3b" for share in shares])
    left.axvline(1.0, color="black", linewidth=1.0)
    left.set_yticks(places, [name for name, _ in claims], fontsize=6)
    left.set_xscale("log")
    left.set_xlabel("measured / limit")
    for result in results:
        for name, points in result.curves.items():
            right.loglog(*zip(*points, strict=True), marker="o", label=name)
    right.set_xlabel("links")
    right.set_ylabel("one call, s")
    if right.lines:
        right.legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)
    return True
