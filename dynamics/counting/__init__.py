"""Operations and critical paths, counted by running the very code on numbers that count.

It may import: ``methods`` and what it may import.
Start with ``counting``: the call; ``twins``: how code is run on other numbers.
"""
