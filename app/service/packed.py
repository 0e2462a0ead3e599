"""What is equal for all visitors travels packed, and is packed once; what a page is told goes packed, too."""

from __future__ import annotations

import asyncio
import gzip
from functools import cache
from pathlib import Path

from bokeh.embed.bundle import extension_dirs
from bokeh.server.urls import per_app_patterns, toplevel_patterns
from bokeh.server.views.multi_root_static_handler import MultiRootStaticHandler
from bokeh.server.views.static_handler import StaticHandler
from bokeh.server.views.ws import WSHandler
from tornado.web import StaticFileHandler

from app.service.websocket import PageSocket

KINDS = ".css", ".js"
LEVEL = 9
GZIP = "gzip"


@cache
def packed(path: str, changed: int) -> bytes:
    """A file by gzip; ``changed`` is when it was last written, ns."""
    del changed
    return gzip.compress(Path(path).read_bytes(), LEVEL, mtime=0)


class Packing(StaticFileHandler):
    """A handler of files that gives scripts and styles packed to whoever takes that."""

    async def get(self, path: str, include_body: bool = True) -> None:
        if not path.endswith(KINDS):
            await super().get(path, include_body)
            return
        self.set_header("Vary", "Accept-Encoding")
        if GZIP not in self.request.headers.get("Accept-Encoding", "") or "Range" in self.request.headers:
            await super().get(path, include_body)
            return
        self.path = self.parse_url_path(path)
        self.absolute_path = self.validate_absolute_path(self.root, self.get_absolute_path(self.root, self.path))
        if self.absolute_path is None:
            return
        self.modified = self.get_modified_time()
        self.set_header("Content-Encoding", GZIP)
        self.set_headers()
        if self.should_return_304():
            self.set_status(304)
            return
        changed = Path(self.absolute_path).stat().st_mtime_ns
        body = await asyncio.get_running_loop().run_in_executor(None, packed, self.absolute_path, changed)
        self.set_header("Content-Length", len(body))
        self.finish(body if include_body else None)

    def compute_etag(self) -> str | None:
        """Another one where it is packed: these are other bytes."""
        own = super().compute_etag()
        return own if own is None or "Content-Encoding" not in self._headers else f'{own[:-1]}-{GZIP}"'


class PackingExtensions(Packing, MultiRootStaticHandler):
    """Of what comes with Panel, and of the page's own."""


class PackingStatic(Packing, StaticHandler):
    """Of Bokeh's own."""


def serve_packed(name: str, folder: Path) -> None:
    """Has every server that is made from now on pack what it serves, and serve a folder; before there is a server.

    Args:
        name: of the folder, in addresses: ``static/extensions/name/``.
        folder: files that anybody may have.
    """
    extension_dirs[name] = folder
    instead: dict[type, type] = {MultiRootStaticHandler: PackingExtensions, StaticHandler: PackingStatic}
    for patterns in (toplevel_patterns, per_app_patterns):
        for k, (route, handler, *more) in enumerate(patterns):
            if issubclass(handler, WSHandler) and not issubclass(handler, PageSocket):
                patterns[k] = (route, type("Packed", (PageSocket, handler), {}), *more)
            elif handler in instead:
                patterns[k] = (route, instead[handler], *more)
