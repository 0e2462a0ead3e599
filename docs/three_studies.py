"""The three studies of ``docs/three_studies.md`` at full size, into a folder: ``python -m docs.three_studies OUT``.

Each is the page's own text, of which one line says how many: ``machines = 12  # 1000``. What it prints goes to
``NAME.txt``, its figure to ``NAME.svg``. Names after the folder ask for these alone.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

from docs.examples import Page, examples

PAGE = "three_studies"
NAMES = "agreement", "radius", "tip"
SIZE = re.compile(r"^(\w+ = )\d+  # (\d+)$", re.MULTILINE)


def texts(full: bool) -> dict[str, str]:
    """The page's examples by name, each at the size that the page has, or at full size."""
    found = dict(zip(NAMES, (code for _, code in examples(PAGE)), strict=True))
    return {name: SIZE.sub(r"\1\2", code) for name, code in found.items()} if full else found


def write(folder: Path, names: Sequence[str] = NAMES, full: bool = True) -> None:
    """Runs some of them in order; what the first imports, all of them use."""
    folder.mkdir(parents=True, exist_ok=True)
    page, wanted = Page(PAGE), texts(full)
    imports = "\n".join(re.findall(r"^(?:import|from) .*", wanted[NAMES[0]], re.MULTILINE))
    page.run(imports)
    for name in names:
        left = page.run(wanted[name])
        (folder / f"{name}.txt").write_text(left.text, encoding="utf-8")
        for _, svg in left.figures:
            (folder / f"{name}.svg").write_bytes(svg)
        print(left.text, end="", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m docs.three_studies", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("folder", type=Path, metavar="OUT")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(NAMES)}")
    asked = parser.parse_args(arguments)
    if strange := [name for name in asked.names if name not in NAMES]:
        parser.error(f"there is no study {strange[0]!r}")
    write(asked.folder, asked.names or NAMES)


if __name__ == "__main__":
    main()
