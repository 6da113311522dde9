"""Witnesses of the file frame, of limits and of damage; files that only look wrong."""
