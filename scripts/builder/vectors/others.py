"""BYTE_STREAM_SPLIT (Encodings.md) and GROUP_VAR_INT (edition of 2013)."""

from builder.codec import byte_stream_split, group_var_int
from builder.codec.metadata import DOUBLE, FIXED_LEN_BYTE_ARRAY, FLOAT, INT32, INT64
from builder.vectors.golden import Sections

SPLIT = "Encodings.md#BYTESTREAMSPLIT"
GROUPS = "edition of 2013, GroupVarInt"
TYPES = (("float", FLOAT, [1.0, -2.5, -0.0]), ("double", DOUBLE, [1.0, -2.5, 0.1]), ("int32", INT32, [1, -2, 2**31 - 1]),
         ("int64", INT64, [1, -2, 2**63 - 1]), ("fixed", FIXED_LEN_BYTE_ARRAY, [b"abc", b"def", b"\0\xff\0"]))


def vectors():
    return [byte_streams(), groups()]


def byte_streams():
    v = Sections("BYTE_STREAM_SPLIT")
    v.of(SPLIT, FIXED_LEN_BYTE_ARRAY, type_length=4)
    items = [bytes.fromhex(text) for text in ("aabbccdd", "00112233", "a3b4c5d6")]
    v.values("bss-1", byte_stream_split.encode(FIXED_LEN_BYTE_ARRAY, items), items)
    for name, kind, items in TYPES:
        v.of(SPLIT, kind, **({"type_length": 3} if kind == FIXED_LEN_BYTE_ARRAY else {}))
        data = byte_stream_split.encode(kind, items)
        v.values(f"bss-{name}", data, items)
        v.values(f"bss-{name}-none", b"", [])
        many = items * 90
        v.values(f"bss-{name}-many", byte_stream_split.encode(kind, many), many)
        v.values(f"bss-{name}-two-batches", data + data, split(kind, data + data, 6), bugs="SplitPerBatch",
                 note="two transpositions of three values in sequence are one of six other values")
        for what, wrong in (("cut", data[:-1]), ("long", data + b"\0"), ("nothing", b"")):
            v.reject(f"bss-{name}-{what}", wrong, 3, "byte-stream-split/length")
        v.reject(f"bss-{name}-zero-values", data, 0, "page/zero-values-section")
    return v


def split(kind, data, count):
    """The values of a section, byte by byte."""
    size = len(data) // count
    values = [bytes(data[index + count * byte] for byte in range(size)) for index in range(count)]
    if kind in (INT32, INT64):
        return [int.from_bytes(value, "little", signed=True) for value in values]
    return values


def groups():
    v = Sections("GROUP_VAR_INT")
    v.of(GROUPS, INT32)
    largest = [0xFF, 0xFFFFFF, -1, 0xFFFF]
    v.values("gvi-1", group_var_int.encode32(largest), largest, note="the largest numbers of 1, 3, 4 and 2 bytes, read unsigned")
    v.values("gvi-2", group_var_int.encode32([1, 2, 3, 4, 5]), [1, 2, 3, 4, 5], note="the second group is filled up with 0")
    v.values("gvi-3", group_var_int.encode32([1, 2, 3]), [1, 2, 3])
    v.values("gvi-neg", group_var_int.encode32([-1, 256, 0, 65536]), [-1, 256, 0, 65536])
    v.values("gvi-none", b"", [])
    v.values("gvi-padding", b"\0\1\2\3\x09", [1, 2, 3], warnings=[("group-var-int/padding", 4)])
    v.values("gvi-not-shortest", b"\x04\1\2\3\0\4", [1, 2, 3, 4], note="3 takes two bytes")
    five, rule = group_var_int.encode32([1, 2, 3, 4, 5]), "group-var-int/group"
    v.reject("gvi-nothing", b"", 1, rule)
    v.reject("gvi-second-group-missing", five[:5], 5, rule, 5)
    v.reject("gvi-selector-alone", five[:6], 5, rule, 5)
    v.reject("gvi-not-filled-up", five[:7], 5, rule, 5)
    v.reject("gvi-body-cut", b"\x03\1\2\3\xff\xff\xff", 4, rule)
    v.reject("gvi-trailing-byte", five + b"\0", 5, "page/trailing-bytes", len(five))
    v.reject("gvi-zero-values", b"\0" * 5, 0, "page/zero-values-section")
    wide = [1, 511, 2, 3, -1]
    for order, name in (("big", "be"), ("little", "le")):
        v.of(GROUPS + ", 64 bits", INT64, selector=name)
        v.values(f"gvi-64-{name}", group_var_int.encode64(wide, order), wide,
                 note="the edition does not say which byte of the selector comes first")
        v.values(f"gvi-64-{name}-limits", group_var_int.encode64([2**63 - 1, -2**63, 0], order), [2**63 - 1, -2**63, 0])
    v.of(GROUPS + ", 64 bits", INT64)
    v.values("gvi-64", group_var_int.encode64(wide), wide)
    v.values("gvi-64-selector-bit", b"\x80\0\1\2\3\4\5", [1, 2, 3, 4, 5], warnings=[("group-var-int/selector-bit", 0)])
    v.reject("gvi-64-half-a-selector", b"\0", 5, rule)
    v.reject("gvi-64-not-filled-up", b"\0\0\1\2\3", 3, rule)
    v.reject("gvi-64-trailing-byte", b"\0\0\1\2\3\4\5\0", 5, "page/trailing-bytes", 7)
    return v
