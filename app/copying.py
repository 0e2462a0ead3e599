"""What the browser copies, and saves as a file of its user's: the JavaScript that every such control shares."""

from pathlib import Path

COPYING = Path(__file__).with_name("copying.js")
"""``copyText``, ``saveText``, ``saveBlob`` and ``fileName``."""
