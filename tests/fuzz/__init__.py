"""Absurd input: each module draws one kind and says what must hold of it. The tests run a little of every attack.

``pytest tests/fuzz --full --draws 20000`` attacks for hours. Mend what it finds, and keep the case in ``FOUND``.
"""
