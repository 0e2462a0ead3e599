"""Robots put together into one machine: bolted down, held with others round an object, or floating.

It may import: the mechanics.
Start with ``build``: what was chosen, as values; ``assembled`` makes a system and a start of it, ``holding`` says where
arms stand round an object, ``reaching`` in which posture.
"""
