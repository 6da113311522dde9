"""GEOMETRY and GEOGRAPHY in the schema: physical types and coordinate reference systems (Geospatial.md)."""

import json

from builder.codec.file import Chunk
from builder.codec.metadata import FIXED_LEN_BYTE_ARRAY, INT32
from builder.codec.schema import required
from builder.codec.wkb import point
from builder.expect.places import S, V
from builder.recipes.base_files import column
from builder.recipes.geo.geometries import STATISTICS, data, node

LOGICAL = "schema[1].logicalType"
GEOGRAPHIC = {"type": "GeographicCRS", "name": "NAD83", "id": {"authority": "EPSG", "code": 4269}}
PROJECTED = {"type": "ProjectedCRS", "name": "WGS 84 / Pseudo-Mercator", "id": {"authority": "EPSG", "code": 3857}}


def witnesses(c):
    carriers(c)
    systems(c)


def of(kind="GEOMETRY", keys=None, **parameters):
    more = {"footer": {"key_value_metadata": keys}} if keys else {}
    return column(node(kind, required, **parameters), [data(point(1, 2))], **more)


def carriers(c):
    for kind in ("GEOMETRY", "GEOGRAPHY"):
        c.rule(f"logical-type/{kind.lower()}-type")
        for name, make in (("INT32", required("g", INT32, logicalType={kind: {}})),
                           ("FIXED_LEN_BYTE_ARRAY", required("g", FIXED_LEN_BYTE_ARRAY, type_length=21, logicalType={kind: {}}))):
            c.fail(f"{kind} on {name}", column(make, [1 if name == "INT32" else data(point(1, 2))]), V(LOGICAL, leaf=0))
        c.ok(f"{kind} on BYTE_ARRAY", of(kind))
    c.rule("logical-type/geography-type")
    for algorithm in range(5):
        c.ok(f"algorithm {algorithm}", of("GEOGRAPHY", algorithm=algorithm))


    c.rule("thrift/unknown-enum-value")
    c.fail("algorithm 5 of a GEOGRAPHY", of("GEOGRAPHY", algorithm=5), V(f"{LOGICAL}.GEOGRAPHY.algorithm"))
    c.rule("thrift/required-field")
    box = {"bbox": {"xmin": 1.0, "xmax": 1.0, "ymin": 2.0}, "geospatial_types": [1]}
    c.fail("ymax of a bounding box is absent", column(node(make=required), [data(point(1, 2))], Chunk(meta={"geospatial_statistics": box})),
           S(f"{STATISTICS}.bbox", field="meta_data.geospatial_statistics.bbox.ymax"))


def systems(c):
    at = lambda kind="GEOMETRY": V(f"{LOGICAL}.{kind}.crs", leaf=0)
    c.rule("geo/crs-empty")
    for kind in ("GEOMETRY", "GEOGRAPHY"):
        c.fail(f"crs of a {kind} is empty", of(kind, crs=""), at(kind))
        c.ok(f"a {kind} without crs", of(kind))

    c.rule("geo/crs-form")
    for crs in ("WGS84", ":4326", "EPSG:", "http //x:1"):
        c.fail(f"crs is {crs}", of(crs=crs), at(), found=crs, expected="PROJJSON or authority:code")
    c.fail("crs is cut JSON", of(crs='{"type": "GeographicCRS"'), at(), found='{"type": "GeographicCRS"', expected="PROJJSON")
    for crs in ("OGC:CRS84", "EPSG:3857", "IGNF:ATI", "srid:0", json.dumps(GEOGRAPHIC)):
        c.ok(f"crs is {crs[:20]}", of(crs=crs))

    c.rule("geo/crs-srid")
    for crs in ("srid:", "srid:EPSG:4326", "srid:-1"):
        c.fail(f"crs is {crs}", of(crs=crs), at(), found=crs)
    c.ok("srid:0", of(crs="srid:0"))
    c.ok("srid:4326 of a GEOGRAPHY", of("GEOGRAPHY", crs="srid:4326"))

    c.rule("geo/crs-key")
    entry = lambda value: [{"key": "other", "value": "x"}, {"key": "my crs", **({} if value is None else {"value": value})}]
    c.fail("no entry has the key", of(crs="projjson:my crs"), at(), found="absent")
    c.fail("the entry has no value", of(crs="projjson:my crs", keys=entry(None)), at(), found="absent")
    c.fail("the value is not JSON", of(crs="projjson:my crs", keys=entry("EPSG:4326")), at(), found="not JSON")
    c.fail("the value is a JSON string", of(crs="projjson:my crs", keys=entry('"EPSG:4326"')), at(), found="not JSON")
    c.fail("the key is empty", of(crs="projjson:"), at(), found="absent")
    c.ok("the value is PROJJSON", of(crs="projjson:my crs", keys=entry(json.dumps(PROJECTED))))

    c.rule("geo/crs-geographic")
    for crs in ("EPSG:3857", "EPSG:32633", "EPSG:2154", json.dumps(PROJECTED)):
        c.fail(f"crs is {crs[:24]}", of("GEOGRAPHY", crs=crs), at("GEOGRAPHY"), found=crs)
        c.ok(f"crs of a GEOMETRY is {crs[:24]}", of(crs=crs))
    c.fail("a projected system in the key that crs names", of("GEOGRAPHY", crs="projjson:my crs", keys=entry(json.dumps(PROJECTED))), at("GEOGRAPHY"), found="projjson:my crs")
    for crs in ("EPSG:4326", "OGC:CRS83", json.dumps(GEOGRAPHIC)):
        c.ok(f"crs is {crs[:24]}", of("GEOGRAPHY", crs=crs))
