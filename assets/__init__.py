"""Robots, presets and data that ship with the product."""
