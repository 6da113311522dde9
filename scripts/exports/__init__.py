"""Forms of the corpus for other projects: `scripts/interop export`."""
