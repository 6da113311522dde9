"""GeospatialStatistics of column chunks: bounding boxes and lists of types (Geospatial.md, Statistics)."""

from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import BYTE_ARRAY, INT32, RLE_DICTIONARY
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import required
from builder.codec.wkb import NAN, collection, line, multi, point, polygon
from builder.expect.places import S, V
from builder.recipes.base_files import column
from builder.recipes.geo.geometries import STATISTICS, data, empty, everything, node, plain, sample, stated

BOX, TYPES = f"{STATISTICS}.bbox", f"{STATISTICS}.geospatial_types"
VALUES = [point(1, 2), line((0, 3), (5, -4)), point(2, 2)]
DEEP = [point(1, 2, 10, 100, dimension="ZM"), line((0, 3, 20, -5), (5, -4, 30, 7), dimension="ZM")]
ACROSS = [point(170, 1), point(-175, 2), point(179, 0)]
INF = float("inf")


def bound(name, **more):
    return V(f"{BOX}.{name}", **more)


def lacking(name, **more):
    return S(BOX, field=f"meta_data.geospatial_statistics.bbox.{name}", **more)


def witnesses(c):
    boxes(c)
    axes(c)
    alone(c)
    tight(c)
    types(c)
    other_columns(c)


def boxes(c):
    c.rule("geo/bbox")
    for name, wrong, found, expected in (("xmin", 0.5, "0.5", "0 or less"), ("xmax", 4.5, "4.5", "5 or more"),
                                         ("ymin", -3, "-3", "-4 or less"), ("ymax", 2.75, "2.75", "3 or more")):
        c.fail(f"{name} leaves out a point", stated(VALUES, {name: wrong}), bound(name), found=found, expected=expected)
        c.fail(f"{name} leaves out a point of a GEOGRAPHY", stated(VALUES, {name: wrong}, kind="GEOGRAPHY"), bound(name), found=found, expected=expected)
    for name, wrong, found, expected in (("zmin", 10.5, "10.5", "10 or less"), ("zmax", 29, "29", "30 or more"),
                                         ("mmin", -4, "-4", "-5 or less"), ("mmax", 99, "99", "100 or more")):
        c.fail(f"{name} leaves out a point", stated(DEEP, {name: wrong}), bound(name), found=found, expected=expected)
    values = [point(1, 1), point(2, 2), point(3, 3)]
    c.fail("the first value is outside", stated(values, {"xmin": 1.5}), bound("xmin"), found="1.5", expected="1 or less")
    c.fail("the last value is outside", stated(values, {"xmax": 2.5}), bound("xmax"), found="2.5", expected="3 or more")
    c.fail("a value of the second page is outside", stated(values, {"xmax": 2}, [V1(2), V1()]), bound("xmax"), found="2", expected="3 or more")
    c.fail("a value of a v2 page is outside", stated(values, {"ymax": 2}, [V2(2), V2()]), bound("ymax"), found="2", expected="3 or more")
    c.fail("two bounds are wrong", stated(values, {"xmin": 2, "ymax": 2}), bound("xmin", times=2), found="2", expected="1 or less")
    group = lambda points, box: Group([{"g": data(one)} for one in points], Chunk(meta={"geospatial_statistics": {"bbox": box, "geospatial_types": [1]}}))
    box = lambda low, high: {"xmin": low, "xmax": high, "ymin": low, "ymax": high}
    c.fail("a box of the second row group", File([node(make=required)], groups=[group(values, box(1.0, 3.0)), group(values, {**box(1.0, 3.0), "xmax": 2.0})]),
           V(f"{BOX.replace('row_groups[0]', 'row_groups[1]')}.xmax"), found="2", expected="3 or more")
    entries = [data(one) for one in values]
    coded = lambda used, box: column(node(make=required), used, Chunk([Dictionary(entries), V1(encoding=RLE_DICTIONARY)],
                                                                      meta={"geospatial_statistics": {"bbox": box, "geospatial_types": [1]}}))
    c.fail("a used entry of the dictionary is outside", coded(entries, box(1.0, 2.0)), bound("xmax", times=2), found="2", expected="3 or more")
    c.ok("an entry of the dictionary that no value refers to is outside", coded(entries[:2], box(1.0, 2.0)))
    c.fail("a point in a part of a collection is outside", stated([collection(multi("MultiPoint", point(1, 1), point(9, 1)))], {"xmax": 8}), bound("xmax"),
           found="8", expected="9 or more")
    c.fail("a point of an inner ring is outside", stated([polygon(((0, 0), (4, 0), (0, 4), (0, 0)), ((1, 1), (1, 7), (2, 1), (1, 1)))], {"ymax": 4}), bound("ymax"),
           found="4", expected="7 or more")
    c.fail("a big-endian value is outside", stated([point(1, 1), point(7, 1, big=True)], {"xmax": 1}), bound("xmax"), found="1", expected="7 or more")
    c.fail("a value after a null is outside", stated([None, point(1, 1), None, point(7, 1)], {"xmax": 1}), bound("xmax"), found="1", expected="7 or more")
    c.fail("the box is that of the first point only", stated([line((0, 0), (1, 1))], {"xmax": 0, "ymax": 0}), bound("xmax", times=2), found="0", expected="1 or more")
    c.fail("a box that wraps leaves out a point between xmax and xmin", stated([*ACROSS, point(10, 0)], {"xmin": 170, "xmax": -175}, kind="GEOGRAPHY"), bound("xmin"),
           found="170", expected="10 or less")
    c.fail("xmin is that of an infinite coordinate, and a point is above xmax", stated([point(-INF, 0), point(10, 0)], {"xmax": 5}), bound("xmax"), found="5", expected="10 or more")
    c.fail("the same in a GEOMETRY", stated([*ACROSS, point(-100, 0)], {"xmin": 170, "xmax": -175}), bound("xmin"), found="170", expected="-100 or less")
    for kind in ("GEOMETRY", "GEOGRAPHY"):
        c.ok(f"the exact box of a {kind}", stated(VALUES, kind=kind))
        c.ok(f"a box of a {kind} wraps around the antimeridian", stated(ACROSS, {"xmin": 170, "xmax": -175}, kind=kind))
    c.ok("a point on each side of a box that wraps", stated([point(170, 0), point(-175, 0)], {"xmin": 170, "xmax": -175}, kind="GEOGRAPHY"))
    c.ok("all four axes", stated(DEEP))
    for shape, dimension in everything():
        c.ok(f"the box of a {shape} {dimension or 'XY'}", stated([sample(shape, dimension), sample(shape, dimension, True), empty(shape, dimension)]))


def axes(c):
    c.rule("geo/bbox-axis")
    for name in "zm":
        wrong = {f"{name}min": 1, f"{name}max": 2}
        c.fail(f"bounds of {name} where no value has one", stated(VALUES, wrong), bound(f"{name}min"))
    c.fail("bounds of z and m where no value has them", stated(VALUES, {"zmin": 0, "zmax": 0, "mmin": 0, "mmax": 0}), bound("zmin", times=2))
    nan = [point(1, 2, NAN, dimension="Z")]
    c.fail("bounds of z where all are NaN", stated(nan, {"zmin": 0, "zmax": 0}), bound("zmin"))
    c.fail("a box without any value", stated([None, None], {"xmin": 0, "xmax": 0, "ymin": 0, "ymax": 0}, types=[]), bound("xmin"))
    c.fail("a box of empty geometries", stated([empty("Point"), empty("Polygon")], {"xmin": 0, "xmax": 0, "ymin": 0, "ymax": 0}), bound("xmin"))
    c.fail("a box where all y are NaN", stated([point(1, NAN)], {"xmin": 1, "xmax": 1, "ymin": 0, "ymax": 0}), bound("ymin"))
    c.fail("bounds of z where the values have m, whose bounds are then missing", stated([point(1, 2, 7, dimension="M")], {"mmin": None, "mmax": None, "zmin": 7, "zmax": 7}),
           bound("zmin"), found="7")
    c.fail("bounds of m where the values have z", stated([point(1, 2, 7, dimension="Z")], {"zmin": None, "zmax": None, "mmin": 7, "mmax": 7}), bound("mmin"), found="7")
    c.ok("no box without values", stated([None, None], bbox=None, types=[]))
    c.ok("no box of empty geometries", stated([empty("Point"), empty("Polygon")], bbox=None))
    c.ok("POINT (1 NaN) adds to x alone", stated([point(1, NAN), point(5, 2)]))
    c.ok("no z where all are NaN", stated(nan))

    c.rule("geo/bbox-axis-missing")
    c.fail("no bounds of z", stated(DEEP, {"zmin": None, "zmax": None}), lacking("zmin"), expected="10 to 30")
    c.fail("no bounds of z and m", stated(DEEP, {"zmin": None, "zmax": None, "mmin": None, "mmax": None}), lacking("zmin", times=2), expected="10 to 30")
    c.fail("no bounds of m", stated([point(1, 2, 7, dimension="M")], {"mmin": None, "mmax": None}), lacking("mmin"), expected="7 to 7")
    c.ok("no box at all", stated(DEEP, bbox=None))
    c.ok("bounds of all axes", stated(DEEP))


def alone(c):
    """Rules that need no value."""
    c.rule("geo/bbox-nan")
    for name in ("xmin", "ymax"):
        c.fail(f"{name} is NaN", stated(VALUES, {name: NAN}), bound(name))
    c.fail("z is NaN", stated(DEEP, {"zmin": NAN, "zmax": NAN}), bound("zmin", times=2))
    c.fail("mmax is NaN, by the footer", stated(DEEP, {"mmax": NAN}), bound("mmax"), tier="footer")
    c.ok("numbers", stated(DEEP))

    c.rule("geo/bbox-infinite")
    c.fail("the box as before the first value", stated(VALUES, {"xmin": -INF, "xmax": INF, "ymin": -INF, "ymax": INF}), bound("xmin", times=4), found="-Infinity")
    c.fail("zmax is infinite", stated(DEEP, {"zmax": INF}), bound("zmax"), found="Infinity")
    c.fail("the box as before the first value, of a column of nulls", stated([None, None], {"xmin": INF, "xmax": -INF, "ymin": INF, "ymax": -INF}, types=[]), bound("xmin", times=4),
           found="Infinity")
    c.fail("z of a GEOGRAPHY", stated([point(1, 2, 3, dimension="Z")], {"zmin": -INF}, kind="GEOGRAPHY"), bound("zmin"), found="-Infinity")
    c.ok("the largest number", stated([point(1.7976931348623157e308, 0)]))
    for name, one in (("x", point(INF, 1)), ("y", point(1, -INF)), ("z", point(1, 2, INF, dimension="Z"))):
        c.ok(f"{name} of a point is infinite", stated([one, one]))

    c.rule("geo/bbox-order")
    c.fail("ymin and ymax change places", stated(VALUES, {"ymin": 3, "ymax": -4}), bound("ymin"), found="3", expected="-4 or less")
    c.fail("zmin and zmax change places", stated(DEEP, {"zmin": 30, "zmax": 10}), bound("zmin"), found="30", expected="10 or less")
    c.fail("mmin and mmax change places, by the footer", stated(DEEP, {"mmin": 100, "mmax": -5}), bound("mmin"), found="100", expected="-5 or less", tier="footer")
    c.fail("all but x change places", stated(DEEP, {"ymin": 3, "ymax": -4, "zmin": 30, "zmax": 10, "mmin": 100, "mmax": -5}), bound("ymin", times=3), found="3", expected="-4 or less")
    c.ok("equal bounds", stated([point(1, 2)]))

    c.rule("geo/bbox-pairs")
    for name in ("zmin", "zmax", "mmin", "mmax"):
        other = name[0] + {"min": "max", "max": "min"}[name[1:]]
        c.fail(f"{name} alone", stated(DEEP, {other: None}), bound(name), found=name, expected=f"{name[0]}min and {name[0]}max")
    c.fail("the lower bounds of z and m alone", stated(DEEP, {"zmax": None, "mmax": None}), bound("zmin", times=2), found="zmin", expected="zmin and zmax")
    c.ok("both bounds of z and of m", stated(DEEP))

    c.rule("geo/bbox-range")
    for name, wrong, limit in (("xmin", -180.5, 180), ("xmax", 181, 180), ("ymin", -91, 90), ("ymax", 90.25, 90)):
        c.fail(f"{name} is {wrong}", stated(VALUES, {name: wrong}, kind="GEOGRAPHY"), bound(name), found=f"{wrong:g}", expected=f"-{limit} to {limit}")
    c.fail("latitudes are those of a wider box", stated(VALUES, {"ymin": -91, "ymax": 91}, kind="GEOGRAPHY"), bound("ymin", times=2), found="-91", expected="-90 to 90")
    c.ok("the limits", stated(VALUES, {"xmin": -180, "xmax": 180, "ymin": -90, "ymax": 90}, kind="GEOGRAPHY"))

    c.rule("geo/bbox-wrap")
    metres = [point(500001, 0), point(-200001, 5)]
    c.fail("xmin and xmax of metres, between which no point is", stated(metres, {"xmin": 500001, "xmax": -200001}), bound("xmin"), found="500001", expected="-200001 or less")
    projected = lambda crs: column(node(crs=crs, make=required), [data(one) for one in ACROSS], Chunk(meta={"geospatial_statistics": {
        "bbox": {"xmin": 170.0, "xmax": -175.0, "ymin": 0.0, "ymax": 2.0}, "geospatial_types": [1]}}))
    c.fail("a projected system has no antimeridian", projected("EPSG:3857"), bound("xmin"), found="170", expected="-175 or less")
    c.ok("longitudes that cross the antimeridian", projected("EPSG:4326"))


def tight(c):
    c.rule("geo/bbox-tight")
    for name, wide, right in (("xmin", -1, "0"), ("xmax", 5.5, "5"), ("ymin", -90, "-4"), ("ymax", 90, "3")):
        c.fail(f"{name} is {wide}", stated(VALUES, {name: wide}), bound(name), found=f"{wide:g}", expected=right)
    c.fail("the box of the entire world", stated(VALUES, {"xmin": -180, "xmax": 180, "ymin": -90, "ymax": 90}), bound("xmin", times=4), found="-180", expected="0")
    c.fail("zmax is 31", stated(DEEP, {"zmax": 31}), bound("zmax"), found="31", expected="30")
    c.ok("the exact box", stated(VALUES))
    c.ok("a wider box of a GEOGRAPHY, whose edges go beyond its points", stated(VALUES, {"ymax": 90}, kind="GEOGRAPHY"))


def types(c):
    item = lambda i, **more: V(f"{TYPES}[{i}]", **more)
    c.rule("geo/types")
    c.fail("the LineString is missing", stated(VALUES, types=[1]), V(TYPES), expected="2")
    c.fail("the list has the types without z and m", stated(DEEP, types=[1, 2]), V(TYPES, times=2), expected="3001")
    c.fail("the list has the type of a part", stated([multi("MultiPoint", point(1, 2))], types=[1]), V(TYPES), expected="4")
    c.fail("the type of an empty geometry is missing", stated([point(1, 2), empty("Polygon")], types=[1]), V(TYPES), expected="3")
    c.fail("the type of the last value of the second page is missing", stated(VALUES[:1] * 3 + [VALUES[1]], pages=[V1(2), V1()], types=[1]), V(TYPES), expected="2")
    c.fail("0 in place of the type, which is no type at all", stated([point(1, 2)], types=[0]), V(TYPES), expected="1")
    c.ok("an empty list, because the types are not known", stated(VALUES, types=[]))
    c.ok("no list", stated(VALUES, types=None))
    c.ok("in any order", stated(VALUES, types=[2, 1]))
    every = [sample(shape, dimension) for shape, dimension in everything()]
    c.ok("all types", stated(every, kind="GEOGRAPHY"))

    c.rule("geo/types-surplus")
    c.fail("a type that does not occur", stated(VALUES, types=[1, 2, 3]), item(2), expected="1, 2")
    c.fail("all types of the table", stated([point(1, 2)], types=[1, 2, 3, 4, 5, 6, 7]), item(1, times=6), expected="1")
    c.fail("a type where all values are null", stated([None, None], types=[1]), item(0), expected="none")
    c.ok("the types that occur", stated(VALUES))

    c.rule("geo/types-unique")
    c.fail("a type twice", stated(VALUES, types=[1, 2, 1]), item(2))
    c.fail("three times, by the footer", stated(VALUES, types=[1, 1, 2, 1]), item(1, times=2), tier="footer")
    c.ok("each type once", stated(VALUES))

    c.rule("geo/types-known")
    for code in (0, 8, 17, 1000, 4001, -1):
        c.fail(f"the type {code}", stated(VALUES, types=[1, 2, code]), item(2))
    c.fail("two such types", stated(VALUES, types=[0, 1, 8, 2]), item(0, times=2))
    deep = [point(1, 2, 3, dimension="Z")]
    c.fail("the type of the values by a flag of EWKB", stated(deep, types=[1 - 2**31]), item(0))
    c.fail("the types of the values by flags of EWKB, with an SRID", stated(DEEP, types=[1 - 2**29, 2 - 2**29]), item(0, times=2))
    c.fail("flags of EWKB", stated(DEEP, types=[-(2**30) + 1, 3001, 3002]), item(0), tier="values")
    c.ok("ISO codes", stated(DEEP))


def other_columns(c):
    c.rule("geo/statistics-type")
    box = {"geospatial_statistics": {"bbox": {"xmin": 0.0, "xmax": 1.0, "ymin": 0.0, "ymax": 1.0}}}
    c.fail("of INT32", column(required("a", INT32), [1], Chunk(meta=box)), V(STATISTICS), found="INT32")
    c.fail("of BYTE_ARRAY", column(required("a", BYTE_ARRAY), [b"x"], Chunk(meta=box)), V(STATISTICS), found="BYTE_ARRAY")
    c.fail("of STRING, by the footer", column(required("a", BYTE_ARRAY, logicalType={"STRING": {}}, converted_type=0), [b"x"], Chunk(meta=box)), V(STATISTICS),
           found="STRING", tier="footer")
    c.ok("of GEOMETRY", stated(VALUES))
