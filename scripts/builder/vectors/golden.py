"""Golden vectors: bytes with a description, the decoded values, the duty of a reader, and the findings of a checker."""

import json
import struct

from builder.bugs.vector_bugs import BUGS
from builder.codec import bloom, checksums, compression, metadata, page_reader, plain, thrift_reader, variant
from builder.codec.cursor import Cursor, Refused
from builder.codec.encodings import CODECS, ENCODINGS, NAMES, TYPES, decode
from builder.codec.marked import marked
from builder.codec.metadata import DOUBLE, FLOAT, INT32
from builder.codec.thrift import write
from builder.expect.findings import ROWS, severity_of
from builder.expect.reader_duty import NUMBERS, STATED, of_section
from builder.expect.rules import class_of

CLAUSES = {encoding: f"Encodings.md#{anchor}" for encoding, anchor in (
    ("PLAIN", "PLAIN"), ("PLAIN_DICTIONARY", "DICTIONARY"), ("RLE_DICTIONARY", "DICTIONARY"), ("RLE", "RLE"),
    ("BIT_PACKED", "BITPACKED"), ("DELTA_BINARY_PACKED", "DELTAENC"), ("DELTA_LENGTH_BYTE_ARRAY", "DELTALENGTH"),
    ("DELTA_BYTE_ARRAY", "DELTASTRING"), ("BYTE_STREAM_SPLIT", "BYTESTREAMSPLIT"), ("ALP", "ALP"))}
CLAUSES["GROUP_VAR_INT"] = "parquet.thrift#Encoding"

# Rules about encodings that no single section can break: they are about pages, types, or the dictionary.
ELSEWHERE = {"thrift/module-exact", "alp/preview", "alp/types", "bit-packed/deprecated", "bit-packed/only-levels", "byte-stream-split/types",
             "delta-binary-packed/types", "delta-byte-array/types", "delta-length-byte-array/types", "dictionary/at-most-one",
             "dictionary/boolean", "dictionary/entry-count", "dictionary/index-range", "dictionary/indices-plain", "dictionary/page-encoding",
             "dictionary/page-first", "dictionary/plain-dictionary-deprecated", "dictionary/sorted", "group-var-int/retired",
             "group-var-int/types", "rle/allowed-data", "variant/depth", "variant/fields", "variant/group", "variant/specification-version",
             "variant/value-field"}
AREAS = {"variant", "thrift", "alp", "bit-packed", "byte-stream-split", "delta-binary-packed", "delta-byte-array", "delta-length-byte-array",
         "dictionary", "group-var-int", "plain", "rle"}
BESIDES = {"bloom-filter/num-bytes", "compression/format", "compression/gzip-members", "compression/stream", "compression/trailing-bytes", "levels/count", "levels/length-prefix", "levels/overshoot", "levels/section-consumed", "page/trailing-bytes",
           "page/uncompressed-size", "page/zero-values-section"}


class Vectors:
    """The vectors of one file; `clause` is the reason why readers accept intact bytes. `source` and the options are kept until
    they are set again."""

    def __init__(self, name, clause):
        self.name, self.clause, self.list, self.source, self.options = name, clause, [], None, {}

    def of(self, source, **options):
        """Sets the common part of the next vectors: the clause, and the parameters of a decoder."""
        self.source, self.options = source, options

    def accept(self, name, data, wanted, warnings=(), **more):
        """Bytes that a reader has to accept, unless the text leaves that open; `warnings` are (rule, offset)."""
        duties = [{**STATED, **NUMBERS}[rule] for rule, _ in warnings if rule in STATED or rule in NUMBERS]
        self._add(name, data, warnings, duties[0] if duties else ("accept", None), wanted, more)

    def allow(self, name, data, wanted, findings=(), **more):
        """Bytes that a reader may support, with this result."""
        self._add(name, data, findings, ("may", None), wanted, more)

    def refuse(self, name, data, rule, offset=0, also=(), readable=False, **more):
        """Bytes that break a rule at an offset; `offset` may be a mark. `also` are other findings. `readable`: a reader
        that ignores the fault decodes all values, and is correct too."""
        offset = marked(data).marks[offset] if isinstance(offset, str) else offset
        reader = of_section(rule, "invalid" if readable else class_of(rule))
        self._add(name, data, [(rule, offset), *also], reader, None, more)

    def decode(self, cursor, options):
        """The result of the builder's own decoder, in the form of the file."""
        raise NotImplementedError

    result = "values"  # the key of the result
    rest = "after the values"  # description of bytes that no decoder needs
    most = 60  # maximum number of listed parts of the bytes

    def _add(self, name, data, findings, reader, wanted, more):
        data, options = marked(data).data, {**self.options, **more.pop("options", {})}
        cursor, out, why = Cursor(data), None, None
        try:
            out = self.decode(cursor, options)
        except (Refused, NotImplementedError) as refused:
            why = refused
        owes, clause = reader
        flags = more.pop("bugs", ())
        one = {"id": name, **{key: more.pop(key) for key in ("case",) if key in more},
               "flags": [flags] if isinstance(flags, str) else list(flags), "note": more.pop("note", None),
               "source": more.pop("source", self.source), "kind": more.pop("kind", "exact"), **options,
               "bytes": cursor.segments("not read" if why else self.rest, self.most)}
        assert "".join(part["hex"] for part in one["bytes"]) == data.hex(), name
        one["reader"] = {"owes": owes, "clause": clause or self.clause}
        if wanted is not None and out != wanted or owes == "reject" and not why:
            raise AssertionError(f"{name}: the builder's decoder: {why or out}; {owes}: {wanted}")
        if not why and not more.pop("undefined", False):
            one[self.result] = out
        one["checker"] = [{"rule": rule, "offset": offset, "severity": severity_of(rule)}
                          for rule, offset in sorted(findings, key=lambda finding: finding[1])]
        assert not more, more
        self.list.append({key: value for key, value in one.items() if value is not None})

    def text(self):
        """The text of the file, a vector a line."""
        used = sorted({flag for one in self.list for flag in one["flags"]})
        flags = ",\n".join(f"  {json.dumps(flag)}: {json.dumps(BUGS[flag])}" for flag in used)
        vectors = ",\n".join("  " + json.dumps(one, allow_nan=False) for one in self.list)
        return f'{{"flags": {{\n{flags}\n}},\n"vectors": [\n{vectors}\n]}}\n'


class Sections(Vectors):
    """Sections of values or levels of one encoding."""

    def __init__(self, encoding, name=None):
        super().__init__(name or encoding.lower(), CLAUSES[encoding])
        self.encoding = encoding

    def of(self, source, kind, encoding=None, **options):
        """The clause, the type, and `type_length`, `bit_width`, `selector`, `length_word`."""
        encoding = encoding or self.encoding
        self.source, self.clause = source, CLAUSES[encoding]
        self.options = {"encoding": encoding, "type": NAMES[kind], **options}

    def values(self, name, data, values, count=None, warnings=(), **more):
        """A section with these values: FLOAT and DOUBLE as numbers, as their bytes, or as the text that represents them."""
        kind = TYPES[self.options["type"]]
        self.accept(name, data, shown(kind, values), warnings, options={"count": len(values) if count is None else count}, **more)

    def reject(self, name, data, count, rule, offset=0, **more):
        """A section of `count` values that breaks a rule."""
        self.refuse(name, data, rule, offset, options={"count": count}, **more)

    def decode(self, cursor, options):
        return shown(TYPES[options["type"]], decode(cursor, options))


class Structs(Vectors):
    """Structures of the Thrift compact protocol."""

    result, rest = "fields", "after the struct"

    def __init__(self):
        super().__init__("thrift", "thrift-compact-protocol.md#struct")

    def of(self, source, struct):
        """The structure by its name in parquet.thrift."""
        self.source, self.options = source, {"struct": struct}

    def decode(self, cursor, options):
        return thrift_reader.read(cursor, options["struct"])


class Pages(Vectors):
    """All pages of a column chunk, and the File that contains them."""

    result = "entries"

    def __init__(self):
        super().__init__("pages", "README.md#data-pages")

    def file(self, name, file, rule=None, place=None, also=(), wanted=None, **more):
        """The only chunk of a File. Places are (page, path of a header field, "value" or "header"), or (page, mark of the
        body) and maybe how many bytes after it; the page None is the footer. `rule` is the broken one; without it `also` are
        warnings."""
        built = file.build()
        chunk, start = built.chunks[0][0], len(file.head)
        leaf = built.leaves[0]
        column = {"type": NAMES[leaf.type], "max_repetition_level": leaf.max_rep, "max_definition_level": leaf.max_def,
                  "codec": CODECS[chunk.chunk.codec]}
        if "type_length" in leaf.node.attributes:
            column["type_length"] = leaf.node.attributes["type_length"]
        options = {"column": column, "before": built.data[:start].hex(), "after": built.data[built.footer_start:].hex()}
        data = built.data[start:built.footer_start]

        def at(page, path, part=0):
            if page is None:
                return getattr(built.spans[path], part) - start
            page = chunk.pages[page]
            if isinstance(part, str):
                return getattr(page.spans[path], part) - start
            return page.body - start + page.image.marks.get(path, 0) + part

        findings = [(each, at(*where)) for each, where in also]
        if rule:
            self.refuse(name, data, rule, at(*place), findings, options=options, **more)
        else:
            values = [value.hex() if isinstance(value, bytes) else value for rep, level, value in chunk.entries if level == leaf.max_def]
            entries = {"repetition_levels": [rep for rep, _, _ in chunk.entries],
                       "definition_levels": [level for _, level, _ in chunk.entries], "values": values}
            self.accept(name, data, wanted or entries, findings, options=options, **more)

    def decode(self, cursor, options):
        column = options["column"]

        def section(body, encoding, count):
            if encoding not in ENCODINGS:
                raise Refused(f"the encoding {encoding}")
            kind = "INT32" if ENCODINGS[encoding].endswith("DICTIONARY") else column["type"]
            return shown(TYPES[kind], decode(body, {**column, "encoding": ENCODINGS[encoding], "type": kind, "count": count}))

        out = page_reader.Pages(column, section).read(cursor)
        return {**out, "values": shown(TYPES[column["type"]], out["values"])}


class Streams(Vectors):
    """Compressed streams."""

    result, rest = "image", "after the stream"

    def __init__(self):
        super().__init__("compression", None)

    def of(self, codec):
        """The codec by its name."""
        self.source = self.clause = f"Compression.md#{codec.lower()}"
        self.options = {"codec": codec}

    def image(self, name, data, image, **more):
        """A stream that expands to these bytes."""
        self.accept(name, data, image.hex(), options={"size": len(image)}, **more)

    def reject(self, name, data, size, rule="compression/stream", offset=0, **more):
        """A stream of a page of `size` bytes that breaks a rule."""
        self.refuse(name, data, rule, offset, options={"size": size}, **more)

    def decode(self, cursor, options):
        return compression.decompress(cursor, getattr(metadata, options["codec"]), options["size"]).hex()


class Filters(Vectors):
    """Bloom filters, header and bitset, and values that are looked up in them."""

    result, rest = "answers", "after the filter"

    def __init__(self):
        super().__init__("bloom_filter", "BloomFilter.md#technical-approach")

    def filter(self, name, kind, blocks, inserted, others=(), type_length=None, change=None, **more):
        """The filter of the inserted values; these and then the others are looked up in it."""
        bits = bytearray(bloom.bitset(kind, inserted, blocks))
        if change:
            change(bits)
        self.accept(name, written(len(bits)) + bits, None, options={"filter": asks(kind, [*inserted, *others], blocks, type_length)}, **more)

    def reject(self, name, data, rule, offset, **more):
        """Bytes in which nothing can be looked up."""
        self.refuse(name, data, rule, offset, options={"filter": asks(INT32, [1], 1)}, **more)

    def decode(self, cursor, options):
        header = thrift_reader.read(cursor, "BloomFilterHeader")
        size = header.get("numBytes", 0)
        if size <= 0 or size % bloom.BLOCK or any(not header.get(name) for name in ("algorithm", "hash", "compression")):
            raise Refused("the size is no multiple of a block")
        blocks = size // bloom.BLOCK
        bits = b"".join(cursor.take(bloom.BLOCK, f"block {i} of the bitset" if blocks > 1 else "the bitset") for i in range(blocks))
        kind = TYPES[options["filter"]["type"]]
        values = read(kind, [ask["value"] for ask in options["filter"]["asks"]])
        return [all(bloom.has(bits, bit) for bit in bloom.bits_of_value(kind, value, blocks)) for value in values]


class Variants(Vectors):
    """Variants: the metadata, and the value after it."""

    rest = "after the value"

    def __init__(self):
        super().__init__("variant", "VariantEncoding.md#value-encoding")

    def of(self, source):
        self.source = source or self.clause
        self.options = {"encoding": "VARIANT", "type": "VARIANT", "count": 1}

    def pair(self, name, pair, **more):
        """A valid Pair."""
        self.accept(name, pair.metadata.data + pair.value.data, None, **more)

    def misprint(self, name, data, rule, offset, **more):
        """Bytes that the text prints, and that break a rule."""
        self.refuse(name, data, rule, offset, kind="misprint", **more)

    def fault(self, name, fault):
        """The vector of a Fault of recipes; none if a finding is advice, or about bytes after the metadata: here the value follows it."""
        pair, severity = fault.broken, severity_of(fault.rule)
        if severity == "info" or fault.rule == "variant/metadata" and self.has_metadata(pair.metadata.data):
            return
        # A metadata that is cut short has no value after it.
        data = pair.metadata.data + (b"" if fault.rule == "variant/metadata" else pair.value.data)
        offset = fault.offset() + (0 if fault.part == "metadata" else len(pair.metadata))
        more = {"note": fault.about[0].upper() + fault.about[1:] + "."}
        if fault.rule == "variant/metadata-utf8":  # a JSON document cannot have such a name
            more["undefined"] = True
        if severity == "warning":
            self.accept(name, data, None, [(fault.rule, offset)], **more)
        else:
            self.refuse(name, data, fault.rule, offset, **more)

    @staticmethod
    def has_metadata(data):
        """Returns true if the bytes begin with a metadata."""
        try:
            return bool(variant.Metadata(Cursor(data), is_first=True))
        except Refused:
            return False

    def decode(self, cursor, options):
        names = variant.Metadata(cursor, is_first=True).names
        real = lambda kind, data: _real(FLOAT if kind == "float" else DOUBLE, data)
        return [variant.document(variant.Reader(names, cursor).read(), real)]


def written(size, edits=None):
    """The header of a filter."""
    header = metadata.make("BloomFilterHeader", bloom.header(size))
    metadata.edit(header, edits)
    return write(header, 0)[0]


def asks(kind, values, blocks, type_length=None):
    """The looked up values, with their hashes and blocks."""
    hashes = [checksums.xxh64(plain.bare(kind, value)) for value in values]
    column = {"type": NAMES[kind], **({"type_length": type_length} if type_length else {})}
    return {**column, "asks": [{"value": value, "hash": f"{h:016x}", "block": bloom.bits_of(h, blocks)[0][0]}
                             for value, h in zip(shown(kind, values), hashes)]}


def result_of(vector, data):
    """The result of these bytes, in the form of the corpus; Refused if there is none."""
    kind = Filters() if "filter" in vector else Pages() if "column" in vector else Streams() if "codec" in vector else Structs() if "struct" in vector \
        else Variants() if vector["encoding"] == "VARIANT" else Sections(vector["encoding"])
    return kind.decode(Cursor(data), vector)


_REALS = {FLOAT: ("<f", 4, 0x7FC00000), DOUBLE: ("<d", 8, 0x7FF8000000000000)}


def shown(kind, values):
    """Values in their JSON form."""
    if kind in _REALS:
        return [value if isinstance(value, str) else _real(kind, value) for value in values]
    return [value.hex() if isinstance(value, bytes) else value for value in values]


def read(kind, values):
    """Values from JSON; non-finite floats as bytes."""
    if kind in _REALS:
        form, size, _ = _REALS[kind]
        return [int(value[4:], 16).to_bytes(size, "little") if str(value).startswith("nan:") else float(value) for value in values]
    return [bytes.fromhex(value) if isinstance(value, str) else value for value in values]


def _real(kind, value):
    """The shortest text that round-trips to a float (or its bytes), or a word."""
    form, size, quiet = _REALS[kind]
    data = value if isinstance(value, bytes) else struct.pack(form, value)
    value = struct.unpack(form, data)[0]
    if value != value:
        bits = int.from_bytes(data, "little")
        return "NaN" if bits == quiet else f"nan:0x{bits:0{2 * size}x}"
    if value - value:
        return "Infinity" if value > 0 else "-Infinity"
    digits = (float(f"{value:.{count}g}") for count in range(1, 18))
    return next(number for number in digits if number - number == 0 and _packs_to(form, number, data))


def _packs_to(form, number, data):
    try:
        return struct.pack(form, number) == data
    except OverflowError:
        return False


def incomplete(lists):
    """Rules without a vector that a section can break, duplicate names, and unused flags; one line each."""
    vectors = [one for each in lists for one in each]
    names = [one["id"] for one in vectors]
    broken = {finding["rule"] for one in vectors for finding in one["checker"]}
    wanted = BESIDES | {rule for rule, (severity, _) in ROWS.items()
                        if rule.split("/")[0] in AREAS and severity != "info"}
    complaints = [f"no vector breaks {rule}" for rule in sorted(wanted - ELSEWHERE - broken)]
    complaints += [f"no vector tests for {flag}" for flag in sorted(set(BUGS) - {flag for one in vectors for flag in one["flags"]})]
    return complaints + [f"two vectors are named {name}" for name in sorted({n for n in names if names.count(n) > 1})]
