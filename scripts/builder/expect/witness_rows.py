"""The rows of a witness: those of its recipe, compared with those that the builder's reader finds in the bytes."""

from builder.codec import file_reader
from builder.codec.cursor import Refused
from builder.codec.page_reader import TooMany
from builder.codec.rows import of_groups
from builder.codec.schema import leaves, shred


def _shapes(children):
    """The parts of two schemas that are equal if entries of one are entries of the other."""
    return [(leaf.path, leaf.type, leaf.max_def, leaf.max_rep) for leaf in leaves(children)]


def _meant(file, children, groups):
    """The rows of a recipe: lists of rows as dicts, one for each row group."""
    has_columns = bool(leaves(file.children))
    return of_groups(children, [shred(file.children, rows) if has_columns else len(rows) for rows in groups])


def _difference(meant, read):
    """The first row of the recipe that differs in the bytes."""
    at = next((at for at, (one, other) in enumerate(zip(meant, read)) if one != other), min(len(meant), len(read)))
    shown = [rows[at][:200] if at < len(rows) else "none" for rows in (meant, read)]
    return f"row {at} of the recipe is {shown[0]}, and in the bytes {shown[1]}; a recipe can say rows=[...], or rows=None for those in the bytes"


def rows_of_witness(file, stated, data, further, verdict):
    """(rows, True if they are those of the recipe, complaints) of a file whose data a reader may give. `stated` is
    the statement of the recipe: rows, None for those in the bytes, or `...` for those of the File. They are printed by
    the written schema. None without rows."""
    children, read, why = file.children, None, None
    try:
        written = file_reader.schema_of(data)
        children = written if _shapes(written) == _shapes(children) else children
        read = of_groups(written, file_reader.groups_of(data, further))
    except Refused as refused:
        why = refused
    if stated is None:
        rows = None if verdict == "malformed" else read
        unknown = rows is None and not isinstance(why, TooMany)
        return rows, False, f"its rows are not known: the recipe has none, and the bytes have {why}" if unknown else None
    rows = _meant(file, children, [group.rows for group in file.groups] if stated is ... else [stated])
    if read is not None and rows != read and verdict == "conforming":
        return rows, True, _difference(rows, read)
    if stated is ... and verdict not in ("conforming", "nonconforming") and rows != read:
        return None, True, f"the rows of the recipe are not in the bytes, which have {why}"
    return rows, True, None
