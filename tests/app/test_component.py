"""The script of a component is a file, under a name that says what is in it."""

from pathlib import Path

from app.component import Component, scripts
from app.views.components import Buttons


def component(text: str) -> type[Component]:
    class Own(Component):
        _esm = text

    return Own


def test_another_text_is_another_file() -> None:
    one, same, other = (component(f"export const render = () => {number}") for number in (1, 1, 2))
    assert one._bundle == same._bundle != other._bundle
    assert {Path(each._bundle).parent for each in (one, other, Buttons)} == {scripts()}
    assert Path(other._bundle).read_text("utf-8") == "export const render = () => 2"
    assert "export function render" in Path(Buttons._bundle).read_text("utf-8")  # out of the file that it names

    class Heir(other):  # type: ignore[misc, valid-type]
        """Without a script of its own."""

    assert Heir._bundle == other._bundle
