"""Golden vectors, a module for each family of encodings."""
