"""The 3D view of the page: a Panel component drawn by three.js."""

from .viewer import Viewer

__all__ = ["Viewer"]
