"""The losses by damage, derived from the place of each finding of class malformed (README.md, Error recovery)."""

from builder.codec.metadata import PLAIN_DICTIONARY, RLE_DICTIONARY
from builder.codec.pages import Data
from builder.expect.rules import class_of

# The structures outside the data, by the prefix of the field of a finding.
AUXILIARY = {"column_index": "column index", "offset_index": "offset index", "bloom_filter_header": "bloom filter",
          "meta_data.bloom_filter": "bloom filter"}
# After a fault of these rules neither the rest of the struct nor the following structures can be read.
FRAMING = {"thrift/compact-protocol", "thrift/stop-byte", "thrift/list-size", "thrift/binary-length"}
# The elements form no tree, so no column is known.
NO_TREE = {"footer/schema-nonempty", "schema/root-is-group", "schema/tree", "schema/group-or-leaf", "schema/num-children-negative"}
# The fields that are needed to find and decode values.
IN_FOOTER = {"schema", "row_groups", "columns", "meta_data", "codec", "num_values", "total_compressed_size", "data_page_offset",
             "dictionary_page_offset", "type", "type_length", "repetition_type", "num_children"}
NOT_IN_PAGE = {"crc", "is_sorted", "is_compressed", "num_nulls", "num_rows", "statistics"}


PAGES = ("page", "pages")


def lost(what, *place):
    """An entry of `lost`: row group, leaf and page as far as they apply."""
    return {"what": what, **dict(zip(("row_group", "leaf", "page"), place))}


def losses(built, findings):
    """The losses by these findings, as entries of `lost` in file order."""
    found = []
    for finding in findings:
        if finding["severity"] == "error" and class_of(finding["rule"]) == "malformed":
            found += [one for one in _of(built, finding) if one not in found]
    return in_order(found)


def in_order(found):
    """The losses in the form of a sidecar."""
    return sorted(found, key=lambda one: [one.get(key, -1) for key in ("row_group", "leaf", "page")] + [one["what"]])


def with_rows(built, found):
    """The same entries with the rows of the file, first and last, that lack a value for them, and with the next page."""
    return [{**one, **_next_page(built, one), **({"rows": rows} if (rows := _rows(built, one)) else {})} for one in found]


def _next_page(built, one):
    """The offset of the next page, after lost pages without an OffsetIndex."""
    if one["what"] != "pages":
        return {}
    return {"next_page_offset": built.chunks[one["row_group"]][one["leaf"]].pages[one["page"] + 1].offset}


def _rows(built, one):
    groups = [len(group.rows) for group in built.file.groups]
    g, leaf, page = (one.get(key) for key in ("row_group", "leaf", "page"))
    if g is None or one["what"] in AUXILIARY.values():
        return None
    first, last = 0, groups[g] - 1
    if page is not None:
        pages = built.chunks[g][leaf].pages
        starts = [sum(level == 0 for level, _, _ in each.entries) if isinstance(each.page, Data) else 0 for each in pages]
        if one["what"] in PAGES and not isinstance(pages[page].page, Data):
            return None
        inside = page < len(pages) and pages[page].entries and pages[page].entries[0][0] != 0
        first = sum(starts[:page]) - (1 if inside else 0)
        if one["what"] in PAGES:
            last = sum(starts[:page + 1]) - 1
    return [sum(groups[:g]) + first, sum(groups[:g]) + last] if first <= last else None


def _of(built, finding):
    rule, field = finding["rule"], finding.get("field") or ""
    g, leaf, page = (finding.get(key) for key in ("row_group", "leaf", "page"))
    last = field.rsplit(".", 1)[-1].split("[")[0]
    for begin, what in AUXILIARY.items():
        if field.startswith(begin):
            return [lost(what, g, leaf)]
    if page is not None:
        return _in_page(built, rule, last, (g, leaf, page))
    if rule in FRAMING or rule in NO_TREE or rule.startswith("file/") and g is None:
        return [lost("file")]
    if last not in IN_FOOTER or g is not None and leaf is None and last != "columns" or rule == "file/region-inside" and last == "total_compressed_size":
        return []
    if leaf is not None and g is not None:
        return [lost("column chunk", g, leaf)]
    if g is not None:
        return [lost("column chunk", g)]
    if field.startswith("schema["):
        return [lost("column chunk", g, leaf) for g in range(len(built.chunks)) for leaf in _below(built, field)]
    return [lost("file")]


def _below(built, field):
    """The leaves of the schema element that contains a field."""
    index, leaves, at = int(field[len("schema["):].split("]")[0]), [], 0

    def walk(node, inside):
        nonlocal at
        at += 1
        inside = inside or at == index
        if node.children is None:
            leaves.append(inside)
        for child in node.children or ():
            walk(child, inside)

    for node in built.file.children:
        walk(node, False)
    return [leaf for leaf, inside in enumerate(leaves) if inside]


def _in_page(built, rule, last, place):
    g, leaf, ordinal = place
    chunk = built.chunks[g][leaf]
    if rule.startswith("thrift/") and last in NOT_IN_PAGE:
        return []
    in_header = rule.startswith("thrift/") or rule in ("page/size-negative", "page/within-chunk")
    if in_header and (rule in FRAMING or last in ("", "compressed_page_size")) and chunk.chunk.offset_index is None:
        return [lost("rest of chunk" if ordinal == len(chunk.pages) - 1 else "pages", *place)]
    pages = [ordinal]
    if ordinal == 0 and not isinstance(chunk.pages[0].page, Data):
        pages += [number for number, page in enumerate(chunk.pages) if needs_dictionary(page, chunk.leaf)]
    return [lost("page", g, leaf, page) for page in pages]


def needs_dictionary(page, leaf):
    """Returns true if the page has values that are in the dictionary."""
    return isinstance(page.page, Data) and page.page.encoding in (PLAIN_DICTIONARY, RLE_DICTIONARY) and \
        any(level == leaf.max_def for _, level, _ in page.entries)
