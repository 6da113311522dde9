"""Texts of paths and messages."""
from __future__ import annotations

import re

_NAMES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\"}
_ESCAPED = re.compile("[\\\\\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\udc80-\udcff]")


def printable(text: str) -> str:
    """A text for a terminal, with control characters as in the text form: names and values are data of strangers."""

    def escape(match: re.Match[str]) -> str:
        code = ord(match[0])
        if 0xDC80 <= code <= 0xDCFF:  # a byte of a path that is not UTF-8
            return f"\\x{code - 0xDC00:02x}"
        return _NAMES.get(match[0]) or (f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}")

    return _ESCAPED.sub(escape, text)


def utf8_text(text: str) -> str:
    r"""A text of the system, such as a path, as UTF-8: other bytes of it are ``\xff``, as in the text form of reports."""
    if text.isascii():
        return text
    try:
        data = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half a pair of UTF-16, as in JSON
        data = text.encode("utf-8", "surrogatepass")
    return data.decode("utf-8", "backslashreplace")


#: Options of the program, in messages of the library, whose keyword arguments have another name than theirs.
_ARGUMENTS = {"bloom": "bloom_filters", "crc": "checksums", "encoding": "encodings", "jobs": "threads", "page-size": "page_bytes",
              "skip-damaged": "damaged"}
_OPTIONS = re.compile(r"(?<![\w'-])--(bloom|columns|compression|crc|edition|encoding|encryption|footer-at|ignore|jobs|keys|limit|lookup|max-depth|max-memory|max-page"
                      r"|max-work|only|page-index|page-rows|page-size|page-version|profile|row-group-rows|row-groups|salvage|schema-from|scrub|severity|shrink"
                      r"|skip-damaged|statistics|tier)\b(?: FILE)?")
#: What the program advises about files that it cannot read, and what is to be done here.
_STANDARD_INPUT = "; use '-' and feed it to standard input", "; read it into bytes"


def in_words_of_module(message: str) -> str:
    """A message of the library, with keyword arguments in the place of options of the program."""
    return _OPTIONS.sub(lambda option: _ARGUMENTS.get(option[1], option[1].replace("-", "_")), message.replace(*_STANDARD_INPUT))
