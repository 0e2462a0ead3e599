"""Recordings drawn."""
