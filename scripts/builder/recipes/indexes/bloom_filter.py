"""Bloom filters (BloomFilter.md): their sizes, bits and places, and the values of their column chunks."""

import struct

from builder.codec import bloom, plain
from builder.codec.checksums import xxh64
from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import (BOOLEAN, BYTE_ARRAY, DECIMAL, DELTA_BINARY_PACKED, DELTA_BYTE_ARRAY, DOUBLE, DROP,
                                    FIXED_LEN_BYTE_ARRAY, FLOAT, INT32, INT64, INT96, RLE_DICTIONARY, edit)
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import required
from builder.expect.places import S, V, Bits
from builder.expect.witness import Also
from builder.recipes.base_files import BLOOM, META, chunk, column, flat, lists, nullable, strings, two

SECOND = "row_groups[0].columns[1].meta_data"
UNSIZED = {"bloom_filter_length": DROP}
NO_LENGTH = Also("bloom-filter/length-absent", S(META, field="meta_data.bloom_filter_length"), "the length is left out")


def witnesses(c):
    sizes(c)
    presence(c)
    bits(c)
    values(c)
    kinds(c)
    chunks(c)
    fills(c)
    places(c)


def filtered(bits=None, blocks=1, meta=None, **edits):
    """A chunk with a filter; `edits` are those of its header."""
    return Chunk(bloom=edits or True, bits=bits, blocks=blocks, meta=meta)


def grouped(chunks, groups=2):
    """Row groups of two INT32 columns of three rows."""
    rows = [[{"a": 10 * g + i, "b": 100 * g + i} for i in (1, 2, 3)] for g in range(groups)]
    return File([required("a", INT32), required("b", INT32)], groups=[Group(some, chunks(g)) for g, some in enumerate(rows)])


def sizes(c):
    c.rule("bloom-filter/num-bytes")
    for number in (0, -32, 16, 31, 33, 64, 96, 1 << 30, 2147483647):
        c.fail(f"numBytes is {number}", flat(filtered(numBytes=number)), V("numBytes", **BLOOM))
    c.fail("numBytes of the second filter of three is that of two blocks more",
           grouped(lambda g: [filtered(), filtered(numBytes=96) if g == 0 else filtered()]),
           V("numBytes", index="bloom_filter_header", chunk=(0, 1)))
    c.fail("numBytes of the last of four filters is a block less than the bitset",
           grouped(lambda g: [filtered(), filtered(numBytes=32, blocks=2) if g == 1 else filtered()]),
           V("numBytes", index="bloom_filter_header", chunk=(1, 1)))
    c.fail("numBytes is 20, and the length is not stated", flat(filtered(numBytes=20, meta=UNSIZED)), V("numBytes", **BLOOM), NO_LENGTH,
           expected="a multiple of 32, above 0")
    c.fail("numBytes extends into the footer, and the length is not stated", flat(filtered(numBytes=64, meta=UNSIZED)),
           V("numBytes", **BLOOM), NO_LENGTH, expected="at most 32")
    c.ok("a filter of one block", flat(filtered()))
    c.ok("a filter of three blocks", flat(filtered(blocks=3)))

    c.rule("bloom-filter/size-practice")
    c.fail("a filter of three blocks", flat(filtered(blocks=3)), V("numBytes", **BLOOM))
    c.ok("a filter of two blocks", flat(filtered(blocks=2)))

    c.rule("bloom-filter/length")
    for by in (-1, 1, 32, -33):
        c.fail(f"bloom_filter_length is off by {by}, and zero bytes follow the filter",
               flat(filtered(blocks=2), before_footer=bytes(64), footer=shifted(META + ".bloom_filter_length", by)),
               V(META + ".bloom_filter_length"))
    c.ok("bloom_filter_length is that of the filter, and zero bytes follow it", flat(filtered(blocks=2), before_footer=bytes(64)))


def shifted(path, by):
    """An edit of the footer: adds to the number at the path."""
    return lambda footer: edit(footer, {path: footer.at(path) + by})


def clear(bits):
    bits[:] = bytes(len(bits))


def presence(c):
    c.rule("bloom-filter/length-absent")
    place = S(META, field="meta_data.bloom_filter_length")
    c.fail("the length of the filter is not stated", flat(filtered(meta=UNSIZED)), place)
    c.fail("the lengths of all filters are not stated; at tier footer",
           grouped(lambda g: [filtered(meta=UNSIZED)] * 2), S(META, field="meta_data.bloom_filter_length", times=4), tier="footer")
    c.ok("the length is stated", flat(filtered()))
    c.ok("files before format version 2.10 do without", flat(filtered(meta=UNSIZED)), profile="historical")

    c.rule("bloom-filter/length-without-offset")
    c.fail("the length of a filter, and no offset", flat(Chunk(meta={"bloom_filter_length": 47})),
           S(META, field="meta_data.bloom_filter_offset"))
    c.ok("neither of the two", flat())

    c.rule("bloom-filter/boolean")
    flags = lambda made: column(required("f", BOOLEAN), [True, False], made)
    c.fail("a BOOLEAN column with a filter", flags(filtered()), V(META + ".bloom_filter_offset"))
    c.fail("a BOOLEAN column with a filter that lacks its values, which are not looked up", flags(filtered(bits=other_hash)),
           V(META + ".bloom_filter_offset"))
    c.ok("a BOOLEAN column without a filter", flags(Chunk()))
    c.ok("a BOOLEAN column with a filter, as mainstream writers have it, under the interop profile", flags(filtered()), profile="interop")


def other_hash(bits):
    """The filter of another value."""
    bits[:] = bloom.bitset(INT64, [-1], len(bits) // bloom.BLOCK)


def setting(*places, on=True):
    """An edit of a bitset: bits, as (block, word, bit)."""
    return lambda bits: bloom.change(bits, places, on)


def without(*words):
    """An edit of a bitset: words of it, as (block, word), have no bits."""
    return setting(*((block, word, bit) for block, word in words for bit in range(32)), on=False)


def bits(c):
    c.rule("bloom-filter/block-words")
    c.fail("the first word of the block has no bits", flat(filtered(without((0, 0)))), Bits(0, 0))
    c.fail("the last word of the block has no bits; without reading values", flat(filtered(without((0, 7)))), Bits(0, 7), tier="pages")
    spare = min(set(range(16)) - {bloom.bits_of_value(INT32, i, 16)[0][0] for i in (1, 2, 3)})
    c.fail("a bit is set in a block that no value belongs to", flat(filtered(setting((spare, 0, 5)), blocks=16)), Bits(spare, 1, times=7))
    c.fail("a bit is set in the last word of a block that no value belongs to", flat(filtered(setting((spare, 7, 0)), blocks=16)),
           Bits(spare, 0, times=7))
    c.fail("two words have no bits, in the last of four filters",
           grouped(lambda g: [filtered(), filtered(without((0, 2), (0, 5))) if g == 1 else filtered()]), Bits(0, 2, chunk=(1, 1), times=2))
    c.ok("a block with bits in all words, and fifteen or so without any", flat(filtered(blocks=16)))

    c.rule("bloom-filter/empty")
    c.fail("no bit is set, and the column is required", flat(filtered(clear)), Bits())
    c.fail("no bit is set, and one of three entries is a value", nullable(filtered(clear), items=(None, 3, None)), Bits())
    c.fail("no bit is set, and the column is required; without reading values", flat(filtered(clear)), Bits(), tier="pages")
    counted = {"statistics": {"null_count": 1}}
    c.fail("no bit is set, and null_count leaves two values; without reading values",
           nullable(Chunk(bloom=True, bits=clear, meta=counted)), Bits(), tier="pages")
    c.fail("no bit is set, and the values are in a dictionary",
           flat(Chunk([Dictionary([1, 2, 3]), V1(encoding=RLE_DICTIONARY)], bloom=True, bits=clear, blocks=4)), Bits())
    c.ok("no bit is set, and all entries are null", nullable(filtered(), items=(None, None)))
    c.ok("no bit is set, and null_count is absent; without reading values", nullable(filtered(clear), items=(None, None)), tier="pages")


def looked_up(kind, items, bits, chunk=(0, 0)):
    """The finding for values that the bitset lacks: at the first word without a bit."""
    blocks, missed = len(bits) // bloom.BLOCK, []
    for item in items:
        lacking = [bit for bit in bloom.bits_of_value(kind, item, blocks) if not bloom.has(bits, bit)]
        if lacking:
            missed.append(lacking[0])
    block, word, bit = min(missed, key=lambda one: one[:2])
    return Bits(block, word, chunk=chunk, found=f"bit {bit} of word {word} in block {block}", **({"times": len(missed)} if len(missed) > 1 else {}))


def lacking(kind, items, change, blocks=1, chunk=(0, 0), asked=None):
    """The same for the filter of `items` after a change of its bits; the values `asked` are looked up, by default all."""
    bits = bytearray(bloom.bitset(kind, items, blocks))
    change(bits)
    return looked_up(kind, items if asked is None else asked, bits, chunk)


def forgotten(kind, item, words=(0,)):
    """An edit of a bitset: bits of the value, in these words."""
    return lambda bits: bloom.change(bits, [bloom.bits_of_value(kind, item, len(bits) // bloom.BLOCK)[word] for word in words], False)


def inserted(*hashes):
    """An edit of a bitset: it has these hashes, and no others."""
    def change(bits):
        bits[:] = bloom.filled(hashes, len(bits) // bloom.BLOCK)
    return change


def values(c):
    c.rule("bloom-filter/false-negative")
    for item, word, blocks in ((1, 0, 1), (2, 7, 1), (3, 4, 1), (20, 3, 4)):
        change = forgotten(INT32, item, (word,))
        items = range(1, 4) if blocks == 1 else range(1, 65)
        c.fail(f"the bit of {item} in word {word} is not set, in a filter of {blocks} block{'s' * (blocks > 1)}",
               flat(filtered(change, blocks), n=len(items)), lacking(INT32, items, change, blocks))
    items = range(1, 9)
    change = forgotten(INT32, 7, range(8))
    c.fail("a value in the third of four pages was never inserted", flat(Chunk([V1(2), V2(3), V1(2), V1()], bloom=True, bits=change), n=8),
           lacking(INT32, items, change))
    other = inserted(*(xxh64(plain.bare(INT32, i)) for i in range(1, 6)))
    c.fail("the filter has the values of the first two pages of four", flat(Chunk([V1(2), V1(3), V1(2), V1()], bloom=True, bits=other), n=8),
           lacking(INT32, items, other))
    prefixed = inserted(*(xxh64(plain.value(BYTE_ARRAY, item)) for item in (b"x", b"yy", b"zzz")))
    c.fail("byte arrays are hashed with their length word", strings(filtered(prefixed)), lacking(BYTE_ARRAY, (b"x", b"yy", b"zzz"), prefixed))
    seeded = inserted(*(xxh64(plain.bare(INT32, i), seed=1) for i in (1, 2, 3)))
    c.fail("values are hashed with seed 1", flat(filtered(seeded)), lacking(INT32, (1, 2, 3), seeded))
    wide = inserted(*(xxh64(struct.pack("<q", i)) for i in (1, 2, 3)))
    c.fail("INT32 values are hashed as eight bytes", flat(filtered(wide)), lacking(INT32, (1, 2, 3), wide))
    swap = lambda bits: bits.__setitem__(slice(None), b"".join(bits[i:i + 4][::-1] for i in range(0, len(bits), 4)))
    c.fail("the words are stored big-endian", flat(filtered(swap)), lacking(INT32, (1, 2, 3), swap))
    modulo = lambda bits: bits.__setitem__(slice(None), by_modulo([xxh64(plain.bare(INT32, i)) for i in range(1, 9)], 4))
    c.fail("the block is chosen by the remainder of the hash", flat(filtered(modulo, 4), n=8), lacking(INT32, items, modulo, 4))
    coded(c)
    c.ok("all values are found in a filter of one block", flat(filtered(), n=20))
    c.ok("all values are found in a filter of 64 blocks", flat(filtered(blocks=64), n=40))
    more = inserted(*(xxh64(plain.bare(INT32, i)) for i in range(50)))
    c.ok("the filter has further values, that of 0 among them, as if nulls were inserted", nullable(filtered(more)))
    c.ok("elements of lists are found, nulls and empty lists have no value", lists(filtered(blocks=2)))


def by_modulo(hashes, blocks):
    out = bytearray(bloom.BLOCK * blocks)
    for h in hashes:
        bloom.change(out, [(h % blocks, word, bit) for _, word, bit in bloom.bits_of(h, blocks)], True)
    return bytes(out)


def coded(c):
    """Dictionary entries are looked up once each, and counted if values refer to them."""
    entry = forgotten(INT32, 2, (3,))
    c.fail("an entry of the dictionary to which two values refer is not found",
           column(required("a", INT32), (1, 2, 2, 3), Chunk([Dictionary([1, 2, 3]), V1(encoding=RLE_DICTIONARY)], bloom=True, bits=entry)),
           lacking(INT32, (1, 2, 3), entry))
    old = inserted(*(xxh64(plain.bare(INT32, i)) for i in (1, 2, 3)))
    c.fail("after dictionary pages, the values of two PLAIN pages were not inserted",
           flat(Chunk([Dictionary([1, 2, 3]), V1(3, encoding=RLE_DICTIONARY), V1(2), V1()], bloom=True, bits=old, blocks=2), n=8),
           lacking(INT32, range(1, 9), old, 2))
    c.ok("entries to which no value refers are not in the filter",
         flat(Chunk([Dictionary([9, 1, 2, 3, 8]), V1(encoding=RLE_DICTIONARY)], bloom=True)))


KINDS = (("INT64", INT64, {}, (1, -1, 1 << 40)), ("INT96", INT96, {}, (bytes(8) + b"\x8c\x3d\x25\0", bytes(8) + b"\x8d\x3d\x25\0")),
         ("FLOAT", FLOAT, {}, (0.5, -0.0, 1e30)), ("DOUBLE", DOUBLE, {}, (0.1, -0.0, float("inf"))),
         ("BYTE_ARRAY", BYTE_ARRAY, {}, (b"", b"a", bytes(range(100)))),
         ("FIXED_LEN_BYTE_ARRAY(5)", FIXED_LEN_BYTE_ARRAY, {"type_length": 5}, (b"abcde", bytes(5), b"\xff" * 5)),
         ("FIXED_LEN_BYTE_ARRAY(16)", FIXED_LEN_BYTE_ARRAY, {"type_length": 16}, (bytes(range(16)), bytes(16))),
         ("DECIMAL in BYTE_ARRAY", BYTE_ARRAY, {"converted_type": DECIMAL, "precision": 4, "scale": 0,
                                                 "logicalType": {"DECIMAL": {"scale": 0, "precision": 4}}}, (b"\1", b"\2\0")))


def kinds(c):
    c.rule("bloom-filter/false-negative")
    for name, kind, attributes, items in KINDS:
        made = lambda bits=None: column(required("v", kind, **attributes), items, filtered(bits, 2))
        old = (Also("schema/int96-deprecated", V("schema[1].type", leaf=0), "the column is of type INT96"),) if kind == INT96 else ()
        change = forgotten(kind, items[-1], range(8))
        c.fail(f"the last value of {name} was never inserted", made(change), lacking(kind, items, change, 2), *old)
        c.ok(f"values of {name} are found by their stored bytes", made(), *old)
    for name, kind, items, encoding in (("DELTA_BINARY_PACKED", INT32, range(1, 20), DELTA_BINARY_PACKED),
                                        ("DELTA_BYTE_ARRAY", BYTE_ARRAY, [b"p%d" % i for i in range(20)], DELTA_BYTE_ARRAY)):
        change = forgotten(kind, items[-1], (6,))
        made = lambda bits: column(required("v", kind), items, chunk(V1(encoding=encoding), bloom=True, bits=bits, blocks=2))
        c.fail(f"the last of many values in {name} is not found", made(change), lacking(kind, items, change, 2))


def chunks(c):
    """Filters that belong to another chunk."""
    c.rule("bloom-filter/false-negative")

    def swapped(footer):
        first, second = (footer.at(f"{path}.bloom_filter_offset") for path in (META, SECOND))
        edit(footer, {META + ".bloom_filter_offset": second, SECOND + ".bloom_filter_offset": first})

    a, b = bloom.bitset(INT32, (1, 2, 3)), bloom.bitset(INT32, (10, 20, 30))
    of = lambda items, bits, mine, theirs: looked_up(INT32, items, bits, theirs).with_values(row_group=mine[0], leaf=mine[1])
    c.fail("two columns of a row group have each other's filter", two([filtered(), filtered()], footer=swapped),
           of((10, 20, 30), a, (0, 1), (0, 0)), of((1, 2, 3), b, (0, 0), (0, 1)))

    def first_group(footer):
        path = "row_groups[1].columns[0].meta_data.bloom_filter"
        edit(footer, {f"{path}_{part}": footer.at(f"{META}.bloom_filter_{part}") for part in ("offset", "length")})

    c.rule("bloom-filter/shared")
    later = "row_groups[1].columns[0].meta_data.bloom_filter_offset"
    c.fail("the second row group has the filter of the first", File(
        [required("a", INT32)], groups=[Group([{"a": i} for i in (1, 2, 3)], filtered()), Group([{"a": i} for i in (1, 2, 3)])], footer=first_group),
           V(later))

    def first_column(footer):
        edit(footer, {f"{SECOND}.bloom_filter_{part}": footer.at(f"{META}.bloom_filter_{part}") for part in ("offset", "length")})

    c.fail("two columns have one filter; at tier footer", two([filtered(), None], footer=first_column),
           V(SECOND + ".bloom_filter_offset"), tier="footer")
    c.ok("two columns of the same values have a filter each", grouped(lambda g: [filtered(), filtered()]))


def fills(c):
    c.rule("bloom-filter/fill")
    c.fail("a filter of three values in one block", flat(filtered()), Bits())
    c.fail("a filter of 40 values in 16 blocks; without reading values", flat(filtered(blocks=16), n=40), Bits(), tier="pages")
    c.fail("the filters of two row groups", grouped(lambda g: [filtered(), None]), Bits(), Bits(chunk=(1, 0)))
    c.ok("a filter without bits, because there are no values", nullable(filtered(), items=(None, None)))
    c.ok("no filter", flat())

    c.rule("bloom-filter/saturated")
    c.fail("all bits are set", flat(filtered(lambda bits: bits.__setitem__(slice(None), b"\xff" * len(bits)))), Bits())
    c.fail("231 of 256 bits are set", flat(filtered(exactly(231))), Bits())
    c.ok("230 of 256 bits are set", flat(filtered(exactly(230))))


def exactly(count):
    """An edit of a bitset of one block: so many bits are set, those of the values among them."""
    def change(bits):
        free = [(0, i // 32, i % 32) for i in range(256) if not bloom.has(bits, (0, i // 32, i % 32))]
        bloom.change(bits, free[:count - (256 - len(free))], True)
    return change


def places(c):
    c.rule("bloom-filter/location")
    three = lambda **more: File([required(name, INT32) for name in "abc"], [{name: 3 * i + k for k, name in enumerate("abc")} for i in range(3)],
                                [filtered(), filtered(), filtered()], **more)
    c.fail("each filter follows its column chunk", three(early=("bloom",)), V(META + ".bloom_filter_offset", times=2))
    ahead = bytes.fromhex("15401c1c00001c1c00001c1c000000") + bloom.bitset(INT32, (1, 2, 3))
    c.fail("the filter is before the first column chunk",
           flat(Chunk(before=ahead, meta={"bloom_filter_offset": 4, "bloom_filter_length": len(ahead)})), V(META + ".bloom_filter_offset"),
           found="in front of all row groups")
    c.ok("the filters are after the last column chunk", three())
    c.ok("the filter of the only column of each row group is between the two",
         File([required("a", INT32)], groups=[Group([{"a": i} for i in range(3)], filtered())] * 2, early=("bloom",)))

    c.rule("bloom-filter/location-behind-indexes")
    indexed = lambda **more: two([Chunk(offset_index=True, bloom=True)] * 2, **more)
    c.fail("the filters are after the offset indexes", indexed(), V(META + ".bloom_filter_offset", times=2))
    c.ok("the filters are before the offset indexes", indexed(arrange=lambda places: sorted(places, key=lambda one: one[0])))

    c.rule("bloom-filter/order")
    backwards = lambda places: places[::-1]
    c.fail("the filters are in the reverse order of the columns", two([filtered(), filtered()], arrange=backwards),
           V(SECOND + ".bloom_filter_offset"))
    c.fail("the filters of the second row group are before those of the first; at tier footer",
           rearranged(lambda places: sorted(places, key=lambda one: -one[1])), V("row_groups[1].columns[0].meta_data.bloom_filter_offset"),
           tier="footer")
    c.ok("the filters are in the order of the columns, and of the row groups", rearranged(lambda places: places))


def rearranged(arrange):
    made = grouped(lambda g: [filtered(), filtered()])
    made.arrange = arrange
    return made
