"""The 3D view of the page: a Panel component drawn by three.js."""

from .viewer import Drag, Viewer

__all__ = ["Drag", "Viewer"]
