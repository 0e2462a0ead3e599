"""Rebuild the viewer's bundle from the locked packages and fail when the committed one differs.

Run by `python app/viewer/check_bundle.py`; needs Node.js and npm.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
BUNDLE = FOLDER / "viewer.bundle.js"


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main() -> int:
    missing = [tool for tool in ("node", "npm") if shutil.which(tool) is None]
    if missing:
        print(f"check_bundle: {' and '.join(missing)} not found: install Node.js 18 or newer", file=sys.stderr)
        return 2
    subprocess.run(["npm", "ci", "--ignore-scripts"], cwd=FOLDER, check=True, stdout=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory() as folder:
        rebuilt = Path(folder) / BUNDLE.name
        subprocess.run([str(FOLDER / "build.sh"), str(rebuilt)], check=True)
        expected, found = sha256(rebuilt), sha256(BUNDLE)
    if expected != found:
        print(f"{BUNDLE.name} is stale: rebuilt {expected}, committed {found}. Run app/viewer/build.sh.", file=sys.stderr)
        return 1
    licence = FOLDER / "node_modules" / "three" / "LICENSE"
    if licence.read_bytes() != (FOLDER / "THREE_LICENSE.txt").read_bytes():
        print("THREE_LICENSE.txt differs from the licence of the bundled three.js.", file=sys.stderr)
        return 1
    print(f"{BUNDLE.name} {found}: as rebuilt")
    return 0


if __name__ == "__main__":
    sys.exit(main())
