"""A page with the viewer alone, playing the toy scene at 30 Hz; query arguments set the theme and stop the play."""

from __future__ import annotations

import asyncio
import io
import json
import time

import numpy as np
import panel as pn
import toy_scene
from panel.io.document import unlocked
from panel.io.state import set_curdoc
from PIL import Image

from app.clock import is_watched
from app.viewer import Viewer

RATE = 30.0

pn.extension()


def picture() -> bytes:
    gradient = np.zeros((60, 80, 3), np.uint8)
    gradient[..., 0] = np.linspace(40, 220, 80)
    file = io.BytesIO()
    Image.fromarray(gradient).save(file, "png")
    return file.getvalue()


def argument(name: str, default: str) -> str:
    values = (pn.state.session_args or {}).get(name)
    return values[0].decode() if values else default


viewer = Viewer(
    theme=argument("theme", "light"),
    fallback_image=picture(),
    legend=[{"name": "contact force", "color": "#cc1a40"}, {"name": "P(k)", "color": "#7570b380"}],
    caption="arrows: 10 N per 0.1 m",
)
begin = toy_scene.transforms(0.0, float(argument("longest", "0.45")))
viewer.set_scene(toy_scene.meshes(ghost=argument("ghost", "")), begin)
if argument("drag", "off") == "on":
    viewer.on_drag(lambda _: None)
report = pn.widgets.StaticText(name="selected", css_classes=["report"])
report.value = viewer.param.selected.rx().rx.pipe(str)
webgl = pn.widgets.StaticText(name="webgl", css_classes=["webgl"], value=viewer.param.webgl.rx().rx.pipe(str))
swap = pn.widgets.Button(name="swap scene")
swap.on_click(lambda _: viewer.set_scene(toy_scene.meshes()[:7], toy_scene.transforms(0.0)[:7], ground=None))
sizing = {"width": int(argument("width", "1280")), "height": int(argument("height", "720")), "sizing_mode": "fixed"}
viewer.param.update(**sizing)
page = pn.Column(viewer, pn.Row(report, webgl, swap))
hide = pn.widgets.Button(name="hide")
hide.on_click(lambda _: page.__setitem__(0, pn.Spacer(height=20) if page[0] is viewer else viewer))
page[1].append(hide)
shadow = pn.widgets.Button(name="shadow")
shadow.on_click(lambda _: viewer.param.update(shadow=not viewer.shadow))
page[1].append(shadow)
page.servable()

doc = pn.state.curdoc
cost: list[float] = []


async def play() -> None:
    start = due = time.monotonic()
    while len(json.loads(viewer.scene["meshes"])) == 70:
        array = toy_scene.transforms(time.monotonic() - start)
        before = time.perf_counter()
        if is_watched(doc):
            with set_curdoc(doc), unlocked():
                viewer.move(array)
        cost.append(time.perf_counter() - before)
        if len(cost) % 300 == 0:
            print(f"move: {1e3 * np.median(cost[-300:]):.3f} ms", flush=True)
        due += 1 / RATE
        await asyncio.sleep(max(0.0, due - time.monotonic()))


def start() -> None:
    if argument("play", "on") == "on":
        task = asyncio.create_task(play())
        doc.on_session_destroyed(lambda _: task.cancel())


pn.state.onload(start)
