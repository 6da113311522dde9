"""The GeoParquet metadata in the entry `geo` of key_value_metadata, which describes columns of native types."""

import json

from builder.codec.file import File, Group
from builder.codec.metadata import BYTE_ARRAY, DROP, INT32
from builder.codec.schema import optional, repeated, required
from builder.codec.wkb import line, point
from builder.expect.places import V
from builder.expect.witness import Also
from builder.recipes.geo.columns import GEOGRAPHIC, PROJECTED
from builder.recipes.geo.geometries import data, node

AT = V("key_value_metadata[0].value")
VALUES = [point(1, 2), line((0, 3), (5, -4))]
CRS84 = {"type": "GeographicCRS", "name": "WGS 84 (CRS84)", "id": {"authority": "OGC", "code": "CRS84"}}

WKT = 'GEOGCRS["WGS 84 (CRS84)",ENSEMBLE["World Geodetic System 1984 ensemble"],ID["OGC","CRS84"]]'


def described(column=None, top=None, values=VALUES, kind="GEOMETRY", nodes=None, rows=None, groups=None, **parameters):
    """One column `g` of values, and correct metadata of it with changes; DROP removes a member."""
    claims = {"encoding": "WKB", "geometry_types": ["Point", "LineString"], "bbox": [0.0, -4.0, 5.0, 3.0], **(column or {})}
    claims = {name: value for name, value in claims.items() if value is not DROP}
    complete = {"version": "1.1.0", "primary_column": "g", "columns": {"g": claims}, **(top or {})}
    complete = {name: value for name, value in complete.items() if value is not DROP}
    return of_text(json.dumps(complete), values, kind, nodes, rows, groups, **parameters)


def of_text(text, values=VALUES, kind="GEOMETRY", nodes=None, rows=None, groups=None, **parameters):
    rows = rows or [{"g": data(one)} for one in values]
    more = {"groups": [Group([{"g": data(one)} for one in group]) for group in groups]} if groups else {"rows": rows}
    entry = {"key": "geo", **({} if text is None else {"value": text})}
    return File(nodes or [node(kind, required, **parameters)], footer={"key_value_metadata": [entry]}, **more)


def witnesses(c):
    forms(c)
    names(c)
    claims(c)
    data_of_columns(c)


def fail(c, about, file, found, expected, place=AT):
    c.fail(about, file, place, found=found, expected=expected)


def forms(c):
    c.rule("geoparquet/json")
    for about, text, found in (("no value", None, "absent"), ("no JSON", "{", "not JSON"), ("an array", "[]", "an array"), ("a string", '"geo"', "a string")):
        place = V("key_value_metadata[0]", field="key_value_metadata[0].value") if text is None else AT
        fail(c, about, of_text(text), found, "a JSON object", missing() if text is None else place)
    for name, wrong, found, expected in (("version", DROP, "absent", "a string"), ("version", 1, "a number", "a string"),
                                         ("primary_column", DROP, "absent", "a string"), ("primary_column", None, "null", "a string"),
                                         ("columns", DROP, "absent", "an object"), ("columns", [], "an array", "an object"),
                                         ("columns", {"g": "WKB"}, "a string", "an object")):
        fail(c, f"{name} is {'absent' if wrong is DROP else json.dumps(wrong)}", described(top={name: wrong}), found, expected)
    strings, numbers = "an array of strings", "an array of 4, 6 or 8 numbers"
    for name, wrong, found, expected in (("encoding", DROP, "absent", "a string"), ("encoding", None, "null", "a string"),
                                         ("geometry_types", DROP, "absent", strings), ("geometry_types", "Point", "a string", strings),
                                         ("geometry_types", [1], "another array", strings), ("bbox", [0, 0, 1], "another array", numbers),
                                         ("bbox", [0, 0, 1, 1, 1], "another array", numbers), ("bbox", ["0", "0", "1", "1"], "another array", numbers),
                                         ("bbox", {}, "an object", numbers), ("edges", 0, "a number", "a string"), ("crs", "EPSG:4326", "a string", "an object or null")):
        fail(c, f"{name} of a column is {'absent' if wrong is DROP else json.dumps(wrong)}", described({name: wrong}), found, expected)
    for version in ("0.1.0", "0.3.0"):
        fail(c, f"crs of version {version} is a number", described({"crs": 4326}, {"version": version}), "a number", "a string, an object or null")
    fail(c, "crs of version 0.4.0 is WKT", described({"crs": WKT}, {"version": "0.4.0"}), "a string", "an object or null")
    for version in ("0.1.0", "0.2.0", "0.3.0"):
        c.ok(f"crs of version {version} is WKT", described({"crs": WKT}, {"version": version}))
    c.ok("the required members", described({"bbox": DROP}))
    c.ok("all members", described({"crs": CRS84, "edges": "planar", "orientation": "counterclockwise", "epoch": 2021.5, "covering": {}}, {"creator": {"library": "x"}}))

    c.rule("geoparquet/version")
    for version in ("3.0.0", "1.1", "one", "1.0.0.0", ""):
        fail(c, f"version is {version or 'empty'}", described(top={"version": version}), version or None, "a version up to 2") if version else None
    for version in ("0.4.0", "1.0.0-beta.1", "1.0.0", "1.1.0", "2.0.0"):
        c.ok(f"version is {version}", described(top={"version": version}))


def missing():
    from builder.expect.places import S
    return S("key_value_metadata[0]", field="key_value_metadata[0].value")


def names(c):
    c.rule("geoparquet/primary-column")
    fail(c, "another column", described(top={"primary_column": "a"}), "a", "one of the columns")
    c.ok("a column of the list", described())

    c.rule("geoparquet/column")
    wanted = "a BYTE_ARRAY leaf at the root"
    of = lambda nodes, row: described(nodes=nodes, rows=[row])
    fail(c, "the schema has no such column", of([node(make=required, name="h")], {"h": data(VALUES[0])}), "absent", wanted, AT)
    fail(c, "the column is a group", of([optional("g", [node(make=required, name="h")])], {"g": {"h": data(VALUES[0])}}), "a group", wanted, AT)
    fail(c, "the column is INT32", of([required("g", INT32)], {"g": 1}), "INT32", wanted)
    c.fail("the column is repeated", of([repeated("g", BYTE_ARRAY)], {"g": [data(VALUES[0])]}),
           AT.with_values("repeated", wanted), Also("schema/bare-repeated", V("schema[1].repetition_type"), "the column is in no list"))
    c.ok("a column without a native type", of([required("g", BYTE_ARRAY)], {"g": data(VALUES[0])}))
    group = [required("g", [required("x", INT32), required("y", INT32)])]
    c.ok("a group of another encoding", described({"encoding": "point"}, nodes=group, rows=[{"g": {"x": 1, "y": 2}}]))


def claims(c):
    c.rule("geoparquet/encoding")
    fail(c, "encoding is point", described({"encoding": "point"}), "point", "WKB")
    fail(c, "encoding is in lower case", described({"encoding": "wkb"}), "wkb", "WKB")
    c.ok("encoding is WKB", described())

    c.rule("geoparquet/edges")
    fail(c, "spherical edges of a GEOMETRY", described({"edges": "spherical"}), "spherical", "planar")
    fail(c, "a GEOGRAPHY without edges", described(kind="GEOGRAPHY"), "planar", "spherical")
    fail(c, "edges of another algorithm", described({"edges": "thomas"}, {"version": "2.0.0"}, kind="GEOGRAPHY", algorithm=4), "thomas", "karney")
    c.ok("spherical edges of a GEOGRAPHY", described({"edges": "spherical"}, kind="GEOGRAPHY"))
    c.ok("the algorithm of a GEOGRAPHY", described({"edges": "karney"}, {"version": "2.0.0"}, kind="GEOGRAPHY", algorithm=4))
    c.ok("spherical is the name of other algorithms before version 2", described({"edges": "spherical"}, kind="GEOGRAPHY", algorithm=1))

    c.rule("geoparquet/crs")
    fail(c, "no crs next to EPSG:3857", described(crs="EPSG:3857"), "OGC:CRS84", "EPSG:3857")
    fail(c, "crs of another system", described({"crs": PROJECTED}, crs="EPSG:32633"), "EPSG:3857", "EPSG:32633")
    fail(c, "crs next to the default of the native type", described({"crs": GEOGRAPHIC}), "EPSG:4269", "OGC:CRS84")
    fail(c, "crs is null next to the default of the native type", described({"crs": None}), "null", "OGC:CRS84")
    c.ok("no crs", described())
    c.ok("CRS84", described({"crs": CRS84}))
    c.ok("EPSG:4326 is CRS84", described({"crs": {"id": {"authority": "EPSG", "code": 4326}}}))
    c.ok("the same system", described({"crs": PROJECTED}, crs="EPSG:3857"))
    c.ok("the same PROJJSON", described({"crs": PROJECTED}, crs=json.dumps(PROJECTED)))
    c.ok("a system without an id", described({"crs": {"type": "ProjectedCRS", "name": "local"}}, crs="EPSG:3857"))
    c.ok("crs is null next to srid:0", described({"crs": None}, crs="srid:0"))
    fail(c, "crs of another system than a URN of OGC names", described({"crs": PROJECTED}, crs="urn:ogc:def:crs:EPSG::32633"), "EPSG:3857", "EPSG:32633")
    fail(c, "no crs next to a URL of OGC", described(crs="http://www.opengis.net/def/crs/EPSG/0/3857"), "OGC:CRS84", "EPSG:3857")
    for text in ("urn:ogc:def:crs:EPSG::3857", "http://www.opengis.net/def/crs/EPSG/0/3857", "https://www.opengis.net/def/crs/EPSG/9.9/3857", "epsg:3857",
                 "EPSG:3857:2020", "https://epsg.io/3857", "urn:ogc:def:crs,crs:EPSG::3857,crs:EPSG::5773"):
        c.ok(f"the same system as {text}", described({"crs": PROJECTED}, crs=text))
    for text in ("http://www.opengis.net/def/crs/OGC/1.3/CRS84", "urn:ogc:def:crs:OGC:1.3:CRS84", "urn:ogc:def:crs:EPSG::4326", "ogc:crs84"):
        c.ok(f"no crs next to {text}", described(crs=text))


def data_of_columns(c):
    c.rule("geoparquet/geometry-types")
    fail(c, "LineString is missing", described({"geometry_types": ["Point"]}), "Point", "Point, LineString")
    fail(c, "a type that does not occur", described({"geometry_types": ["Point", "LineString", "Polygon"]}), "Point, LineString, Polygon", "Point, LineString")
    fail(c, "z is missing", described({"geometry_types": ["Point"], "bbox": DROP}, values=[point(1, 2, 3, dimension="Z")]), "Point", "Point Z")
    fail(c, "the type of the second row group is missing", described({"geometry_types": ["Point"]}, groups=[VALUES[:1], VALUES[1:]]), "Point", "Point, LineString")
    fail(c, "a type twice", described({"geometry_types": ["Point", "LineString", "Point"]}), "Point, LineString, Point", "Point, LineString")
    c.ok("an empty list, because the types are not known", described({"geometry_types": []}))
    c.ok("in any order", described({"geometry_types": ["LineString", "Point"]}))
    c.ok("of two row groups", described(groups=[VALUES[:1], VALUES[1:]]))
    c.ok("the name of version 2", described({"geometry_types": ["Point ZM"], "bbox": DROP}, {"version": "2.0.0"}, values=[point(1, 2, 3, 4, dimension="ZM")]))
    c.ok("m has no name in version 1", described({"geometry_types": ["Point Z"], "bbox": DROP}, values=[point(1, 2, 3, 4, dimension="ZM")]))
    c.ok("a column of nulls", described({"bbox": DROP}, nodes=[node()], rows=[{"g": None}]))

    c.rule("geoparquet/bbox")
    for i, wrong, found, expected in ((0, 0.5, "0.5", "0 or less"), (1, -3, "-3", "-4 or less"), (2, 4, "4", "5 or more"), (3, 2, "2", "3 or more")):
        box = [0.0, -4.0, 5.0, 3.0]
        box[i] = wrong
        fail(c, f"number {i} of bbox leaves out a point", described({"bbox": box}), found, expected)
    deep = [point(1, 2, 30, dimension="Z")]
    fail(c, "z is outside", described({"bbox": [1, 2, 0, 1, 2, 20], "geometry_types": ["Point Z"]}, values=deep), "20", "30 or more")
    fail(c, "bbox is that of the first row group", described({"bbox": [1, 2, 1, 2]}, groups=[VALUES[:1], VALUES[1:]]), "1", "0 or less", AT.with_values(times=4))
    c.ok("the exact bbox", described())
    c.ok("a wider bbox", described({"bbox": [-180, -90, 180, 90]}))
    c.ok("bbox of z", described({"bbox": [1, 2, 30, 1, 2, 30], "geometry_types": ["Point Z"]}, values=deep))
    c.ok("bbox crosses the antimeridian", described({"bbox": [170, 0, -170, 2], "geometry_types": ["Point"], "edges": "spherical"}, values=[point(175, 0), point(-175, 2)], kind="GEOGRAPHY"))
