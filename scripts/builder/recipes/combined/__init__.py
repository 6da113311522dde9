"""Witnesses of several areas: they come after all others, and repeat some of them."""
