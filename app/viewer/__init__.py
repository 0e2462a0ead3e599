"""The 3D view of the page: a Panel component drawn by three.js.

It may import: nothing of this package.
Start with ``viewer``; its other half is ``src/stage.js``.
"""

from .viewer import Drag, Drawn, Play, Receipt, Report, Viewer, piece

__all__ = ["Drag", "Drawn", "Play", "Receipt", "Report", "Viewer", "piece"]
