"""Witnesses of Statistics and SizeStatistics."""
