"""Builds Parquet files byte by byte, with every fault that a witness needs. Standard library only."""
