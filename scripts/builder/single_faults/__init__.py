"""Files with one field changed, for scripts/single_faults."""
