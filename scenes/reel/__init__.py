"""A recording drawn: its pictures at any instant, a film of them, and its bodies and their motion as a glTF file.

It may import: the scenes beside it, the mechanics.
Start with ``reel``: what is drawn when; ``film`` and ``encoder``: pictures packed; ``gltf`` and ``glb``: bodies.
"""

from scenes.reel.film import write_film
from scenes.reel.gltf import write_gltf
from scenes.reel.reel import Reel

__all__ = ["Reel", "write_film", "write_gltf"]
