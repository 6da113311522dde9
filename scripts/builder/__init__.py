"""Builds Parquet files byte by byte, with every lie that a witness needs. Standard library only."""
