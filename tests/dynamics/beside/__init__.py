"""Tests of ``dynamics.beside``."""
