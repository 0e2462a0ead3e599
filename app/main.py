"""The page that ``panel serve app`` serves."""

from asyncio import get_running_loop

import panel as pn

from app.page import build

pn.extension()
try:
    get_running_loop()
except RuntimeError:
    pass  # ``--autoreload`` and ``--warm`` run this once before there is a server, with no event loop to run a page
else:
    build().servable()
