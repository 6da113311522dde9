"""Where a reader meets the fault of a file that it has to reject: the last step that it can do is the one before."""

from builder.expect.reader_duty import APART

PHASES = ("footer", "page header", "page body", "values")

FOOTER = ("footer", "schema", "row-group", "column-chunk", "summary")
BODY = ("compression", "crc", "levels")
VALUES = ("plain", "rle", "bit-packed", "delta-binary-packed", "delta-length-byte-array", "delta-byte-array", "byte-stream-split",
          "alp", "group-var-int", "dictionary")


def phase(rule, errors, findings, lost):
    """One of PHASES: by the losses, and by the area of the rule. `errors` are the rules of severity error that the file breaks."""
    about = rule if rule in errors or not errors else errors[0]
    area = about.split("/")[0]
    if any(one["what"] == "file" for one in lost):
        return "footer"
    if area in VALUES or about in APART:
        return "values"
    if area in BODY:
        return "page body"
    if area == "thrift":
        places = [finding for finding in findings if finding["rule"] == about]
        return "page header" if any("page" in place for place in places) else "footer"
    return "footer" if area in FOOTER else "page header"
