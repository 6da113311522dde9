"""Witnesses of page indexes and Bloom filters."""
