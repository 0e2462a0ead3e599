"""How text becomes machine code, and where that is kept.

It may import: Nothing of this package.
Start with ``compiled``: the decorators that every kernel wears.
"""
