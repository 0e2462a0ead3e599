"""Robots assembled into one machine: bolted down, held with others round an object, or floating.

It may import: the mechanics.
Start with ``build``: the choices, as values; ``assembly`` makes a system and its start, and places the arms round an
object; ``reach_posture`` finds their posture.
"""
