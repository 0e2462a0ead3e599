"""Every table and figure of the five papers: what is printed, what comes out here, and why it differs where it does.

It may import: ``counting``, ``motion``, ``witness`` and what they may import.
Start with ``reproduce``: the calls; ``result``: what they answer; then one file for each paper, and its examples.
"""
