"""Sphinx settings: Markdown pages whose Python runs, formulas as MathML, nothing from another host."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

project = "Armsweep"
author = "Armsweep contributors"
extensions = ["myst_parser", "docs.running_examples", "docs.mathml", "docs.replays"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
html_theme = "alabaster"
html_theme_options = {
    "description": "See a Kalman filter move a robot",
    "page_width": "1140px",
    "body_max_width": "none",
    "font_family": "sans-serif",
    "show_powered_by": False,
}
html_static_path = ["_static"]
html_math_renderer = "mathml"
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
