"""Golden vectors, a module for each family of encodings: vectors() gives a Vectors for each of them."""
