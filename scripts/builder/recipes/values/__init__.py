"""Witnesses of encodings and of values."""
