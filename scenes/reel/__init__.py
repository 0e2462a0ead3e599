"""A recording drawn: its bodies and their motion as a glTF file.

It may import: the scenes beside it, the mechanics.
Start with ``gltf``: what the file says; ``glb``: how such a file is laid out.
"""

from scenes.reel.gltf import write_gltf

__all__ = ["write_gltf"]
