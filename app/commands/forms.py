"""In which form a recording is written: the name of the file says it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from reprlib import repr as brief
from types import MappingProxyType
from typing import Any

import click

import dynamics as dyn

Writer = Callable[[dyn.Recording], None]
FORMS: Mapping[str, Callable[..., None]] = MappingProxyType(
    {
        ".recording": dyn.Recording.save,
        ".csv": dyn.Recording.to_csv,
        ".parquet": dyn.Recording.to_parquet,
        ".npz": dyn.Recording.to_npz,
        ".mat": dyn.Recording.to_mat,
        ".html": dyn.Recording.to_html,
        ".glb": dyn.Recording.to_gltf,
    }
)
LONG = (".csv", ".parquet")


def writer(out: str, long: bool) -> Writer:
    """What writes a recording there; all that can be said against it is said before anything is computed.

    Args:
        out: the path of the file.
        long: whether a row is to hold one number.

    Raises:
        UsageError: for another suffix, a folder that is none, or a form that is never long.
        ClickException: where what writes the form is not installed.
    """
    path, form = writable(out, FORMS)
    if long and form not in LONG:
        raise click.UsageError(f"--long: a row of one number each is for {' and '.join(LONG)}.")
    if form == ".parquet" and find_spec("pyarrow") is None:
        raise click.ClickException("Parquet files need pyarrow: pip install armsweep[files].")
    options: dict[str, Any] = {"long": True} if long else {}
    return lambda recording: FORMS[form](recording, path, **options)


def writable(out: str, forms: Iterable[str]) -> tuple[Path, str]:
    """The path of a file in one of some forms, and that form.

    Raises:
        UsageError: for another suffix, or a folder that is none.
    """
    path = Path(out)
    form = path.suffix.lower()
    if form not in forms:
        raise click.UsageError(f"{brief(out)} ends in {brief(form)}; expected one of {', '.join(forms)}.")
    if os.path.isdir(path) or not os.access(path.parent, os.W_OK):
        raise click.UsageError(f"{brief(out)} cannot be written: give a file in a folder that is there and yours.")
    return path, form


def told(recording: dyn.Recording, out: str) -> dict[str, Any]:
    """What has been written, for a script."""
    return {
        "file": out,
        "samples": len(recording.times),
        "seconds": recording.duration,
        "columns": len(recording.columns()),
        "events": [{"time": time, "what": what} for time, what in recording.events],
        "stopped": recording.stopped,
        "doubtful_from": recording.doubtful_from,
    }
