"""OffsetIndex and ColumnIndex (PageIndex.md), Statistics and SizeStatistics, derived from the values."""

from builder.codec import plain
from builder.codec.metadata import ASCENDING, BYTE_ARRAY, DESCENDING, UNORDERED, make


def values(leaf, entries):
    """The non-null values."""
    return [value for _, level, value in entries if level == leaf.max_def]


def bounds(leaf, items):
    """(min, max) in the order of a leaf without annotation, as the bytes of a bound; None if there is none."""
    if not items:
        return None
    return plain.bare(leaf.type, min(items)), plain.bare(leaf.type, max(items))


def statistics(leaf, entries):
    """The values of correct Statistics."""
    items = values(leaf, entries)
    low, high = bounds(leaf, items) or (None, None)
    return {"null_count": len(entries) - len(items), "max_value": high, "min_value": low}


def unencoded(leaf, entries):
    """Bytes of the values, without length prefixes; None if they are of another type."""
    return sum(map(len, values(leaf, entries))) if leaf.type == BYTE_ARRAY else None


def histograms(leaf, entries):
    """The histograms of repetition levels and definition levels."""
    return ([sum(rep == level for rep, _, _ in entries) for level in range(leaf.max_rep + 1)],
            [sum(have == level for _, have, _ in entries) for level in range(leaf.max_def + 1)])


def size_statistics(leaf, entries):
    """The values of correct SizeStatistics."""
    repetition, definition = histograms(leaf, entries)
    return {"unencoded_byte_array_data_bytes": unencoded(leaf, entries), "repetition_level_histogram": repetition,
            "definition_level_histogram": definition}


def offset_index(built, rows):
    """One PageLocation per data page."""
    locations, row = [], 0
    for page in built.data_pages():
        locations.append({"offset": page.offset, "compressed_page_size": len(page), "first_row_index": row})
        row += sum(rep == 0 for rep, _, _ in page.entries)
    sized = built.chunk.sizes and built.leaf.type == BYTE_ARRAY
    sizes = [unencoded(built.leaf, page.entries) for page in built.data_pages()] if sized else None
    return make("OffsetIndex", {"page_locations": locations, "unencoded_byte_array_data_bytes": sizes})


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
    levels = [histograms(leaf, page.entries) for page in built.data_pages()]
    repetition, definition = ([sum(each, []) for each in zip(*levels)] or ([], [])) if built.chunk.sizes else (None, None)
    return make("ColumnIndex", {
        "null_pages": [not items for items in pages],
        "min_values": [low for low, _ in limits], "max_values": [high for _, high in limits],
        "boundary_order": _order([(min(items), max(items)) for items in pages if items]),
        "null_counts": [len(page.entries) - len(items) for page, items in zip(built.data_pages(), pages)],
        "repetition_level_histograms": repetition, "definition_level_histograms": definition})


BUILD = {"offset_index": offset_index, "column_index": column_index}
