"""Golden vectors: a section of one encoding, and its values or the rule that it breaks."""

import json

from .duty import of_section
from .marked import marked
from .metadata import (BOOLEAN, BYTE_ARRAY, DOUBLE, FIXED_LEN_BYTE_ARRAY, FLOAT, INT32, INT64, INT96)
from .rules import RULES

LEVEL = "LEVEL"
NAMES = {BOOLEAN: "BOOLEAN", INT32: "INT32", INT64: "INT64", INT96: "INT96", FLOAT: "FLOAT", DOUBLE: "DOUBLE",
         BYTE_ARRAY: "BYTE_ARRAY", FIXED_LEN_BYTE_ARRAY: "FIXED_LEN_BYTE_ARRAY", LEVEL: LEVEL}

# Rules about encodings that a section alone cannot break: they are about pages, types, or the dictionary.
ELSEWHERE = {"alp/preview", "alp/types", "bit-packed/deprecated", "bit-packed/only-levels", "byte-stream-split/types",
             "delta-binary-packed/types", "delta-byte-array/types", "delta-length-byte-array/types", "dictionary/at-most-one",
             "dictionary/boolean", "dictionary/entry-count", "dictionary/index-range", "dictionary/page-encoding",
             "dictionary/page-first", "dictionary/plain-dictionary-deprecated", "dictionary/sorted", "group-var-int/retired",
             "group-var-int/types", "rle/allowed-data"}
AREAS = {"alp", "bit-packed", "byte-stream-split", "delta-binary-packed", "delta-byte-array", "delta-length-byte-array",
         "dictionary", "group-var-int", "plain", "rle"}
BESIDES = {"levels/count", "levels/overshoot", "levels/section-consumed", "page/trailing-bytes", "page/zero-values-section"}


class Vectors:
    """The vectors of one encoding; `source` and the section's options are the same until they are set anew."""

    def __init__(self, encoding):
        self.encoding, self.list, self.source, self.options = encoding, [], None, {}

    def of(self, source, kind, **options):
        """What the next vectors have in common: the clause, the type, `type_length`, `bit_width`, `selector`."""
        self.source, self.options = source, {"type": NAMES[kind], **options}

    def values(self, name, data, values, count=None, warnings=(), **more):
        """A section with these values; `warnings` are (rule, offset)."""
        values = [item.hex() if isinstance(item, bytes) else item for item in values]
        one = self._vector(name, data, len(values) if count is None else count, more)
        one["values"] = values
        if warnings:
            one["warnings"] = [_finding(rule, place, "warning") for rule, place in warnings]
        self._note(one, more)

    def reject(self, name, data, count, rule, offset=0, **more):
        """A section that breaks a rule at a byte; `offset` may be a mark."""
        if isinstance(offset, str):
            offset = data.marks[offset]
        one = self._vector(name, data, count, more)
        reader, clause = of_section(rule, RULES[rule][1])
        one["reject"] = {**_finding(rule, offset, "error"), "reader": reader, "reader_clause": clause}
        self._note(one, more)

    def _vector(self, name, data, count, more):
        kind, options = more.pop("kind", "exact"), dict(self.options)
        source = more.pop("source", self.source)
        return {"name": name, "source": source, "kind": kind, "encoding": self.encoding, **options, "count": count,
                "bytes": marked(data).data.hex()}

    def _note(self, one, more):
        if "note" in more:
            one["note"] = more.pop("note")
        assert not more, more
        self.list.append(one)

    def text(self):
        """The file: a vector a line."""
        return "[\n" + ",\n".join(json.dumps(one, allow_nan=False) for one in self.list) + "\n]\n"


def _finding(rule, offset, severity):
    assert RULES[rule][0] == severity or RULES[rule][1] == "unsupported", rule
    return {"rule": rule, "offset": offset}


def incomplete(lists):
    """Rules that a section can break and that no vector does, and names that are there twice; one line each."""
    names = [one["name"] for each in lists for one in each]
    broken = {one["reject"]["rule"] for each in lists for one in each if "reject" in one}
    broken |= {each["rule"] for one in lists for vector in one for each in vector.get("warnings", ())}
    wanted = BESIDES | {rule for rule, (severity, _) in RULES.items()
                        if rule.split("/")[0] in AREAS and severity != "info"}
    complaints = [f"no vector breaks {rule}" for rule in sorted(wanted - ELSEWHERE - broken)]
    return complaints + [f"two vectors are called {name}" for name in sorted({n for n in names if names.count(n) > 1})]
