"""Pages of more than 10,000 values, with something after the 9,000th for which a reader needs state from earlier batches.

The pass files state their min and max as exact; both depend on values far before them."""

from builder.codec import delta, plain, schema
from builder.codec.file import File
from builder.codec.hybrid import Packed
from builder.codec.metadata import BOOLEAN, BYTE_ARRAY, DELTA_BINARY_PACKED, DELTA_BYTE_ARRAY, INT32, INT64, RLE_DICTIONARY
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import list_of, required
from builder.expect.places import V, Body
from builder.recipes.base_files import FIRST, META, SECOND, chunk, column

N = 10_500
FAR = 9_500  # an entry after 9,000, in the third batch of 4,096 and the second of 8,192
GROUP = 504  # values of the longest bit-packed run whose header takes one byte


def stated(node, items, pages, high=None, low=None, **more):
    """One column with correct, exact bounds, or others."""
    low, high = min(items) if low is None else low, max(items) if high is None else high
    return column(node, items, chunk(*pages, meta={"statistics": {
        "null_count": 0, "max_value": plain.bare(node.type, high), "min_value": plain.bare(node.type, low),
        "is_max_value_exact": True, "is_min_value_exact": True}}), column_orders=True, **more)


def witnesses(c):
    byte_arrays(c)
    integers(c)
    indices(c)
    levels(c)


def words():
    """Byte arrays that share prefixes. Min and max are at the borders of batches, and have all but their last
    byte from the previous value."""
    out = [b"m%05d" % (i // 3) + b"abc"[:i % 3] for i in range(N)]
    for at, stem, end in ((4095, b"a", b"00"), (8191, b"z", b"99"), (FAR, b"zz", b"9")):
        out[at], out[at + 1] = stem + b"5", stem + b"5" + end
    out[4096] = b"a5"  # equal to the previous value: prefix only
    return out


def byte_arrays(c):
    items, node = words(), required("s", BYTE_ARRAY)
    c.rule("legal/long-sections")
    for about, page in (("v1", V1), ("v2", V2)):
        c.ok(f"10,500 values of DELTA_BYTE_ARRAY, {about}", stated(node, items, [page(encoding=DELTA_BYTE_ARRAY)]))

    c.rule("delta-byte-array/prefix-maximal")
    c.ok("10,500 prefixes as long as they can be", column(node, items, chunk(V1(encoding=DELTA_BYTE_ARRAY))))

    c.rule("statistics/max-value")
    c.fail("value 9,501 of 10,500 of DELTA_BYTE_ARRAY is larger than max_value",
           edited(stated(node, items, [V1(encoding=DELTA_BYTE_ARRAY)], high=items[FAR]), "is_max_value_exact"),
           V(META + ".statistics.max_value"))

    prefixes = [0]
    for before, item in zip(items, items[1:]):
        prefixes.append(next((i for i, (a, b) in enumerate(zip(before, item)) if a != b), min(len(before), len(item))))
    suffixes = [item[prefix:] for item, prefix in zip(items, prefixes)]
    long = list(prefixes)
    long[FAR + 1] = len(items[FAR]) + 1
    c.rule("delta-byte-array/prefix-range")
    c.fail("prefix 9,501 of 10,500 is a byte longer than the value before",
           column(node, items, chunk(V1(encoding=DELTA_BYTE_ARRAY, values=delta.binary_packed(long).named("prefixes") + delta.length_byte_array(suffixes)))),
           Body(FIRST, "values.prefixes"), found=str(long[FAR + 1]), expected=f"0 to {len(items[FAR])}")

    c.rule("delta-binary-packed/bit-width")
    wide = widths(prefixes), widths([len(suffix) for suffix in suffixes])
    wide[0][FAR // 32], wide[1][0] = 33, 33
    block, place = FAR // 128, FAR % 128 // 32
    c.fail("a miniblock of 33 bits far down the prefixes, and one at the beginning of the suffix lengths",
           column(node, items, chunk(V1(encoding=DELTA_BYTE_ARRAY, values=delta.binary_packed(prefixes, widths=wide[0]).named("prefixes")
                                        + delta.length_byte_array(suffixes, widths=wide[1])))),
           Body(FIRST, f"values.prefixes.block{block}.widths", plus=place, times=2))


def edited(file, name):
    """The file without a field of its statistics."""
    group = file.groups[0]
    group.chunks.meta["statistics"].pop(name)
    return file


def widths(items):
    """The width that each miniblock in use needs."""
    deltas = [b - a for a, b in zip(items, items[1:])]
    out = []
    for at in range(0, len(deltas), 128):
        block = deltas[at:at + 128]
        out += [(max(block[i:i + 32]) - min(block)).bit_length() for i in range(0, len(block), 32)]
    return out


def slopes():
    """Integers with another min delta in each block of 128: up, down, and steep after the batches."""
    out = [0]
    for i in range(1, N):
        block = (i - 1) // 128
        out.append(out[-1] + (block % 7 - 3) * 10 + i % 5)
    out[8200], out[FAR] = -10**6, 10**6
    return out


def integers(c):
    items = slopes()
    for kind, name, bits in ((INT32, "INT32", 32), (INT64, "INT64", 64)):
        node = required("i", kind)
        c.rule("legal/long-sections")
        c.ok(f"10,500 values of DELTA_BINARY_PACKED, whose smallest deltas differ from block to block, {name}",
             stated(node, items, [V1(encoding=DELTA_BINARY_PACKED)]))
        c.rule("delta-binary-packed/min-delta")
        block = FAR // 128 + 1
        low = min(b - a for a, b in list(zip(items, items[1:]))[128 * block:128 * block + 128]) - 1
        c.fail(f"the frame of reference of block {block} is one too low, {name}", column(node, items, chunk(V1(
            encoding=DELTA_BINARY_PACKED, values=delta.binary_packed(items, bits, min_delta={block: low})))), Body(FIRST, f"values.block{block}"))
        c.ok(f"83 blocks, each with its smallest delta, {name}", column(node, items, chunk(V1(encoding=DELTA_BINARY_PACKED))))
        c.rule("statistics/max-value")
        c.fail(f"value 9,500 of 10,500 of DELTA_BINARY_PACKED is larger than max_value, {name}",
               edited(stated(node, items, [V2(encoding=DELTA_BINARY_PACKED)], high=10**6 - 1), "is_max_value_exact"),
               V(META + ".statistics.max_value"))
        c.rule("delta-binary-packed/bit-width-range")
        wide = widths(items)
        wide[FAR // 32] = bits + 1 if bits == 64 else 65
        c.fail(f"a miniblock of 65 bits after the 9,000th value, {name}", column(node, items, chunk(V1(
            encoding=DELTA_BINARY_PACKED, values=delta.binary_packed(items, bits, widths=wide)))),
            Body(FIRST, f"values.block{FAR // 128}.widths", plus=FAR % 128 // 32))


def runs(levels):
    """Bit-packed runs of 504 values, as writers make them, and the number of the run that has an entry."""
    return [Packed(levels[at:at + GROUP]) for at in range(0, len(levels), GROUP)]


def indices(c):
    entries = [7 * i for i in range(300)] + [10**12, -10**12]
    items = [entries[i * 31 % 300] for i in range(N)]
    items[8200], items[FAR] = -10**12, 10**12
    index = {entry: i for i, entry in enumerate(entries)}
    numbers = [index[item] for item in items]
    node = required("d", INT64)

    def coded(numbers, page=V1):
        return [Dictionary(entries), page(encoding=RLE_DICTIONARY, runs=runs(numbers))]

    c.rule("legal/long-sections")
    for about, page in (("v1", V1), ("v2", V2)):
        c.ok(f"10,500 indices, two entries of the dictionary are used once, far down, {about}", stated(node, items, coded(numbers, page)))
    c.rule("dictionary/index-range")
    wrong = list(numbers)
    wrong[FAR] = len(entries)
    c.fail("index 9,500 of 10,500 is one past the last entry", stated(node, items, coded(wrong)), Body(SECOND, f"values.run{FAR // GROUP}"), found=str(len(entries)))
    c.rule("dictionary/unused-entries")
    unused = list(items)
    unused[FAR] = entries[0]
    numbers = [index[item] for item in unused]
    c.fail("the largest entry would be used by index 9,500 of 10,500 alone, and is not",
           stated(node, unused, coded(numbers)), V("dictionary_page_header.num_values", page=FIRST), found="1")


def lengths():
    """The lengths of the lists of a column, None for a null list; lists are long at the borders of batches."""
    out, entries = [], 0
    while entries < N:
        length = 300 if 4000 < entries < 4096 or 8100 < entries < 8192 else (None, 0, 3, 1, 5, 2)[len(out) % 6]
        out.append(length)
        entries += max(length or 0, 1)
    return out


def levels(c):
    node = list_of("l", required("e", BOOLEAN))
    rows = [{"l": None if n is None else {"list": [{"e": i % 3 == 0}] * n}} for i, n in enumerate(lengths())]
    entries = schema.shred([node], rows)[0]

    def nested(*pages, entries=entries, **more):
        count = {"num_rows": sum(repetition == 0 for repetition, _, _ in entries)}
        nulls = sum(level < 2 for _, level, _ in entries)
        return File([node], rows, chunk(*pages, meta={"statistics": {"null_count": nulls}}), edits=count, footer=count)

    def changed(changes):
        out = list(entries)
        for at, entry in changes.items():
            out[at] = entry
        return out

    repetition, definition = [rep for rep, _, _ in entries], [level for _, level, _ in entries]
    c.rule("legal/long-sections")
    c.ok("10,500 entries of lists, in bit-packed runs of 504 levels, v1", nested(V1(reps=runs(repetition), defs=runs(definition))))
    c.ok("10,500 entries of lists, in one bit-packed run of each kind of level, v2", nested(V2()))

    c.rule("levels/definition-range")
    wrong = list(definition)
    wrong[FAR] = 3
    for about, page in (("v1", V1), ("v2", V2)):
        c.fail(f"level 9,500 of 10,500 is 3 of at most 2, {about}", nested(page(reps=runs(repetition), defs=runs(wrong))),
               Body(FIRST, f"def.run{FAR // GROUP}"))
    c.rule("levels/repetition-after-empty")
    after = changed({at + i: entry for at in (4096, 8192) for i, entry in ((-1, (0, 1, None)), (0, (1, 2, True)))})
    for about, page in (("v1", V1), ("v2", V2)):
        c.fail(f"entries 4,096 and 8,192 of 10,500 follow in an empty list, {about}", nested(page(entries=after), entries=after),
               Body(FIRST, "rep.run0", times=2), rows=None, found="1")
    c.rule("levels/repetition-needs-defined")
    lost = changed({at + i: entry for at in (4096, 8192) for i, entry in ((0, (1, 1, None)), (1, (0, 2, True)))})
    for about, page in (("v1", V1), ("v2", V2)):
        c.fail(f"entries 4,096 and 8,192 of 10,500 are empty lists that continue a list, {about}", nested(page(entries=lost), entries=lost),
               Body(FIRST, "def.run0", times=2), rows=None, found="1")
    c.rule("page/v2-num-nulls")
    nulls = sum(level < 2 for level in definition)
    c.fail("num_nulls is one more than 10,500 entries have", nested(V2(header={"data_page_header_v2.num_nulls": nulls + 1})),
           V("data_page_header_v2.num_nulls", page=FIRST))
    c.rule("page/v2-num-rows")
    c.fail("num_rows leaves out the last row of 10,500 entries", nested(V2(header={"data_page_header_v2.num_rows": len(rows) - 1})),
           V("data_page_header_v2.num_rows", page=FIRST))
    c.rule("rle/header-canonical")
    far, near = runs(repetition), runs(definition)
    far[FAR // GROUP].extra = near[0].extra = 1
    c.fail("a longer run header than needed far down the repetition levels, and one at the beginning of the definition levels",
           nested(V2(reps=far, defs=near)), Body(FIRST, f"rep.run{FAR // GROUP}", times=2))
