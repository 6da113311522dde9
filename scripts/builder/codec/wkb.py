"""Well-known binary of ISO: the writer, a strict reader, and well-known text (Geospatial.md, and the standard of OGC that it names).

A geometry is written with names for its parts: `order`, `code`, `count`, `p0` for a point, `r0.count` and `r0.p1` for a ring and its points, `0.code` for
the code of a part."""

import math
import struct

from builder.codec import logical
from builder.codec.marked import Marked, marked

SHAPES = ("Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon", "GeometryCollection")
DIMENSIONS = ("", "Z", "M", "ZM")
NAN = float("nan")
MAX_DEPTH = 1000
CODES = "1 to 7, plus 0, 1000, 2000 or 3000"


def code_of(shape, dimension=""):
    return SHAPES.index(shape) + 1 + 1000 * DIMENSIONS.index(dimension)


class Geometry:
    """A geometry: of a Point its coordinates or None, of a LineString points, of a Polygon rings, of the others geometries. `big` is its byte order;
    `order`, `code` and `count` replace the numbers, `counts` those of rings, and `after` are bytes at the end."""

    def __init__(self, shape, body=(), dimension="", big=False, order=None, code=None, count=None, counts=None, after=b""):
        self.shape, self.body, self.dimension, self.big = shape, body, dimension, big
        self.order, self.code, self.count, self.counts, self.after = order, code, count, counts or {}, after

    @property
    def axes(self):
        return 2 + len(self.dimension)


def point(*numbers, **more):
    return Geometry("Point", numbers or None, **more)


def line(*points, **more):
    return Geometry("LineString", points, **more)


def polygon(*rings, **more):
    return Geometry("Polygon", rings, **more)


def multi(shape, *parts, **more):
    return Geometry(shape, parts, **more)


def collection(*parts, **more):
    return Geometry("GeometryCollection", parts, **more)


def encode(geometry):
    """The bytes as Marked; bytes and Marked stay as they are."""
    if not isinstance(geometry, Geometry):
        return marked(geometry)
    sign = ">" if geometry.big else "<"
    word = lambda number, name: Marked(struct.pack(sign + "I", number)).named(name)
    numbers = lambda values, name: Marked(struct.pack(f"{sign}{len(values)}d", *values)).named(name)
    order = int(not geometry.big) if geometry.order is None else geometry.order
    code = code_of(geometry.shape, geometry.dimension) if geometry.code is None else geometry.code
    out = Marked(bytes([order])).named("order") + word(code, "code")
    if geometry.shape == "Point":
        values = (NAN,) * geometry.axes if geometry.body is None else geometry.body
        out = out + numbers(values, "p0")
    else:
        out = out + word(len(geometry.body) if geometry.count is None else geometry.count, "count")
        for i, part in enumerate(geometry.body):
            if geometry.shape == "LineString":
                out = out + numbers(part, f"p{i}")
            elif geometry.shape == "Polygon":
                ring = Marked(struct.pack(sign + "I", geometry.counts.get(i, len(part)))).named("count")
                for j, one in enumerate(part):
                    ring = ring + numbers(one, f"p{j}")
                out = out + ring.named(f"r{i}")
            else:
                out = out + encode(part).named(str(i))
    return out + Marked(geometry.after).named("after")


# ---- Reader

class Stop(Exception):
    """A fault after which nothing can be read."""


class Read:
    """What a strict reader finds in a value: `faults` as (rule, offset, length, found, expected), and unless these stopped it the `tree`, the
    `type`, and the `points` in the order x, y, z, m with None for a missing coordinate."""

    def __init__(self, data, geographic=False):
        self.data, self.geographic, self.at, self.faults, self.points, self.tree, self.type = data, geographic, 0, [], [], None, None
        self.twisted = False  # parts of another type or dimension
        try:
            self.tree = self._geometry(None, 1)
            self.type = self.tree[0]
            if self.at < len(data):
                self._fault("wkb/trailing-bytes", self.at, len(data) - self.at, len(data) - self.at, "0")
        except Stop:
            pass

    def _fault(self, rule, at, length, found, expected=None):
        self.faults.append((rule, at, length, str(found), None if expected is None else str(expected)))

    def _stop(self, *fault):
        self._fault(*fault)
        raise Stop

    def _need(self, size):
        if len(self.data) - self.at < size:
            self._stop("wkb/truncated", self.at, len(self.data) - self.at, len(self.data) - self.at, size)

    def _word(self, sign):
        self._need(4)
        word = struct.unpack_from(sign + "I", self.data, self.at)[0]
        self.at += 4
        return word

    def _count(self, sign, smallest):
        at, count = self.at, self._word(sign)
        most = (len(self.data) - self.at) // smallest
        if count > most:
            self._stop("wkb/count", at, 4, count, f"at most {most}")
        return count

    def _take(self, sign, count, axes, dimension):
        points = []
        for _ in range(count):
            numbers = struct.unpack_from(f"{sign}{axes}d", self.data, self.at)
            for i, (number, limit) in enumerate(zip(numbers, (180, 90))):
                if self.geographic and not math.isnan(number) and abs(number) > limit:
                    self._fault("geo/coordinate-range", self.at + 8 * i, 8, text_of(number), f"-{limit} to {limit}")
            named = dict(zip("xy" + dimension.lower(), numbers))
            self.points.append(tuple(named.get(axis) for axis in "xyzm"))
            points.append(numbers)
            self.at += 8 * axes
        return points

    def _geometry(self, parent, depth):
        start = self.at
        if self.at < len(self.data) and self.data[self.at] > 1:
            self._stop("wkb/byte-order", self.at, 1, self.data[self.at], "0 or 1")
        self._need(5)
        sign = "<" if self.data[self.at] else ">"
        self.at += 1
        code = self._word(sign)
        shape, dimension = self._type(code, self.at - 4)
        if parent:
            above, above_dimension = parent
            wanted = above[len("Multi"):] if above.startswith("Multi") else shape
            if shape != wanted or dimension != above_dimension:
                self.twisted = True
                self._fault("wkb/part-type" if shape != wanted else "wkb/dimension", self.at - 4, 4, code, code_of(wanted, above_dimension))
        axes = 2 + len(dimension)
        kind = (code_of(shape, dimension), shape, dimension)
        if shape == "Point":
            self._need(8 * axes)
            return (*kind, self._take(sign, 1, axes, dimension)[0])
        if shape == "LineString":
            at, count = self.at, self._count(sign, 8 * axes)
            if count == 1:
                self._fault("wkb/line-points", at, 4, 1, "0, or at least 2")
            return (*kind, self._take(sign, count, axes, dimension))
        if shape == "Polygon":
            return (*kind, [self._ring(sign, axes, dimension) for _ in range(self._count(sign, 4))])
        count = self._count(sign, 9)
        if depth > MAX_DEPTH:
            self._stop("wkb/depth", start, 5, depth, MAX_DEPTH)
        return (*kind, [self._geometry((shape, dimension), depth + 1) for _ in range(count)])

    def _type(self, code, at):
        shape, dimension = code % 1000, code // 1000
        if dimension < 4 and 1 <= shape <= 7:
            return SHAPES[shape - 1], DIMENSIONS[dimension]
        if dimension < 4 and 8 <= shape <= 17:
            self._stop("wkb/type-unsupported", at, 4, code)
        base = code & 0x1FFFFFFF
        if base != code and base // 1000 < 4 and 1 <= base % 1000 <= 7:
            has_z = bool(code & 0x80000000) or base // 1000 in (1, 3)
            has_m = bool(code & 0x40000000) or base // 1000 in (2, 3)
            self._stop("wkb/ewkb", at, 4, f"0x{code:08x}", base % 1000 + 1000 * has_z + 2000 * has_m)
        self._stop("wkb/type", at, 4, code, CODES)

    def _ring(self, sign, axes, dimension):
        at, count = self.at, self._count(sign, 8 * axes)
        points = self._take(sign, count, axes, dimension)
        if 0 < count < 4:
            self._fault("wkb/ring-points", at, 4, count, "0, or at least 4")
        elif count and not all(a == b or a != a and b != b for a, b in zip(points[0][:2], points[-1][:2])):
            last, first = (" ".join(map(text_of, one[:2])) for one in (points[-1], points[0]))
            self._fault("wkb/ring-closed", self.at - 8 * axes, 8 * axes, last, first)
        return points


def text_of(number):
    """The number as in text, without the quotes of JSON; -0 has no point."""
    return logical.real(number).strip('"').removesuffix(".0")


# ---- Text

def wkt(data):
    """Well-known text; None if the value is not readable, or has parts of another type or dimension, or bytes after its end."""
    read = Read(data)
    if read.tree is None or read.twisted or any(rule == "wkb/trailing-bytes" for rule, *_ in read.faults):
        return None
    return _text(read.tree, True)


def _list(items):
    return f"({', '.join(items)})" if items else "EMPTY"


def _points(points):
    return _list([" ".join(map(text_of, one)) for one in points])


def _text(tree, named):
    _, shape, dimension, body = tree
    if shape == "Point":
        text = "EMPTY" if all(number != number for number in body) else _points([body])
    elif shape == "LineString":
        text = _points(body)
    elif shape == "Polygon":
        text = _list([_points(ring) for ring in body])
    else:
        text = _list([_text(part, shape == "GeometryCollection") for part in body])
    return f"{shape.upper()} {dimension + ' ' if dimension else ''}{text}" if named else text


# ---- Statistics

def bounds(values):
    """Correct GeospatialStatistics of values: bbox as min and max without NaN, geospatial_types ascending."""
    reads = [Read(value) for value in values if value is not None]
    box = {}
    for i, axis in enumerate("xyzm"):
        numbers = [one[i] for read in reads for one in read.points if one[i] is not None and one[i] == one[i]]
        if numbers:
            box |= {f"{axis}min": min(numbers), f"{axis}max": max(numbers)}
    stated = {"geospatial_types": sorted({read.type for read in reads})}
    return {"bbox": box, **stated} if "xmin" in box and "ymin" in box else stated
