"""A robot and an object as their files describe them, and whether they can exist.

It may import: ``errors``, ``checks``.
Start with ``model``: what a robot is; ``validity``: whether it can be.
"""
