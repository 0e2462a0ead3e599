"""The tab in which one walks through the computation."""

from app.walker.walker import Walker

__all__ = ["Walker"]
