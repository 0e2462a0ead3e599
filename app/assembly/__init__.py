"""Robots assembled into one machine: bolted down, held with others round an object, or floating.

It may import: the mechanics.
Start with ``build``: the choices, as values; ``assembled`` makes a system and a start of it, ``holding`` decides where
arms stand round an object, ``reaching`` their posture.
"""
