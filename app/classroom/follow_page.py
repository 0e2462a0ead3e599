"""The follower's page and its scripts, made once."""

from __future__ import annotations

import functools
import gzip
import hashlib
import json
from pathlib import Path

from jinja2 import Template

from app.classroom.ask import LOOK
from app.equations.font import served_face
from app.equations.sheet import FIT
from app.equations.sheet_style import variables
from app.replay.replay import own, scripts
from app.views.components import ELEMENTS

HERE = Path(__file__)


@functools.cache
def page_text(views: str) -> str:
    """The follower's page, which loads scripts by this name."""
    colors = f"#asked {{ {variables('light')} }} :root[data-theme='dark'] #asked {{ {variables('dark')} }}"
    style = (served_face("../"), own("replay.css"), HERE.with_name("follow.css").read_text("utf-8"), colors, LOOK)
    files = FIT, ELEMENTS, HERE.with_name("answer.js"), HERE.with_name("follow.js")
    page = Template(HERE.with_name("follow.html").read_text("utf-8"))
    script = "".join(path.read_text("utf-8") for path in files)
    return page.render(style="".join(style), views=views, script=script)


@functools.cache
def packed_views() -> tuple[str, bytes]:
    """The scripts' name, and all scripts compressed by gzip."""
    packed = gzip.compress(json.dumps(scripts()).encode(), 9, mtime=0)
    return hashlib.sha256(packed).hexdigest()[:16], packed
