"""Copying to the clipboard and saving files in the browser: JavaScript shared by all controls that do so."""

from pathlib import Path

COPYING = Path(__file__).with_name("copying.js")
"""``copyText``, ``saveText``, ``saveBlob`` and ``fileName``."""
PICTURING = Path(__file__).with_name("picturing.js")
"""``drawn``, ``inLines``, ``imageOf``, ``pngOf`` and more, for pictures; the 3D view's bundle contains both files."""
