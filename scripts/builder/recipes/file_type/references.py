"""References to bytes: groups that FILE annotates (LogicalTypes.md#file)."""

import hashlib

from builder.codec.checksums import crc32, crc32c
from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import BYTE_ARRAY, INT32, INT64, RLE_DICTIONARY, SNAPPY, UTF8
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import list_of, optional, required
from builder.expect.places import Body, V
from builder.expect.witness import Also

TYPES = {"uri": "STRING", "offset": INT64, "size": INT64, "content_type": "STRING", "checksum": "STRING", "inline": BYTE_ARRAY}
LEVELS = "def"


def witnesses(c):
    schemas(c)
    references(c)
    numbers(c)
    texts(c)
    checksums(c)


def field(name, make=optional, kind=None):
    kind = kind or TYPES.get(name, BYTE_ARRAY)
    if kind == "STRING":
        return make(name, BYTE_ARRAY, converted_type=UTF8, logicalType={"STRING": {}})
    return make(name, kind)


def group(fields, name="f", make=optional):
    return make(name, [one if not isinstance(one, str) else field(one) for one in fields], logicalType={"FILE": {}})


def of(fields, values, chunk=None, **more):
    """One FILE column of these values, dicts by field."""
    return File([group(fields)], [{"f": value} for value in values], chunk, **more)


def schemas(c):
    at = lambda i, name: V(f"schema[{i}].{name}")
    c.rule("file-type/group", found="FILE on a leaf", expected="a group")
    c.fail("FILE on a BYTE_ARRAY", File([optional("f", BYTE_ARRAY, logicalType={"FILE": {}})], [{"f": b"x"}]), V("schema[1].logicalType"))
    c.fail("FILE on the second of two columns", File([optional("a", INT32), required("f", BYTE_ARRAY, logicalType={"FILE": {}})], [{"a": 1, "f": b"x"}]),
           V("schema[2].logicalType"))
    c.ok("FILE on a group", of(["uri"], [{"uri": b"a"}, None]))
    c.ok("FILE on a group in a list", File([list_of("l", group(["uri"], "element"))], [{"l": {"list": [{"element": {"uri": b"a"}}, {"element": None}]}}]))

    c.rule("file-type/fields", expected="uri, offset, size, content_type, checksum or inline")
    for name in ("URI", "url", "mtime"):
        c.fail(f"a field {name}", of(["uri", name], [{"uri": b"a", name: None}]), at(3, "name"), found=name)
    c.fail("a group as further field", of(["uri", optional("extra", [required("x", INT32)])], [{"uri": b"a", "extra": None}]), at(3, "name"), found="extra")
    c.ok("all fields, in another order", of(["inline", "checksum", "content_type", "size", "offset", "uri"], [dict.fromkeys(TYPES) | {"uri": b"a"}]))

    c.rule("file-type/field-type")
    wrong = (("uri", BYTE_ARRAY, "type", "BYTE_ARRAY", "BYTE_ARRAY, STRING"), ("offset", INT32, "type", "INT32", "INT64"),
             ("size", BYTE_ARRAY, "type", "BYTE_ARRAY", "INT64"), ("checksum", INT64, "type", "INT64", "BYTE_ARRAY, STRING"),
             ("inline", "STRING", "logicalType", "BYTE_ARRAY, STRING", "BYTE_ARRAY"))
    for name, kind, where, found, expected in wrong:
        other = "inline" if name == "uri" else "uri"
        c.fail(f"{name} is {found}", of([other, field(name, kind=kind)], [{other: b"a", name: None}]), at(3, where), found=found, expected=expected)
    c.fail("uri is a group", of(["inline", optional("uri", [required("x", INT32)])], [{"inline": b"a", "uri": None}]), at(3, "num_children"),
           found="a group", expected="BYTE_ARRAY, STRING")
    c.ok("the types of the table", of(list(TYPES), [dict.fromkeys(TYPES) | {"uri": b"a"}]))

    c.rule("file-type/field-optional", expected="OPTIONAL")
    c.fail("uri is required", of([field("uri", required)], [{"uri": b"a"}]), at(2, "repetition_type"), found="REQUIRED")
    c.fail("inline is required", of(["uri", field("inline", required)], [{"uri": None, "inline": b""}]), at(3, "repetition_type"), found="REQUIRED")
    c.ok("optional fields", of(["uri", "size"], [{"uri": b"a", "size": 3}]))

    c.rule("file-type/resolvable", found="neither uri nor inline", expected="a field uri or inline")
    c.fail("offset and size alone", of(["offset", "size"], [None]), at(1, "num_children"))
    c.fail("checksum alone", of(["checksum"], [None, None]), at(1, "num_children"))
    c.ok("inline alone", of(["inline"], [{"inline": b"x"}]))


def at_levels(leaf=0, page=0, row_group=0, **more):
    return Body((row_group, leaf, page), LEVELS, length=0, **more)


def references(c):
    c.rule("file-type/resolves", expected="uri or inline")
    words = {"found": "neither uri nor inline"}
    good = {"uri": b"s3://b/k"}
    c.fail("a value of nulls", of(["uri"], [good, {"uri": None}]), at_levels(), **words)
    c.fail("an empty uri", of(["uri"], [{"uri": b""}, good]), at_levels(), **words)
    c.fail("in three values of two pages", of(["uri"], [good, {"uri": None}, {"uri": b""}, good, {"uri": None}], Chunk([V1(2), V1()])), at_levels(times=3), **words)
    c.fail("in the second page", of(["uri"], [good, good, {"uri": None}], Chunk([V1(2), V1()])), at_levels(page=1), **words)
    c.fail("in a v2 page", of(["uri"], [good, {"uri": None}], Chunk([V2()])), at_levels(), **words)
    c.fail("in the second row group", File([group(["uri"])], groups=[Group([{"f": good}]), Group([{"f": {"uri": None}}])]), at_levels(row_group=1), **words)
    c.fail("size alone", of(["uri", "size"], [{"uri": None, "size": 3}]), at_levels(), found="size")
    c.fail("offset and size, a reference to the file itself", of(["uri", "offset", "size"], [{"uri": None, "offset": 4, "size": 3}]), at_levels(), found="offset and size")
    c.ok("null values", of(["uri"], [None, good, None]))
    c.ok("an empty inline", of(["inline"], [{"inline": b""}]))

    c.rule("file-type/offset-without-size", found="offset", expected="offset and size")
    value = lambda row, leaf=1, page=0, **more: Body((0, leaf, page), f"values.value{row}", length=8, **more)
    c.fail("offset without size", of(["uri", "offset", "size"], [good | {"offset": None, "size": None}, good | {"offset": 4, "size": None}]), value(0))
    c.fail("a group without a field size", of(["uri", "offset"], [good | {"offset": None}, good | {"offset": 0}]), value(0))
    c.fail("in the last of three values", of(["uri", "offset", "size"], [good | {"offset": 4, "size": 1}, good | {"offset": None, "size": 1}, good | {"offset": 7, "size": None}]), value(1))
    c.ok("size without offset", of(["uri", "offset", "size"], [good | {"offset": None, "size": 9}]))
    c.ok("offset without size next to inline bytes", of(["inline", "offset", "size"], [{"inline": b"x", "offset": 1, "size": None}]),
         Also("file-type/inline-offset", value(0).with_values("offset", "offset and size"), "the size is missing all the same"))

    c.rule("file-type/inline-offset", found="offset", expected="offset and size")
    inline = {"inline": b"x", "offset": None, "size": None}
    c.fail("offset without size, next to inline bytes", of(["inline", "offset", "size"], [inline, inline | {"offset": 1}]), value(0))
    c.fail("in two of three values", of(["inline", "offset", "size"], [inline | {"offset": 7}, inline, inline | {"offset": 0}]), value(0, times=2))
    c.fail("next to a uri, too", of(["uri", "offset", "inline"], [good | {"inline": b"", "offset": 4}]), value(0))
    c.ok("offset and size next to inline bytes", of(["inline", "offset", "size"], [inline | {"offset": 1, "size": 1}]))

    c.rule("file-type/inline-and-uri", found="uri and inline", expected="uri or inline")
    both = lambda row=0, **more: Body((0, 0, 0), f"values.value{row}", plus=4, length=8, **more)
    c.fail("both are set", of(["uri", "inline"], [good | {"inline": None}, good | {"inline": b"x"}]), both(1))
    c.fail("in two of three values", of(["uri", "inline"], [good | {"inline": None}, good | {"inline": b""}, good | {"inline": b"x"}]), both(1, times=2))
    c.ok("each alone", of(["uri", "inline"], [good | {"inline": None}, {"uri": None, "inline": b"x"}]))


def numbers(c):
    c.rule("file-type/negative", expected="at least 0")
    good = {"uri": b"a", "offset": 0, "size": 0}
    for name, leaf in (("offset", 1), ("size", 2)):
        for number in (-1, -(1 << 63)):
            value = Body((0, leaf, 0), "values.value1", length=8)
            c.fail(f"{name} is {number}", of(["uri", "offset", "size"], [good, good | {name: number}]), value, found=str(number))
    c.fail("in the second page", of(["uri", "size"], [{"uri": b"a", "size": 1}, {"uri": b"a", "size": 2}, {"uri": b"a", "size": -3}], [Chunk([V1(2), V1()])] * 2),
           Body((0, 1, 1), "values.value0", length=8), found="-3")
    c.ok("0 and the max", of(["uri", "offset", "size"], [good, good | {"size": (1 << 63) - 1}]))


def text_at(leaf, text, row=0, plus=0, length=None, **more):
    return Body((0, leaf, 0), f"values.value{row}", plus=4 + plus, length=len(text) if length is None else length, **more)


def texts(c):
    c.rule("file-type/uri", expected="a URI reference")
    for uri, position, length in (("a b", 1, 1), ("s3://b/\u00e4", 7, 1), ("%zz", 0, 1), ("a%2", 3, 0), ("1a:b", 0, 1), ("c:\\x", 2, 1), ("a_b:c", 1, 1), ("a#b#c", 3, 1),
                                  ("a/[b]", 2, 1), ("http://[::1/x", 7, 1), ("//[]/", 3, 1), ("http://[::1]a/", 12, 1), ("http://a[::1]/", 8, 1), ("http://h:a/", 9, 1),
                                  ("http://h:1:2", 10, 1), ("http://[::1]:x", 13, 1), ("http://a@b@c/", 10, 1), ("http://[a]@h/", 7, 1)):
        data = uri.encode()
        c.fail(f"uri is {uri}", of(["uri"], [{"uri": b"x"}, {"uri": data}]), text_at(0, data, 1, position, length), found=f'"{uri}"')
    for uri in ("s3://bucket/key?v=1#f", "a/b:c", "../x%20y", "urn:isbn:1", "file:///tmp/x", "//host/p", "?q", "#f", "http://[::1]:80/", "http://h:/", "s3://b/k@2",
                "http://u:p@h:1/", "http://[v1.a:b]", "a?b@c@d:e"):
        c.ok(f"uri is {uri}", of(["uri"], [{"uri": uri.encode()}]))

    c.rule("file-type/content-type", expected="type/subtype")
    for kind in ("png", "image/", "/png", "image/png;", "image/png; q", "a b/c", 'a/b; c="d'):
        c.fail(f"content_type is {kind}", of(["uri", "content_type"], [{"uri": b"x", "content_type": None}, {"uri": b"x", "content_type": kind.encode()}]), text_at(1, kind), found=f'"{kind}"')
    for kind in ("image/png", "text/plain; charset=utf-8", 'a/b ;c="d\\" e";f=g', "application/vnd.a+json"):
        c.ok(f"content_type is {kind}", of(["uri", "content_type"], [{"uri": b"x", "content_type": kind.encode()}]))


DIGESTS = {"CRC32": lambda data: f"{crc32(data):08x}", "CRC32C": lambda data: f"{crc32c(data):08x}", "MD5": lambda data: hashlib.md5(data).hexdigest(),
           "SHA-256": lambda data: hashlib.sha256(data).hexdigest()}


def checksums(c):
    with_inline = lambda text, data=b"hello": of(["checksum", "inline"], [{"checksum": None, "inline": data}, {"checksum": text.encode(), "inline": data}])
    c.rule("file-type/checksum-form")
    for text in ("d41d8cd98f00b204e9800998ecf8427e", ":00000000"):
        c.fail(f"checksum is {text}", with_inline(text), text_at(0, text), found=f'"{text}"', expected="algorithm:digest")
    for name, digits in (("MD5", 32), ("CRC32", 8), ("CRC32C", 8), ("SHA-256", 64)):
        digest = DIGESTS[name](b"hello")
        for wrong in (digest.upper(), digest[1:], digest + "0", "", "g" + digest[1:]):
            if wrong == digest:
                continue
            shown = f'"{wrong}"' if len(wrong) <= 60 else f'"{wrong[:60]}..."'
            c.fail(f"the digest of {name} is {wrong[:12]}, {len(wrong)} digits", with_inline(f"{name}:{wrong}"),
                   text_at(0, wrong, plus=len(name) + 1), found=shown, expected=f"{digits} lowercase hex digits")
    c.ok("an ETAG of any form", with_inline('ETAG:"33a-Zz"'))
    c.ok("a checksum next to a uri", of(["uri", "checksum"], [{"uri": b"x", "checksum": b"CRC32:00000000"}]))

    c.rule("file-type/checksum-algorithm", expected="ETAG, MD5, CRC32, CRC32C or SHA-256")
    for name in ("SHA-1", "md5", "sha256"):
        c.fail(f"algorithm {name}", with_inline(f"{name}:00"), text_at(0, name), found=f'"{name}"')
    c.ok("no checksum", of(["checksum", "inline"], [{"checksum": None, "inline": b"x"}]))

    c.rule("file-type/checksum")
    for name, digest in DIGESTS.items():
        right, wrong = digest(b"hello"), digest(b"hellp")
        c.fail(f"{name} of other bytes", with_inline(f"{name}:{wrong}"), text_at(0, wrong, plus=len(name) + 1), found=wrong, expected=right)
        if not name.startswith("CRC"):
            continue
        swapped = "".join(reversed([right[i:i + 2] for i in range(0, 8, 2)]))
        c.fail(f"{name} with its least significant byte first", with_inline(f"{name}:{swapped}"), text_at(0, swapped, plus=len(name) + 1), found=swapped, expected=right)
    c.fail("in the second of two values", of(["checksum", "inline"], [{"checksum": b"CRC32:00000000", "inline": b""}, {"checksum": b"CRC32:00000000", "inline": b"a"}]),
           text_at(0, "0" * 8, 1, plus=6), found="00000000", expected=DIGESTS["CRC32"](b"a"))
    in_dictionaries = File([group(["checksum", "inline"])], [{"f": {"checksum": text, "inline": b"a"}} for text in (None, b"MD5:" + b"0" * 32, b"MD5:" + b"0" * 32)],
                             [Chunk([Dictionary([b"MD5:" + b"0" * 32]), V1(encoding=RLE_DICTIONARY)]), Chunk([Dictionary([b"a"]), V1(encoding=RLE_DICTIONARY)])])
    c.fail("entries of dictionaries, twice", in_dictionaries, Body((0, 0, 0), "values.value0", plus=4 + len("MD5:"), times=2), found="0" * 32,
           expected=DIGESTS["MD5"](b"a"), length=32)
    for name, digest in DIGESTS.items():
        c.ok(f"{name} of the inline bytes", with_inline(f"{name}:{digest(b'hello')}"))
    c.ok("CRC32 of bytes from a dictionary, compressed", File([group(["checksum", "inline"])], [{"f": {"checksum": b"CRC32:3610a686", "inline": b"hello"}}] * 3,
         [Chunk(codec=SNAPPY), Chunk([Dictionary([b"hello"]), V1(encoding=RLE_DICTIONARY)], codec=SNAPPY)]))
