"""Witnesses of the file frame, of limits and of damage; unusual but legal files."""
