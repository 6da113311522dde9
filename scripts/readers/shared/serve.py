"""What every driver in Python does beside reading: files come in, rows and answers go out."""

import json
import sys

# The words in the first line of a message by which a reader says that it does not have a feature, or names a limit of its own.
UNSUPPORTED = ("not implemented", "not supported", "unsupported", "not yet supported", "not yet implemented", "only supported for",
               "unknown encoding", "precision out of range", "precision must be between", "too many bytes for decimal128",
               "too deeply nested", "recursion level in arrowschema", "invalid flatbuffers message")  # the last two: Arrow itself


class Unsupported(Exception):
    """The reader has no such feature, or its interface cannot give such a value faithfully."""


class Crashed(Exception):
    """An assertion of the reader's own failed, or it lost its state."""


def first_line(reason):
    lines = [line.strip() for line in str(reason).splitlines() if line.strip()]
    return f"{type(reason).__name__}: {lines[0] if lines else ''}"


def answer(rows, line, words):
    """Writes the rows of a file, or those that match a predicate; returns how it went, and why."""
    path, *predicate = line.split("\t")
    if predicate:
        column, operator, value = predicate
        predicate = [(column, operator, json.loads(value))]
    try:
        for row in rows(path, *predicate):
            sys.stdout.write(row + "\n")
    except Crashed as reason:
        return "crashed", first_line(reason)
    except (Unsupported, NotImplementedError) as reason:
        return "unsupported", first_line(reason)
    except Exception as reason:  # whatever a reader raises, it does not give the rows
        line = first_line(reason)
        return "unsupported" if any(word in line.lower() for word in words) else "refused", line
    except BaseException as reason:
        if isinstance(reason, (KeyboardInterrupt, SystemExit)):
            raise
        return "crashed", first_line(reason)  # a panic of code in Rust is no Exception
    return "rows", ""


def main(rows, version, words=UNSUPPORTED):
    """`rows(path)` yields the rows of a file as JSON, or raises. With a path as its argument the driver answers by its exit
    code; without one it reads a path a line, and each answer ends with a line that begins with `=`. A line may go on with a predicate,
    for `rows(path, (column, operator, value))`."""
    sys.setrecursionlimit(20_000)
    if sys.argv[1:] == ["--version"]:
        print(version)
    elif sys.argv[1:]:
        how, why = answer(rows, sys.argv[1], words)
        if why:
            print(why, file=sys.stderr)
        sys.stdout.flush()
        sys.exit({"rows": 0, "refused": 1, "unsupported": 3, "crashed": 4}[how])
    else:
        for line in sys.stdin:
            how, why = answer(rows, line.rstrip("\n"), words)
            print(f"={how} {why}".rstrip(), flush=True)
