"""Truthful OffsetIndex and ColumnIndex (PageIndex.md)."""

from . import plain
from .metadata import ASCENDING, DESCENDING, UNORDERED, make


def values(leaf, entries):
    """The non-null values."""
    return [value for _, level, value in entries if level == leaf.max_def]


def bounds(leaf, items):
    """(smallest, largest) in the order of a leaf without annotation, as the bytes of a bound; None where there is none."""
    if not items:
        return None
    return plain.bare(leaf.type, min(items)), plain.bare(leaf.type, max(items))


def statistics(leaf, entries):
    """The values of truthful Statistics."""
    items = values(leaf, entries)
    low, high = bounds(leaf, items) or (None, None)
    return {"null_count": len(entries) - len(items), "max_value": high, "min_value": low}


def offset_index(built, rows):
    """One PageLocation per data page."""
    locations, row = [], 0
    for page in built.data_pages():
        locations.append({"offset": page.offset, "compressed_page_size": len(page), "first_row_index": row})
        row += sum(rep == 0 for rep, _, _ in page.entries)
    return make("OffsetIndex", {"page_locations": locations})


def _order(pairs):
    lows, highs = [low for low, _ in pairs], [high for _, high in pairs]
    if lows == sorted(lows) and highs == sorted(highs):
        return ASCENDING
    if lows == sorted(lows, reverse=True) and highs == sorted(highs, reverse=True):
        return DESCENDING
    return UNORDERED


def column_index(built, rows):
    """Null pages, bounds, boundary order and null counts."""
    leaf, pages = built.leaf, [values(built.leaf, page.entries) for page in built.data_pages()]
    limits = [bounds(leaf, items) or (b"", b"") for items in pages]
    return make("ColumnIndex", {
        "null_pages": [not items for items in pages],
        "min_values": [low for low, _ in limits], "max_values": [high for _, high in limits],
        "boundary_order": _order([(min(items), max(items)) for items in pages if items]),
        "null_counts": [len(page.entries) - len(items) for page, items in zip(built.data_pages(), pages)]})


BUILD = {"offset_index": offset_index, "column_index": column_index}
