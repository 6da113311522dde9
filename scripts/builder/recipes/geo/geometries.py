"""Columns of geometries, with correct statistics, and sample geometries of every type and dimension."""

from builder.codec import wkb
from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import BYTE_ARRAY
from builder.codec.schema import optional, required
from builder.codec.wkb import DIMENSIONS, SHAPES, Geometry, encode
from builder.recipes.base_files import column

STATISTICS = "row_groups[0].columns[0].meta_data.geospatial_statistics"


def node(kind="GEOMETRY", make=optional, name="g", **parameters):
    return make(name, BYTE_ARRAY, logicalType={kind: parameters})


def data(geometry):
    return None if geometry is None else encode(geometry).data


def plain(geometries, chunk=None, kind="GEOMETRY", make=required, **more):
    """One column `g` of these geometries; None is a null."""
    values = [data(one) for one in geometries]
    return column(node(kind, optional if None in values else make), values, chunk, **more)


def of_groups(groups, kind="GEOMETRY"):
    return File([node(kind, required)], groups=[Group([{"g": data(one)} for one in geometries]) for geometries in groups])


def stated(geometries, changes=None, pages=None, kind="GEOMETRY", bbox=..., types=..., **more):
    """The same with GeospatialStatistics: the correct ones, with `changes` to the bounds (None removes one); `bbox` or `types` replace them."""
    correct = wkb.bounds([data(one) for one in geometries])
    box = correct.get("bbox") if bbox is ... else bbox
    if changes:
        box = {name: value for name, value in {**(box or {}), **changes}.items() if value is not None}
        box = {name: box[name] for axis in "xyzm" for name in (f"{axis}min", f"{axis}max") if name in box}
    statistics = {}
    if box is not None:
        statistics["bbox"] = box
    listed = correct["geospatial_types"] if types is ... else types
    if listed is not None:
        statistics["geospatial_types"] = listed
    return plain(geometries, Chunk(pages, meta={"geospatial_statistics": statistics}), kind, **more)


def _coordinates(dimension, *pairs):
    """Points whose z and m are ten and a hundred times the x."""
    return [(x, y, *(10 * x for _ in "z" if "Z" in dimension), *(100 * x for _ in "m" if "M" in dimension)) for x, y in pairs]


def sample(shape, dimension="", big=False):
    """A geometry of the type, with two parts of each kind; coordinates are small integers, those of rings close them."""
    points = lambda *pairs: _coordinates(dimension, *pairs)
    more = {"dimension": dimension, "big": big}
    one = lambda: Geometry("Point", points((1, 2))[0], **more)
    ring = lambda at, size: points((at, at), (at + size, at), (at, at + size), (at, at))
    if shape == "Point":
        return one()
    if shape == "LineString":
        return Geometry(shape, points((0, 1), (2, 3), (4, -5)), **more)
    if shape == "Polygon":
        return Geometry(shape, [ring(0, 9), ring(1, 2)], **more)
    if shape == "GeometryCollection":
        return Geometry(shape, [one(), sample("MultiLineString", dimension, not big)], **more)
    part = shape.removeprefix("Multi")
    return Geometry(shape, [sample(part, dimension, big), sample(part, dimension, not big)], **more)


def empty(shape, dimension=""):
    return Geometry(shape, None if shape == "Point" else (), dimension=dimension)


def everything():
    """Every type with every dimension, as (shape, dimension)."""
    return [(shape, dimension) for shape in SHAPES for dimension in DIMENSIONS]
