"""Witnesses of schema elements and their annotations."""
