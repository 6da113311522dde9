"""The parts of PNG for pictures of a browser: reads the output of Chromium, and writes a palette of 256 colours and a note."""

import collections
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunks(data):
    at = len(SIGNATURE)
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + length]
        at += length + 12


def note(data):
    """The note that `written` has stored in a picture; empty if there is none."""
    return next((body.split(b"\0", 1)[1].decode() for kind, body in chunks(data) if kind == b"tEXt"), None)


def pixels(data):
    """Width, height, and the colours of all pixels, row by row."""
    width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", next(body for kind, body in chunks(data) if kind == b"IHDR"))
    if depth != 8 or colour not in (2, 6) or interlace:
        raise ValueError("not a picture as Chromium writes it")
    step = 3 if colour == 2 else 4
    raw = zlib.decompress(b"".join(body for kind, body in chunks(data) if kind == b"IDAT"))
    above, out = bytearray(width * step), []
    for y in range(height):
        kind, line = raw[y * (width * step + 1)], bytearray(raw[y * (width * step + 1) + 1:(y + 1) * (width * step + 1)])
        for i in range(len(line)):
            left, up, corner = line[i - step] if i >= step else 0, above[i], above[i - step] if i >= step else 0
            if kind == 1:
                line[i] = line[i] + left & 255
            elif kind == 2:
                line[i] = line[i] + up & 255
            elif kind == 3:
                line[i] = line[i] + (left + up) // 2 & 255
            elif kind == 4:
                far = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
                line[i] = line[i] + (left if far[0] <= far[1] and far[0] <= far[2] else up if far[1] <= far[2] else corner) & 255
        out += [tuple(line[i:i + 3]) for i in range(0, len(line), step)]
        above = line
    return width, height, out


def palette(counts, size=256):
    """The most frequent colours, and for all others the means of boxes (median cut)."""
    kept = [colour for colour, _ in counts.most_common(size // 2)]
    boxes = [[colour for colour in counts if colour not in set(kept)]] if len(counts) > len(kept) else []

    def spread(box):
        return max(max(c[i] for c in box) - min(c[i] for c in box) for i in range(3))

    while boxes and len(kept) + len(boxes) < size:
        widest = max(boxes, key=lambda box: (spread(box) * sum(counts[c] for c in box) if len(box) > 1 else -1, box[0]))
        if len(widest) == 1:
            break
        axis = max(range(3), key=lambda i: max(c[i] for c in widest) - min(c[i] for c in widest))
        widest.sort(key=lambda c: (c[axis], c))
        boxes.remove(widest)
        boxes += [widest[:len(widest) // 2], widest[len(widest) // 2:]]
    means = [tuple(sum(c[i] * counts[c] for c in box) // sum(counts[c] for c in box) for i in range(3)) for box in boxes]
    return kept + means


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def written(width, height, colours, words):
    """The picture with a palette, and `words` as its note."""
    counts = collections.Counter(colours)
    table = palette(counts)
    place = {colour: index for index, colour in enumerate(table)}
    for colour in counts:
        if colour not in place:
            place[colour] = min(range(len(table)), key=lambda i: sum((a - b) ** 2 for a, b in zip(table[i], colour)))
    rows = b"".join(b"\0" + bytes(place[c] for c in colours[y * width:(y + 1) * width]) for y in range(height))
    return (SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)) + chunk(b"PLTE", b"".join(map(bytes, table)))
            + chunk(b"tEXt", b"Source\0" + words.encode()) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))
