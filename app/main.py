"""The page that ``panel serve app`` serves."""

import panel as pn

from app.page import build

pn.extension()
# ``--autoreload`` runs this once before there is a server, to see which files it watches.
if pn.state.curdoc is not None and pn.state.curdoc.session_context is not None:
    build().servable()
