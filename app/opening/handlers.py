"""Where browsers find a machine's opening motion."""

from __future__ import annotations

import asyncio

from bokeh.server.urls import toplevel_patterns
from tornado.web import HTTPError, RequestHandler

from app.motion.presets import PRESETS
from app.opening.opening import packed_opening


class Opening(RequestHandler):
    """The same for everybody: a browser keeps it, and asks whether it is still that."""

    async def get(self, preset: str) -> None:
        if preset not in PRESETS:
            raise HTTPError(404)
        packed = await asyncio.get_running_loop().run_in_executor(None, packed_opening, preset)
        self.set_header("Content-Type", "application/octet-stream")
        self.set_header("Content-Encoding", "gzip")
        self.set_header("Cache-Control", "no-cache")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.finish(packed)


ROUTE = (r"/opening/([a-z0-9_]{1,40})", Opening)


def serve_openings() -> None:
    """Has every server that is made from now on answer there, behind its prefix; before there is a server."""
    if ROUTE not in toplevel_patterns:
        toplevel_patterns.append(ROUTE)
