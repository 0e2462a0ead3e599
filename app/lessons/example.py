"""A small whole lesson to start from, with a comment for every line of it."""

from __future__ import annotations

import io
import zipfile

from app.lessons.folder import PACKAGED

EXAMPLE = PACKAGED.with_name("example_lesson")
FILE = f"{EXAMPLE.name}.zip"


def example_zip() -> io.BytesIO:
    """Its folder as a zip, which the page opens as it is."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(EXAMPLE.iterdir()):
            archive.write(path, f"{EXAMPLE.name}/{path.name}")
    data.seek(0)
    return data
