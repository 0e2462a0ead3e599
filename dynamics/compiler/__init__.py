"""Compilation: the decorators of kernels, where their machine code is kept, and one block of memory for their tables.

It may import: Nothing of this package.
Start with ``kernels``: the decorators of all kernels.
"""
