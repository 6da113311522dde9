"""Holds readers of Parquet files against the corpus: what `scripts/interop` is made of."""
