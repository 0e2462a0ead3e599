"""The estimation problem drawn at random: sums over many draws, and what so many may show by chance.

It may import: the mechanics.
``drawing``: draws in slices, the sums that are kept of them, what is to be expected of N draws, and whether
innovations are white.
"""
