"""Operations and critical paths, counted by running the actual code on counting numbers.

It may import: ``solve`` and what it may import.
Start with ``counting``: the call; ``twins``: how code is run on counting numbers.
"""

from dynamics.counting.counting import count_operations
from dynamics.counting.critical_path import critical_path

__all__ = ["count_operations", "critical_path"]
