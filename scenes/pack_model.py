"""A MuJoCo model's files as one text: what it includes, and which meshes are drawn or contribute to an inertia."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from xml.etree.ElementTree import Element

from scenes.pack_archive import FILE, LARGEST_TEXT, RefusedError, elements, where_broken, with_tags

MOST_FILES = 50
ALL_OF_IT = re.compile(r"^[^<]*(?:<\?[^<>]*>[^<]*)?<(mujoco\w*)\b(?:[^<>]*/>|[^<>]*>(.*)</\1\s*>)", re.DOTALL)
WORDS = re.compile(r"<!--.*?-->", re.DOTALL)
NAME = re.compile(r"\sname\s*=\s*(\"[^\"]*\"|'[^']*')", re.DOTALL)
LAST_GROUP = 2
"""Highest group that is drawn; the others are for contact."""
FOR_ALL = "settotalmass", "boundmass", "boundinertia"
"""Settings that give mass to fixed bodies, too."""


def with_included(text: str, taken: Callable[[str], str]) -> str:
    """The model with its includes expanded, each marked with the file and line that it came from.

    Args:
        taken: returns a file's text, by the name that the model uses for it.
    """
    known, sizes = set[str](), list[int]()

    def instead(tag: str) -> str:
        file = FILE.search(tag)
        if file is None:
            return "" if tag.startswith("</") else tag
        name = html.unescape(file[2][1:-1])
        if name in known or len(known) == MOST_FILES:
            raise RefusedError(f"{name[:80]!r} is included twice, or more than {MOST_FILES} files are.")
        known.add(name)
        found = taken(name)
        sizes.append(len(found))
        _refuse_beyond(sum(sizes))  # comments count, although they are removed: searching them takes time
        if elements(found) is None:
            raise RefusedError(f"{name[:80]!r}, which its model includes, is not well-formed{where_broken(found)}.")
        plain = WORDS.sub(lambda words: "\n" * words[0].count("\n"), found)
        inner = ALL_OF_IT.match(plain)
        if inner is None:
            raise RefusedError(f"{name[:80]!r}, which its model includes, is not a MuJoCo model.")
        line = 1 + plain.count("\n", 0, max(inner.start(2), 0))
        begin, end = f"<?included {line} {_plain(name)}?>", "<?end-of-included?>"
        return begin + whole(inner[2] or "") + end + "\n" * tag.count("\n")

    def whole(part: str) -> str:
        found = with_tags(part, ["include"], instead)
        _refuse_beyond(len(found))
        return found

    return text if elements(text) is None else whole(text)


def _refuse_beyond(size: int) -> None:
    if size > LARGEST_TEXT:
        raise RefusedError("its model has more than 5 MB with what it includes.")


def _plain(name: str) -> str:
    """The printable characters that a processing instruction may contain."""
    return "".join(letter if letter.isprintable() and letter not in "<?>" else "_" for letter in name)


@dataclass
class Mesh:
    """A mesh of a model.

    Attributes:
        file: as the model names it, below its mesh folder.
        is_drawn: whether a visible geom has its shape.
        weighs: whether an inertia is computed from it.
    """

    file: str
    is_drawn: bool = False
    weighs: bool = False


def meshes_of(text: str) -> dict[str, Mesh]:
    """The meshes of a model that come from files, by name; empty for a text that is not a robot."""
    root = elements(text)
    if root is None:
        return {}
    settings = {key: value for one in root.iter("compiler") for key, value in one.attrib.items()}
    below = PurePosixPath((settings.get("meshdir") or settings.get("assetdir") or "").replace("\\", "/"))
    found = {
        one.get("name") or PurePosixPath(file).stem: Mesh(str(below / file))
        for asset in root.iter("asset")
        for one in asset.iter("mesh")
        if (file := (one.get("file") or "").replace("\\", "/"))
    }
    for world in root.iter("worldbody"):
        for use in _Uses(root, settings).of(_BodySettings(world)):
            if (mesh := found.get(use.mesh)) is not None:
                mesh.is_drawn |= use.is_drawn
                mesh.weighs |= use.weighs
    return found


@dataclass(frozen=True)
class _Use:
    mesh: str
    is_drawn: bool
    weighs: bool


@dataclass(frozen=True)
class _BodySettings:
    """A body, with the settings that hold in it."""

    element: Element
    default: str = "main"
    moves: bool = False


@dataclass
class _Uses:
    """Uses of meshes by the geoms of a model, with the defaults of each geom's class."""

    root: Element
    settings: Mapping[str, str]
    defaults: dict[str, dict[str, str]] = field(default_factory=lambda: {"main": {}})

    def __post_init__(self) -> None:
        waiting = [(one, "main") for one in self.root.findall("default")]
        while waiting:
            element, around = waiting.pop(0)
            own = element.get("class") or around
            geom = element.find("geom")
            known = self.defaults.get(own, self.defaults.get(around, {}))
            self.defaults[own] = {**known, **(geom.attrib if geom is not None else {})}
            waiting += [(inner, own) for inner in element.findall("default")]

    def of(self, around: _BodySettings) -> Iterator[_Use]:
        waiting = [around]
        while waiting:
            body = waiting.pop()
            parts = list(_parts(body.element, body.default))
            joints = [each for each, _ in parts if each.tag in ("joint", "freejoint")]
            moves = body.moves or bool(joints) or any(key in self.settings for key in FOR_ALL)
            infers = self.settings.get("inertiafromgeom") == "true"
            weighs = moves and (infers or all(each.tag != "inertial" for each, _ in parts))
            for each, default in parts:
                if each.tag == "body":
                    waiting.append(_BodySettings(each, each.get("childclass") or default, moves))
                elif each.tag == "geom":
                    yield from self._use(each, default, weighs)

    def _use(self, geom: Element, default: str, weighs: bool) -> Iterator[_Use]:
        attributes = {**self.defaults.get(geom.get("class") or default, {}), **geom.attrib}
        if (mesh := attributes.get("mesh")) is not None:
            is_itself = attributes.get("type") == "mesh"  # otherwise MuJoCo fits a simpler shape to it
            weighs = weighs and attributes.get("mass", "").strip() not in ("0", "0.0", "0.")
            shown = attributes.get("group", "0").strip() in map(str, range(LAST_GROUP + 1))
            yield _Use(mesh, is_itself and shown, weighs or not is_itself)


def _parts(body: Element, default: str) -> Iterator[tuple[Element, str]]:
    """The children of a body and of its frames, each with its default class."""
    waiting = [(body, default)]
    while waiting:
        around, own = waiting.pop()
        for each in around:
            if each.tag == "frame":
                waiting.append((each, each.get("childclass") or own))
            else:
                yield each, own


def filled(text: str, inside: Mapping[str, str]) -> str:
    """The text with meshes in place of their file names; line numbers are kept."""

    def named(tag: str) -> str:
        file = FILE.search(tag)
        if file is None:
            return tag
        own = NAME.search(tag)
        stem = PurePosixPath(html.unescape(file[2][1:-1]).replace("\\", "/")).stem
        mesh = inside.get(html.unescape(own[1][1:-1]) if own and own[1][1:-1] else stem)
        if mesh is None:
            return tag
        name = "" if own else f' name="{html.escape(stem)}"'
        return f'{tag[: file.start()]}{name}{file[1]}"{mesh}"{tag[file.end() :]}'

    return with_tags(text, ["mesh"], named)
