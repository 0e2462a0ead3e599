"""The 3D view: the scene of the running system, moved to the cursor's instant."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
import scenes
from app.binding import Binding
from app.job import Job, Jobs
from app.motion.errors import ERRORS
from app.state import Session
from app.state.kept_run import LETTERS
from app.state.manipulation import BaseAim, Manipulation
from app.state.point_force import BodyPoint
from app.state.walk import Place
from app.viewer import Drag, edges_of_runs
from app.viewer import Viewer as View3D
from app.views.components import View
from app.views.playback import Playback
from app.views.scene_options import (
    ALPHA,
    WALKED,
    HalfStepPicture,
    Part,
    PastPaths,
    WalkScale,
    counted,
    known_of,
    look_at,
    pointed,
    staged,
)
from app.views.scene_words import CUT_SHORT, end_of, entry, in_turn, larger, title, too_small
from scenes import palette
from scenes.close_up import BEFORE_AND_AFTER
from scenes.layers import CONTACTS, ELLIPSOIDS, WAYS, owner

OCCASIONAL = ("push", "contact_influence_sweep", *(layer.name for layer in (*CONTACTS, *WAYS)))
"""Layers that are empty unless a body is pushed or the object is held."""
CONSERVED = ("momentum", "angular_momentum")  # Layers whose arrow may vanish; the legend then says so


@dataclass(frozen=True)
class PictureContents:
    """The contents of a picture.

    Attributes:
        present: the layers with something to show, among those that may be empty.
        small: for each layer of ellipsoids, how many are drawn, and how many of these are too small to be seen.
        cut_short: layers with an arrow that is drawn shorter than to scale.
    """

    present: frozenset[str] = frozenset()
    small: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    cut_short: frozenset[str] = frozenset()


def contents_of(scene: scenes.Scene, pictures: NDArray[np.float32]) -> list[PictureContents]:
    """The contents of each of the (moments, meshes, 12)."""
    drawn = np.asarray(pictures.any(axis=2))
    has = {name: np.asarray(drawn[:, scene.layers[name]].any(axis=1)) for name in (*OCCASIONAL, *CONSERVED)}
    balls = [layer.name for layer in ELLIPSOIDS if drawn[:, scene.layers[layer.name]].any()]
    small = {name: scene.hidden(name, pictures) for name in balls}
    cut_short = scene.cut_short(pictures)
    return [
        PictureContents(
            frozenset(name for name, each in has.items() if each[at]),
            {name: (int(many[at]), int(few[at])) for name, (many, few) in small.items() if many[at]},
            frozenset(name for name, each in cut_short.items() if each[at]),
        )
        for at in range(len(pictures))
    ]


SIZE = (960, 600)


class Pictures:
    """Draws at most one picture at a time; the child process that draws them starts with the first.

    Args:
        show: called with each picture.
    """

    def __init__(self, jobs: Jobs, show: Callable[[bytes], None]) -> None:
        self._job: Job[bytes] = jobs.new("this browser has no WebGL, and the server draws no pictures either")
        self._show = show
        self._server: scenes.PictureServer | None = None
        self._failed = False

    @property
    def busy(self) -> bool:
        """Whether no picture can be requested now, or ever."""
        return self._failed or self._job.busy

    def forget(self) -> None:
        """Drops the unfinished picture, whose scene no longer exists."""
        self._job.cancel()

    def ask(self, scene: scenes.Scene, transforms: NDArray[np.float32]) -> None:
        self._job.start(partial(self._draw, scene, transforms), self._show)

    def _draw(self, scene: scenes.Scene, transforms: NDArray[np.float32]) -> bytes:
        try:
            if self._server is None:
                self._server = scenes.PictureServer()
            return self._server.draw(scene, transforms, size=SIZE)
        except RuntimeError:
            self._failed = True
            raise

    def stop(self) -> None:
        if self._server is not None:
            # Closing waits for the child, which the event loop must not.
            threading.Thread(target=self._server.close, daemon=True).start()


AFTER = ("articulated_inertia_updated",)  # Layers shown in the second half of a step; the first half shows the others


def follow_click(session: Session, mesh: scenes.SceneMesh, solution: dyn.Solution) -> None:
    """Moves the cursor to a mesh's link, and to the stage that owns the mesh's quantity."""
    if mesh.link is None or mesh.link >= session.system.n_links:
        return
    session.select_link(mesh.link)
    session.clicks += 1
    layer = scenes.CHOICES.get(mesh.layer)
    stage = None if layer is None else owner(layer, solution, session.cursor.stage)
    if stage is not None:
        session.select_stage(stage)
        session.cursor.half = int(mesh.layer in AFTER)


def marked(
    scene: scenes.Scene, session: Session, solution: dyn.Solution, visible: Iterable[str]
) -> tuple[int, NDArray[np.int64]]:
    """Indices of meshes: (the cursor's link, the same with the ellipsoids and arrows that its stage owns there)."""
    cursor = session.cursor
    owned = {
        name
        for name in visible
        if name in scenes.CHOICES and owner(scenes.CHOICES[name], solution, cursor.stage) == cursor.stage
    }
    halves = {name for name in owned if (name in AFTER) == bool(cursor.half)}
    if cursor.stage == "filter":
        owned = halves
    found = [
        i
        for name in ("links", *owned)
        for i in scene.layers[name]
        if scene.meshes[i].link == cursor.link and scene.meshes[i].kind != "trail"
    ]
    body = next((i for i in found if scene.meshes[i].layer == "links"), -1)
    return int(body), np.array(found, np.int64)


Transforms = NDArray[np.float32]
ALWAYS = ("links", "object")


class SceneView(View):
    """Sends a system's geometry once, then the run, which the browser plays, and single instants while it stands still.

    Without WebGL, and while the user pushes or drags, it sends every picture as it is computed.
    """

    def __init__(
        self,
        session: Session,
        manipulation: Manipulation | None = None,
        is_followed: Callable[[], bool] = lambda: True,
        **params: object,
    ) -> None:
        super().__init__(**params)
        self._session, self._manipulation = session, manipulation
        self.view = self._view = View3D(min_height=60)
        self._pictures = Pictures(session.jobs, lambda picture: self._view.param.update(fallback_image=picture))
        self._past, self._past_ahead = PastPaths(), PastPaths()
        self._playback = Playback(session, self._view, is_followed)
        self._contents_at: dict[float, PictureContents] = {}
        self._begun = 0.0
        self._theme: palette.Theme = "light"
        self._scene: scenes.Scene | None = None
        self._loaded: dyn.System | None = None
        self._built_for: tuple[object, ...] = ()
        self._meshes = np.empty(0, int)
        self._place = np.empty(0, int)
        self._walked_meshes: tuple[int, ...] = ()
        self._shown: tuple[object, ...] = ()
        self._looked: tuple[object, ...] = ()
        self._contents, self._enlarged = PictureContents(), (1.0, dict[str, float]())
        self._walked: tuple[tuple[dyn.System, Place], HalfStepPicture] | None = None
        self._grew: HalfStepPicture | None = None
        self._near: dict[str, float] = {}
        self._walk_scale = WalkScale()
        self._mark = -1
        self._begins = self._is_dragged = False
        self._marks = Binding(self._view, lambda: self._mark, self._select, name="selected", echoes=False)
        if manipulation is not None:
            self._view.on_drag(self._drag)

    def _drag(self, drag: Drag) -> None:
        manipulation, session = self._manipulation, self._session
        assert manipulation is not None
        self._is_dragged = drag.phase != "end"
        if drag.phase == "end":
            manipulation.move(drag.target)
            manipulation.let_go()
        elif drag.phase == "move":
            manipulation.move(drag.target)
        elif self._scene is not None:
            mesh = self._scene.meshes[self._meshes[drag.mesh]]
            body = session.system.n_links if mesh.kind == "object" else mesh.link
            if body is None and mesh.arm is not None:
                manipulation.take_base(mesh.arm, drag.place, drag.target)
            elif body is not None and body < session.system.n_links + (session.system.task_object is not None):
                if body < session.system.n_links and not session.walked:  # the walk keeps its place
                    session.select_link(body)
                manipulation.take(BodyPoint(body, drag.place), drag.target)

    def _select(self, mesh: int) -> None:
        """A click on a link, an ellipsoid or an arrow moves the cursor there; Escape clears the mark."""
        self._mark = mesh
        if mesh < 0:
            self._view.marked = []
        elif self._scene is not None and mesh < len(self._meshes):
            follow_click(self._session, self._scene.meshes[self._meshes[mesh]], self._session.solution())
            self._shown = ()

    def begin(self) -> None:
        """Tells the browser that the page accepts input, once the browser's clock agrees with the server.

        The opening document hands over its time then, which a jump still in flight would undo. Therefore the message is
        sent when a scene has been drawn, after those to the browser's clock.
        """
        self._begins = True

    def paint(self, theme: palette.Theme) -> None:
        self._theme = self._view.theme = theme
        self._shown = ()

    def _say(self) -> None:
        """Shows beside the pointer how hard the user pushes, or how far the posture falls short."""
        point_force, aim = self._session.point_force, self._session.aim
        limited = ", the most here" if point_force is not None and point_force.is_limited else ""
        words = "" if point_force is None else f"{point_force.size:.1f} N{limited}"
        self._view.words = words if aim is None else aim.words

    def _drop(self) -> None:
        """Ends the drag of a push that can no longer act, wherever the pointer is."""
        manipulation = self._manipulation
        if self._is_dragged and manipulation is not None and not manipulation.is_holding:
            self._is_dragged = False
            self._view.drop()

    @property
    def _staged(self) -> HalfStepPicture | None:
        """The picture of the walk's half-step, if the walk chooses it; made once per half-step."""
        session = self._session
        if not session.is_staged:
            return None
        at = (session.system_here, session.place)
        if self._walked is None or self._walked[0] != at:
            self._walked = (at, staged(*at))
        return self._walked[1]

    @property
    def _layers(self) -> tuple[str, ...]:
        """The layers that are on; the filter's step at the cursor is shown while the motion stands still."""
        session = self._session
        if (walked := self._staged) is not None:
            return walked.with_own(self._chosen)
        return tuple(name for name in self._chosen if name != "freed" or not session.playing)

    @property
    def _chosen(self) -> tuple[str, ...]:
        """The user's layers, and those that *Edit* highlights."""
        return (*self._session.layers, *pointed(self._session))

    @property
    def visible(self) -> tuple[str, ...]:
        """The layers with something in the picture, including those of the filter's step."""
        layers, cursor = self._layers, self._session.cursor
        layers = tuple(name for name in layers if name not in OCCASIONAL or name in self._contents.present)
        if "freed" not in layers:
            return layers
        if cursor.stage == "filter" and cursor.link < self._session.system.n_joints:
            return tuple(dict.fromkeys((*layers, *BEFORE_AND_AFTER)))
        return tuple(name for name in layers if name != "freed")

    def stated(self) -> dict[str, tuple[str, float]]:
        """The scale of each visible layer that has one: its unit, and the amount that ten centimetres represent."""
        return {} if self._scene is None else self._scene.stated(self._drawn, self._session.block, self._near)

    @property
    def _drawn(self) -> tuple[str, ...]:
        """The visible layers without those that are zero."""
        return tuple(name for name in self.visible if name not in CONSERVED or name in self._contents.present)

    def draw(self) -> None:
        session, cursor = self._session, self._session.cursor
        self._say()
        self._drop()
        self._view.shadow = session.shadow
        if self._manipulation is not None:
            self._view.bases = self._manipulation.moves_bases
        aim = session.aim if isinstance(session.aim, BaseAim) else None
        moment = (session.moment, session.point_force, session.ghosts, aim, session.tried_solution)
        chosen = (self._theme, session.block, session.around, cursor.stage, cursor.link, cursor.half)
        known = counted(session.run) if self._staged is not None else 0.0  # the walk's scales depend on it
        haunts = self._haunts()
        if self._built_for != (session.drawn, self._theme, haunts):
            self._open(session.drawn, session.solution(), haunts)
        assert self._scene is not None
        scales = self._scene.scales
        seen = (*chosen, self._layers, pointed(session), self._staged, session.ghosts, session.drawn, session.torqued)
        wanted = (moment, (*seen, known, scales.values))
        self._playback.follow(self._track(), self._ruled)
        if self._begins and self._playback.stands and not session.opening.reads_link:
            self._begins = False
            self._view.begin()
        asked = self._playback.asked and not session.playing  # the browser has drawn its own picture over this one
        self._playback.asked &= session.playing  # this may arrive before the browser reports its pause
        if (asked or wanted != self._shown) and not (self._view.webgl is False and self._pictures.busy):
            self._show(wanted)
        if not self._playback.live:
            self._forget(session.run.begin)
            if not session.is_restless:
                self._playback.hand_over(self._instants)
            if self._playback.whole and session.run.complete:
                scales.refit()
            self._state_scale()

    def _show(self, wanted: tuple[tuple[object, ...], tuple[object, ...]]) -> None:
        """Shows the instant at the cursor; while the browser plays, only the texts beside the picture."""
        session = self._session
        assert self._scene is not None
        contents = self._contents_at.get(self._playback.nearest(session.time))
        if not (session.playing and session.has_player) or contents is None:
            aim = session.aim
            solution = aim.solution if isinstance(aim, BaseAim) else session.pictured()
            scales, fixed = self._scene.scales, self._scene.scales.fixed
            if solution is session.tried_solution:  # drawn to the actual system's scale
                scales.fixed = scales.units
            transforms = self._transforms(solution, session.time, self._layers)
            scales.fixed = fixed
            [contents] = contents_of(self._scene, transforms[None])
            if self._view.webgl is False:
                self._pictures.ask(self._scene, transforms)
            else:
                self._view.move(transforms[self._meshes], session.cursor.time, self._grown())
        if self._staged is None:
            self._near = {}
        enlarged = (self._scene.scales.enlarged, self._near)
        if self._shown[1:] != wanted[1:] or (contents, enlarged) != (self._contents, self._enlarged):
            self._contents, self._enlarged = contents, enlarged
            self._describe(session.solution())
        self._state_scale()
        self._shown = wanted

    def _transforms(self, solution: dyn.Solution, time: float, layers: tuple[str, ...]) -> Transforms:
        """(all meshes, 12) at the cursor's instant."""
        session, walked = self._session, self._staged
        assert self._scene is not None
        close_up = None
        if walked is not None and session.place.stage == "filter":
            close_up = self._scene.close_up(solution, session.place.link, session.block)
        if walked is not None and set(ALPHA) <= set(walked.layers) and not set(ALPHA) & set(session.layers):
            self._walk_scale.fit(self._scene.scales, session.run, session.place.stage, layers)
        self._near = {} if walked is None or close_up is None else close_up.whole(walked.only)
        shown = self._shown_of(layers)
        look = look_at(session, self._past, solution, time, shown, walked, close_up)
        return self._scene.transforms(solution, shown, look)

    @property
    def _ruled(self) -> tuple[int, ...]:
        """Runs of the meshes that the walk rules, if it chooses the picture."""
        return () if self._staged is None else self._walked_meshes

    def _grown(self) -> list[tuple[int, int]] | None:
        """Meshes that the walk has just added, each paired with its origin; None outside a walk."""
        walked, scene = self._staged, self._scene
        news, self._grew = walked is not self._grew, walked
        if walked is None or scene is None:
            return None
        if not news:
            return []  # only the look has changed

        def mesh(part: Part) -> int:
            layer, k = part
            return int(self._place[scene.layers[layer][k]])

        return [(mesh(new), mesh(old)) for new, old in walked.grown]

    def _instants(self, times: Sequence[float]) -> list[Transforms | None]:
        """(the view's meshes, 12) at instants of the run for the browser to play; None where there is none."""
        assert self._scene is not None
        layers = tuple(name for name in self._chosen if name != "freed")
        self._scene.scales.grows = False
        try:
            solutions = self._session.run.solutions_at(times)
            known = [(time, solution) for time, solution in zip(times, solutions, strict=True) if solution is not None]
            found = self._ahead(known, layers)
            return [found.get(time) for time in times]
        finally:
            self._scene.scales.grows = True

    def _ahead(self, moments: Sequence[tuple[float, dyn.Solution]], layers: tuple[str, ...]) -> dict[float, Transforms]:
        """Pictures for the browser to play, by their instants; those that cannot be drawn are left out."""
        scene, shown = self._scene, self._shown_of(layers)
        assert scene is not None
        if not moments:
            return {}
        try:
            looks = [look_at(self._session, self._past_ahead, solution, time, shown) for time, solution in moments]
            pictures = scene.pictures([solution for _, solution in moments], shown, looks)
        except ERRORS:  # errors are reported when the user looks at that instant
            alone = moments if len(moments) > 1 else ()
            return {time: made for each in alone for time, made in self._ahead([each], layers).items()}
        times = [time for time, _ in moments]
        self._contents_at |= dict(zip(times, contents_of(scene, pictures), strict=True))
        return dict(zip(times, pictures[:, self._meshes], strict=True))

    def _shown_of(self, layers: tuple[str, ...]) -> tuple[str, ...]:
        return (*ALWAYS, *layers, *(["ghost"] if self._session.ghosts else []))

    def _forget(self, begin: float) -> None:
        """Forgets the contents of pictures that a run without end has dropped."""
        if begin > self._begun:
            self._contents_at = {time: seen for time, seen in self._contents_at.items() if time >= begin}
        self._begun = begin

    def _track(self) -> tuple[object, ...]:
        """Everything but the time on which the run's pictures depend."""
        session, cursor, scene = self._session, self._session.cursor, self._scene
        assert scene is not None
        whose = {"arm": cursor.arm, "link": cursor.link}.get(session.around)
        run = (session.run, tuple((ghost.run, ghost.letter) for ghost in session.ghosts), self._built_for)
        if run != self._looked[:3]:
            scene.scales.begin()
        layers = self._chosen
        # If several stages compute a quantity, the cursor's is drawn.
        stages = [name for name in layers if cursor.stage in scenes.CHOICES[name].stages[1:]]
        known = tuple(map(known_of, session.ghosts))
        track = (
            *run,
            known,
            session.block,
            whose,
            (cursor.stage, *stages) if stages else (),
            session.torqued if "influence" in layers else -1,
            layers,
            (cursor.link, *own) if (own := pointed(session)) else (),
            scene.scales.values,
        )
        if track != self._looked:
            self._looked = track
            self._contents_at.clear()
        return track

    def _haunts(self) -> tuple[tuple[dyn.System, str], ...]:
        """System and letter of each ghost; if none, one is prepared, so that the first usually costs nothing."""
        loaded = self._session.drawn
        found = []
        for ghost in self._session.ghosts:
            system = ghost.run.actuation.system
            found.append((loaded if scenes.looks_alike(system, loaded) else system, ghost.letter or LETTERS[0]))
        return tuple(found) or ((loaded, LETTERS[0]),)

    def _open(self, system: dyn.System, solution: dyn.Solution, haunts: tuple[tuple[dyn.System, str], ...]) -> None:
        start = self._session.setup.machine.first
        haunting = [scenes.GhostRun(*each) for each in haunts]
        scene = self._scene = scenes.Scene(system, solution, self._theme, haunting, start)
        self._pictures.forget()
        self._view.fallback_image = None
        self._built_for = (system, self._theme, haunts)
        self._shown = ()
        # The floor is the view's own grid.
        self._meshes = np.flatnonzero([mesh.layer != "ground" for mesh in scene.meshes])
        self._place = np.full(len(scene.meshes), -1)
        self._place[self._meshes] = np.arange(len(self._meshes))
        walked = edges_of_runs([scene.meshes[k].layer in WALKED for k in self._meshes])
        self._walked_meshes = tuple(int(edge) for edge in walked)
        named = [dataclasses.replace(scene.meshes[k], name=title(scene.meshes[k], system)) for k in self._meshes]
        first = self._transforms(solution, self._session.time, self._layers)[self._meshes]
        self._mark = -1
        self._marks.follow()
        play = dataclasses.replace(self._playback.state(self._track(), self._ruled), time=self._session.cursor.time)
        self._view.set_scene(
            named,
            first,
            ground=scene.ground_height,
            stay=self._session.loaded is self._loaded,
            play=play,
            pieces=self._playback.first_pieces(self._instants),
        )
        self._loaded = self._session.loaded

    def _describe(self, solution: dyn.Solution) -> None:
        scene, session = self._scene, self._session
        assert scene is not None
        body, others = marked(scene, session, solution, self.visible)
        self._mark = -1 if body < 0 else int(self._place[body])
        self._marks.follow()
        self._view.marked = [int(self._place[i]) for i in others]
        own = {layer.name for layer in scenes.layers_of(session.system)}
        visible, drawn = self.visible, self._drawn
        ghosts, small = session.ghosts, dict(self._contents.small)
        legend: list[dict[str, str]] = []
        for ghost in ghosts:  # first, as a narrow page may cut the rest; with several, their names are in Show
            title = (f": {ghost.title}" if len(ghosts) == 1 else "") + end_of(ghost, session.run)
            color = palette.ghost(max(LETTERS.find(ghost.letter), 0), self._theme)
            legend.append({"name": f"ghost {ghost.letter}".strip() + title, "color": color})
        legend += [
            entry(
                layer,
                session.system,
                self._theme,
                larger(scene.times(layer.name, self._near))
                + ("" if layer.name in drawn else ": zero")
                + too_small(*small.get(layer.name, (0, 0))),
                CUT_SHORT if layer.name in self._contents.cut_short else "",
            )
            for layer in in_turn(scenes.CHOICES.values(), drawn)
            if layer.name in visible and layer.name in own
        ]
        self._view.legend = legend
        self._view.subject = session.title

    def _state_scale(self) -> None:
        assert self._scene is not None
        self._view.caption = self._scene.caption(self._drawn, self._session.block, self._near)

    def on_news(self, stir: Callable[[], None]) -> None:
        """Sets the function called when the browser's clock has reported something that needs a response."""
        self._playback.on_news = stir

    def speak(self, words: str) -> None:
        self._view.speak(words)

    def is_settled(self) -> bool:
        """Whether the browser has everything computed so far of the run."""
        return self._playback.whole

    def stop(self) -> None:
        self._pictures.stop()
