"""GROUP_VAR_INT, which the edition of 2013 defines and later ones retired."""

from builder.codec.marked import Marked
from builder.codec.metadata import GROUP_VAR_INT, GZIP, INT32, INT64
from builder.codec.pages import V1, V2
from builder.codec.schema import optional, required
from builder.expect.places import V, Body
from builder.recipes.base_files import FIRST, HISTORICAL, chunk, column
from builder.recipes.values.delta_binary_packed import HEADERS, mistyped

SECTION = Body(FIRST, "values")
FIVE = (1, 2, 3, 4, 5)


def groups(items, kind=INT32, page=V1, values=None, make=required, **more):
    return column(make("i", kind), items, chunk(page(encoding=GROUP_VAR_INT, values=values), **more))


def witnesses(c):
    c.rule("group-var-int/retired")
    for kind, name in ((INT32, "INT32"), (INT64, "INT64")):
        for page, field, version in HEADERS:
            c.fail(f"values of {name} in encoding 1, {version}", groups(FIVE, kind, page), V(field, page=FIRST))
            c.ok(f"the same under the historical profile: {name}, {version}", groups(FIVE, kind, page), **HISTORICAL)

    mistyped(c, "group-var-int", GROUP_VAR_INT, b"\0\1\0\0\0", (INT32, INT64), **HISTORICAL)
    c.ok("values of INT32", groups(FIVE), **HISTORICAL)
    c.ok("values of INT64", groups(FIVE, INT64), **HISTORICAL)

    c.rule("group-var-int/group", expected="5")
    intact = Marked(b"\0\1\2\3\4")
    second = {"group": 0}
    for page, version in ((V1, "v1"), (V2, "v2")):
        c.fail(f"the second group is missing, {version}", groups(FIVE, page=page, values=intact + Marked(b"", second)), Body(FIRST, "values.group"), **HISTORICAL)
        c.fail(f"the second group is cut after its selector, {version}", groups(FIVE, page=page, values=intact + Marked(b"\0", second)),
               Body(FIRST, "values.group"), **HISTORICAL)
        c.fail(f"the last group is not filled up, {version}", groups(FIVE, page=page, values=intact + Marked(b"\0\5", second)),
               Body(FIRST, "values.group"), **HISTORICAL)
    c.fail("no group", groups(FIVE, values=b""), SECTION, **HISTORICAL)
    c.fail("a body is cut", groups((1, 2, 3, -1), values=b"\x03\1\2\3\xff\xff\xff"), SECTION, **HISTORICAL, expected="8")
    c.fail("half a selector of INT64", groups(FIVE, INT64, values=b"\0"), SECTION, **HISTORICAL, expected="7")
    c.fail("the last group of INT64 is not filled up", groups(FIVE[:3], INT64, V2, values=b"\0\0\1\2\3"), SECTION, **HISTORICAL, expected="7")
    c.fail("the last group is not filled up, under GZIP", groups(FIVE[:3], values=b"\0\1\2\3", codec=GZIP), SECTION, **HISTORICAL)
    c.ok("the last group is filled up", groups(FIVE), **HISTORICAL)
    c.ok("the last group of INT64 is filled up", groups(FIVE + FIVE[:1], INT64), **HISTORICAL)
    c.ok("the last group is full", groups(FIVE[:4]), **HISTORICAL)

    c.rule("group-var-int/selector-bit")
    c.fail("the top bit of a selector is set, v1", groups(FIVE, INT64, values=b"\x80\0\1\2\3\4\5"), SECTION, **HISTORICAL)
    c.fail("the top bit of the second selector is set, v2", groups(FIVE * 2, INT64, V2, values=b"\0\0\1\2\3\4\5\x80\0\1\2\3\4\5"),
           Body(FIRST, "values", plus=7), **HISTORICAL)
    c.ok("the top bit is not set", groups(FIVE, INT64), **HISTORICAL)
    c.ok("all bits of a selector of INT32 are used", groups((-1, 2, 3, 4)), **HISTORICAL)

    c.rule("group-var-int/padding")
    c.fail("a surplus number is 9", groups(FIVE[:3], values=b"\0\1\2\3\x09"), Body(FIRST, "values", plus=4), **HISTORICAL, length=1)
    c.fail("a surplus number of INT64 is 256", groups(FIVE[:4], INT64, V2, values=b"\0\1\1\2\3\4\0\1"), Body(FIRST, "values", plus=6), **HISTORICAL, length=2)
    c.ok("the surplus numbers are 0", groups(FIVE[:3]), **HISTORICAL)
    c.ok("a surplus 0 takes two bytes", groups(FIVE[:3], values=b"\1\1\2\3\0\0"), **HISTORICAL)

    c.rule("group-var-int/shortest")
    c.fail("3 takes two bytes", groups(FIVE[:4], values=b"\x04\1\2\3\0\4"), Body(FIRST, "values", plus=3), **HISTORICAL, length=2)
    c.fail("1 takes eight bytes", groups(FIVE, INT64, values=b"\x70\0\1\0\0\0\0\0\0\0\2\3\4\5"), Body(FIRST, "values", plus=2), **HISTORICAL, length=8)
    c.ok("numbers take the bytes that they need", groups((1, 256, 65536, -1)), **HISTORICAL)

    c.rule("legal/group-var-int")
    c.ok("the largest numbers of one, three, four and two bytes", groups((0xFF, 0xFFFFFF, -1, 0xFFFF), values=bytes.fromhex("2d" + "ff" * 10)), **HISTORICAL)
    c.ok("negative numbers take all their bytes", groups((-1, 256, 0, 65536), values=bytes.fromhex("d2ffffffff000100000001")), **HISTORICAL)
    c.ok("INT64, the selector big-endian", groups((1, 511, 2, 3, -1), INT64, values=bytes.fromhex("020701ff010203ffffffffffffffff")), **HISTORICAL)
    c.ok("nulls are not stored", groups((1, None, 3), make=optional), **HISTORICAL)
    c.ok("an empty section for no values", groups((None, None), make=optional, values=b""), **HISTORICAL)
    c.ok("several pages of many values", column(required("i", INT64), [i**5 - 3**i for i in range(38)], chunk(
        V1(17, GROUP_VAR_INT), V2(21, GROUP_VAR_INT))), **HISTORICAL)
