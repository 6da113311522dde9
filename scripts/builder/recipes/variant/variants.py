"""Files of variants, and faults in the bytes of a metadata or a value at several places of a file."""

from builder.codec import variant
from builder.codec.file import Chunk, File, Group
from builder.codec.marked import marked
from builder.codec.metadata import BYTE_ARRAY, DELTA_BYTE_ARRAY, RLE_DICTIONARY, SNAPPY
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import list_of, optional, required
from builder.codec.shredding import variant_node
from builder.codec.variant import encode, metadata, names_of
from builder.expect.findings import severity_of
from builder.expect.places import Body

#: The leaves of a VARIANT that is the only column.
METADATA, VALUE = 0, 1


class Pair:
    """Metadata and value in bytes, with their marks."""

    def __init__(self, value, names=None, of=None, **shape):
        """`of` is the Marked metadata, by default that of the names; `shape` are its arguments."""
        names = names_of(value) if names is None else names
        self.metadata = marked(metadata(names, **shape) if of is None else of)
        self.value = encode(value, names)

    def row(self):
        return {"metadata": self.metadata.data, "value": self.value.data}


def pair(value):
    return value if isinstance(value, Pair) else Pair(value)


def rows_of(values, wrap=lambda row: row):
    return [{"v": None if value is ... else wrap(pair(value).row())} for value in values]


def plain(values, chunks=None, node=None, **more):
    """One VARIANT column `v`; `...` is a null."""
    return File([node or variant_node()], rows_of(values), chunks, **more)


def of_groups(groups, **more):
    return File([variant_node()], groups=[Group(rows_of(values)) for values in groups], **more)


class Fault:
    """What one broken rule finds in a Pair: `part` is metadata or value, `mark` the name of the first wrong byte, or its offset."""

    def __init__(self, rule, about, broken, part, mark, length, found, expected=None, plus=0):
        self.rule, self.about, self.broken, self.part, self.length = rule, about, broken, part, length
        self.found, self.expected, self.mark, self.plus = str(found), expected, mark, plus
        self.leaf = METADATA if part == "metadata" else VALUE
        self.readable = False

    def offset(self):
        bytes_ = getattr(self.broken, self.part)
        return (bytes_.marks[self.mark] if isinstance(self.mark, str) else self.mark) + self.plus

    def place(self, row, page=0, group=0, leaf=None, times=None, prefix=""):
        return Body((group, self.leaf if leaf is None else leaf, page), f"values.value{row}", plus=4 + self.offset(), times=times) \
            .with_values(self.found, self.expected, self.length)

    def judged(self):
        """The notes of the builder's reader on the broken pair."""
        read, notes = variant.judge_metadata(self.broken.metadata.data)
        if read is None:
            return notes
        _, more, used = variant.judge(read.names, self.broken.value.data)
        unused = [(name, place) for name, place in zip(read.names, read.places) if name not in used]
        if unused and not more and self.rule == "variant/unused-name":
            notes = notes + [variant.Note("variant/unused-name", unused[0][1], len(unused[0][0]), variant.shown_name(unused[0][0]))]
        return notes + more

    def prove(self):
        """Raises an error if the builder's reader finds anything else; advice is shown for rules of severity info alone."""
        wanted = [(self.rule, self.offset(), self.length, self.found, self.expected)]
        is_shown = lambda rule: severity_of(self.rule) == "info" or severity_of(rule) != "info"
        found = [note.key() for note in self.judged() if is_shown(note.rule)]
        assert found == wanted, f"{self.rule}: {self.about}: {found} instead of {wanted}"


class FaultList:
    """Takes the faults of recipes in place of a collection of witnesses."""

    def __init__(self):
        self.faults, self.name = [], None

    def rule(self, name, **defaults):
        self.name = name

    def fail(self, *arguments, **more):
        pass

    ok = fail


def faults_of(*modules):
    """All faults of modules of recipes."""
    c = FaultList()
    for module in modules:
        module.witnesses(c)
    return c.faults


def ok(c, about, file):
    c.ok(about, file)


def fail(c, fault, readable=False, everywhere=False, good=({"a": 1}, "text")):
    """Adds the fail files of a fault: between valid values; and everywhere else in a file if it is the first of its rule. A reader that
    ignores the fault gives the rows if it is `readable`."""
    fault.prove()
    fault.readable = readable
    if isinstance(c, FaultList):
        c.faults.append(fault)
        return
    bad, (one, two) = fault.broken, good
    rows = {} if readable else {"rows": None}
    add = lambda about, file, *places: c.fail(f"{fault.about}{about}", file, *places, **rows)
    add("", plain([one, bad, two], {f"v.{fault.part}": Chunk()}), fault.place(1))
    if not everywhere:
        return
    add(", in the only value", plain([bad]), fault.place(0))
    add(", in the first value", plain([bad, one, two]), fault.place(0))
    add(", in the last value", plain([one, two, bad]), fault.place(2))
    add(", in the first value of the second page", plain([one, two, bad], Chunk([V1(2), V1()])), fault.place(0, page=1))
    add(", in the last value of the first of two pages, which are v2", plain([one, bad, two], Chunk([V2(2), V2()])), fault.place(1))
    add(", in the second row group", of_groups(([one, two], [one, bad])), fault.place(1, group=1))
    add(", three times in two pages", plain([one, bad, bad, two, bad], Chunk([V1(2), V1()])), fault.place(1, times=3))
    add(", after nulls", plain([..., one, ..., bad, ...]), fault.place(1))
    add(", in a page that is compressed", plain([one, bad, two], Chunk(codec=SNAPPY)), fault.place(1))
    add(", in a group", File([optional("g", [variant_node()])], [{"g": {"v": pair(one).row()}}, {"g": None}, {"g": {"v": bad.row()}}]), fault.place(1))
    listed = File([list_of("l", variant_node())], [{"l": {"list": [{"v": pair(two).row()}]}}, {"l": None},
                                                  {"l": {"list": [{"v": pair(one).row()}, {"v": None}, {"v": bad.row()}]}}])
    add(", in the third element of a list", listed, fault.place(2))
    add(", in the second of two VARIANT columns", File([required("n", BYTE_ARRAY), variant_node("w"), variant_node()], [
        {"n": b"x", "w": pair(one).row(), **row} for row in rows_of([two, bad])]), fault.place(1, leaf=fault.leaf + 3))
    swapped = optional("v", [required("value", BYTE_ARRAY), required("metadata", BYTE_ARRAY)], **variant_node().attributes)
    add(", value before metadata", plain([one, bad, two], node=swapped), fault.place(1, leaf=1 - fault.leaf))
    items = sorted({getattr(each, fault.part).data for each in (pair(one), bad)})
    held = items.index(getattr(bad, fault.part).data)
    chunks = {f"v.{fault.part}": Chunk([Dictionary(items), V1(encoding=RLE_DICTIONARY)])}
    where = Body((0, fault.leaf, 0), f"values.value{held}", plus=4 + fault.offset()).with_values(fault.found, fault.expected, fault.length)
    add(", in an entry of the dictionary", plain([one, bad, one], chunks), where)
    chunks = {f"v.{fault.part}": Chunk([V1(encoding=DELTA_BYTE_ARRAY)])}
    where = Body((0, fault.leaf, 0), "values").with_values(fault.found, fault.expected, 0)
    add(", in DELTA_BYTE_ARRAY, of which the page holds no copy", plain([one, bad, two], chunks), where)
