"""The bytes of geometries: WKB of ISO, and the ranges of GEOGRAPHY (Geospatial.md)."""

import struct

from builder.codec import wkb
from builder.codec.file import Chunk, File
from builder.codec.marked import cut
from builder.codec.metadata import BYTE_ARRAY, DELTA_LENGTH_BYTE_ARRAY, RLE_DICTIONARY, SNAPPY
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import list_of, required
from builder.codec.wkb import MAX_DEPTH, NAN, Geometry, collection, encode, line, multi, point, polygon
from builder.expect.places import Body, V
from builder.expect.witness import Also
from builder.recipes.base_files import FIRST, column
from builder.recipes.geo.geometries import STATISTICS, data, empty, everything, node, of_groups, plain, sample, stated

ONE, TWO = point(1, 2), line((0, 0), (3, 4))
RING = ((0, 0), (4, 0), (0, 4), (0, 0))


def witnesses(c):
    headers(c)
    types(c)
    parts(c)
    points(c)
    lengths(c)
    ranges(c)
    depth(c)
    legal(c)


def place_of(geometry, geographic=False):
    """The only fault of a geometry by the builder's reader, as (rule, offset, length, found, expected)."""
    faults = wkb.Read(data(geometry), geographic).faults
    assert len(faults) == 1, faults
    return faults[0]


def fail(c, about, geometry, mark, everywhere=False, kind="GEOMETRY", plus=0):
    """Files with the fault, which begins at the mark of the encoded geometry; at every kind of place if `everywhere`."""
    rule, offset, length, found, expected = place_of(geometry, kind == "GEOGRAPHY")
    bytes_ = encode(geometry)
    assert rule == c.name and offset == (bytes_.marks[mark] if isinstance(mark, str) else mark) + plus, (about, rule, offset)

    def add(more, file, row, page=FIRST, **where):
        at = Body(page, f"values.value{row}", plus=4 + offset, **where).with_values(found, expected, length)
        c.fail(about + more, file, at)

    add("", plain([ONE, geometry, TWO], kind=kind), 1)
    if not everywhere:
        return
    add(", in the only value", plain([geometry], kind=kind), 0)
    add(", in the first value", plain([geometry, ONE, TWO], kind=kind), 0)
    add(", in the last value", plain([ONE, TWO, geometry], kind=kind), 2)
    add(", in the second page", plain([ONE, TWO, geometry], Chunk([V1(2), V1()]), kind), 0, (0, 0, 1))
    add(", in a v2 page", plain([ONE, geometry], Chunk([V2()]), kind), 1)
    add(", in the second row group", of_groups([[ONE, TWO], [ONE, geometry]], kind), 1, (1, 0, 0))
    add(", after nulls", plain([None, ONE, None, geometry, None], kind=kind), 1)
    add(", in a compressed page", plain([ONE, geometry], Chunk(codec=SNAPPY), kind), 1)
    add(", in three values of two pages", plain([ONE, geometry, geometry, TWO, geometry], Chunk([V1(2), V1()]), kind), 1, times=3)
    entries = [data(ONE), data(geometry)]
    coded = lambda used: column(node(kind, required), used, Chunk([Dictionary(entries), V1(encoding=RLE_DICTIONARY)]))
    add(", in an entry of the dictionary that is used", coded([entries[0], entries[1], entries[1]]), 1)
    c.ok(f"{about}: in an entry of the dictionary that no value refers to", coded([entries[0]]))
    nested = File([list_of("l", node(kind, required, "element"))], [{"l": {"list": [{"element": data(one)} for one in (ONE, geometry)]}}])
    add(", in a list", nested, 1)


def headers(c):
    c.rule("wkb/byte-order")
    fail(c, "the byte order is 2", point(1, 2, order=2), "order", everywhere=True)
    for order in (3, 0x30, 0xFF):
        fail(c, f"the byte order is {order}", line((0, 0), (1, 1), order=order), "order")
    fail(c, "the byte order of a part is 2", multi("MultiPoint", point(1, 2), point(3, 4, order=2)), "1.order")
    fail(c, "the byte order of a part of a collection in a collection is 255", collection(collection(point(1, 2, order=255))), "0.0.order")
    c.ok("big-endian and little-endian values", plain([point(1, 2, big=True), point(1, 2)]))
    c.ok("parts of both byte orders", plain([multi("MultiPoint", point(1, 2, big=True), point(1, 2)), collection(point(1, 2), point(3, 4, big=True), big=True)]))


def types(c):
    c.rule("wkb/type")
    fail(c, "the type is 0", point(1, 2, code=0), "code", everywhere=True)
    for code in (18, 1000, 1018, 4001, 3018, 0x01000000, 0x1FFFFFFF, 0xFFFFFFFF):
        fail(c, f"the type is {code}", point(1, 2, code=code), "code")
    fail(c, "the type is stored in the other byte order", Geometry("Point", (1, 2), code=0x01000000), "code")
    fail(c, "the type of a part is 0", multi("MultiPoint", point(1, 2, code=0)), "0.code")
    for shape, dimension in everything():
        c.ok(f"{shape} {dimension or 'XY'}, in both byte orders", plain([sample(shape, dimension), sample(shape, dimension, True)]))

    c.rule("wkb/type-unsupported")
    fail(c, "a CircularString", Geometry("LineString", ((0, 0), (1, 1), (2, 0)), code=8), "code", everywhere=True)
    for code in (12, 17, 1008, 2010, 3017):
        fail(c, f"the type is {code}", Geometry("LineString", ((0, 0), (1, 1)), code=code), "code")
    fail(c, "a curve in a collection", collection(point(1, 2), Geometry("LineString", ((0, 0), (1, 1)), code=8)), "1.code")
    c.ok("a LineString", plain([TWO]))

    c.rule("wkb/ewkb")
    fail(c, "the flag of z", point(1, 2, 3, dimension="Z", code=0x80000001), "code", everywhere=True)
    fail(c, "the flag of m", point(1, 2, 3, dimension="M", code=0x40000001), "code")
    fail(c, "the flags of z and m", point(1, 2, 3, 4, dimension="ZM", code=0xC0000001), "code")
    srid = struct.pack("<II", 0x20000001, 4326)
    fail(c, "an SRID", b"\1" + srid + struct.pack("<2d", 1, 2), 1)
    fail(c, "an SRID and the flag of z, big-endian", b"\0" + struct.pack(">II3d", 0xA0000001, 4326, 1, 2, 3), 1)
    fail(c, "the flag of z besides the ISO code", point(1, 2, 3, dimension="Z", code=0x80000000 + 1001), "code")
    fail(c, "the flag of z in a part", collection(point(1, 2, 3, dimension="Z", code=0x80000001), dimension="Z"), "0.code")
    c.ok("the ISO code of z", plain([point(1, 2, 3, dimension="Z")]))


def parts(c):
    c.rule("wkb/part-type")
    fail(c, "a LineString in a MultiPoint", multi("MultiPoint", ONE, TWO), "1.code", everywhere=True)
    fail(c, "a MultiPoint in a MultiPoint", multi("MultiPoint", multi("MultiPoint", ONE)), "0.code")
    fail(c, "a Polygon in a MultiLineString", multi("MultiLineString", polygon(RING)), "0.code")
    fail(c, "a collection in a MultiPolygon", multi("MultiPolygon", collection()), "0.code")
    fail(c, "a Point Z in a MultiLineString", multi("MultiLineString", point(1, 2, 3, dimension="Z")), "0.code")
    c.ok("parts of the right types", plain([multi("MultiPoint", ONE), multi("MultiLineString", TWO), multi("MultiPolygon", polygon(RING))]))
    c.ok("parts of all types in a collection", plain([collection(ONE, TWO, polygon(RING), multi("MultiPoint", ONE), collection(ONE))]))

    c.rule("wkb/dimension")
    fail(c, "a Point in a MultiPoint Z", multi("MultiPoint", ONE, dimension="Z"), "0.code", everywhere=True)
    fail(c, "a Point Z in a MultiPoint", multi("MultiPoint", ONE, point(1, 2, 3, dimension="Z")), "1.code")
    fail(c, "a Point M in a MultiPoint Z", multi("MultiPoint", point(1, 2, 3, dimension="M"), dimension="Z"), "0.code")
    fail(c, "a Point Z in a MultiPoint ZM", multi("MultiPoint", point(1, 2, 3, dimension="Z"), dimension="ZM"), "0.code")
    fail(c, "an empty LineString in a collection Z", collection(line(), dimension="Z"), "0.code")
    c.ok("values of several dimensions in a column", plain([ONE, point(1, 2, 3, dimension="Z"), point(1, 2, 3, dimension="M")]))


def points(c):
    c.rule("wkb/line-points")
    fail(c, "a LineString of one point", line((1, 2)), "count", everywhere=True)
    fail(c, "a LineString ZM of one point in a MultiLineString", multi("MultiLineString", line((1, 2, 3, 4), dimension="ZM"), dimension="ZM"), "0.count")
    c.ok("LineStrings of two points, of none, and of two equal points", plain([TWO, line(), line((1, 1), (1, 1))]))

    c.rule("wkb/ring-points")
    fail(c, "a ring of three points", polygon(((0, 0), (1, 1), (0, 0))), "r0.count", everywhere=True)
    fail(c, "a ring of one point", polygon(((1, 2),)), "r0.count")
    fail(c, "the second ring has two points", polygon(RING, ((1, 1), (1, 1))), "r1.count")
    fail(c, "in a part of a MultiPolygon", multi("MultiPolygon", polygon(RING), polygon(RING[:3])), "1.r0.count")
    c.ok("rings of four points and of none", plain([polygon(RING), polygon(()), polygon(RING, ())]))

    c.rule("wkb/ring-closed")
    fail(c, "a ring ends at another point", polygon(((0, 0), (4, 0), (0, 4), (1, 1))), "r0.p3", everywhere=True)
    fail(c, "the last y differs", polygon(((0, 0), (4, 0), (0, 4), (0, -0.5))), "r0.p3")
    fail(c, "the second ring is open", polygon(RING, ((1, 1), (2, 1), (2, 2), (1, 2))), "r1.p3")
    fail(c, "in a part of a MultiPolygon Z, big-endian",
         multi("MultiPolygon", polygon(((0, 0, 1), (4, 0, 1), (0, 4, 1), (4, 4, 1)), dimension="Z", big=True), dimension="Z"), "0.r0.p3")
    c.ok("-0.0 closes a ring that begins with 0.0", plain([polygon(((0.0, 0), (4, 0), (0, 4), (-0.0, 0)))]))
    c.ok("the z of the last point differs", plain([polygon(((0, 0, 1), (4, 0, 1), (0, 4, 1), (0, 0, 2)), dimension="Z")]))
    c.ok("NaN closes a ring that begins with NaN", plain([polygon(((NAN, 0), (4, 0), (0, 4), (NAN, 0)))]))


def lengths(c):
    c.rule("wkb/truncated")
    full = encode(ONE)
    fail(c, "a Point without its last byte", full.data[:-1], 5, everywhere=True)
    fail(c, "an empty value", b"", 0)
    fail(c, "the byte order alone", b"\1", 0)
    fail(c, "a type code cut short", full.data[:4], 0)
    fail(c, "a type code alone", full.data[:5], 5)
    fail(c, "a LineString without its count", encode(TWO).data[:5], 5)
    fail(c, "a count cut short", encode(TWO).data[:8], 5)
    fail(c, "a Polygon whose second ring has no count", cut(encode(polygon(RING, RING)), "r1.count", 2).data, "r1.count" and encode(polygon(RING, RING)).marks["r1.count"])
    two = encode(multi("MultiPoint", ONE, ONE))
    fail(c, "a MultiPoint whose second part is cut short", two.data[:-8], two.marks["1.p0"])
    fail(c, "a Point Z with two coordinates", point(1, 2, code=1001), "p0")
    one = encode(collection(TWO, ONE, count=3))
    fail(c, "a collection with two of three parts", one.data, len(one.data)) if len(one.data) - 9 >= 27 else None
    c.ok("all bytes", plain([ONE, TWO]))

    c.rule("wkb/count")
    fail(c, "a LineString of three points has two", line((0, 0), (1, 1), count=3), "count", everywhere=True)
    for count in (2**31, 2**32 - 1):
        fail(c, f"a Polygon whose ring has {count} points in 40 bytes", polygon(((0, 0), (1, 1)), counts={0: count}), "r0.count")
        fail(c, f"a Polygon of {count} rings", polygon(RING, count=count), "count")
        fail(c, f"a MultiPoint of {count} points", multi("MultiPoint", ONE, count=count), "count")
        fail(c, f"a collection of {count} geometries, big-endian", collection(ONE, count=count, big=True), "count")
    fail(c, "the second ring has a point more", polygon(RING, RING, counts={1: 5}), "r1.count")
    fail(c, "a LineString ZM counts the points of XY", line((0, 0), (1, 1), code=3002), "count")
    c.ok("counts of all parts", plain([TWO, polygon(RING, RING), multi("MultiPoint", ONE, ONE)]))

    c.rule("wkb/trailing-bytes")
    fail(c, "a byte after a Point", point(1, 2, after=b"\0"), "after", everywhere=True)
    fail(c, "a third coordinate of a Point", point(1, 2, after=struct.pack("<d", 3)), "after")
    fail(c, "two geometries in one value", encode(ONE).data + encode(TWO).data, len(encode(ONE).data))
    fail(c, "a part that the count of a collection leaves out", collection(ONE, TWO, count=1), "1.order")
    c.ok("values end with their geometries", plain([ONE, collection(ONE, TWO)]))


def ranges(c):
    c.rule("geo/coordinate-range")
    far = line((0, 0), (180.5, 0))
    fail(c, "a longitude of 180.5", far, "p1", everywhere=True, kind="GEOGRAPHY")
    fail(c, "a longitude of -181", point(-181, 0), "p0", kind="GEOGRAPHY")
    fail(c, "a latitude of 90.25, big-endian", point(0, 90.25, big=True), "p0", kind="GEOGRAPHY", plus=8)
    fail(c, "a latitude of -1000 in a ring", polygon(((0, 0), (4, 0), (0, -1000), (0, 0))), "r0.p2", kind="GEOGRAPHY", plus=8)
    fail(c, "longitude and latitude change places", point(51.5, -120), "p0", kind="GEOGRAPHY", plus=8)
    fail(c, "an infinite longitude", point(float("inf"), 0), "p0", kind="GEOGRAPHY")
    fail(c, "in a part of a collection", collection(ONE, multi("MultiPoint", point(0, 91))), "1.0.p0", kind="GEOGRAPHY", plus=8)
    swapped = [point(51.5, -120), point(40, 170)]
    latitude = Body(FIRST, "values.value0", plus=4 + 13, length=8, times=2).with_values("-120", "-90 to 90")
    c.fail("longitude and latitude change places, and the box is that of the values", stated(swapped, kind="GEOGRAPHY"), latitude)
    no_value = Also("geo/bbox-range", V(f"{STATISTICS}.bbox.ymin", times=2).with_values("-120", "-90 to 90"), "one of the two bounds is not that of the values")
    c.fail("the same, and a bound that is no value", stated(swapped, {"ymax": 175}, kind="GEOGRAPHY"), latitude, no_value)
    c.ok("the limits, NaN, and any z and m", plain([line((180, 90), (-180, -90)), point(NAN, NAN), point(1, 2, 9000, -9000, dimension="ZM")], kind="GEOGRAPHY"))
    c.ok("a GEOMETRY has no limits", plain([far, point(float("inf"), 1e308)]))


def depth(c):
    def nested(levels):
        return struct.pack("<BII", 1, 7, 1) * (levels - 1) + struct.pack("<BII", 1, 7, 0)

    c.rule("wkb/depth")
    fail(c, "collections nested one deeper than the limit", nested(MAX_DEPTH + 1), 9 * MAX_DEPTH, everywhere=False)
    fail(c, "collections nested 10000 deep", nested(10_000), 9 * MAX_DEPTH)
    c.ok("collections nested 100 deep", plain([nested(100)]))


def legal(c):
    c.rule("legal/geospatial")
    c.ok("empty geometries of all types and dimensions", plain([empty(shape, dimension) for shape, dimension in everything()]))
    c.ok("a Point of which one coordinate is NaN", plain([point(1, NAN), point(NAN, 2)]))
    c.ok("empty parts", plain([multi("MultiPoint", point(), ONE), multi("MultiPolygon", polygon(), polygon(RING, ())), collection(collection(), line())]))
    c.ok("large and small numbers", plain([point(1e300, -1e-300), point(0.1, 1 / 3), point(-0.0, 1e21), point(123456789.125, 100000), point(5e-324, 1e-7)]))
    c.ok("geometries of DELTA_LENGTH_BYTE_ARRAY", plain([ONE, TWO], Chunk([V1(encoding=DELTA_LENGTH_BYTE_ARRAY)])))
