"""The MuJoCo elements that are read, those left out with a remark, and those refused by name."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import PurePosixPath

import numpy as np

from dynamics.checks import Array, brief
from dynamics.errors import ModelError
from dynamics.robot.model import INSIDE
from dynamics.robot_files.description import first_remarks
from dynamics.robot_files.xml import WORDS, Element, written

KEPT: Mapping[str, tuple[str, ...]] = {
    "mujoco": ("compiler", "default", "asset", "worldbody", "equality"),
    "equality": ("connect", "weld"),
    "default": ("default", "joint", "geom", "site", "mesh", "material"),
    "asset": ("mesh", "material", "model"),
    "worldbody": ("attach", "body", "frame", "replicate", "geom", "site"),
    **dict.fromkeys(
        ("body", "frame", "replicate"),
        ("attach", "body", "frame", "replicate", "inertial", "joint", "freejoint", "geom", "site"),
    ),
}
# elements that do not affect how a robot moves by itself, or only how MuJoCo shows and computes it
SILENT: Mapping[str, tuple[str, ...]] = {
    "mujoco": ("contact", "custom", "extension", "sensor", "size", "statistic", "visual"),
    "compiler": ("lengthrange",),
    "asset": ("hfield", "skin", "texture"),
    "material": ("layer",),
    **dict.fromkeys(("worldbody", "body", "frame", "replicate"), ("camera", "light")),
    "default": (
        *("adhesion", "camera", "cylinder", "damper", "dcmotor", "equality", "general", "intvelocity", "light"),
        *("motor", "muscle", "orientation", "pair", "pid", "position", "tendon", "texture", "velocity"),
    ),
}
LEFT_OUT: Mapping[str, str] = {
    "actuator": "its actuators are left out: tau acts at the joints, after gears, and what servos held moves freely",
    "deformable": "deformable parts are left out",
    "keyframe": "its postures are left out",
    "tendon": "its tendons are left out, and with them the forces that they pass on",
}
NOT_MADE: Mapping[str, str] = {
    "composite": "MuJoCo expands into many bodies",
    "flexcomp": "bends",
    "plugin": "is run by a separate program",
}
"""Elements among the bodies of a robot that are left out, and the reason."""
NOT_HERE = "which is not here. Give all files of its folder together, or its path there."
# a model's own settings, except folders and those that this program sets itself
SETTINGS = ("angle", "coordinate", "autolimits", "balanceinertia", "boundinertia", "boundmass", "eulerseq",
            "inertiafromgeom", "inertiagrouprange", "settotalmass", "alignfree", "fitaabb")  # fmt: skip
TIES = ("body1", "body2", "anchor", "relpose", "site1", "site2", "torquescale")
MATERIAL = ("name", "class", "rgba")
FROM_FILES = ("file", "content_type", "hfield")
MAIN = "main"
"""The class of elements that have none."""
EARTHS = [0.0, 0.0, -9.81]
"""m/s^2, the default gravity of MuJoCo and of a system."""
MOST = {"body": 1000, "joint": 1000, "geom": 5000, "site": 5000}
"""Limits for a robot; with more, MuJoCo takes seconds."""
DRAWN = "data:model/stl;use=drawing;base64,"
"""The start of the address of a mesh that is embedded in the text and is only drawn."""
ANYTHING = {"vertex": "0 0 0 1 0 0 0 1 0 0 0 1", "inertia": "shell"}
"""A mesh that MuJoCo accepts at any scale, enough for a shape without mass."""

WEIGHTLESS = "1"
"""The user value that marks a geom without mass."""

MeshFile = Callable[[str], tuple[str | None, str]]
"""Maps a mesh's reference to the path of its file; or None, and why it is left out."""
ModelFile = Callable[[Element, "MjcfElements"], "MjcfElements"]
"""Reads the model that a ``<model>`` element of another model names."""


class MjcfElements:
    """A model's elements, reduced to what MuJoCo compiles here; every body and joint has a name.

    Attributes:
        root: the ``<mujoco>`` element.
        places: the place where a body or a joint begins, in words, by its tag and name.
        meshes: the mesh files by the meshes' names; for meshes embedded in the text, their addresses.
        followers: joints that others lead, as in the file.
        placed: for meshes that MuJoCo moves before it scales them, the point that becomes the origin, and (w, x, y, z).
        inside: embedded meshes and attached models that are passed to MuJoCo, in base64, by file name.
        undrawn: names of bodies with a geom that is left out.
        off: the places where the file disables parts of MuJoCo's computation, by the names of its flags.
        remarks: what is left out, with lines.

    Args:
        model_file: reads a model from which parts are attached.
        outer: the model that attaches parts of this one; its settings apply to all.
    """

    def __init__(
        self, root: Element, where: str, mesh_file: MeshFile, model_file: ModelFile, outer: MjcfElements | None = None
    ) -> None:
        self.where, self._outer = where, outer
        self.places, self.meshes, self.remarks = dict[tuple[str, str], str](), dict[str, str](), list[str]()
        self.placed = dict[str, tuple[Array, Array]]()
        self.inside: dict[str, str] = {} if outer is None else outer.inside
        self._lines: list[str] = [] if outer is None else outer._lines
        self._left = dict[str, str]()
        self.followers = list[Element]()
        count = Counter(one.tag for one in every(root))
        for tag, most in MOST.items():
            if count[tag] > most:
                raise ModelError(f"{where} has {count[tag]} <{tag}>; expected at most {most}, of one robot.")
        self._own = {(one.tag, name) for one in every(root) if (name := one.get("name"))}
        # even if a body has its own inertia
        self._infers = any(one.get("inertiafromgeom") == "true" for one in root.all("compiler"))
        self.undrawn = set[str]()
        self.off = dict[str, str]()
        for flag in (flag for option in root.all("option") if outer is None for flag in option.all("flag")):
            self.off = {name: place for name, place in self.off.items() if name not in flag.attributes}
            self.off |= {name: flag.place for name, text in flag.attributes.items() if text == "disable"}
        self.off = self.off if outer is None else outer.off
        self._ties, self._geoms = (_defaults_of(tag, root) for tag in ("equality", "geom"))
        self._classes = dict(_classes(root))
        self._settings = settings_of(root)
        # a total mass includes the bodies that no joint moves
        self._at_rest = {root} if outer or "settotalmass" in self._settings else set(_at_rest(root))
        self._models = self._attached(root, model_file)
        self._by_name = {_model_name(model, kept): kept for model, kept in self._models.items()}
        for attach in (one for one in every(root) if one.tag == "attach"):  # a name made here must differ from theirs
            prefix, source = attach.get("prefix") or "", self._by_name.get(attach.get("model") or "")
            self._own |= {(kind, prefix + name) for kind, name in (source.places if source else ())}
        for mesh in (mesh for asset in root.all("asset") for mesh in asset.all("mesh")):
            if (file := mesh.get("file")) is not None:
                name, (path, reason) = _mesh_name(mesh.attributes), mesh_file(file)
                if path is None:
                    self._left[name] = reason
                else:
                    self.meshes[name] = path
        self._weighing = set(self._meshes_that_weigh(root))
        self.root = self._kept(root, "", root)
        for attach in [one for one in every(self.root) if one.tag == "attach"]:
            self._take(attach)

    def _attached(self, root: Element, model_file: ModelFile) -> dict[Element, MjcfElements]:
        """The models from which parts are attached, by the elements that name them."""
        wanted = {one.get("model") for one in every(root) if one.tag == "attach"}
        models = [model for asset in root.all("asset") for model in asset.all("model")]
        named = [model for model in models if wanted and (model.get("name") or None) in {*wanted, None}]
        return {model: model_file(model, self) for model in named}

    def _take(self, attach: Element) -> None:
        """Add what an ``<attach>`` brings in, by its new names; MuJoCo reports errors in it."""
        source, prefix = self._source(attach), attach.get("prefix") or ""
        joints = {*source._names_in(attach), ""}
        for (kind, own), place in [*source.places.items()]:
            self.places.setdefault((kind, prefix + own), place)
        self.meshes |= {prefix + own: path for own, path in source.meshes.items()}
        self.placed |= {prefix + own: place for own, place in source.placed.items()}
        self.undrawn |= {prefix + own for own in source.undrawn}
        for tie in [*source.followers]:
            if {tie.get(key) or "" for key in ("joint1", "joint2")} <= joints:
                tied = {key: prefix + joint for key in ("joint1", "joint2") if (joint := tie.get(key))}
                self.followers.append(replace(tie, attributes={**tie.attributes, **tied}))
        if source is not self:
            self.remarks += (remark for remark in source.remarks if remark not in self.remarks)

    def _source(self, attach: Element) -> MjcfElements:
        return self._by_name.get(attach.get("model") or "", self)

    def _names_in(self, attach: Element) -> Iterator[str]:
        """The names in the part of this model that another attaches, including what this one has attached there."""
        whose = next((kind for kind in ("body", "frame") if attach.get(kind)), "worldbody")
        name = attach.get(whose) if whose != "worldbody" else None
        for part in (one for one in every(self.root) if one.tag == whose and one.get("name") == name):
            for one in every(part):
                yield one.get("name") or ""
                if one.tag == "attach" and (source := self._source(one)) is not self:
                    yield from ((one.get("prefix") or "") + inner for inner in source._names_in(one))

    def text_and_places(self) -> tuple[str, list[str]]:
        """The text for MuJoCo, and the name of each line in messages, after those of the models in ``inside``."""
        text, places = written(self.root)
        before = len(self._lines)
        self._lines += places
        return "\n" * before + text, self._lines

    def _kept(self, element: Element, owner: str, body: Element) -> Element:
        """The element as MuJoCo receives it; ``owner`` and ``body`` are the name and element of its body."""
        tag, attributes = element.tag, dict(element.attributes)
        if any(name.startswith("{") for name in attributes):
            raise ModelError(f"{self.where}, {element.place}: <{tag}> has an attribute in another namespace.")
        if tag == "compiler":
            attributes = {name: text for name, text in attributes.items() if name in SETTINGS}
            attributes["fusestatic"] = "false"  # welded bodies are merged here, and their names stay
        elif tag == "material":
            attributes = {name: text for name, text in attributes.items() if name in MATERIAL}
        elif tag == "mesh" and (name := _mesh_name(attributes)) in self.meshes:
            attributes |= {"name": name, "file": self.meshes[name]}
            if (place := _placed(attributes)) is not None:
                self.placed[name] = place
            attributes.pop("content_type", None)
            address = attributes["file"]
            if name not in self._weighing or address.startswith(DRAWN):
                del attributes["file"]
                attributes |= ANYTHING
            elif address.startswith(INSIDE):
                attributes["file"] = f"{len(self.inside)}.stl"
                self.inside[attributes["file"]] = address.removeprefix(INSIDE)
        elif tag == "model":
            text, _ = self._models[element].text_and_places()
            attributes = {"name": _model_name(element, self._models[element]), "file": f"{len(self.inside)}.xml"}
            self.inside[attributes["file"]] = base64.b64encode(text.encode()).decode()
        elif any(name in attributes for name in FROM_FILES):
            raise ModelError(f"{self.where}, {element.place}: <{tag}> reads a file. Leave it out.")
        attributes.pop("user", None)  # numbers for other programs
        if tag == "geom" and owner and not self._weighs(element):
            attributes["user"] = WEIGHTLESS
        if tag == "body":
            owner, body = self._named(attributes, element, "body", "body"), element
        elif tag in ("joint", "freejoint") and owner:
            self._named(attributes, element, "joint", f"{owner}_joint")
        inner = list(self._inner(element, owner, body))
        return Element(tag, attributes, element.line, inner, element.file)

    def _meshes_that_weigh(self, around: Element, body: Element | None = None) -> Iterator[str]:
        """Names of meshes whose volume or shape determines something; MuJoCo need not process the others."""
        for child in around.inner:
            inside = child if child.tag == "body" else body
            if mesh := child.get("mesh"):
                has_own = inside is None or inside in self._at_rest
                if inside is not None and not self._infers:
                    has_own |= any(each.tag == "inertial" for each in in_body(inside))
                if not has_own or around.tag == "default" or (child.get("type") or "mesh") != "mesh":
                    yield mesh
            yield from self._meshes_that_weigh(child, inside)

    @property
    def has_files(self) -> bool:
        """Whether MuJoCo reads files on this machine."""
        return not all(path.startswith((INSIDE, DRAWN)) for path in self.meshes.values())

    def _named(self, attributes: dict[str, str], element: Element, kind: str, otherwise: str) -> str:
        name, number = attributes.get("name") or otherwise, 2
        while not attributes.get("name") and (kind, name) in self._own:
            name, number = f"{otherwise}_{number}", number + 1
        self._own.add((kind, name))
        self.places[kind, name] = element.place
        attributes["name"] = name
        return name

    def _inner(self, element: Element, owner: str, body: Element) -> Iterator[Element]:
        tag = element.tag
        for child in element.inner:
            line = f"{self.where}, {child.place}"
            if child.tag == WORDS:
                self._remark(child, f"text in <{tag}> is left out")
            elif child.tag == "include":
                raise ModelError(f"{line}: <include> takes text from another file, {NOT_HERE}")
            elif child.tag == "equality" and tag == "mujoco":
                yield replace(child, attributes={}, inner=list(self._ties_of(child)))
            elif child.tag == "option" and tag == "mujoco":
                if self._outer is None and child is element.all("option")[-1]:
                    self._remark_world(element.all("option"))
            elif child.tag in LEFT_OUT and tag == "mujoco":
                if child.inner:
                    adds = {"armature", "damping"} & {name for motor in child.inner for name in motor.attributes}
                    more = f"; the {' and '.join(sorted(adds))} that they add to joints, too" if adds else ""
                    self._remark(child, f"<{child.tag}>: {LEFT_OUT[child.tag]}{more}")
            elif child.tag in NOT_MADE and tag != "default":
                self._remark(child, f"<{child.tag}>, which {NOT_MADE[child.tag]}, is left out")
            elif child.tag == "geom" and tag == "default":
                yield self._kept(self._without_lost_shape(child), owner, body)
            elif child.tag == "geom" and _is_height_field(self._with_defaults(child, self._geoms)):
                self._remark(child, "a height field is left out")
            elif child.tag in SILENT.get(tag, ()) or (child.tag == "model" and child not in self._models):
                continue
            elif child.tag not in KEPT.get(tag, ()):
                raise ModelError(
                    f"{line}: <{brief(child.tag)[1:-1]}> in <{tag}> is unknown. Correct it, or leave it out."
                )
            elif not self._is_of_lost_mesh(child, tag, owner, body):
                yield self._kept(child, owner, body)

    def _without_lost_shape(self, geom: Element) -> Element:
        """A class's geom without a missing mesh or height field: each geom that inherits it is handled by itself."""
        lost = {"mesh"} if geom.get("mesh") in self._left else set[str]()
        if _is_height_field(geom.attributes):
            lost |= {"type", "hfield"}
        return replace(geom, attributes={key: text for key, text in geom.attributes.items() if key not in lost})

    def _is_of_lost_mesh(self, child: Element, tag: str, owner: str, body: Element) -> bool:
        """Whether an element needs a missing file; this is an error if a body's inertia depends on it."""
        if tag == "asset" and child.tag == "mesh":
            return child.get("file") is not None and _mesh_name(child.attributes) in self._left
        mesh = self._with_defaults(child, self._geoms).get("mesh")
        if child.tag != "geom" or mesh not in self._left:
            return False
        has_own = body.first("inertial") is not None and not self._infers
        if not has_own and body not in self._at_rest and self._weighs(child):
            raise ModelError(
                f"{self.where}, {child.place}: the inertia of body {brief(body.get('name'))} comes from mesh "
                f"{brief(mesh)}, which is left out: {self._left[mesh]}. Give the body an <inertial>."
            )
        self._remark(child, f"mesh {brief(mesh)} is left out: {self._left[mesh]}")
        self.undrawn.add(owner)
        return True

    def _with_defaults(self, element: Element, defaults: Mapping[str, Mapping[str, str]]) -> Mapping[str, str]:
        return {**defaults.get(self._classes.get(element, MAIN), {}), **element.attributes}

    def _weighs(self, geom: Element) -> bool:
        """Whether a geom contributes to its body's inertia."""
        own, groups = self._with_defaults(geom, self._geoms), self._settings.get("inertiagrouprange", "0 5")
        with suppress(ValueError):
            first, last = map(int, groups.split())
            is_counted = first <= int(own.get("group", "0")) <= last
            return is_counted and float(own.get("mass", own.get("density", "1"))) != 0.0
        return True

    def _ties_of(self, equality: Element) -> Iterator[Element]:
        """Store which joints follow others, and yield the elements that close loops; all other ties are left out."""
        if not self.off.keys().isdisjoint(("equality", "constraint")):
            return
        for tie in equality.inner:
            if tie.tag == WORDS or self._with_defaults(tie, self._ties).get("active") == "false":
                continue
            if tie.tag == "joint":
                self.followers.append(tie)
            elif tie.tag in KEPT["equality"]:
                name = f"{tie.tag} {len(self.places)} {tie.place}"
                self.places["equality", name] = tie.place
                own = {key: text for key, text in self._with_defaults(tie, self._ties).items() if key in TIES}
                yield replace(tie, attributes={**own, "name": name})
            else:
                self._remark(tie, f"<{brief(tie.tag)[1:-1]}> in <equality> is left out: nothing is tied together there")

    def _remark_world(self, options: Sequence[Element]) -> None:
        """Remarks on the file's options for the world; the last value of each option counts."""
        last = {name: option for option in options for name in option.attributes}
        for name in ("density", "viscosity", "wind"):
            if name in last and set(last[name].get(name) or "") - set("0. "):
                self._remark(last[name], f"{name} of <option> is left out: nothing moves in a fluid here")
        option = last.get("gravity", options[-1])
        gravity = "0 0 0" if "gravity" in self.off else option.get("gravity")
        with suppress(ValueError):
            gravity = None if [float(each) for each in (gravity or "").split()] == EARTHS else gravity
        if gravity is not None:
            self._remark(option, f"the file's gravity is {brief(gravity)[1:-1]} m/s²: give it to a system as gravity=…")

    def _remark(self, element: Element, words: str) -> None:
        self.remarks.append(f"{element.place}: {words}")

    @property
    def losses(self) -> tuple[str, ...]:
        """The first few remarks, without duplicates, and the number of others."""
        return first_remarks(list(dict.fromkeys(self.remarks)))


def _defaults_of(tag: str, root: Element) -> dict[str, dict[str, str]]:
    """The default attributes of elements with a tag, by class."""

    def classes(default: Element, around: Mapping[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
        own = dict(around)
        for one in default.all(tag):
            own |= one.attributes
        yield default.get("class") or MAIN, own
        for inner in default.all("default"):
            yield from classes(inner, own)

    found: dict[str, dict[str, str]] = {}
    for default in root.all("default"):
        found |= classes(default, found.get(MAIN, {}))
    return found


def _classes(around: Element, inherited: str = MAIN) -> Iterator[tuple[Element, str]]:
    """The class of every element in another, its own or the inherited one."""
    for child in around.inner:
        yield child, child.get("class") or inherited
        yield from _classes(child, child.get("childclass") or inherited)


def settings_of(root: Element) -> dict[str, str]:
    """The settings in a model's ``<compiler>`` elements; the last one counts."""
    return {name: text for one in root.all("compiler") for name, text in one.attributes.items()}


def _is_height_field(geom: Mapping[str, str]) -> bool:
    return "hfield" in (geom.get("type"), *geom)


def _model_name(model: Element, kept: MjcfElements) -> str:
    """The name of a model from which parts are attached."""
    return model.get("name") or kept.root.get("model") or ""


def _mesh_name(attributes: Mapping[str, str]) -> str:
    """A mesh's own name, or that of its file."""
    return attributes.get("name") or PurePosixPath(attributes.get("file", "")).stem


def _placed(mesh: Mapping[str, str]) -> tuple[Array, Array] | None:
    """The point of a mesh that becomes its origin, and a rotation to undo; MuJoCo reports malformed numbers."""
    if "refpos" not in mesh and "refquat" not in mesh:
        return None
    with suppress(ValueError):
        point = np.array(mesh.get("refpos", "0 0 0").split(), float)
        turn = np.array(mesh.get("refquat", "1 0 0 0").split(), float)
        if point.shape == (3,) and turn.shape == (4,) and 0.0 < (length := float(np.linalg.norm(turn))) < np.inf:
            return point, turn / length
    return None


def _at_rest(around: Element) -> Iterator[Element]:
    """Bodies that no joint moves: their inertia has no effect."""
    parts = list(in_body(around))
    if not any(each.tag in ("joint", "freejoint") for each in parts):
        yield around
        for each in parts:
            if each.tag in ("body", "worldbody"):
                yield from _at_rest(each)


def in_body(body: Element) -> Iterator[Element]:
    """The elements of a body, including those in frames."""
    for each in body.inner:
        yield from in_body(each) if each.tag == "frame" else (each,)


def every(element: Element) -> Iterator[Element]:
    """The element and all its descendants."""
    yield element
    for child in element.inner:
        yield from every(child)
