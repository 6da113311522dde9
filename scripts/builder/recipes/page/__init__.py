"""Witnesses of pages, levels, checksums, compression and index pages."""
