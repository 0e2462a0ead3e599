"""``python -m app.lessons check FOLDER``: whether a lesson, or every lesson of a folder, can be taught."""

from __future__ import annotations

import math
import sys
from pathlib import Path

from app.lessons.checking import faults_of
from app.lessons.fault import Fault
from app.lessons.folder import PACKAGED, folders_in, is_lesson, packaged, read_in
from app.lessons.leading import LEADING
from app.state import Session

USAGE = "usage: python -m app.lessons check FOLDER\nFOLDER is a lesson (it has a lesson.toml), or a folder of lessons."
FIRST = "planar_chain"


def main(arguments: list[str]) -> int:
    """Prints every fault as ``file:line: what, and what to do``; 0 if there is none."""
    if len(arguments) != 2 or arguments[0] != "check":
        print(USAGE, file=sys.stderr)
        return 2
    folder = Path(arguments[1])
    if not folder.is_dir():
        print(f"{folder}: there is no such folder.", file=sys.stderr)
        return 2
    folders = [folder] if is_lesson(folder) else folders_in(folder)
    if not folders:
        print(f"{folder}: there is no lesson in it.", file=sys.stderr)
        return 2
    session, count = Session(FIRST), 0
    for each in folders:
        faults = checked(each, session)
        count += len(faults)
        for fault in faults:
            print(f"{each}/{fault}")
        if not faults:
            print(f"{each}: can be taught{_instead(each)}")
    return 1 if count else 0


def _instead(folder: Path) -> str:
    """What it takes the place of in the list, if anything."""
    known = {lesson.name: lesson.title for lesson in packaged()}
    name = folder.resolve().name
    if name not in known or folder.resolve().parent == PACKAGED:
        return ""
    return f', in the place of the packaged lesson "{known[name]}", whose folder is called {name}, too'


def checked(folder: Path, session: Session) -> list[Fault]:
    """All that is wrong with the lesson of a folder: its files, and what of its steps is not as they say."""
    found = read_in(folder)
    told = (
        *found.faults,
        *LEADING.dead_ends(found.addresses, session, math.inf),
        *faults_of((*found.steps, *found.rest), session),
    )
    names = list(dict.fromkeys(fault.file for fault in told))
    in_order = sorted(dict.fromkeys(told), key=lambda fault: (names.index(fault.file), fault.line))
    return in_order  # of an address that leads nowhere two tell


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
