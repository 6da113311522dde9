"""Delta streams of many shapes and lengths, and faults after their first block."""

from builder.codec import delta
from builder.codec.marked import Marked, cut
from builder.codec.metadata import INT32, INT64
from builder.codec.thrift import uleb, varint
from builder.vectors.delta import CLAUSE
from builder.vectors.run_sizes import long_sections, scattered

SHAPES = ((128, 1), (128, 2), (256, 1), (384, 3), (640, 5), (1024, 32), (4096, 1))
COUNTS = (64, 65, 96, 97, 127, 255, 256, 257, 258)
WIDTHS = {32: (1, 9, 15, 17, 25, 31), 64: (0, 8, 17, 33, 40, 57, 64)}
OVERSIZED = bytes.fromhex("80010404feffffff0ffdffffff1f21000000" "00000000fefffffffaffffff03").ljust(18 + 132, b"\0")


def vectors():
    v = long_sections("DELTA_BINARY_PACKED")
    for kind, bits, name in ((INT32, 32, "delta-32"), (INT64, 64, "delta-64")):
        v.of(CLAUSE, kind)
        shapes(v, name, bits)
        widths(v, name, bits)
        tolerated(v, name, bits)
        faults(v, name, bits)
    v.of(CLAUSE, INT32)
    v.allow("delta-32-min-delta-outside", OVERSIZED, [2**31 - 1, -2**31, 0, -1],
            [("delta-binary-packed/number-oversized", 9), ("delta-binary-packed/bit-width", 14)], options={"count": 4},
            case="wrap", bugs="DeltaTooWide", note="deltas of 64 bits: the smallest is 1-2^32, and the others take 33 bits above it")
    return [v]


def digits(count):
    return [index * index % 7 for index in range(count)]


def shapes(v, name, bits):
    for size, miniblocks in SHAPES[:7 if bits == 32 else 4]:
        for count in (size + 1, size + 2)[:2 if size < 500 else 1]:
            items = digits(count)
            v.values(f"{name}-block-{size}-{miniblocks}-{count}", delta.binary_packed(items, bits, size, miniblocks), items,
                     note="blocks are full" if count == size + 1 else "one value more than blocks that are full")
    for count in COUNTS[bits == 64::1 + (bits == 64)]:
        items = digits(count)
        v.values(f"{name}-count-{count}", delta.binary_packed(items, bits), items)


def widths(v, name, bits):
    """Two miniblocks of 64 each, the second with three values."""
    half = 1 << bits - 1
    for width in WIDTHS[bits]:
        items = [-3]
        for number in [(1 << width) - 1, 0, *scattered(65, width)]:
            items.append((items[-1] + number - (1 << width >> 1) + half & 2 * half - 1) - half)
        data = delta.binary_packed(items, bits, miniblocks=2, min_delta=-(1 << width >> 1), widths=[width] * 2)
        v.values(f"{name}-miniblocks-of-64-{width}", data, items, bugs="DeltaNegative" if width > bits - 2 else ())


def tolerated(v, name, bits):
    """In the last block of three, and overlong numbers in one of the blocks."""
    items = digits(1 + 2 * 128 + 40)
    junk = delta.binary_packed(items, bits, unused_width=255)
    rule = "delta-binary-packed/"
    v.values(f"{name}-third-block-unneeded", junk, items, bugs="DeltaUnusedWidths",
             warnings=[(rule + "unneeded-width", junk.marks["block2.widths"] + 2)])
    filled = delta.binary_packed(items, bits, fill=5, widths=[5] * 10)
    v.values(f"{name}-third-block-padding", filled, items, warnings=[(rule + "padding", filled.marks["block2.body1"] + 5)],
             note="the 24 places after the last deltas hold 5")
    both = delta.binary_packed(items, bits, fill=5, unused_width=65, widths=[5] * 10)
    v.values(f"{name}-third-block-padding-and-unneeded", both, items, bugs="DeltaUnusedWidths", note="widths that no miniblock can have",
             warnings=[(rule + "unneeded-width", both.marks["block2.widths"] + 2), (rule + "padding", both.marks["block2.body1"] + 5)])
    for block in (0, 1, 2):
        for size, warned in ((5, False), (6, bits == 32))[block % 2:]:
            data, at = longer(delta.binary_packed(items, bits), f"block{block}", size)
            v.values(f"{name}-block-{block}-min-delta-of-{size}-bytes", data, items, warnings=[(rule + "varint-long", at)] * warned)
    min_delta, size = (-1 << 27, 4) if bits == 32 else (-1 << 62, 9)
    for drop in (0, 1):
        fall = [0] * 200 + [min_delta - drop] * 60
        data = delta.binary_packed(fall, bits)
        assert data.marks["block1.widths"] - data.marks["block1"] == size + drop
        v.values(f"{name}-second-block-min-delta-of-{size + drop}-bytes", data, fall, note="the smallest delta takes the minimum number of bytes")
    if bits == 32:
        for block in (0, 1, 2):
            low = {block: -2**31 - 1}
            data = delta.binary_packed([0] * 300, bits, min_delta=low, widths=[32 * (place // 4 == block) for place in range(10)])
            v.values(f"{name}-block-{block}-min-delta-outside", data, [0] * 300, note="the smallest delta is -2^31-1: sums wrap around",
                     warnings=[(rule + "number-oversized", data.marks[f"block{block}"])])


def longer(stream, mark, size):
    """The stream with the number at a mark extended to so many bytes, and its offset."""
    at, end = stream.marks[mark], stream.marks[mark + ".widths"]
    number = stream.data[at:end]
    more = size - len(number)
    number = number[:-1] + bytes([number[-1] | 0x80]) + b"\x80" * (more - 1) + b"\0"
    return stream.data[:at] + number + stream.data[end:], at


def faults(v, name, bits):
    """Faults in the second block of three, in the third of six, and in the last."""
    for total, block in ((3, 1), (3, 2), (6, 2), (6, 5)):
        full = block != total - 1
        count = (total - 1) * 128 + 41
        intact = delta.binary_packed([index % 3 for index in range(count)], bits)
        mark, place = f"block{block}", 3 if full else 1

        def reject(what, data, rule, offset, **more):
            v.reject(f"{name}-{total}-blocks-{what}-{block}", data, count, "delta-binary-packed/" + rule, offset, **more)

        reject("no-block", cut(intact, mark), "block", mark)
        reject("min-delta-cut", cut(intact, mark).data + b"\x80", "block", intact.marks[mark])
        reject("widths-cut", cut(intact, mark + ".widths", 3), "width-bytes", mark + ".widths")
        start = intact.marks[mark + ".widths"] + place
        reject("width-65", intact.data[:start] + bytes([65]) + intact.data[start + 1:], "bit-width-range", start)
        body = f"{mark}.body{place}"
        reject("miniblock-missing", cut(intact, body), "miniblock-full", body)
        reject("miniblock-cut", cut(intact, body, 4), "miniblock-full", body)
        start, end = intact.marks[mark], intact.marks[mark + ".widths"]
        reject("min-delta-of-70-bits", intact.data[:start] + b"\xff" * 9 + b"\x7f" + intact.data[end:], "number-range", start)
        if bits == 32:
            stream = delta.binary_packed([5] * count, bits, widths=[33 * (at == 4 * block + place) for at in range(4 * total - 2)])
            reject("width-33", stream, "bit-width", stream.marks[mark + ".widths"] + place, bugs="DeltaTooWide")
    v.reject(f"{name}-six-blocks-trailing-byte", intact + b"\0", count, "page/trailing-bytes", len(intact))
    v.values(f"{name}-none-first-value", delta.binary_packed([], bits, head={"first": varint(5)}), [], note="no values, and the first is 5")
    v.reject(f"{name}-none-and-a-block", delta.binary_packed([], bits) + Marked(varint(0) + bytes(4)), 0, "page/zero-values-section")
    v.reject(f"{name}-none-counts-one", delta.binary_packed([], bits, head={"count": uleb(1)}), 0, "page/zero-values-section")
