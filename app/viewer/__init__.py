"""The 3D view of the page: a Panel component drawn by three.js.

It may import: ``app.component`` and ``app.service``.
Start with ``viewer``; its other half is ``src/stage.js``.
"""

from .playing import Play, Receipt, Report, SceneReport, edges_of_runs, piece
from .viewer import Drag, Viewer

__all__ = ["Drag", "Play", "Receipt", "Report", "SceneReport", "Viewer", "edges_of_runs", "piece"]
