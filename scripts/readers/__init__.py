"""Compares readers of Parquet files with the corpus: the parts of `scripts/interop`."""
