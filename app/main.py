"""The page that ``panel serve app`` serves."""

import panel as pn

from app.page import build

pn.extension()
build().servable()
