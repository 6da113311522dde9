"""Copies in compressed streams: copies that overlap their source, far copies, and faulty copies after valid bytes."""

from builder.codec.compression import lz4, lzo, snappy
from builder.codec.cursor import repeat

HEAD = bytes(index * 37 % 251 for index in range(40))
TAIL = bytes(index * 11 % 253 for index in range(100))  # room for decoders that copy more than needed
OFFSETS = (*range(1, 17), 31, 32, 33)
LENGTHS = (4, 8, 17, 64, 300)
DATA = bytes(index * 5 + 1 for index in range(12))


def add(v):
    """The vectors of the codecs with literals and copies."""
    for codec, name, write in (("SNAPPY", "snappy", snappy_of), ("LZ4_RAW", "lz4-raw", lz4_of), ("LZO", "lzo", lzo_of)):
        v.of(codec)
        for offset in OFFSETS:
            parts = [(HEAD, offset, LENGTHS[0]), *((b"#%d" % length, offset, length) for length in LENGTHS[1:])]
            v.image(f"{name}-overlap-{offset}", write(parts, TAIL), image_of(parts, TAIL),
                    note=f"copies of {', '.join(map(str, LENGTHS))} from {offset} back, then room after them")
    of_snappy(v)
    of_lz4_raw(v)
    of_lzo(v)


def image_of(parts, after=b""):
    """The image of (literals, offset, length) each, and of literals after them."""
    out = bytearray()
    for literals, offset, length in parts:
        out += literals
        repeat(out, offset, length)
    return bytes(out) + after


def snappy_of(parts, after, size=None, copy=snappy.copy):
    """A stream of (literals, offset, length)."""
    out = []
    for literals, offset, length in parts:
        out += [snappy.literal(literals)] if literals else []
        out += [copy(offset, min(64, length - at)) for at in range(0, length, 64)]
    return snappy.stream(len(image_of(parts, after)) if size is None else size, *out, *([snappy.literal(after)] if after else []))


def lz4_of(parts, after):
    return b"".join(lz4.sequence(*part) for part in parts) + lz4.sequence(after)


def lzo_of(parts, after):
    out = lzo.literals(parts[0][0])
    for index, (_, offset, length) in enumerate(parts):
        literals = parts[index + 1][0] if index + 1 < len(parts) else b""
        few = literals if len(literals) < 4 else b""
        out += lzo.any_match(offset, length, few) + (lzo.run(literals) if literals and not few else b"")
    return out + (lzo.run(after) if after else b"") + lzo.END


def of_snappy(v):
    v.of("SNAPPY")
    size = len(DATA)
    for width in (3, 4):
        v.image(f"snappy-literal-length-of-{width}-bytes", snappy.stream(size, bytes([59 + width << 2]) + (size - 1).to_bytes(width, "little") + DATA),
                DATA, note="a length in more bytes than it needs")
    intact = snappy.literal(DATA)
    v.image("snappy-size-of-five-bytes", b"\x8c\x80\x80\x80\0" + intact, DATA, note="the size of the image takes five bytes")
    for name, head in (("2^32", b"\x80\x80\x80\x80\x10"), ("2^32-and-12", b"\x8c\x80\x80\x80\x10"), ("of-six-bytes", b"\x8c\x80\x80\x80\x80\0")):
        v.reject(f"snappy-size-{name}", head + intact, size, note="the size of the image has at most 32 bits, and five bytes")
    far = [(HEAD, 40, 65495), (b"", 65535, 64)]
    v.image("snappy-copy-65535", snappy_of(far, b"x"), image_of(far, b"x"), note="the largest offset of two bytes")
    near = [(HEAD, 40, 64), (b"", 3, 100)]
    v.image("snappy-overlap-long", snappy_of(near, TAIL, copy=snappy.long_copy), image_of(near, TAIL), note="overlaps whose offset takes four bytes")
    valid, room = snappy.literal(TAIL), snappy.literal(TAIL)
    for name, bad, note in (
            ("literal", bytes([59 << 2]) + b"abc", "a literal of 60 bytes, of which three are there"),
            ("literal-length", bytes([61 << 2]) + b"\1", "the length of a literal is cut"),
            ("tag", b"", "the stream ends where a tag should be"),
            ("offset", snappy.copy(50, 50)[:-1], "the offset of a copy is cut"),
            ("short-offset", snappy.short_copy(50, 8)[:-1], "the offset of a short copy is cut"),
            ("long-offset", snappy.long_copy(50, 50)[:-1], "the offset of a long copy is cut"),
            ("copy-101", snappy.copy(101, 50) + room, "a copy from before the beginning"),
            ("short-copy-101", snappy.short_copy(101, 8) + room, "a copy from before the beginning"),
            ("long-copy-101", snappy.long_copy(101, 50) + room, "a copy from before the beginning"),
            ("copy-0", snappy.copy(0, 50) + room, "a copy from its own position"),
            ("copy-beyond", snappy.copy(50, 64) + snappy.copy(50, 64), "a copy continues past the end of the image")):
        v.reject(f"snappy-late-{name}", snappy.stream(200, valid, bad), 200, note=f"after 100 valid bytes {note}")


def of_lz4_raw(v):
    v.of("LZ4_RAW")
    for offset in (255, 256, 32769):
        parts = [(HEAD, 40, offset - 40), (b"", offset, 19), (b"y", offset, 4)]
        v.image(f"lz4-raw-offset-{offset}", lz4_of(parts, TAIL), image_of(parts, TAIL), note=f"a match from {offset} bytes back, and all of it literals")
    for size in (5, 6, 11):
        parts = [(HEAD, 13, 12)]
        v.image(f"lz4-raw-last-literals-{size}", lz4_of(parts, TAIL[:size]), image_of(parts, TAIL[:size]), note="the last match begins early enough")
    early = [(HEAD, 13, 7)]
    v.image("lz4-raw-last-match-12", lz4_of(early, TAIL[:5]), image_of(early, TAIL[:5]), note="the last match begins 12 bytes before the end, and 5 literals follow")
    for match, last in ((7, 4), (6, 5), (4, 7), (8, 3)):
        parts = [(HEAD, 13, match)]
        image = image_of(parts, TAIL[:last])
        v.allow(f"lz4-raw-end-{match}-{last}", lz4_of(parts, TAIL[:last]), image.hex(), [("compression/stream", 0)], options={"size": len(image)},
                note="a block ends with at least 5 literals, and its last match begins at least 12 bytes before the end; some decoders accept it")
    intact = lz4_of([(HEAD, 13, 30)], TAIL)
    size = len(HEAD) + 30 + len(TAIL)
    v.reject("lz4-raw-trailing-byte", intact + b"\0", size, note="after the last literals an empty sequence, whose match is missing")
    v.reject("lz4-raw-no-last-literals", lz4.sequence(TAIL, 50, 30), 130, note="a block ends with literals")
    long = lz4.sequence(b"", 40, 600)
    for cut in (1, 2):
        v.reject(f"lz4-raw-match-length-cut-{cut}", lz4.sequence(TAIL, 40, 4) + long[:-cut], 704, note="the block ends within the bytes of 255 of a length")
    for cut in (1, 2, 3):
        head = lz4.sequence(TAIL * 6)[:4]
        v.reject(f"lz4-raw-literal-length-cut-{cut}", lz4.sequence(TAIL, 40, 4) + head[:-cut], 704, note="the block ends within the length of literals")
    for name, bad in (("offset-cut", b"\0\1"), ("offset-0", lz4.sequence(b"", 0, 20)), ("offset-101", lz4.sequence(b"", 121, 20)),
                      ("literals", b"\xf0\x20abc")):
        tail = b"" if name in ("offset-cut", "literals") else lz4.sequence(TAIL)
        v.reject(f"lz4-raw-late-{name}", lz4.sequence(TAIL, 40, 20) + bad + tail, 240, note="invalid after 120 valid bytes")


def of_lzo(v):
    v.of("LZO")
    lengths, distances = (3, 9, 10, 264, 265), (16384, 16385, 16386, 32767, 32768, 49151)
    first = bytes(index * 7 % 251 for index in range(238))
    parts = [(first, 238, 288)] + [(b"", 238, 288)] * 170
    parts += [(b"" if index % 2 else b"%d" % (index % 10), distance, length)
              for index, (distance, length) in enumerate((distance, length) for distance in distances for length in lengths)]
    v.image("lzo-distances", lzo_of(parts, b"behind"), image_of(parts, b"behind"),
            note=f"matches of {', '.join(map(str, lengths))} from {', '.join(map(str, distances))} bytes back")
    for size in (4, 17, 18, 19, 238, 239, 273, 274, 528):
        data = bytes(index % 241 for index in range(size))
        v.image(f"lzo-literals-{size}", lzo.literals(data) + lzo.END, data)
        v.image(f"lzo-run-{size}", lzo.literals(HEAD) + lzo.short_match(9, 8) + lzo.run(data) + lzo.END,
                image_of([(HEAD, 9, 8)], data), note="a run after a match")
    for length in (8, 9, 33, 34, 287, 288, 289, 544):
        parts = [(HEAD, 21, length)]
        v.image(f"lzo-match-{length}", lzo_of(parts, b"abcd"), image_of(parts, b"abcd"))
    valid = lzo.literals(TAIL)
    for name, bad in (("short", lzo.short_match(101, 8)), ("middle", lzo.middle_match(101, 20)), ("far", lzo.far_match(16385, 9)),
                      ("triple", lzo.pair(2149, nearest=2049))):
        v.reject(f"lzo-late-distance-{name}", valid + bad + lzo.run(TAIL) + lzo.END, 220, note="a match from before the beginning, after 100 valid bytes")
    v.reject("lzo-late-literals", valid + lzo.short_match(9, 8) + lzo.run(TAIL)[:-1], 208, note="a run of literals is cut")
    v.reject("lzo-end-cut", valid + lzo.END[:-1], 100)
    v.reject("lzo-length-cut", valid + b"\x20\0\0", 1000, note="the length of a match is cut")
