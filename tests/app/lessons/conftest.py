"""Lessons that are written for a test."""

import io
import zipfile
from collections.abc import Callable, Mapping
from types import MappingProxyType

import pytest

from app.lessons.lesson import Lesson
from app.lessons.reading import lesson_of
from app.state import Session

HEAD = 'title = "A test"\naim = "Try it."\nminutes = 5\n'
SHOW = 'show = "?preset=planar_chain&gravity=0,0,0&posture=0,0,0,0,0&t=0.000&play=0"\n'
NUMBER = (
    '[question]\nkind = "number"\nask = "How large is $D(1)$?"\nanswer = "joint_inertia(1)"\nunit = "kg m^2"\n'
    'tolerance = "5 %"\n'
)


def step_text(
    question: str = NUMBER, text: str = "Look.", show: str = SHOW, after: str = "## Reveal\nSo it is.\n"
) -> str:
    return f'+++\ntitle = "A step"\n{show}{question}+++\n{text}\n{after if question else ""}'


FILES = {"lesson.toml": HEAD, "01_step.md": step_text()}


def packed(files: dict[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return data.getvalue()


@pytest.fixture
def written() -> Callable[..., Lesson]:
    """`written(text, …)` makes a lesson of the texts of its steps."""

    def write(*steps: str, name: str = "a_test") -> Lesson:
        files: Mapping[str, str] = MappingProxyType(
            {"lesson.toml": HEAD, **{f"{k:02d}_step.md": text for k, text in enumerate(steps, 1)}}
        )
        return lesson_of(name, files)

    return write


@pytest.fixture(scope="module")
def session() -> Session:
    return Session("planar_chain")
