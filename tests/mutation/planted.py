"""Plants the faults of ``planted.toml`` in a copy of the checkout, one at a time, and runs the tests that reach them.

python -m tests.mutation.planted [--only ID ...] [--check]
"""

import argparse
import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path

from tests.changed import reached_tests

ROOT = Path(__file__).resolve().parents[2]
TABLE = Path(__file__).with_name("planted.toml")
LEFT_BEHIND = shutil.ignore_patterns(".git", ".hypothesis", ".pytest_cache", ".mypy_cache", ".ruff_cache")
APART = "tests/browser/", "tests/mutation/"
LONGEST = 1800.0  # seconds of the tests of one fault; one that makes them last longer counts as found
KERNEL = re.compile(r"^@(kernel|inlined|part|allocating)\b", re.MULTILINE)
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


@dataclass(frozen=True)
class Fault:
    """A text of a file that becomes another, and what a user would see of it."""

    id: str
    file: str
    old: str
    new: str
    sees: str

    def planted(self, text: str) -> str:
        """The file's text with the fault.

        Raises:
            ValueError: where the old text is not there once, or what comes of it is not Python.
        """
        if (count := text.count(self.old)) != 1:
            raise ValueError(f"{self.id}: the old text occurs {count} times in {self.file}")
        changed = text.replace(self.old, self.new)
        if self.file.endswith(".py"):
            ast.parse(changed)
        return changed


def faults(only: Sequence[str] = ()) -> list[Fault]:
    """Those of the table, or some of them."""
    found = [Fault(**entry) for entry in tomllib.loads(TABLE.read_text(encoding="utf-8"))["fault"]]
    if unknown := set(only) - {fault.id for fault in found}:
        raise SystemExit(f"there is no fault {', '.join(sorted(unknown))} in {TABLE.name}")
    return [fault for fault in found if not only or fault.id in only]


def run(command: Sequence[str], checkout: Path) -> subprocess.CompletedProcess[str]:
    """In the copy, with the copy's own packages and machine code."""
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    environment.pop("NUMBA_CACHE_DIR", None)
    return subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, timeout=LONGEST)


def copied(checkout: Path) -> None:
    """A copy of this checkout with its machine code, which numba keeps by the paths of the sources."""
    shutil.copytree(ROOT, checkout, ignore=LEFT_BEHIND, symlinks=True)
    kept = code_folder(checkout)
    for source in (ROOT / "dynamics").glob("*/"):
        old, new = (f"{source.name}_{sha1(str(root / 'dynamics' / source.name).encode()).hexdigest()}"
                    for root in (ROOT, checkout))  # fmt: skip
        if (kept / old).is_dir():
            (kept / old).rename(kept / new)


def code_folder(checkout: Path) -> Path:
    """Where a checkout keeps its machine code: the name hangs on all sources that kernels may come from."""
    told = "from dynamics.compiler.kernels import NAME, digest; print(NAME + digest())"
    name = run([sys.executable, "-c", told], checkout).stdout.split()[-1]
    return checkout / "dynamics" / "__pycache__" / name


@contextmanager
def planted(fault: Fault, checkout: Path) -> Iterator[None]:
    """A checkout with the fault; afterwards the file is as it was, its time too, by which kernels are kept."""
    file = checkout / fault.file
    before, times = file.read_text(encoding="utf-8"), file.stat()
    kept = code_folder(checkout)
    file.write_text(fault.planted(before), encoding="utf-8")
    try:
        used = code_folder(checkout)
        if used != kept and not KERNEL.search(before):  # its machine code is what it was
            shutil.rmtree(used)
            kept.rename(used)
        yield
    finally:
        if not kept.is_dir():
            used.rename(kept)
        elif used != kept:  # of three the oldest would be thrown away
            shutil.rmtree(used, ignore_errors=True)
        file.write_text(before, encoding="utf-8")
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def found_by(fault: Fault, checkout: Path, processes: str) -> str:
    """The first test that fails, of those that the import graph leads to without a browser; empty where none does."""
    reached = [each for each in reached_tests([fault.file], checkout) if not each.startswith(APART)]
    chosen = sorted(reached, key=lambda test: (not test.startswith(f"tests/{Path(fault.file).parent}/"), test))
    options = ["-x", "-q", "-rfE", "--tb=no", "-p", "no:cacheprovider", "-n"]
    try:
        done = run([sys.executable, "-m", "pytest", *options, processes, *(chosen or ["--version"])], checkout)
    except subprocess.TimeoutExpired:
        return "tests that do not end"
    if done.returncode not in (0, 1, 2):
        raise SystemExit(f"pytest itself failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    failure = FAILED.search(done.stdout)
    return "" if done.returncode == 0 else failure[1] if failure else "pytest"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", nargs="+", default=(), metavar="ID", help="these faults alone")
    parser.add_argument("--check", action="store_true", help="only whether each fault can be planted")
    parser.add_argument("--processes", default="2", help="of pytest; 0 for this one alone")
    asked = parser.parse_args()
    chosen, lines, missed = faults(asked.only), list[str](), 0
    for fault in chosen:
        fault.planted((ROOT / fault.file).read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="planted-") as folder:
        checkout = Path(folder).resolve() / "checkout"
        if not asked.check:
            copied(checkout)
        for fault in () if asked.check else chosen:
            began = time.monotonic()
            with planted(fault, checkout):
                test = found_by(fault, checkout, asked.processes)
            missed += not test
            told = f"found by {test}" if test else f"MISSED: {fault.sees}"
            lines.append(f"{fault.id:20} {time.monotonic() - began:6.0f} s  {told}")
            print(lines[-1], flush=True)
    lines.append(f"{len(chosen)} faults can be planted, {missed} of {len(lines)} tried are missed.")
    print(lines[-1])
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
