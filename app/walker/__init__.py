"""The tab in which one walks through the computation."""

from app.walker.shortcuts import walk_shortcuts
from app.walker.walker import Walker

__all__ = ["Walker", "walk_shortcuts"]
