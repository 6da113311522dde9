"""One module for each area of rules; `witnesses(c)` adds to the collection."""
