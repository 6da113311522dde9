"""Witnesses of several areas: they follow the others, and repeat some of them."""
