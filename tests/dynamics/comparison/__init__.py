"""Tests of ``dynamics.comparison``."""
