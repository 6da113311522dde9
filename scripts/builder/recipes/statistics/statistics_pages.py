"""Statistics in the headers of data pages: the rules of a chunk's Statistics, for the values of one page (parquet.thrift,
DataPageHeader.statistics)."""

import copy

from builder.codec.file import Chunk
from builder.codec.metadata import BYTE_ARRAY, DOUBLE, INT32, INT64, RLE_DICTIONARY
from builder.codec.pages import V1, V2, Data, Dictionary
from builder.codec.schema import optional, required
from builder.expect.places import V
from builder.expect.witness import Also, Witness
from builder.recipes.base_files import chunk, column, flat
from builder.recipes.statistics.statistics import AT, IEEE, NAN, encoded

#: Rules about several pages.
OF_CHUNK = {"statistics/page-header-redundant"}


def witnesses(c):
    redundant(c)
    moved_to_headers(c)
    among_pages(c)


def header_path(page):
    return ("data_page_header_v2" if isinstance(page, V2) or page is V2 else "data_page_header") + ".statistics"


def redundant(c):
    c.rule("statistics/page-header-redundant")
    correct = {"null_count": 0, "min_value": b"\1\0\0\0", "max_value": b"\3\0\0\0"}
    index = {"column_index": True, "offset_index": True}
    for about, page in (("v1", V1), ("v2", V2)):
        c.fail(f"statistics in the header of a {about} page in addition to a column index", flat(Chunk([page(statistics=correct)], **index), column_orders=True),
               V(header_path(page), page=(0, 0, 0)))
        c.ok(f"statistics in the header of a {about} page, and no column index", flat(Chunk([page(statistics=correct)]), column_orders=True))
    c.ok("a column index, and no statistics in page headers", flat(Chunk([V1()], **index), column_orders=True))


def moved_to_headers(c):
    """For each rule the first witness of one page, with its Statistics in the header of that page, v1 and v2, and the first
    with a dictionary."""
    seen = {}
    for one in list(c.witnesses):
        if not one.rule.startswith("statistics/") or one.rule in OF_CHUNK:
            continue
        for version in (V1, V2):
            again = moved(one, version)
            if again is None:
                continue
            coded = isinstance(again.file.groups[0].chunks.pages[0], Dictionary)
            if seen.setdefault((one.rule, one.kind, version, coded), again) is again:
                c.witnesses.append(again)


def moved(one, version):
    """The witness with the Statistics of its chunk in the header of its page; None if that is impossible."""
    groups = one.file.groups
    if one.data or one.further or one.file.parts or len(groups) != 1 or not isinstance(groups[0].chunks, Chunk):
        return None
    old = groups[0].chunks
    meta = old.meta if isinstance(old.meta, dict) else {}
    pages = old.pages or [V1()]
    data = [page for page in pages if isinstance(page, Data)]
    if "statistics" not in meta or len(meta) != 1 or len(data) != 1 or len(one.file.children) != 1:
        return None
    new = copy.copy(old)
    new.meta = None
    new.pages = [version(page.count, page.encoding, statistics=meta["statistics"]) if isinstance(page, Data) else page for page in pages]
    file = copy.copy(one.file)
    group = copy.copy(groups[0])
    group.chunks, file.groups = new, [group]
    ordinal = pages.index(data[0])

    def place(old):
        if isinstance(old, Also):
            there = place(old.place)
            return there and Also(old.rule, there, old.because)
        if not isinstance(old, V) or old.page is not None or not old.path.startswith(AT):
            return old
        there = copy.copy(old)
        there.path, there.page = header_path(version) + old.path[len(AT):], (0, 0, ordinal)
        return there

    about = f"in the header of a {'v2' if version is V2 else 'v1'} page: {one.about}"
    return Witness(one.kind, one.rule, about, file, [place(finding) for finding in one.findings], one.tier, one.profile, one.options)


def among_pages(c):
    """Three pages with Statistics, one of them wrong."""
    node, items = optional("o", INT32), [1, 2, None, 4, 5, 6, None, 8, 9]
    for rule, changed in (("min-value", {"min_value": 100, "max_value": 200}), ("null-count", {"null_count": 0})):
        c.rule(f"statistics/{rule}")
        for about, dictionary in (("PLAIN", False), ("a dictionary", True)):
            for wrong in range(3):
                if rule == "null-count" and wrong == 1:
                    continue
                pages = []
                for number, page in enumerate((V1, V2, V1)):
                    held = items[3 * number:3 * number + 3]
                    real = [item for item in held if item is not None]
                    correct = {"min_value": min(real), "max_value": max(real)}
                    pages.append(page(3, RLE_DICTIONARY if dictionary else 0,
                                      statistics=encoded(node, held, {**correct, **changed} if number == wrong else correct)))
                front = [Dictionary([item for item in items if item is not None])] if dictionary else []
                at = header_path(pages[wrong]) + (".min_value" if rule == "min-value" else ".null_count")
                c.fail(f"page {wrong} of three of {about} has wrong statistics in its header",
                       column(node, items, chunk(*front, *pages), column_orders=True), V(at, page=(0, 0, wrong + len(front))))
    node = required("s", BYTE_ARRAY)
    words = [b"beginning-a", b"beginning-b", b"beginning-c", b"beginning-d"]
    c.rule("statistics/max-value")
    c.fail("a page of a dictionary has a word above its bound, and the chunk has not", column(
        node, words, chunk(Dictionary(words), V1(2, RLE_DICTIONARY, statistics=encoded(node, words[:2], {"min_value": words[0], "max_value": words[0]})),
                           V1(encoding=RLE_DICTIONARY), meta={"statistics": encoded(node, words, {"min_value": words[0], "max_value": words[3]})}),
        column_orders=True), V("data_page_header.statistics.max_value", page=(0, 0, 1)))
    real = required("d", DOUBLE)
    c.rule("statistics/nan-count")
    c.fail("nan_count of a page of a dictionary counts an entry once", column(
        real, [1.0, NAN, NAN, 1.0], chunk(Dictionary([1.0, NAN]), V1(3, RLE_DICTIONARY, statistics=encoded(real, [1.0], {"nan_count": 1})),
                                          V1(encoding=RLE_DICTIONARY)), column_orders=True),
        V("data_page_header.statistics.nan_count", page=(0, 0, 1)))
    c.rule("statistics/max-value")
    c.ok("pages of NaNs and of numbers in a dictionary under the total order", column(
        real, [NAN, NAN, 1.0, NAN], chunk(
            Dictionary([1.0, NAN]), V1(2, RLE_DICTIONARY, statistics=encoded(real, [NAN, NAN], {"min_value": NAN, "max_value": NAN})),
            V2(encoding=RLE_DICTIONARY, statistics=encoded(real, [1.0, NAN], {"min_value": 1.0, "max_value": 1.0}))), column_orders=IEEE))
    fallback = [V1(2, RLE_DICTIONARY, statistics=encoded(node, words[2:], {"min_value": words[2], "max_value": words[3]})),
                V2(2, statistics=encoded(node, words[:2], {"min_value": words[0], "max_value": words[1]}))]
    c.ok("a page of a dictionary, then a PLAIN page of smaller words",
         column(node, words[2:] + words[:2], chunk(Dictionary(words[2:]), *fallback), column_orders=True))
    chunk_of_pages(c)


def chunk_of_pages(c):
    """Files whose first value outside a bound of the chunk is in each of its pages in turn."""
    node, items = optional("o", INT64), [5, None, 6, 7, 5, None, 8, 6, 7]
    for rule, name, beyond in (("min-value", "min_value", -1), ("max-value", "max_value", 99)):
        c.rule(f"statistics/{rule}")
        for at in (0, 4, 8):
            held = [beyond if i == at else item for i, item in enumerate(items)]
            found = {"min_value": 5, "max_value": 8}
            for about, front, encoding in (("PLAIN", [], 0), ("a dictionary", [Dictionary([5, 6, 7, 8, beyond])], RLE_DICTIONARY)):
                pages = [V1(3, encoding), V2(3, encoding), V1(3, encoding)]
                c.fail(f"the value in row {at} of three pages of {about} is outside {name}",
                       column(node, held, chunk(*front, *pages, meta={"statistics": encoded(node, held, found)}), column_orders=True),
                       V(f"{AT}.{name}"))
