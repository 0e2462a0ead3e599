"""Two processes that compile at once: nobody runs the code of another signature than the one asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from numba.core.caching import IndexDataCacheFile

from dynamics.compiler.own_names import OwnNames
from tests.dynamics.compiler.test_code_folder import found, package, start  # noqa: F401

STAMP = 1.0


def side_by_side(folder: Path, kind: type[IndexDataCacheFile]) -> dict[str, object]:
    """What is found for each of two signatures, of which one was kept while the other was being kept."""
    other = kind(str(folder), "f-1.py311", STAMP)
    read_before = other._load_index()
    other._load_index = lambda: read_before

    class Meanwhile(kind):  # type: ignore[misc,valid-type]
        def _save_data(self, name: str, data: object) -> None:
            other.save("two", "code of two")
            super()._save_data(name, data)

    Meanwhile(str(folder), "f-1.py311", STAMP).save("one", "code of one")
    reader = kind(str(folder), "f-1.py311", STAMP)
    return {key: reader.load(key) for key in ("one", "two")}


def test_no_signature_has_the_code_of_another(tmp_path: Path) -> None:
    for key, code in side_by_side(tmp_path, OwnNames).items():
        assert code in (None, f"code of {key}")


def test_numbas_own_names_are_why(tmp_path: Path) -> None:
    """Where this fails numba has mended it, and our names may go."""
    assert side_by_side(tmp_path, IndexDataCacheFile)["two"] == "code of one"


@pytest.mark.compiled_only
def test_kernels_are_kept_so(package: Path) -> None:  # noqa: F811
    assert found(start(package)) == ["2.0", "1"]
    (code,) = (package / "kept").rglob("outer*.nbc")
    assert not code.name.endswith(".1.nbc")
