"""The 3D view: geometry is sent once, then one array of transforms per frame; the user controls the camera."""

from __future__ import annotations

import math
import struct
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import param
from panel.custom import JSComponent

from app.component import BUNDLE
from app.service import counters
from app.viewer.playing import Play, Receipt, Report, SceneReport, edges_of_runs, read_player
from app.viewer.shapes import Mesh, SceneGeometry

HEADER = struct.Struct("<IIdd")
"""Header of a frame: scene version, frame number, sending time in milliseconds since 1970, and s of the run or NaN."""


PHASES = ("start", "move", "end")


@dataclass(frozen=True, eq=False)
class Drag:
    """A pointer drag of a body.

    Attributes:
        phase: ``start``, ``move`` or ``end``.
        mesh: index of the grabbed mesh.
        place: (3,) the grabbed point, in the mesh's own frame, m.
        target: (3,) pointer position, m, world, in the plane through the point that faces the user; for an arm's
            stand, in the horizontal plane.
    """

    phase: str
    mesh: int
    place: np.ndarray
    target: np.ndarray


class Viewer(JSComponent):
    """A scene of rigid meshes, drawn in the browser.

    `set_scene(meshes)` sends the geometry once per system, and shared shapes only once; `move(transforms)`
    sends 48 bytes per visible mesh for every frame. The browser plays a run: `play(state)` sets its clock, and
    `hand_over(...)` sends it many instants at once. Clicking a mesh sets `selected`. `set_scene` suggests the
    camera, and never touches it again once the user has moved it. If the browser has no WebGL, `webgl` becomes
    False and the view shows `fallback_image` instead.
    """

    scene = param.Dict(
        default={},
        doc="""As in `SceneGeometry`: `points` int16 (n, 3), `normals` int8 (n, 3), `faces` uint16 or uint32
        (m, 3) and `colors` uint8 (k, 4) of points that have several hold the shapes end to end (one buffer each, not
        three a mesh); `meshes` is a list in JSON of name, kind, link, arm, color, `unit` (m, of its points' numbers)
        and the rows of points, faces and colors that are that mesh's, without what it has not; of a large shape there
        is the `digest` by which the browser asks for it, unless it has met it before; `transforms` float32 (meshes,
        12) are the first pose; `play` and `pieces` the first of a run, so that it moves before it hears from the
        server again.""",
    )
    theme: param.Selector = param.Selector(default="light", objects=["light", "dark"], doc="Background and lights.")
    selected = param.Integer(default=-1, bounds=(-1, None), doc="Index of the highlighted mesh, or -1.")
    marked = param.List(default=[], item_type=int, doc="Indices of further meshes to highlight.")
    webgl = param.Boolean(default=None, allow_None=True, doc="Reported by the browser; None until it has tried.")
    fallback_image = param.Bytes(default=None, allow_None=True, doc="PNG or JPEG shown where there is no WebGL.")
    legend = param.List(
        default=[],
        item_type=dict,
        doc="What is drawn: dicts of `name`, what of it stays in little room (`short`), a CSS `color`, `icon`.",
    )
    draggable = param.Boolean(default=False, doc="Whether bodies can be dragged; else every drag turns the view.")
    bases = param.Boolean(default=False, doc="Whether what arms stand on can be dragged over the ground, too.")
    shadow = param.Boolean(default=True, doc="Whether bodies throw a shadow, where there is a ground.")
    words = param.String(default="", doc="Shown at the pointer while the user holds a body.")
    caption = param.String(default="", doc="The stated scale, shown beside the legend.")
    subject = param.String(default="", doc="Whose machine it is, in pictures that the browser saves and their names.")

    _bundle = BUNDLE

    def __init__(self, **params: Any) -> None:
        params.setdefault("sizing_mode", "stretch_both")
        params.setdefault("min_height", 240)
        super().__init__(**params)
        self._version = self._n_meshes = 0
        self._packed = SceneGeometry(())
        self._frame = 0
        self._last: np.ndarray | None = None
        self._moment = math.nan
        self._on_drag: Callable[[Drag], None] | None = None
        self._on_player: Callable[[Report | Receipt | SceneReport], None] | None = None
        self._states = 0

    def on_player(self, hear: Callable[[Report | Receipt | SceneReport], None]) -> None:
        """Sets the function that receives messages of the browser's clock."""
        self._on_player = hear

    def on_drag(self, act: Callable[[Drag], None]) -> None:
        """Sets the function that receives drags, and makes bodies draggable."""
        self._on_drag = act
        self.draggable = True

    def set_scene(
        self,
        meshes: Iterable[Mesh],
        transforms: np.ndarray | None = None,
        camera: Mapping[str, Sequence[float]] | None = None,
        ground: float | None = 0.0,
        stay: bool = False,
        play: Play | None = None,
        pieces: Iterable[bytes] = (),
        whole: bool = False,
    ) -> None:
        """Replace the scene.

        Args:
            meshes: name, kind, link, arm, points (m, 3), normals (m, 3), faces (k, 3), color rgba in [0, 1], and
                for a mesh of several colors also `colors` uint8 (m, 4) of each point.
            transforms: (meshes, 12) row-major 3x4 world<-mesh of the first picture; default: identities.
            camera: `position` and `target`, metres in world axes, used until the user moves the camera;
                default: the whole scene in view.
            ground: height of the ground grid (m), or None for none.
            stay: leave the camera where it is: only the appearance changes.
            play: the state of the browser's clock from the first picture on.
            pieces: of the run, made by `piece` for the coming scene: `version` + 1.
            whole: whether the scene includes large shapes, for a page without a server.
        """
        meshes = tuple(meshes)
        pieces = tuple(pieces)
        counters.pieces.inc(len(pieces))
        first = np.tile(np.eye(3, 4, dtype=np.float32).ravel(), (len(meshes), 1)) if transforms is None else transforms
        self._n_meshes, self._packed = len(meshes), SceneGeometry(meshes, whole)
        self._last = self._checked(first, self._n_meshes)
        self._version += 1
        self.param.update(selected=-1, marked=[])
        self.scene = {
            "version": self._version,
            **self._packed.data,
            "transforms": self._last,
            "camera": None if camera is None else {k: [float(x) for x in v] for k, v in camera.items()},
            "ground": ground,
            "stay": stay,
            "play": None if play is None else self._state(play),
            "pieces": [np.frombuffer(piece, np.uint8) for piece in pieces],
        }

    @property
    def version(self) -> int:
        """Number of the present scene."""
        return self._version

    def begin(self) -> None:
        """Tell the browser that the server now accepts input from the page, so that the placeholder can go."""
        self._send_msg({"begun": True})

    def speak(self, words: str) -> None:
        """Have screen readers say a sentence after their current one."""
        self._send_msg({"spoken": words})

    def drop(self) -> None:
        """Tell the browser that the user's grip on a body is lost: the drag ends."""
        self._send_msg({"dropped": True})

    def play(self, play: Play) -> None:
        """Tell the browser's clock what to do."""
        self._send_msg({"play": self._state(play)})

    def _state(self, play: Play) -> dict[str, Any]:
        """The numbered state, so that the browser ignores an outdated one."""
        self._states += 1
        return {**asdict(play), "number": self._states}

    def hand_over(self, piece: bytes) -> None:
        """Give the browser a `piece` of the run."""
        counters.pieces.inc()
        self._send_msg(piece)

    def move(
        self, transforms: np.ndarray, moment: float = math.nan, grown: Sequence[tuple[int, int]] | None = None
    ) -> None:
        """Draw the meshes of the present scene at `transforms`: (meshes, 12), row-major 3x4 world<-mesh.

        With a `moment` of the run, s, it is drawn only if the browser's clock is exactly there.
        With `grown` the transition is smooth: ellipsoids and arrows start from where they are, and the first
        mesh of each pair, which is new, from the second's place.

        Scaling is allowed (ellipsoids, arrows); a mesh whose 3x3 part is zero is hidden; an entirely zero row
        is not sent.
        """
        self._last = self._checked(transforms, self._n_meshes)
        self._frame += 1
        self._moment = moment
        if grown is not None:
            self._send_msg({"grown": [list(pair) for pair in grown]})
        header = HEADER.pack(self._version, self._frame & 0xFFFFFFFF, time.time() * 1e3, moment)
        self._send_msg(header + _visible(self._last))

    def _checked(self, transforms: np.ndarray, n_meshes: int) -> np.ndarray:
        array = np.ascontiguousarray(transforms, dtype=np.float32)
        if array.size != 12 * n_meshes:
            raise ValueError(f"transforms: expected shape ({n_meshes}, 12) for this scene, got {array.shape}")
        return array.reshape(n_meshes, 12)

    def _handle_msg(self, data: Any) -> None:
        """Handles messages; a page that has just drawn its scene gets the newest frame, for earlier ones are lost."""
        if data in ("ready", "redrawn"):
            if self._on_player is not None:
                self._on_player(SceneReport(data == "ready"))
            if self._last is not None and self._frame:
                self.move(self._last, self._moment)
        elif not isinstance(data, Mapping):
            return
        elif "shapes" in data:
            if (shapes := self._packed.answer(data["shapes"])) is not None:
                self._send_msg(shapes)
        elif "mesh" not in data:
            report = read_player(data)
            if report is not None and self._on_player is not None:
                self._on_player(report)
        elif self._on_drag is not None:
            drag = read_drag(data, self._n_meshes)
            if drag is not None:
                self._on_drag(drag)


def read_drag(message: Mapping[str, Any], n_meshes: int) -> Drag | None:
    """Parses a browser's drag message; None if it is invalid for this scene."""
    try:
        mesh = int(message["mesh"])
        place, target = (np.array(message[key], dtype=float) for key in ("place", "target"))
    except (KeyError, TypeError, ValueError):
        return None
    sound = place.shape == target.shape == (3,) and bool(np.isfinite([place, target]).all())
    if message.get("phase") not in PHASES or not 0 <= mesh < n_meshes or not sound:
        return None
    return Drag(message["phase"], mesh, place, target)


def _visible(transforms: np.ndarray) -> bytes:
    """The nonzero rows: the number of their runs, first and end of each run, and then the rows."""
    seen = transforms.any(axis=1)
    edges = edges_of_runs(seen)
    return np.uint32(len(edges) // 2).tobytes() + edges.tobytes() + transforms[seen].tobytes()
