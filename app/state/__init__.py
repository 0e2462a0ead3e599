"""What a page shows, and what its controls set. Knows nothing of the views."""

from app.state.cursor import Cursor
from app.state.session import Session

__all__ = ["Cursor", "Session"]
