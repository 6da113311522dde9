"""More structures, and fields that a reader has to skip: every type nested in every other, long forms, ids."""

from builder.codec import thrift
from builder.codec.metadata import DROP, edit, make
from builder.codec.thrift import Binary, Field, List, Long, Map, Padded, Raw, Struct, Typed, adding, uleb, varint, write

BOX = {"xmin": -180.0, "xmax": 180.0, "ymin": -0.5, "ymax": 1e300}
AES = {"aad_prefix": b"table", "aad_file_unique": bytes(range(8)), "supply_aad_prefix": True}
GROUP = {"columns": [], "total_byte_size": 0, "num_rows": 0}
META = {"type": 6, "encodings": [0, 3, 8], "path_in_schema": ["a", "list", "element"], "codec": 0, "num_values": 3, "total_uncompressed_size": 33,
        "total_compressed_size": 33, "data_page_offset": 4}
OF_META = {
    "box": {"geospatial_statistics": {"bbox": BOX, "geospatial_types": [1, 1003]}}, "no-box": {"geospatial_statistics": {}},
    "box-of-eight": {"geospatial_statistics": {"bbox": {**BOX, "zmin": -2.0**-1074, "zmax": 0.1, "mmin": -0.0, "mmax": 2.0**1023}, "geospatial_types": []}},
    "sizes": {"size_statistics": {"unencoded_byte_array_data_bytes": 2**40, "repetition_level_histogram": [3, 0], "definition_level_histogram": [0, 1, 2**62]}},
    "no-sizes": {"size_statistics": {}}, "empty-histograms": {"size_statistics": {"repetition_level_histogram": [], "definition_level_histogram": []}},
    "encoding-stats": {"encoding_stats": [{"page_type": 2, "encoding": 0, "count": 1}, {"page_type": 3, "encoding": 8, "count": 2**31 - 1}]},
    "key-values": {"key_value_metadata": [{"key": "k"}, {"key": "l", "value": ""}, {"key": "", "value": "v"}]}}
OF_GROUP = {
    "sorting": {"sorting_columns": [{"column_idx": 0, "descending": True, "nulls_first": False}, {"column_idx": 2**31 - 1, "descending": False, "nulls_first": True}]},
    **{f"ordinal-{number}": {"ordinal": number} for number in (0, 32767, -1, -32768)},
    "encrypted-column": {"columns": [{"file_path": "b.parquet", "file_offset": 4, "crypto_metadata": {"ENCRYPTION_WITH_COLUMN_KEY": {
        "path_in_schema": ["a", "b"], "key_metadata": b"k"}}, "encrypted_column_metadata": b"\0\xff"},
        {"file_offset": 0, "crypto_metadata": {"ENCRYPTION_WITH_FOOTER_KEY": {}}}]}}
OF_FOOTER = {
    "gcm": {"encryption_algorithm": {"AES_GCM_V1": AES}, "footer_signing_key_metadata": b"key"},
    "ctr": {"encryption_algorithm": {"AES_GCM_CTR_V1": {"aad_file_unique": b"x", "supply_aad_prefix": False}}}, "bare-gcm": {"encryption_algorithm": {"AES_GCM_V1": {}}},
    "orders": {"column_orders": [{"TYPE_ORDER": {}}, {"IEEE_754_TOTAL_ORDER": {}}, {"INT96_TIMESTAMP_ORDER": {}}]},
    "key-values": {"key_value_metadata": [{"key": "k", "value": "v"}, {"key": "k"}, {"key": "l", "value": ""}]}}


def plainly(value):
    """The result of a struct with these values."""
    if isinstance(value, dict):
        return {name: plainly(item) for name, item in value.items()}
    if isinstance(value, list):
        return [plainly(item) for item in value]
    return value.hex() if isinstance(value, bytes) else value


class Maker:
    """Vectors of one structure, made from an intact one."""

    def __init__(self, v, source, struct, values, name):
        self.v, self.struct, self.values, self.name = v, struct, values, name
        v.of(source, struct)

    def tree(self, edits):
        root = make(self.struct, self.values)
        edit(root, edits)
        return root

    def intact(self, what, edits=None, out=None, warnings=(), **more):
        """Edits that keep the values, or change them to `out`; warnings are (rule, path)."""
        data, spans = write(self.tree(edits))
        found = [(rule, getattr(spans[path], at)) for rule, path, at in warnings]
        self.v.accept(f"thrift-{self.name}-{what}", data, plainly({**self.values, **(out or {})}), found, **more)

    def unsure(self, what, rule, path, at, edits, out):
        """Edits that insert a number or member that this edition does not define."""
        data, spans = write(self.tree(edits))
        self.v.allow(f"thrift-{self.name}-{what}", data, plainly({**self.values, **out}), [("thrift/" + rule, getattr(spans[path], at))])

    def wrong(self, what, edits, rule, path, at="value", plus=0, cut=None, **more):
        """Edits that break a rule at the header or value of a field; `cut` removes bytes at the end."""
        data, spans = write(self.tree(edits))
        self.v.refuse(f"thrift-{self.name}-{what}", data[:cut], "thrift/" + rule, getattr(spans[path], at) + plus, **more)


def further(v):
    for name, values in OF_FOOTER.items():
        maker(v, "FileMetaData", footer(**values), f"footer-{name}").intact("complete")
    for name, values in OF_GROUP.items():
        maker(v, "FileMetaData", of_group(values), f"group-{name}").intact("complete")
    for name, values in OF_META.items():
        maker(v, "FileMetaData", of_meta(values), f"column-{name}").intact("complete")
    for name, bits, signed in (("smallest", -128, False), ("largest", 127, True)):
        maker(v, "SchemaElement", {"name": "s", "logicalType": {"INTEGER": {"bitWidth": bits, "isSigned": signed}}}, f"bit-width-{name}").intact("complete")
    numbers(v)
    passed_over(maker(v, "SchemaElement", {"name": "s"}, "skip"))
    ids(maker(v, "SchemaElement", {"name": "s"}, "id"))
    forms(v)
    last_elements(v)


def maker(v, struct, values, name):
    return Maker(v, f"parquet.thrift#{struct}", struct, values, name)


def footer(**more):
    """The smallest footer."""
    return {"version": 1, "schema": [], "num_rows": 0, "row_groups": [], **more}


def of_group(values):
    return footer(row_groups=[{**GROUP, **values}])


def of_meta(values):
    return of_group({"columns": [{"file_offset": 0, "meta_data": {**META, **values}}]})


def numbers(v):
    """Numbers at the limits of their types, and beyond."""
    path = "row_groups[0].ordinal"
    m = maker(v, "FileMetaData", of_group({"ordinal": 7}), "ordinal")
    m.intact("of-three-bytes", {path: Padded(7, 2)}, note="a number takes three bytes")
    for name, value in (("32768", 32768), ("minus-32769", -32769), ("of-four-bytes", Padded(7, 3))):
        m.wrong(name, {path: value}, "varint-overflow", path)
    m.wrong("i32", {path: Typed(thrift.I32, 7)}, "optional-field-type", path, "header")
    m.wrong("rows-2^63", {"num_rows": 2**63}, "varint-overflow", "num_rows")
    m.wrong("rows-of-eleven-bytes", {"num_rows": Padded(0, 10)}, "varint-overflow", "num_rows")
    path = "row_groups[0].columns[0].meta_data.geospatial_statistics.bbox"
    m = maker(v, "FileMetaData", of_meta(OF_META["box"]), "box")
    data, spans = write(m.tree(None))
    place = spans[path + ".ymax"]
    for size in (0, 4, 7):
        m.v.refuse(f"thrift-box-cut-{size}", data[:place.value + size], "thrift/stop-byte", place.header, note=f"a double of which {size} bytes are there")
    m.wrong("no-ymax", {path + ".ymax": DROP}, "required-field", path)


def passed_over(m):
    """Unknown fields of every type."""
    one, inner = Struct([Field(1, "1", thrift.I32, 7)]), List(thrift.I32, [1, 300])
    true, uuid = Raw(b"\1"), Raw(bytes(range(16)))
    for name, element, items in (
            ("lists", thrift.LIST, [inner, List(thrift.I32, []), inner]), ("structs", thrift.STRUCT, [one, Struct(), one]),
            ("maps", thrift.MAP, [Map(thrift.I32, thrift.BINARY, [(1, b"x")]), Map(thrift.I32, thrift.I32, [])]), ("sets", thrift.SET, [inner, inner]),
            ("doubles", thrift.DOUBLE, [0.5, -1.0]), ("i8", thrift.I8, [-1, 127, 0]), ("i16", thrift.I16, [-300, 2]), ("uuids", thrift.UUID, [uuid, uuid]),
            ("17-booleans", thrift.TRUE, [True, False] * 8 + [True])):
        m.intact(f"list-of-{name}", adding(99, thrift.LIST, List(element, items)))
    m.intact("set-of-booleans", adding(99, thrift.SET, List(thrift.TRUE, [True, False, False])))
    for name, key, value, pairs in (
            ("structs", thrift.I32, thrift.STRUCT, [(1, one), (2, Struct())]), ("lists", thrift.BINARY, thrift.LIST, [(b"k", inner), (b"", inner)]),
            ("booleans", thrift.TRUE, thrift.FALSE, [(true, Raw(b"\2")), (true, true)]), ("maps", thrift.I8, thrift.MAP, [(1, Map(thrift.I64, thrift.DOUBLE, [(2**40, 0.5)]))]),
            ("uuids", thrift.UUID, thrift.I16, [(uuid, -5)]), ("structs-to-sets", thrift.STRUCT, thrift.SET, [(one, inner)])):
        m.intact(f"map-of-{name}", adding(99, thrift.MAP, Map(key, value, pairs)))
    for name, head in (("long", b"\xf5\2"), ("of-two-bytes", b"\xf5\x82\0"), ("of-five-bytes", b"\xf5\x82\x80\x80\x80\0")):
        m.intact(f"list-size-{name}", adding(99, thrift.LIST, List(thrift.I32, [1, 2], head=head)), note="the size of two elements is after the header")
    m.intact("map-size-of-five-bytes", adding(99, thrift.MAP, Raw(b"\x81\x80\x80\x80\0\x55\2\4")))
    m.intact("binary-length-of-five-bytes", adding(99, thrift.BINARY, Binary(b"abc", Padded(3, 4))))
    m.intact("63-lists-and-maps-deep", adding(99, thrift.LIST, nest(63)), note="with the struct itself 64 are open at once")
    m.wrong("64-lists-and-maps-deep", adding(99, thrift.LIST, nest(64)), "nesting-depth", "99", plus=31 * 4 + 1)
    refused(m)


def nest(depth):
    """So many nested lists and maps in turn; the first is a list, and each pair takes four bytes."""
    inner = List(thrift.I32, []) if depth % 2 else Map(thrift.I8, thrift.I32, [])
    for at in reversed(range(depth - 1)):
        wire = thrift.LIST if at % 2 else thrift.MAP
        inner = Map(thrift.I8, wire, [(0, inner)]) if at % 2 else List(wire, [inner])
    return inner


def refused(m):
    """Unknown fields that end the reading."""
    for name, wire, value, rule in (
            ("set-cut", thrift.SET, List(thrift.I32, [1], size=100), "list-size"), ("list-2^31", thrift.LIST, Raw(b"\xf5" + uleb(2**31)), "list-size"),
            ("list-2^32-1", thrift.LIST, Raw(b"\xf5" + uleb(2**32 - 1)), "list-size"), ("map-2^31", thrift.MAP, Raw(uleb(2**31) + b"\x55\2\4"), "list-size"),
            ("map-cut", thrift.MAP, Raw(b"\5\x55\2\4"), "list-size"), ("list-of-structs-cut", thrift.LIST, List(thrift.STRUCT, [Struct()], size=50), "list-size"),
            ("binary-2^31", thrift.BINARY, Binary(b"x", 2**31), "binary-length"), ("list-of-type-14", thrift.LIST, List(14, [Raw(b"\1")]), "compact-protocol"),
            ("set-of-type-0", thrift.SET, List(0, [Raw(b"\1")]), "compact-protocol")):
        m.wrong(name, adding(99, wire, value), rule, "99")


def ids(m):
    """Ids of fields in both forms."""
    def chain(long):
        def change(root):
            at = 10
            for delta in range(1, 16):
                at += delta
                root.add(at, thrift.I32, delta, long=long)
        return change

    m.intact("short-deltas", chain(False), note="unknown fields with deltas of 1 to 15")
    m.intact("long-deltas", chain(True), note="the same in long form")
    m.intact("delta-16", adding(20, thrift.I32, 0), note="a delta of 16 takes the long form")
    m.intact("minus-32768", adding(-32768, thrift.I32, 0), warnings=[("thrift/field-id", "-32768", "header")])
    m.intact("known-in-long-form", {"name": Long("s"), "field_id": Long(5)}, {"field_id": 5})
    m.intact("of-three-bytes", lambda root: root.fields.append(Field(9, "field_id", thrift.I32, 5, head=b"\5" + varint(Padded(9, 2)))), {"field_id": 5}, note="the id takes three bytes")
    for number in (2**15, 2**16 - 1, 2**16, 2**16 + 4, 2**16 + 20, 2**16 + 5, -2**16 + 20, 2**31 + 20):
        m.wrong(str(number), adding(number, thrift.I32, 0), "varint-overflow", str(number), "header", plus=1, note="an id has 16 bits; a larger one is not reduced to its low bits")
    def alias(root):
        root.add(2**16 + 4, thrift.BINARY, Binary(b"no"))
        root.fields.insert(0, root.fields.pop())
        root.fields[1].long = True
    m.wrong("of-the-name-before-it", alias, "varint-overflow", str(2**16 + 4), "header", plus=1, note="the name is after a field that is not the name")
    m.wrong("of-four-bytes", adding(20, thrift.I32, 0, head=b"\5" + varint(Padded(20, 3))), "varint-overflow", "20", "header", plus=1)
    m.wrong("cut", lambda root: (adding(20, thrift.I32, Raw(b""), head=b"\5\x80")(root), setattr(root, "tail", b"")), "stop-byte", "20", "header", note="the id is cut")


def forms(v):
    """Booleans in long form, and unknown fields between known ones and in inner structs."""
    path = "row_groups[0].sorting_columns[0]."
    m = maker(v, "FileMetaData", of_group({"sorting_columns": [{"column_idx": 4, "descending": True, "nulls_first": False}]}), "boolean")
    m.intact("long-form", {path + "descending": Long(True), path + "nulls_first": Long(False)}, note="the type in the header is the value, in the long form too")
    m.wrong("as-i8", {path + "descending": Typed(thrift.I8, 1)}, "field-type", path + "descending", "header")
    place = "page_locations[0]"
    m = maker(v, "OffsetIndex", {"page_locations": [{"offset": 4, "compressed_page_size": 33, "first_row_index": 5}]}, "between")
    for at in range(3):
        m.intact(f"fields-{at}", adding(99, thrift.LIST, List(thrift.BINARY, [b"x"]), path=place, at=at), note="an unknown field is before a known one, whose id is smaller")
    m.intact("all-fields", lambda root: [root.at(place).add(50 + at, thrift.TRUE, bool(at % 2), at=2 * at) for at in range(3)])
    m = maker(v, "OffsetIndex", {"page_locations": [{"offset": 4, "compressed_page_size": 33, "first_row_index": 0}] * 2}, "inner")
    m.intact("unknown", adding(9, thrift.STRUCT, Struct([Field(1, "1", thrift.I64, 5)]), path="page_locations[0]", at=1), note="an unknown struct in an element of a list")
    m.intact("unknown-last", adding(4, thrift.BINARY, b"abc", path="page_locations[1]"))


def last_elements(v):
    """Faults in the last element of a list, after valid ones."""
    index = {"null_pages": [False] * 3, "min_values": [b"\1", b"\2", b"\3"], "max_values": [b"\1", b"\2", b"\3"], "boundary_order": 1, "null_counts": [0, 1, 2]}
    m = maker(v, "ColumnIndex", index, "last")
    m.wrong("boolean", {"null_pages[2]": Raw(b"\3")}, "bool-list-value", "null_pages[2]")
    m.wrong("bound", {"max_values[2]": Binary(b"\3", 200)}, "binary-length", "max_values[2]")
    m.wrong("count", {"null_counts[2]": 2**63}, "varint-overflow", "null_counts[2]")
    m.wrong("count-cut", {"null_counts[2]": Raw(b"\x80")}, "stop-byte", "null_counts", "header", cut=-1)
    m = maker(v, "OffsetIndex", {"page_locations": [{"offset": 4 + 33 * at, "compressed_page_size": 33, "first_row_index": at} for at in range(3)]}, "last")
    place = "page_locations[2]"
    m.wrong("location-lacks", {place + ".first_row_index": DROP}, "required-field", place)
    m.wrong("location-type", {place + ".compressed_page_size": Typed(thrift.I64, 33)}, "field-type", place + ".compressed_page_size", "header")
    m.wrong("location-size", {place + ".compressed_page_size": 2**31}, "varint-overflow", place + ".compressed_page_size")
    data, _ = write(m.tree(None))
    m.v.refuse("thrift-last-location-no-stop", data[:-2], "thrift/stop-byte", len(data) - 2)
    path = "row_groups[0].columns[0].meta_data."
    m = maker(v, "FileMetaData", of_meta({}), "last")
    m.wrong("name", {path + "path_in_schema[2]": b"\xff"}, "string-utf8", path + "path_in_schema[2]", plus=1, undefined=True)
    m.unsure("encoding", "unknown-enum-value", path + "encodings[2]", "value", {path + "encodings[2]": 11}, of_meta({"encodings": [0, 3, 11]}))
    m.wrong("encoding-overflow", {path + "encodings[2]": 2**31}, "varint-overflow", path + "encodings[2]")
