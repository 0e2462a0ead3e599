"""MuJoCo's own parser, in a process of its own: it is written in C, and a file is anybody's."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dynamics.errors import ModelError

SECONDS = 10
"""That anybody waits for a model."""
COMPUTED, COMPUTED_WITH_FILES = 5, 2 * SECONDS
"""Seconds that all its threads compute: of one that came as text, and of one beside whose file there are meshes."""
MEGABYTES, MEGABYTES_WITH_FILES = 700, 8000
"""Of address space; the libraries have 300 of it."""
LONGEST = 300
"""Characters of what MuJoCo says."""
MISSING = (
    "MuJoCo, whose parser reads such a file, is not installed here. Install it (pip install armsweep[mjcf]), or give "
    "the robot as URDF."
)
LINE = re.compile(r"(?<=, )line ([0-9]{1,9})\b")
"""How MuJoCo says where something is."""
PROCESS = Path(__file__).with_name("compile_process.py")


def compiled(
    text: str, places: Sequence[str], where: str, files: Mapping[str, str], has_files: bool
) -> Mapping[str, Any]:
    """What MuJoCo makes of a model: the arrays and names that ``compile_process`` tells of.

    Args:
        text: whose every element is known.
        places: what messages call each of its lines.
        where: what messages call the file.
        files: that come with it, in base64.
        has_files: whether it names meshes on this machine.

    Raises:
        ModelError: where MuJoCo is missing, refuses the model, or takes too much of anything.
    """
    if find_spec("mujoco") is None:
        raise ModelError(f"{where}: {MISSING}")
    computed, megabytes = (COMPUTED_WITH_FILES, MEGABYTES_WITH_FILES) if has_files else (COMPUTED, MEGABYTES)
    # -P: this folder has names of the standard library's own
    command = [sys.executable, "-P", str(PROCESS), str(computed), str(megabytes)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with tempfile.TemporaryDirectory() as folder:  # MuJoCo writes its log where it is
        try:
            done = subprocess.run(
                command,
                input=json.dumps({"text": text, "files": files}).encode(),
                capture_output=True,
                timeout=SECONDS,
                cwd=folder,
                env=environment,
            )
        except subprocess.TimeoutExpired:
            raise ModelError(f"{where}: MuJoCo has not read it in {SECONDS} s. Give a simpler model.") from None
    if done.returncode != 0:
        raise ModelError(f"{where}: MuJoCo's parser broke off, for want of time, memory or sense. Correct the model.")
    found: Mapping[str, Any] = json.loads(done.stdout)
    if "refused" in found:
        said = LINE.sub(lambda line: _place(int(line[1]), places), found["refused"][:LONGEST])
        words = "".join(letter if letter.isprintable() else " " for letter in said)
        raise ModelError(f"{where}: MuJoCo refuses it: {words.removeprefix('Error: ')}")
    return found


def _place(line: int, places: Sequence[str]) -> str:
    return places[line - 1] if 0 < line <= len(places) else f"line {line}"
