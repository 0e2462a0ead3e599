"""Sphinx settings: Markdown pages whose Python runs, formulas as MathML, nothing from another host."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

project = "Armsweep"
author = "Armsweep contributors"
extensions = ["myst_parser", "docs.running_examples", "docs.mathml"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
exclude_patterns = ["_build", "pictures"]
html_theme = "alabaster"
html_theme_options = {
    "description": "See a Kalman filter move a robot",
    "page_width": "1100px",
    "font_family": "sans-serif",
}
html_math_renderer = "mathml"
html_copy_source = False
html_show_sourcelink = False
