"""The metadata of a variant: header, offsets, strings (VariantEncoding.md, Metadata encoding)."""

from builder.codec.variant import Object, metadata
from builder.recipes.variant.variants import Fault, Pair, fail, ok, plain

AB = {"a": 1, "b": 2}


def witnesses(c):
    framing(c)
    strings(c)
    shapes(c)


def broken(rule, about, of, mark, length, found, expected=None, value=None, plus=0):
    """A fault in this metadata, which has the names a and b unless the value needs none."""
    return Fault(rule, about, Pair(AB if value is None else value, of=of), "metadata", mark, length, found, expected, plus)


def framing(c):
    rule = "variant/metadata"
    c.rule(rule)
    fails = []
    for version in (0, 2, 3, 15):
        fails.append(broken(rule, f"version {version}", metadata("ab", version=version), 0, 1, version, "1"))
    fails.append(broken(rule, "no byte", b"", 0, 0, 0, "at least 1"))
    for width in (1, 2, 3, 4):
        of = lambda **edits: metadata(["a", "b"], width=width, **edits)
        by = f", numbers of {width} byte{'s' * (width > 1)}"
        size = 1 + 4 * width + 2
        # Widths that are larger than needed are advice, which these files do not show.
        fails.append(broken(rule, f"the header alone{by}", of().data[:1], 0, 1, 1, f"at least {1 + 2 * width}"))
        fails.append(broken(rule, f"no offset{by}", metadata([], width=width).data[:1 + width], 0, 1 + width, 1 + width, f"at least {1 + 2 * width}", value=1))
        fails.append(broken(rule, f"the only offset is cut short{by}", metadata([], width=width).data[:2 * width], 0, 2 * width, 2 * width,
                            f"at least {1 + 2 * width}", value=1))
        fails.append(broken(rule, f"a dictionary_size that is too large{by}", of(size=9), "size", width, 9, f"at most {(size - 1 - width) // width - 1}"))
        fails.append(broken(rule, f"the largest dictionary_size{by}", of(size=256**width - 1), "size", width, 256**width - 1,
                            f"at most {(size - 1 - width) // width - 1}"))
        fails.append(broken(rule, f"the first offset is 1{by}", of(offsets={0: 1}), "offset0", width, 1, "0"))
        fails.append(broken(rule, f"an offset that decreases{by}", metadata(["aa", "b", "c"], width=width, offsets={2: 1}), "offset2", width, 1, "at least 2",
                            value={"aa": 1, "b": 2, "c": 3}))
        fails.append(broken(rule, f"the last offset decreases{by}", of(offsets={2: 0}), "offset2", width, 0, "at least 1"))
        fails.append(broken(rule, f"the last offset is beyond the strings{by}", of(offsets={2: 3}), "offset2", width, 3, "2"))
        fails.append(broken(rule, f"the largest last offset{by}", of(offsets={2: 256**width - 1}), "offset2", width, 256**width - 1, "2"))
        fails.append(broken(rule, f"a byte after the strings{by}", of(tail=b"c"), size, 1, size + 1, str(size)))
        fails.append(broken(rule, f"four bytes after the strings{by}", of(tail=b"\0\0\0\0"), size, 4, size + 4, str(size)))
        fails.append(broken(rule, f"the last string is cut short{by}", of().data[:-1], 1 + 3 * width, width, 2, "1"))
    printed = [one for one in fails if one.about.startswith("no offset, numbers of 1 byte")]
    printed[0].about = "01 00, as the text prints the empty metadata: without its only offset"
    fails.append(broken(rule, "01 00 00 00: a byte after the empty metadata", b"\1\0\0\0", 3, 1, 4, "3", value=1))
    for index, fault in enumerate(fails):
        fail(c, fault, everywhere=index == 1)
    c.ok("no string", plain([1, None, []]))
    c.ok("a string without bytes", plain([{"": 1}, {"": {"": 2}}]))
    for width in (1, 2, 3, 4):
        c.ok(f"numbers of {width} byte{'s' * (width > 1)}", plain([Pair(AB, width=width), Pair(5, width=width)]))
    c.ok("255 strings, and 256", plain([{f"{i:03}": i for i in range(count)} for count in (85, 255, 256)]))
    c.ok("a string of 70,000 bytes, so numbers of 3 bytes", plain([{"x" * 70_000: 1}]))
    c.ok("values of one metadata", plain([Pair(value, names=["a", "b"]) for value in (AB, {"a": 1}, {"b": [1]}, 7)]))


def strings(c):
    bad = (("a byte that no text has", b"\xff", "0xff at byte 0 of the value"), ("a text that is cut off", b"a\xc3", "0xc3 at byte 1 of the value"),
           ("half of a surrogate pair", b"\xed\xa0\x80", "0xed at byte 0 of the value"), ("an overlong form", b"\xc0\xaf", "0xc0 at byte 0 of the value"),
           ("a code point above U+10FFFF", b"\xf4\x90\x80\x80", "0xf4 at byte 0 of the value"))
    rule = "variant/metadata-utf8"
    c.rule(rule)
    for index, (about, name, found) in enumerate(bad):
        fault = Fault(rule, about, Pair(Object([(b"a", 1), (name, 2)]), names=[b"a", name]), "metadata", "string1", len(name), found, "UTF-8")
        fail(c, fault, readable=True, everywhere=index == 0)
    unsorted = Fault(rule, "in the first of three strings, which are not sorted", Pair(Object([(b"a", 1), (b"b", 2), (b"\xfe", 3)]), names=[b"\xfe", b"b", b"a"]),
                     "metadata", "string0", 1, "0xfe at byte 0 of the value", "UTF-8")
    fail(c, unsorted, readable=True)
    unused = Fault(rule, "in a string that no field uses", Pair({"a": 1}, names=[b"a", b"\x80"]), "metadata", "string1", 1, "0x80 at byte 0 of the value", "UTF-8")
    fail(c, unused, readable=True)
    c.ok("characters of one to four bytes", plain([{"a": 1, "\u00e9": 2, "\u20ac": 3, "\U0001f600": 4, "\0": 5, "\U0010ffff": 6}]))

    rule = "variant/metadata-sorted"
    c.rule(rule)
    for index, (about, names, at, found, expected) in enumerate((
            ("b before a", ["b", "a"], 1, '"a"', 'more than "b"'), ("a twice", ["a", "a"], 1, '"a"', 'more than "a"'),
            ("the last of three", ["a", "c", "b"], 2, '"b"', 'more than "c"'), ("a prefix after the longer string", ["ab", "a"], 1, '"a"', 'more than "ab"'),
            ("the empty string after another", ["a", ""], 1, '""', 'more than "a"'), ("small letters before capitals", ["a", "B"], 1, '"B"', 'more than "a"'),
            ("sorted as signed bytes", ["\u00e9", "a"], 1, '"a"', 'more than "\u00e9"'),
            ("sorted as UTF-16", ["\U0001f600", "\uff5e"], 1, '"\uff5e"', 'more than "\U0001f600"'))):
        value = {name: 1 for name in names}
        fault = Fault(rule, about, Pair(value, names=names, is_sorted=True), "metadata", f"string{at}", len(names[at].encode()), found, expected)
        fail(c, fault, readable=True, everywhere=index == 0)
    c.ok("the same strings without the claim, equal ones too", plain([Pair({"a": 1, "b": 2}, names=["b", "a"]), Pair({"a": 1}, names=["a", "a"])]))
    c.ok("sorted strings without the claim", plain([Pair(AB, is_sorted=False)]))
    c.ok("strings that ascend as unsigned bytes", plain([{"": 0, "A": 1, "a": 2, "aa": 3, "\u00e9": 4, "\uff5e": 5, "\U0001f600": 6}]))


def shapes(c):
    rule = "variant/unused-name"
    c.rule(rule)
    for index, (about, value, names, at, found) in enumerate((
            ("a string that no field has", {"a": 1}, ["a", "b"], 1, '"b"'), ("strings of a number", 7, ["x"], 0, '"x"'),
            ("the first of three", {"b": 1, "c": [{"b": 2}]}, ["a", "b", "c"], 0, '"a"'), ("two of three, the first is reported", {"b": 1}, ["a", "b", "c"], 0, '"a"'),
            ("a name of the other case", {"A": 1}, ["A", "a"], 1, '"a"'))):
        fault = Fault(rule, about, Pair(value, names=names), "metadata", f"string{at}", len(names[at]), found)
        fail(c, fault, readable=True, everywhere=index == 0)
    ok(c, "names of objects in arrays and objects", plain([{"a": [{"b": 1}, {"c": {"d": 2}}]}]))
    ok(c, "an empty dictionary", plain([1]))

    rule = "variant/metadata-unsorted"
    c.rule(rule)
    for index, (about, names, order) in enumerate((
            ("two strings in the other order", ["b", "a"], "do not ascend"), ("two strings that ascend", ["a", "b"], "ascend"),
            ("a string twice", ["a", "b", "a"], "do not ascend"), ("300 strings", [f"{i:03}" for i in range(299, -1, -1)], "do not ascend"))):
        fault = Fault(rule, about, Pair({name: 1 for name in names}, names=names, is_sorted=False), "metadata", 0, 1, f"0 for strings that {order}", "1")
        fail(c, fault, readable=True, everywhere=index == 0)
    ok(c, "two strings, sorted as the header states", plain([AB]))
    ok(c, "a string alone, and none", plain([Pair({"a": 1}, is_sorted=False), Pair(1, is_sorted=False)]))
