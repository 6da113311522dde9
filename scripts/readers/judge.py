"""Judges the answer of a reader for a file by its duty in the index of the corpus."""

import decimal
import json

from builder.codec import wkb

# The results, right ones first, each with its meaning. The wrong ones follow.
RESULTS = {
    "equal": "read, and the rows are those of the index",
    "refused": "refused: rows are lost, or the specification leaves it open",
    "read": "read; the specification does not define the rows",
    "unsupported": "the reader, or its interface, does not have the feature",
    "other rows": "read, but the rows differ from those of the index",
    "accepted wrongly": "read, although a reader has to report that it cannot return the rows",
    "refused wrongly": "refused, although a reader with these features has to read it",
    "crashed": "the process died, or the reader failed by a panic or an assertion",
    "no end": "no answer in time",
}
RIGHT = ("equal", "refused", "read")
UNSUPPORTED = "unsupported"
STORED = {"VARIANT", "FILE"}  # features whose parts a reader can show without knowing them
WRONG = tuple(name for name in RESULTS if name not in RIGHT and name != UNSUPPORTED)


class NoRows(Exception):
    """The output of a driver is not one JSON object a line."""


def _number(text):
    """The exact value of a number; -0.0 is not 0."""
    number = decimal.Decimal(text)
    return ("number", number, number.is_signed() and not number)


def _constant(text):
    raise ValueError(f"{text} is no JSON")


def parsed(line):
    """A row. The order of its keys does not count, except among equal keys."""
    return json.loads(line, object_pairs_hook=lambda pairs: ("object", sorted(pairs, key=lambda pair: pair[0])),
                      parse_float=_number, parse_int=_number, parse_constant=_constant)


def _fields(row):
    return dict(row[1]) if isinstance(row, tuple) and row[0] == "object" else {}


def _text(value):
    if isinstance(value, tuple) and value[0] == "number":
        return str(value[1])
    if isinstance(value, tuple):
        return "{" + ",".join(f"{_text(key)}:{_text(item)}" for key, item in value[1]) + "}"
    return "[" + ",".join(map(_text, value)) + "]" if isinstance(value, list) else json.dumps(value, ensure_ascii=False)


def _short(value):
    """A value for a note, as JSON but shortened."""
    text = _text(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _is_real(number):
    """Returns true if it cannot be an integer column: a fraction, an exponent, or more than 64 bits."""
    return number.as_tuple().exponent != 0 or abs(number) >= 2**64


def _same_number(meant, given):
    """Returns true if two numbers that are written in other ways are equal. A real one is a DOUBLE, of which a text may have the fewest digits or
    all. An integer has the exact value, also as the shortest text of a DOUBLE with that value: 9.223372036854776e18 for 9223372036854775808."""
    if meant[2] != given[2]:
        return False
    nearest = float(given[1])
    if _is_real(meant[1]):
        return float(meant[1]) == nearest
    return decimal.Decimal(repr(nearest)) == given[1] and decimal.Decimal(nearest) == meant[1]


def _entries(value):
    """The entries of a MAP, [(key, value)]; None for any other value."""
    if not isinstance(value, list) or not all(isinstance(one, tuple) and one[0] == "object" for one in value):
        return None
    if not all([name for name, _ in one[1]] == ["key", "value"] for one in value):
        return None
    return [(one[1][0][1], one[1][1][1]) for one in value]


def _last_of_each(entries):
    """Entries without those whose key is repeated later."""
    return [one for place, one in enumerate(entries) if all(one[0] != later[0] for later in entries[place + 1:])]


def _same_geometry(meant, given):
    """Returns true if a text is the well-known text of bytes: most readers return a geometry as it is stored, in hex."""
    for text, stored in ((meant, given), (given, meant)):
        try:
            if wkb.wkt(bytes.fromhex(stored)) == text:
                return True
        except ValueError:
            continue
    return False


def same(meant, given):
    """Returns true if two parsed values are equal. A MAP has no order; of a repeated key only the last value counts, and a
    reader may leave out the others (LogicalTypes.md, Maps). A geometry is its text or its bytes."""
    if meant == given:
        return True
    if isinstance(meant, str) and isinstance(given, str):
        return _same_geometry(meant, given)
    if isinstance(meant, tuple) and isinstance(given, tuple) and meant[0] == given[0] == "number":
        return _same_number(meant, given)
    if isinstance(meant, tuple) and isinstance(given, tuple) and meant[0] == given[0] == "object":
        return len(meant[1]) == len(given[1]) and all(
            one[0] == other[0] and same(one[1], other[1]) for one, other in zip(meant[1], given[1]))
    if not isinstance(meant, list) or not isinstance(given, list):
        return False
    if len(meant) == len(given) and all(map(same, meant, given)):
        return True
    entries, others = _entries(meant), _entries(given)
    if entries is None or others is None:
        return False
    left, rest = _last_of_each(entries), _last_of_each(others)
    return len(left) == len(rest) and all(any(same([*one], [*other]) for other in rest) for one in left)


def difference(meant, given):
    """The first difference between two files of rows, as text; None if they are equal."""
    if meant == given:
        return None
    meant, given = meant.splitlines(), given.splitlines()
    for number, (one, other) in enumerate(zip(meant, given)):
        if one == other:
            continue
        try:
            one, other = parsed(one), parsed(other)
        except (ValueError, RecursionError, decimal.InvalidOperation) as problem:
            return f"row {number} is no JSON: {problem}"
        if not same(one, other):
            mine, theirs = _fields(one), _fields(other)
            for key in (*mine, *theirs):
                if key not in theirs or key not in mine:
                    return f"row {number} {'lacks' if key in mine else 'has'} the field {_short(key)}"
            for key in mine:
                if not same(mine[key], theirs[key]):
                    return f"row {number}, {key}: {_short(theirs[key])} instead of {_short(mine[key])}"
            return f"row {number}: {_short(other)} instead of {_short(one)}"
    return None if len(meant) == len(given) else f"{len(given)} rows instead of {len(meant)}"


def result(file, answer, corpus, lacks=()):
    """(result, note) of a reader's answer for an entry of the index. `lacks` are features that the reader does not have, or shows as stored."""
    if answer.how in ("refused", "unsupported") and file["duty"] != "accept":
        return "refused", answer.why
    if answer.how == "refused":
        return (UNSUPPORTED if set(lacks) & set(file.get("features", ())) else "refused wrongly"), answer.why
    if answer.how != "rows":
        return answer.how, answer.why
    if file["duty"] == "reject":
        return "accepted wrongly", f"{answer.rows.count(bytes([10]))} rows"
    if "rows" not in file:
        return "read", ""
    differs = difference((corpus / file["rows"]).read_bytes(), answer.rows)
    if not differs:
        return "equal", ""
    return (UNSUPPORTED if set(lacks) & set(file.get("features", ())) & STORED else "other rows"), differs
