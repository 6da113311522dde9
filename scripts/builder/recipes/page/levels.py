"""Repetition and definition levels in v1 and v2 pages (README.md, Nested Encoding; Encodings.md, RLE)."""

from builder.codec import hybrid
from builder.codec.compression import gzip
from builder.codec.file import Chunk, File
from builder.codec.hybrid import Packed, Repeated
from builder.codec.marked import Marked
from builder.codec.metadata import BIT_PACKED, GZIP, INT32
from builder.codec.pages import V1, V2
from builder.codec.schema import list_of, optional, required
from builder.expect import losses
from builder.expect.places import S, V, Body
from builder.expect.witness import Also
from builder.recipes.base_files import BOTH, FIRST, chunk, lists, nullable



def pair(page, rows=((1,), (None,), None)):
    """An optional group `g` of an optional leaf `e`: definition levels 0 to 2 in two bits, so that 3 can be written."""
    return File([optional("g", [optional("e", INT32)])],
                [{"g": None if one is None else {"e": one[0]}} for one in rows], chunk(page))


def matrix(page):
    """Lists of lists, nothing optional: repetition and definition levels 0 to 2 in two bits; three rows of one element."""
    inner = list_of("element", required("e", INT32), required)
    return File([list_of("m", inner, required)],
                [{"m": {"list": [{"element": {"list": [{"e": i}]}}]}} for i in (1, 2, 3)], chunk(page))


def packed(which):
    """The warning about BIT_PACKED levels."""
    return Also("bit-packed/deprecated", V(f"data_page_header.{which}_level_encoding", page=FIRST), "BIT_PACKED levels are deprecated")


def extra(levels, width, data):
    """A stream with marked bytes after its last run."""
    stream = hybrid.encode(hybrid.runs_of(levels), width)
    return Marked(stream.data + data, {**stream.marks, "after": len(stream)})


def prefixed(levels, width):
    """A stream after a length word, as in v1 pages."""
    stream = hybrid.encode(hybrid.runs_of(levels), width)
    return Marked(len(stream).to_bytes(4, "little") + stream.data)


def structs(second=None, rows=None):
    """A LIST of required groups of two leaves `a` and `b`; `second` replaces the entries of `b`."""
    node = list_of("l", required("e", [required("a", INT32), required("b", INT32)]), required)
    rows = rows or ([(1, 10), (2, 20)], [(3, 30)])
    return File([node], [{"l": {"list": [{"e": {"a": a, "b": b}} for a, b in row]}} for row in rows],
                [None, Chunk(entries=second)])


def witnesses(c):
    ranges(c)
    counts(c)
    lengths(c)
    structure(c)


def ranges(c):
    c.rule("levels/definition-range")
    for about, page in BOTH:
        c.fail(f"level 3 of at most 2 in a repeated run, {about}", pair(page(defs=[Repeated(2, 2), Repeated(1, 3)])),
               Body(FIRST, "def.run1"))
        c.fail(f"level 3 of at most 2 in a bit-packed run, {about}", pair(page(defs=[Repeated(1, 2), Packed([1, 3])])),
               Body(FIRST, "def.run1"))
    many = ((1,),) * 5
    c.fail("level 3 of at most 2 in the second byte of BIT_PACKED levels", pair(V1(def_encoding=BIT_PACKED, defs=b"\xaa\xc0"), many),
           Body(FIRST, "def", plus=1), packed("definition"))
    c.fail("level 3 of at most 2 in 5000 BIT_PACKED levels", pair(V1(def_encoding=BIT_PACKED, defs=b"\xaa" * 1249 + b"\xab"), many * 1000),
           Body(FIRST, "def", plus=1249), packed("definition"))
    c.ok("levels 2, 1 and 0", pair(V1()))
    c.ok("level 3 in a padding slot of the last group", pair(V1(defs=[Packed([2, 1, 0], fill=3)])))

    c.rule("levels/repetition-range")
    for about, page in BOTH:
        c.fail(f"level 3 of at most 2 in a repeated run, {about}", matrix(page(reps=[Repeated(2, 0), Repeated(1, 3)])),
               Body(FIRST, "rep.run1"))
        c.fail(f"level 3 of at most 2 in a bit-packed run, {about}", matrix(page(reps=[Packed([0, 3, 0])])),
               Body(FIRST, "rep.run0"))
    c.fail("level 3 of at most 2 in BIT_PACKED levels", matrix(V1(rep_encoding=BIT_PACKED, reps=b"\x30")), Body(FIRST, "rep"),
           packed("repetition"))
    c.ok("level 0 throughout", matrix(V1()))
    c.ok("level 3 in a padding slot of the last group", matrix(V2(reps=[Packed([0, 0, 0], fill=3)])))


def counts(c):
    c.rule("levels/count", found="2")
    for about, page in BOTH:
        c.fail(f"definition levels of two entries for three, {about}", nullable(chunk(page(defs=[Repeated(2, 1)])), items=(1, 2, 3)),
               Body(FIRST, "def.end"))
        c.fail(f"repetition levels of five entries for six, {about}", lists(chunk(page(reps=[Repeated(5, 0)]))),
               Body(FIRST, "rep.end"), found="5")
    c.fail("no definition level at all for three entries, v1", nullable(chunk(V1(defs=b"")), items=(1, 2, 3)), Body(FIRST, "def.end"), found="0")
    c.ok("three levels for three entries", nullable(chunk(V1(defs=[Repeated(3, 1)])), items=(1, 2, 3)))

    c.rule("levels/overshoot", expected="3")
    for about, page in BOTH:
        c.fail(f"the last run repeats a definition level five times for three entries, {about}",
               nullable(chunk(page(defs=[Repeated(5, 1)])), items=(1, 2, 3)), Body(FIRST, "def.run0"))
    c.fail("two groups of definition levels for three entries", nullable(chunk(V1(defs=[Packed([1, 0, 1] + [0] * 6)]))),
           Body(FIRST, "def.run0"))
    c.fail("the last run repeats a repetition level once too often",
           lists(chunk(V1(reps=[Repeated(3, 0)])), items=([1], [2])), Body(FIRST, "rep.run0"), expected="2")
    c.ok("five padding slots in the last group", nullable(chunk(V1(defs=[Packed([1, 0, 1])]))))
    c.ok("seven padding slots in the last group", nullable(chunk(V2(defs=[Repeated(2, 1), Packed([0])])), items=(1, 2, None)))


def lengths(c):
    c.rule("levels/length-prefix")
    c.fail("the length of the definition levels runs past the page", nullable(chunk(V1(def_length=1000))), Body(FIRST, "def.length"))
    c.fail("the length of the repetition levels runs past the page", lists(chunk(V1(rep_length=2**32 - 1))), Body(FIRST, "rep.length"))
    c.fail("two bytes are left for the length word", nullable(chunk(V1(image=b"\2\0"))), Body(FIRST, ""))
    c.fail("the page is empty", nullable(chunk(V1(image=b""))), Body(FIRST, ""))
    c.fail("the length of the definition levels is in error, under GZIP", nullable(chunk(V1(def_length=1000), codec=GZIP)),
           Body(FIRST, "def.length"))
    c.ok("the definition levels end with the page", nullable(chunk(V1()), items=(None, None)))

    c.rule("levels/v2-prefix")
    c.fail("definition levels begin with their length", nullable(chunk(V2(defs=prefixed([1, 0, 1], 1)))), Body(FIRST, "def"))
    c.fail("repetition levels begin with their length",
           lists(chunk(V2(reps=prefixed([0, 1, 0, 0, 0, 1], 1)))), Body(FIRST, "rep"))
    c.ok("definition levels begin with a run", nullable(chunk(V2())))

    c.rule("levels/section-consumed")
    for about, page in BOTH:
        c.fail(f"two bytes after the definition levels, {about}", nullable(chunk(page(defs=extra([1, 0, 1], 1, b"\0\0")))),
               Body(FIRST, "def.after"))
    c.fail("a further run after the repetition levels", lists(chunk(V1(reps=extra([0, 1, 0, 0, 0, 1], 1, b"\2\0")))),
           Body(FIRST, "rep.after"))
    c.fail("definition levels of eight nulls are packed in two bits instead of one",
           nullable(chunk(V1(defs=b"\3\0\0")), items=(None,) * 8), Body(FIRST, "def", plus=2))
    squeezed = gzip.compress(hybrid.encode(hybrid.runs_of([1, 0, 1]), 1).data)
    c.fail("the definition levels of a v2 page are a gzip stream, of which some bytes look like the levels", nullable(chunk(V2(defs=squeezed), codec=GZIP)),
           Body(FIRST, "def", plus=16).with_values(length=len(squeezed) - 16, found=str(len(squeezed) - 16)),
           Also("levels/overshoot", Body(FIRST, "def").with_values("120", "3"), "the first byte of a gzip stream is the header of fifteen packed groups"), rows=None)
    c.ok("the last run ends with the section", nullable(chunk(V1())))

    c.rule("levels/mostly-left-over", expected="2")
    for about, page in BOTH:
        c.fail(f"three bytes after two bytes of definition levels, {about}", nullable(chunk(page(defs=extra([1, 0, 1], 1, bytes(3))))),
               Body(FIRST, "def.after"))
        c.fail(f"three bytes after two bytes of repetition levels, {about}", lists(chunk(page(reps=extra([0, 1, 0, 0, 0, 1], 1, bytes(3))))),
               Body(FIRST, "rep.after"))
    c.fail("100 bytes after the definition levels of the first and the last of three pages, under GZIP",
           nullable(chunk(V1(3, defs=extra([1, 0, 1], 1, bytes(100))), V1(3), V1(3, defs=extra([1, 0, 1], 1, bytes(100))), codec=GZIP),
                    items=(1, None, 3) * 3), Body(FIRST, "def.after", times=2), lost=[losses.lost("page", 0, 0, 0), losses.lost("page", 0, 0, 2)])
    c.ok("two bytes of definition levels", nullable(chunk(V1())))


def structure(c):
    c.rule("levels/repetition-needs-defined", found="1")
    lost = [(0, 3, 1), (1, 1, None), (0, 3, 2)]
    for about, page in BOTH:
        c.fail(f"an empty list continues a list, {about}", lists(chunk(page(), entries=lost), items=([1], [2])),
               Body(FIRST, "def.run0"), rows=None)
    c.fail("a null list continues a list", lists(chunk(V1(), entries=[(0, 3, 1), (1, 0, None)]), items=([1],)),
           Body(FIRST, "def.run0"), rows=None, found="0")
    c.ok("a null element continues a list", lists(chunk(V1()), items=([1, None], [2])))

    c.rule("levels/repetition-after-empty", found="1")
    for about, page in BOTH:
        c.fail(f"an element follows in an empty list, {about}",
               lists(chunk(page(), entries=[(0, 3, 1), (0, 1, None), (1, 3, 2)]), items=([1], [2])), Body(FIRST, "rep.run0"), rows=None)
    c.fail("an element follows in a null list", lists(chunk(V1(), entries=[(0, 0, None), (1, 3, 2)]), items=([1],)),
           Body(FIRST, "rep.run0"), rows=None, found="0")
    c.ok("an element follows a null element", lists(chunk(V1()), items=([None, 1], [2])))

    c.rule("levels/siblings-agree", found="other lists or nulls of g", expected="those of column g.x")
    meta = "row_groups[0].columns[1].meta_data"
    c.fail("lists of 2 and 1 in one leaf, of 1 and 2 in the other", structs([(0, 1, 10), (0, 1, 20), (1, 1, 30)]),
           S(meta, field=None), rows=None, found="other lists or nulls of l.list.element", expected="those of column l.list.element.a")
    c.fail("three elements in one leaf, four in the other", structs([(0, 1, 10), (1, 1, 20), (0, 1, 30), (1, 1, 40)]),
           S(meta, field=None), rows=None, found="other lists or nulls of l.list.element", expected="those of column l.list.element.a")
    group = [optional("g", [required("x", INT32), required("y", INT32)])]
    c.fail("the group is present in one leaf, null in the other",
           File(group, [{"g": {"x": 1, "y": 2}}, {"g": None}], [None, Chunk(entries=[(0, 0, None), (0, 1, 2)])]),
           S(meta, field=None), rows=None)
    three = [optional("g", [required(name, INT32) for name in "xyz"])]
    rows = [{"g": {"x": 1, "y": 2, "z": 3}}, {"g": None}]
    other = [(0, 0, None), (0, 1, 2)]
    c.fail("the first of three leaves differs from the other two", File(three, rows, [Chunk(entries=other), None, None]),
           S("row_groups[0].columns[0].meta_data", field=None), rows=None, expected="those of column g.y")
    c.fail("the last of three leaves differs from the other two", File(three, rows, [None, None, Chunk(entries=other)]),
           S("row_groups[0].columns[2].meta_data", field=None), rows=None)
    c.fail("two leaves disagree, and a third cannot be read",
           File(three, rows, [Chunk(meta={"codec": 99}), None, Chunk(entries=other)]), S("row_groups[0].columns[2].meta_data", field=None),
           Also("column-chunk/codec", V("row_groups[0].columns[0].meta_data.codec"), "the codec is undefined, and the other columns are not compressed"),
           rows=None, expected="those of column g.y", lost=[losses.lost("column chunk", 0, 0)])
    pair_of = lambda name: optional(name, [optional("x", INT32), optional("y", INT32)])
    null = Chunk(entries=[(0, 0, None), (0, 2, 2)])
    c.fail("in each of two groups the second leaf differs from the first",
           File([pair_of("g"), pair_of("h")], [{name: {"x": i, "y": i} for name in "gh"} for i in (1, 2)], [None, null, None, null]),
           *[S(f"row_groups[0].columns[{leaf}].meta_data", field=None).with_values(f"other lists or nulls of {name}", f"those of column {name}.x")
             for leaf, name in ((1, "g"), (3, "h"))], rows=None)
    c.ok("both leaves have the same lists", structs())
    c.ok("of two leaves of a group, one is null",
         File([optional("g", [optional("x", INT32), optional("y", INT32)])], [{"g": {"x": None, "y": 2}}, {"g": {"x": 1, "y": None}}]))
