"""What a finding of each rule says beside its place: the bytes at fault, what was found in them, and what was expected.

Found is the lie as it was written, expected what stands in its place in a sound file. A row gives the two, as text or as a
function of the Site, and the length where the place does not tell it; None is for a recipe to say, with `says` or by keyword.
"""

import math
import struct

from .checksums import crc32
from .metadata import BOOLEAN, BYTE_ARRAY, DOUBLE, ENUM, FLOAT, INT32, INT64, JSON, UINT_32, wire_of
from .plain import width
from .sites import ABSENT, WIRES, Field, elements, name_of, uleb, varint_length, zigzag


def value(site):
    """The field as it was written."""
    return site.text(site.stated())


def honest(site):
    """The field as it would be without the lie."""
    return site.text(site.truth())


def number(site):
    """The bytes at fault as an unsigned number, the lowest first."""
    return str(int.from_bytes(site.bytes, "little"))


def signed(site):
    return str(int.from_bytes(site.bytes, "little", signed=True))


def counted(site):
    return str(uleb(site.rest))


def folded(site):
    return str(zigzag(site.rest))


def size(site):
    """How many bytes are at fault."""
    return str(site.length)


def physical(site):
    """The physical type of the column."""
    return name_of("Type", site.leaf.type)


def stored_values(site):
    return str(site.values)


def zero_to(last):
    """The numbers from 0 to the last, of which there may be none."""
    return f"0 to {last}" if last > 0 else "0" if last == 0 else "none"


def wide(float_, double):
    """One text for columns of FLOAT, and one for DOUBLE."""
    return lambda site: double if site.leaf.type == DOUBLE else float_


REST = lambda site: len(site.rest)
VARINT = lambda site: varint_length(site.rest)
TYPE = lambda site: width(site.leaf.type, site.leaf.node.attributes.get("type_length"))
WORD, HALF, BYTE = 4, 2, 1


class Said:
    """Each recipe says it itself."""

    def __call__(self, site):
        return None


SAID = Said()


def level_bits(site):
    """Bits that the BIT_PACKED levels of the page take."""
    maximum = site.leaf.max_def if site.mark.startswith("def") else site.leaf.max_rep
    return site.entries * maximum.bit_length()


def levels_size(site):
    return str((level_bits(site) + 7) // 8)


def entry(site, before=0):
    """The entry of the dictionary at the mark, or one before it."""
    return shown_value(site, site.page.page.items[int(site.mark.rsplit("value", 1)[1]) - before])


def entry_size(site):
    """Its bytes, the length word included."""
    return TYPE(site) or WORD + int.from_bytes(site.rest[:WORD], "little")


def bodies_size(site):
    """Bytes that the values take, each as wide as its type."""
    return str(site.values * width(site.leaf.type, site.leaf.node.attributes.get("type_length")))


def bits_of_type(site):
    return "64" if site.leaf.type == INT64 else "32"


def hexadecimal(number_):
    return f"0x{number_ & 0xFFFFFFFF:08x}"


def names(items):
    """The names of a path, each in quotation marks."""
    return ", ".join(f'"{item}"' for item in items) or "nothing"


def quarters(site):
    """How many values a miniblock has."""
    data = site.page.image.data[site.page.image.marks[site.mark.rsplit("miniblocks", 1)[0] + "size"]:]
    return str(uleb(data) // uleb(site.rest))


def block_values(site):
    """How many values stand before the block at the mark: the first, and those of the blocks before."""
    which = site.mark.rsplit("block", 1)[1]
    return str(1 + 128 * int(which or 0))


def shortest(site):
    """How many bytes the number would take."""
    return str(max(1, (uleb(site.rest).bit_length() + 6) // 7))


def group_rows(site):
    return str(site.tree.at(f"row_groups[{site.group}].num_rows"))


def other(*pair):
    """The one of two texts that the field does not say."""
    return lambda site: pair[1] if value(site) == pair[0] else pair[0]


def magic(data):
    """Four bytes as text, or in hex if they are none."""
    return data.decode() if all(0x20 < byte < 0x7F for byte in data) else data.hex(" ")


def digits(site):
    """The most digits that every value of the element's type can hold."""
    element = site.path.split(".")[0]
    kind = site.stated(element + ".type")
    size_ = {INT32: 4, INT64: 8}.get(kind) or site.stated(element + ".type_length")
    return len(str(2 ** (8 * size_ - 1) - 1)) - 1


def checksum(site):
    return hexadecimal(crc32(site.body()))


def wire(site):
    """The wire type in the header of the field."""
    return WIRES[site.bytes[0] & 0x0F]


def page_counts(stats):
    """Numbers of pages as (page type, encoding, count) in words, those of 0 left out."""
    return ", ".join(f"{count} x {name_of('PageType', kind)} {name_of('Encoding', encoding)}"
                     for kind, encoding, count in sorted(stats) if count) or "no page"


def stated_pages(site):
    return page_counts([tuple(entry.at(name) for name in ("page_type", "encoding", "count")) for entry in site.stated().items])


def pages_there(site):
    kinds = [(page.page.type, page.page.encoding) for page in site.chunk.pages]
    return page_counts([(*kind, kinds.count(kind)) for kind in set(kinds)])


def run_values(site):
    """How many values the run claims whose header is at the place."""
    header = uleb(site.rest)
    return str((header >> 1) * (8 if header & 1 else 1))


def behind_word(site):
    """How many bytes follow the length word; None where that is cut."""
    return str(len(site.rest) - WORD) if len(site.rest) >= WORD else None


def leaf_count(site):
    """How many leaves the schema of the footer has."""
    return sum(element.field("type") is not None for element in site.tree.at("schema").items)


def stated_bits(site):
    """The type_length that a value does not fit, or the most that it can be."""
    if isinstance(site, Field):
        return "0 to 64" if site.beside("type") == INT64 else "0 to 32"
    return f"a number of {site.leaf.node.attributes['type_length']} bits"


def left(site):
    return str(len(site.rest))


def names_child(site):
    offset, length = struct.unpack_from("<ii", site.rest)
    return f"an index entry names {length} bytes at offset {offset}"


def first_page(site):
    """Where the first data page of the column chunk begins."""
    return site.chunk.data_pages()[0].offset


def names_page(site):
    return f"an index entry names the page at byte {first_page(site) + struct.unpack_from('<i', site.rest)[0]}"


def values_buffer(site):
    """How many bytes of keys stand behind the entries of an index page."""
    image = site.page.image
    return len(image) - 12 * sum(name.endswith(".child") for name in image.marks)


def text_length(site):
    return int.from_bytes(site.before[-WORD:], "little")


def broken_text(site):
    """The first byte that is no UTF-8, and its place in the value."""
    try:
        site.bytes.decode()
    except UnicodeDecodeError as problem:
        return f"0x{site.bytes[problem.start]:02x} at byte {problem.start} of the value"


def annotation(site):
    return {ENUM: "ENUM", JSON: "JSON"}.get(site.leaf.node.attributes.get("converted_type"), "STRING") + " in UTF-8"


def space(site):
    """Where the region may be: an offset, a length, or the size of a chunk."""
    end, field = site.built.footer_start, site.path.split(".")[-1]
    if field.endswith("offset"):
        return f"4 to {end - 1}"
    if field == "total_compressed_size":
        return f"at most {end - site.beside('data_page_offset')}"
    return f"0 to {end - site.beside(field.replace('length', 'offset'))}"


def region(site, leaf=None, kind=None):
    """The region that a field of the footer begins, or that of another leaf or kind, in words."""
    field = kind or site.path.split(".")[-1]
    number = site.leaf_number() if leaf is None else leaf
    column = f"row_groups[{site.path_group()}].columns[{number}]"
    at = lambda name: site.stated(f"{column}.{name}")
    if field == "data_page_offset":
        what, begin, size_ = "column chunk", at("meta_data.data_page_offset"), at("meta_data.total_compressed_size")
    elif field == "bloom_filter_offset":
        what, begin, size_ = "bloom filter", at("meta_data.bloom_filter_offset"), at("meta_data.bloom_filter_length")
    else:
        what, begin, size_ = field[:-7].replace("_", " "), at(field), at(field.removesuffix("offset") + "length")
    path = ".".join(site.built.leaves[number].path)
    return f"{what} of {path} in row group {site.path_group()} at {begin} to {begin + size_}"


def nans(site):
    items = [item for _, level, item in site.chunk.entries if level == site.leaf.max_def]
    return str(sum(item != item for item in items))


def wire_name(kind):
    """The wire type of a declared type."""
    return "i16" if kind == "i16" else WIRES[wire_of(kind)]


def overflow(site):
    """A varint that is too long, or holds too large a number."""
    if varint_length(site.rest) > 10:
        return "more than 10 bytes"
    if uleb(site.rest) >= 1 << 64:
        return "more than 64 bits"
    return f"{zigzag(site.rest)} in {site.length} bytes"


def fitting(site):
    kind = wire_name(site.declared())
    return f"an {kind} of at most {dict(i16=3, i32=5, i64=10)[kind]} bytes"


def expanded(site):
    """How long the page really is, or that it is longer than it says."""
    size_, stated = len(site.page.image), site.stated()
    return str(size_) if stated > size_ else f"more than {stated}"


def levels_room(site):
    other_ = site.tree.at("data_page_header_v2.repetition_levels_byte_length") if "definition" in site.path else 0
    return f"0 to {len(site.page.stored) - other_}"


def bound(site):
    """A bound as the column's values are shown."""
    return shown_value(site, plain_value(site, site.stated()))


def extreme(take):
    """The least or the greatest value of the column chunk."""
    def form(site):
        items = [item for _, level, item in site.chunk.entries if level == site.leaf.max_def]
        total = site.built.file.column_orders not in (True, None)
        key = lambda item: order(site, item, total)
        if not total:
            items = [item for item in items if item == item]
        return shown_value(site, take(items, key=key)) if items else ABSENT
    return form


def is_decimal(site):
    return "precision" in site.leaf.node.attributes


def is_half(site):
    return "FLOAT16" in site.leaf.node.attributes.get("logicalType", {})


def plain_value(site, data):
    """The value that bytes of a bound stand for."""
    kind = site.leaf.type
    if kind == BOOLEAN:
        return bool(data[0])
    return struct.unpack({INT32: "<i", INT64: "<q", FLOAT: "<f", DOUBLE: "<d"}[kind], data)[0] if kind in (
        INT32, INT64, FLOAT, DOUBLE) else data


def number_of(site, item):
    """The number that a value stands for by its annotation."""
    if is_half(site):
        return struct.unpack("<e", item)[0]
    if is_decimal(site) and isinstance(item, bytes):
        return int.from_bytes(item, "big", signed=True)
    if site.leaf.node.attributes.get("converted_type") == UINT_32:
        return item & 0xFFFFFFFF
    return item


def order(site, item, total):
    item = number_of(site, item)
    if isinstance(item, float) and total:
        bits = struct.unpack("<q", struct.pack("<d", item))[0]
        return bits if bits >= 0 else -(bits & (1 << 63) - 1) - 1
    return item


def shown_value(site, item):
    item = number_of(site, item)
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, float):
        sign = "-" if math.copysign(1, item) < 0 else ""
        return sign + ("NaN" if item != item else repr(abs(item)).removesuffix(".0"))
    if isinstance(item, bytes):
        printable = all(0x20 <= byte < 0x7F for byte in item)
        return f'"{item.decode()}"' if printable and site.leaf.type == BYTE_ARRAY else f"0x{item.hex()}"
    return str(item)

#: By rule: found, expected, length. What is not there is not carried.
ROWS = {
    "alp/bit-width": dict(found=number, expected=wide("at most 32", "at most 64"), length=BYTE),
    "alp/bit-width-minimal": dict(found=number, expected=SAID, length=BYTE),
    "alp/compression-mode": dict(found=number, expected="0", length=BYTE),
    "alp/exception-duplicate": dict(found=number, expected="a position of its own", length=HALF),
    "alp/exception-needless": dict(found=SAID, length=TYPE),
    "alp/exception-order": dict(found=number, expected=SAID, length=HALF),
    "alp/exception-position": dict(found=number, expected=SAID, length=HALF),
    "alp/exceptions-complete": dict(found=size, expected=wide("12", "20"), length=REST),
    "alp/exponent": dict(found=number, expected=wide("at most 10", "at most 18"), length=BYTE),
    "alp/factor": dict(found=number, expected=SAID, length=BYTE),
    "alp/first-offset": dict(found=number, expected=SAID, length=WORD),
    "alp/frame-of-reference": dict(found=SAID, expected="0", length=TYPE),
    "alp/header": dict(found=size, expected="7", length=REST),
    "alp/integer-encoding": dict(found=number, expected="0", length=BYTE),
    "alp/log-vector-size": dict(found=number, expected="3 to 15", length=BYTE),
    "alp/num-elements": dict(found=signed, expected=stored_values, length=WORD),
    "alp/num-exceptions": dict(found=number, expected=SAID, length=HALF),
    "alp/offset-array": dict(found=size, expected=SAID, length=REST),
    "alp/offsets-contiguous": dict(found=number, expected=SAID, length=WORD),
    "alp/packed-length": dict(found=size, expected=SAID, length=REST),
    "alp/packed-padding": dict(found=number, expected=lambda site: str(site.bytes[0] & 0x0F), length=BYTE),
    "alp/preview": dict(found=value, expected="an encoding that is not in preview"),
    "alp/types": dict(found=physical, expected="FLOAT, DOUBLE"),
    "alp/vector-header": dict(found=size, expected=wide("9", "13"), length=REST),
    "alp/vector-size": dict(found=number, expected="10", length=BYTE),
    "bit-packed/deprecated": dict(found=value, expected="RLE"),
    "bit-packed/length": dict(found=size, expected=levels_size, length=REST),
    "bit-packed/only-levels": dict(found=physical, expected="levels"),
    "bit-packed/padding": dict(found=number, expected=lambda site: str(site.bytes[0] & 0xFF << -level_bits(site) % 8 & 0xFF), length=BYTE),
    "byte-stream-split/extended-types": dict(found=physical, expected="FLOAT and DOUBLE"),
    "byte-stream-split/length": dict(found=size, expected=bodies_size, length=REST),
    "byte-stream-split/types": dict(found=physical, expected="INT32, INT64, FLOAT, DOUBLE, FIXED_LEN_BYTE_ARRAY"),
    "column-chunk/data-page-offset": dict(found=value, expected=honest),
    "column-chunk/data-page-offset-at-dictionary": dict(found=value, expected=honest),
    "column-chunk/dictionary-before-data": dict(found=value, expected=lambda site: f"less than {site.beside('data_page_offset')}"),
    "column-chunk/dictionary-offset-zero": dict(found=value, expected=ABSENT),
    "column-chunk/dictionary-page-offset": dict(found=value, expected=honest),
    "column-chunk/encoding-stats": dict(found=stated_pages, expected=pages_there),
    "column-chunk/encoding-stats-subset": dict(found=SAID, expected="one of encodings"),
    "column-chunk/encoding-stats-unique": dict(found="a page type and encoding twice", expected="once"),
    "column-chunk/encoding-stats-v2": dict(found=stated_pages, expected=pages_there),
    "column-chunk/encodings": dict(found=SAID, expected=SAID),
    "column-chunk/encodings-duplicate": dict(found=SAID, expected="once"),
    "column-chunk/encodings-levels": dict(found=SAID, expected=SAID),
    "column-chunk/encodings-unused": dict(found=SAID, expected=ABSENT),
    "column-chunk/file-offset": dict(found=value, expected="0"),
    "column-chunk/file-path": dict(found=value, expected=ABSENT),
    "column-chunk/file-path-empty": dict(found='""', expected=ABSENT),
    "column-chunk/file-path-relative": dict(found=value, expected="a path below this file's folder"),
    "column-chunk/index-page-offset": dict(found=value, expected="the offset of an index page"),
    "column-chunk/meta-data": dict(found=ABSENT, expected="ColumnMetaData"),
    "column-chunk/metadata-copy": dict(found=value, expected=honest),
    "column-chunk/mixed-page-versions": dict(found=value, expected=other("DATA_PAGE", "DATA_PAGE_V2")),
    "column-chunk/no-page": dict(found="no page", expected="one or more"),
    "column-chunk/num-values": dict(found=value, expected=honest),
    "column-chunk/path": dict(found=lambda site: names(elements(site.stated())), expected=lambda site: names(site.leaf.path)),
    "column-chunk/rows": dict(found=lambda site: str(sum(rep == 0 for rep, _, _ in site.chunk.entries)), expected=group_rows),
    "column-chunk/sizes-negative": dict(found=value, expected="0 or more"),
    "column-chunk/total-compressed-size": dict(found=value, expected=honest),
    "column-chunk/total-uncompressed-size": dict(found=value, expected=honest),
    "column-chunk/type": dict(found=value, expected=physical),
    "compression/format": dict(found=SAID, expected=lambda site: name_of("CompressionCodec", site.chunk.chunk.codec)),
    "compression/gzip-members": dict(found=SAID, expected="1"),
    "compression/lz4-deprecated": dict(found=value, expected="LZ4_RAW"),
    "compression/lz4-layout": dict(found=SAID, expected="LZ4 in Hadoop's blocks"),
    "compression/lzo": dict(found=value),
    "compression/stream": {},
    "compression/trailing-bytes": dict(found=size, expected="0"),
    "compression/zstd-frames": dict(found=SAID, expected="1"),
    "crc/absent": dict(found="no crc", expected="a crc as in other pages of the chunk"),
    "crc/match": dict(found=lambda site: hexadecimal(site.stated()), expected=checksum),
    "delta-binary-packed/bit-width": dict(found=number, expected="at most 32", length=BYTE),
    "delta-binary-packed/bit-width-minimal": dict(found=number, expected=lambda site: str(site.bytes[0] - 1), length=BYTE),
    "delta-binary-packed/bit-width-range": dict(found=number, expected=lambda site: f"at most {bits_of_type(site)}", length=BYTE),
    "delta-binary-packed/block": dict(found=block_values, expected=stored_values, length=REST),
    "delta-binary-packed/block-size": dict(found=counted, expected="a positive multiple of 128", length=VARINT),
    "delta-binary-packed/header": dict(length=REST),
    "delta-binary-packed/min-delta": dict(found="1", expected="0", length=VARINT),
    "delta-binary-packed/miniblock-count": dict(found=counted, expected="a divisor of 128", length=VARINT),
    "delta-binary-packed/miniblock-full": dict(found=size, expected=SAID, length=REST),
    "delta-binary-packed/miniblock-size": dict(found=quarters, expected="a multiple of 32", length=VARINT),
    "delta-binary-packed/number-oversized": dict(found=lambda site: (counted if site.mark.endswith("size") else folded)(site),
                                                 expected="at most 2147483647", length=VARINT),
    "delta-binary-packed/number-range": dict(found=SAID, expected="at most 2147483647", length=VARINT),
    "delta-binary-packed/padding": dict(found=number, expected=SAID, length=BYTE),
    "delta-binary-packed/total-count": dict(found=counted, expected=stored_values, length=VARINT),
    "delta-binary-packed/types": dict(found=physical, expected="INT32, INT64"),
    "delta-binary-packed/unneeded-width": dict(found=number, expected="0", length=BYTE),
    "delta-binary-packed/varint-long": dict(found=size, expected=shortest, length=VARINT),
    "delta-binary-packed/width-bytes": dict(found=size, expected=SAID, length=REST),
    "delta-binary-packed/zero-values": dict(found=folded, expected="0", length=VARINT),
    "delta-byte-array/first-prefix": dict(found=folded, expected="0", length=VARINT),
    "delta-byte-array/fixed-length": dict(found=SAID, expected=SAID, length=0),
    "delta-byte-array/prefix-maximal": dict(found=SAID, expected=SAID, length=0),
    "delta-byte-array/prefix-range": dict(found=SAID, expected=SAID, length=0),
    "delta-byte-array/stream-counts": dict(found=counted, expected=stored_values, length=VARINT),
    "delta-byte-array/types": dict(found=physical, expected="BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY"),
    "delta-length-byte-array/data-length": dict(found=size, expected=SAID, length=REST),
    "delta-length-byte-array/length-count": dict(found=counted, expected=stored_values, length=VARINT),
    "delta-length-byte-array/negative-length": dict(found=SAID, expected="0 or more", length=0),
    "delta-length-byte-array/preferred": dict(found=value, expected="DELTA_LENGTH_BYTE_ARRAY"),
    "delta-length-byte-array/types": dict(found=physical, expected="BYTE_ARRAY"),
    "dictionary/at-most-one": dict(found="a second dictionary page", expected="one"),
    "dictionary/bit-width": dict(found=lambda site: number(site) if site.rest else "no byte",
                                 expected=lambda site: "at most 32" if site.rest else "one byte", length=BYTE),
    "dictionary/bit-width-minimal": dict(found=number, expected=SAID, length=BYTE),
    "dictionary/boolean": dict(found=value, expected="PLAIN or RLE"),
    "dictionary/entries-distinct": dict(found=entry, expected="an entry of its own", length=entry_size),
    "dictionary/entry-count": dict(found=value, expected=SAID),
    "dictionary/index-range": dict(found=SAID, expected=lambda site: zero_to(len(site.chunk.pages[0].page.items) - 1), length=VARINT),
    "dictionary/label-pairing": dict(found=value, expected=lambda site: name_of("Encoding", site.chunk.pages[0].page.encoding)),
    "dictionary/page-encoding": dict(found=value, expected="PLAIN"),
    "dictionary/page-first": dict(found=SAID, expected="page 0"),
    "dictionary/plain-dictionary-deprecated": dict(
        found=value, expected=lambda site: "PLAIN" if site.path.startswith("dictionary_page_header") else "RLE_DICTIONARY"),
    "dictionary/sorted": dict(found=entry, expected=lambda site: entry(site, 1) + " or more", length=entry_size),
    "dictionary/unused-entries": dict(found=SAID, expected="0"),
    "extension/disambiguation": dict(found=lambda site: str(len(site.stated())), expected="at least 16"),
    "extension/field-type": dict(found=wire, expected="binary"),
    "extension/last-field": dict(found=SAID, expected="the stop byte"),
    "extension/present": dict(found=SAID, expected=SAID),
    "extension/wire-id": dict(found="-16384", expected="32767"),
    "file/encrypted-column": dict(found="encrypted", expected="plain"),
    "file/encrypted-footer": dict(found="PARE", expected="PAR1", length=WORD),
    "file/footer-length": dict(found=number, expected=lambda site: str(len(site.built.data) - 8 - site.built.footer_start), length=WORD),
    "file/head-magic": dict(found=lambda site: magic(site.bytes), expected="PAR1", length=WORD),
    "file/layout-order": dict(found=value, expected=lambda site: str(site.built.chunks[0][0].offset)),
    "file/magic-agree": dict(found=lambda site: magic(site.bytes), expected=lambda site: magic(site.file[-4:]), length=WORD),
    "file/min-size": dict(found=size, expected="26", length=REST),
    "file/no-row-groups": dict(found="0", expected="1 or more"),
    "file/region-inside": dict(found=value, expected=space),
    "file/region-shared": dict(found=region, expected=lambda site: region(site, leaf=0)),
    "file/regions-disjoint": dict(found=region, expected=lambda site: region(site, leaf=0, kind="data_page_offset")),
    "file/tail-magic": dict(found=lambda site: magic(site.bytes), expected="PAR1", length=WORD),
    "file/unreferenced-bytes": dict(found=size, expected="0", length=SAID),
    "file/unreferenced-zero-bytes": dict(found=size, expected="0", length=HALF),
    "footer/column-order-float": dict(found="TYPE_ORDER", expected="IEEE_754_TOTAL_ORDER"),
    "footer/column-order-ieee754": dict(found=physical, expected="FLOAT, DOUBLE or FLOAT16"),
    "footer/column-order-int96": dict(found=physical, expected="INT96"),
    "footer/column-orders-length": dict(found=lambda site: str(len(elements(site.stated()))), expected="1"),
    "footer/column-orders-present": dict(found=lambda site: site.path.split(".")[-1], expected="no bound without column_orders"),
    "footer/created-by-build": dict(found=value, expected="... (build HASH)"),
    "footer/created-by-format": dict(found=value, expected="APPLICATION version VERSION (build HASH)"),
    "footer/created-by-missing": dict(found="none", expected="the writer's name and version"),
    "footer/exact-length": dict(found=size, expected="0", length=REST),
    "footer/key-unique": dict(found=value, expected="a key of its own"),
    "footer/num-rows": dict(found=value, expected=honest),
    "footer/num-rows-negative": dict(found=value, expected="0 or more"),
    "footer/schema-nonempty": dict(found="0", expected="1 or more"),
    "footer/version": dict(found=value, expected="1 or 2"),
    "footer/version-one": dict(found=value, expected="1"),
    "group-var-int/group": dict(found=size, expected=SAID, length=REST),
    "group-var-int/padding": dict(found=number, expected="0", length=SAID),
    "group-var-int/retired": dict(found=value, expected="an encoding of the current edition"),
    "group-var-int/selector-bit": dict(found="1", expected="0", length=BYTE),
    "group-var-int/shortest": dict(found=size, expected="1", length=SAID),
    "group-var-int/types": dict(found=physical, expected="INT32, INT64"),
    "index-page/child": dict(found=names_child, expected="a data or index page of the column chunk", length=lambda site: site.length or 2 * WORD),
    "index-page/entries": dict(found=size, expected=SAID, length=REST),
    "index-page/first-sort-column": dict(found="an index by values", expected="column 0"),
    "index-page/key-reading": dict(found=SAID, length=REST),
    "index-page/keys": dict(found=signed, expected=lambda site: f"a key inside the {values_buffer(site)} bytes of the values buffer", length=WORD),
    "index-page/keys-true": dict(found=SAID, expected=SAID, length=SAID),
    "index-page/offset-base": dict(found="the beginning of the file", expected="the first data page", length=REST),
    "index-page/ordinal": dict(found=signed, expected=SAID, length=WORD),
    "index-page/post-order": dict(found=names_page, expected=lambda site: f"a page before its index page at byte {site.page.offset}",
                                  length=lambda site: site.length or WORD),
    "index-page/size": dict(found=value, expected="at most 65536"),
    "index-page/sorted": dict(found=SAID, expected=SAID, length=12),
    "index-page/unused": dict(found=value),
    "levels/count": dict(found=SAID, expected=lambda site: str(site.entries), length=0),
    "levels/definition-range": dict(found="3", expected=lambda site: zero_to(site.leaf.max_def), length=BYTE),
    "levels/length-prefix": dict(found=lambda site: number(site) if len(site.rest) >= WORD else left(site),
                                 expected=lambda site: f"at most {behind_word(site)}" if len(site.rest) >= WORD else str(WORD), length=WORD),
    "levels/overshoot": dict(found=run_values, expected=SAID, length=VARINT),
    "levels/repetition-after-empty": dict(found=SAID, expected="2 or more", length=BYTE),
    "levels/repetition-needs-defined": dict(found=SAID, expected="2 or more", length=BYTE),
    "levels/repetition-range": dict(found="3", expected=lambda site: zero_to(site.leaf.max_rep), length=BYTE),
    "levels/section-consumed": dict(found=size, expected="0", length=REST),
    "levels/siblings-agree": dict(found=SAID, expected=SAID),
    "levels/v2-prefix": dict(found=number, length=WORD),
    "limit/footer-size": dict(found=SAID, expected=SAID, length=WORD),
    "limit/memory": dict(found=lambda site: str(site.stated() + site.tree.at("compressed_page_size")), expected=SAID),
    "limit/page-size": dict(found=value, expected=SAID),
    "limit/schema-depth": dict(found="1001", expected="1000"),
    "limit/work": dict(length=0),
    "logical-type/decimal-precision": dict(found=value, expected="1 or more"),
    "logical-type/decimal-precision-limit": dict(found=value, expected=lambda site: f"at most {digits(site)}"),
    "logical-type/decimal-scale": dict(found=value, expected=lambda site: f"0 to {site.beside('precision')}"),
    "logical-type/utf8": dict(found=broken_text, expected=annotation, length=text_length),
    "page/absent-level-encoding": dict(found=value, expected="RLE or BIT_PACKED"),
    "page/dictionary-missing": dict(found=value, expected="a dictionary page before it"),
    "page/empty": dict(found=value, expected="1 or more"),
    "page/extra-header-member": dict(found=lambda site: site.path, expected=lambda site: name_of("PageType", site.tree.at("type"))),
    "page/first-repetition-level": dict(found="1", expected="0", length=BYTE),
    "page/header-member": dict(found=ABSENT, expected=lambda site: site.path),
    "page/header-size": dict(found=size, expected="65536"),
    "page/level-encoding": dict(found=value, expected="RLE or BIT_PACKED"),
    "page/num-values-negative": dict(found=value, expected="0 or more"),
    "page/size-negative": dict(found=value, expected="0 or more"),
    "page/trailing-bytes": dict(found=size, expected="0", length=REST),
    "page/uncompressed-equals-compressed": dict(found=value, expected=lambda site: str(site.tree.at("compressed_page_size"))),
    "page/uncompressed-size": dict(found=value, expected=expanded),
    "page/unknown-encoding": dict(found=value, expected=SAID),
    "page/unknown-level-encoding": dict(found=value, expected="RLE"),
    "page/unknown-type": dict(found=value, expected="0 to 3"),
    "page/v2-absent-levels": dict(found=value, expected="0"),
    "page/v2-level-lengths": dict(found=value, expected=levels_room),
    "page/v2-levels-present": dict(found=value, expected="more than 0"),
    "page/v2-num-nulls": dict(found=value, expected=honest),
    "page/v2-num-nulls-range": dict(found=value, expected=lambda site: zero_to(site.entries if site.leaf.max_def else 0)),
    "page/v2-num-rows": dict(found=value, expected=honest),
    "page/v2-num-rows-range": dict(found=value, expected=lambda site: f"0 to {site.entries}" if site.leaf.max_rep else str(site.entries)),
    "page/v2-row-boundary": dict(found="1", expected="0", length=BYTE),
    "page/v2-zero-body": dict(found="zero bytes, is_compressed", expected="is_compressed = false"),
    "page/within-chunk": dict(found=value, expected=lambda site: f"at most {site.chunk.end - site.page.body}"),
    "page/zero-values-section": dict(found=size, expected="0", length=REST),
    "plain/boolean-length": dict(found=size, expected=lambda site: str((site.values + 7) // 8), length=REST),
    "plain/boolean-padding": dict(found=number, expected=lambda site: str(site.bytes[0] & (1 << site.values % 8) - 1), length=BYTE),
    "plain/byte-array-length": dict(found=lambda site: number(site) if len(site.rest) >= WORD else str(WORD),
                                   expected=lambda site: f"at most {behind_word(site) or left(site)}", length=WORD),
    "plain/fixed-width-length": dict(found=size, expected=bodies_size, length=REST),
    "plain/int96-nanos": dict(found=lambda site: str(struct.unpack_from("<q", site.rest)[0]), expected=zero_to(86400 * 10**9 - 1), length=12),
    "recovery/earlier-footer": dict(found=SAID, expected=SAID, length=SAID),
    "rle/allowed-data": dict(found=physical, expected="BOOLEAN"),
    "rle/boolean-length": dict(found=lambda site: number(site) if len(site.rest) >= WORD else left(site),
                               expected=lambda site: behind_word(site) or str(WORD), length=WORD),
    "rle/header-canonical": dict(found=size, expected=shortest, length=VARINT),
    "rle/header-long": dict(found=size, expected=shortest, length=VARINT),
    "rle/header-varint": dict(length=VARINT),
    "rle/last-group": dict(found=lambda site: str(len(site.rest) - 1), expected="2", length=VARINT),
    "rle/overshoot": dict(found=run_values, expected=SAID, length=VARINT),
    "rle/repeated-value-range": dict(found=number, expected=SAID, length=BYTE),
    "rle/run-length": dict(found="0", expected="1 to 2147483647", length=VARINT),
    "rle/trailing-bytes": dict(found=size, expected="0", length=REST),
    "rle/truncated": dict(found=SAID, expected=SAID, length=VARINT),
    "rle/value-count": dict(found=SAID, expected=stored_values, length=0),
    "row-group/column-count": dict(found=lambda site: str(len(elements(site.stated()))), expected=lambda site: str(leaf_count(site))),
    "row-group/column-order": dict(found=lambda site: names(elements(site.stated())), expected=lambda site: names(site.leaf.path)),
    "row-group/empty": dict(found=value, expected="1 or more"),
    "row-group/file-offset": dict(found=value, expected=lambda site: str(site.built.chunks[site.path_group()][0].offset)),
    "row-group/num-rows": dict(found=value, expected=honest),
    "row-group/num-rows-negative": dict(found=value, expected="0 or more"),
    "row-group/ordinal": dict(found=value, expected=lambda site: str(site.path_group())),
    "row-group/ordinal-consistent": dict(found=ABSENT, expected="1 row groups have one"),
    "row-group/total-byte-size": dict(found=value, expected=honest),
    "row-group/total-compressed-size": dict(found=value, expected=lambda site: str(sum(
        one.at("meta_data.total_compressed_size") for one in site.beside("columns").items))),
    "schema/bare-repeated": dict(found=value, expected="a LIST or MAP group around it"),
    "schema/empty-group": dict(found=value, expected="1 or more"),
    "schema/field-id-unique": dict(found=value, expected="0 or more, and no other's"),
    "schema/flba-zero-length": dict(found=value, expected="1 or more"),
    "schema/group-or-leaf": dict(found=SAID, expected="one of them"),
    "schema/group-type-length": dict(found=value, expected=ABSENT),
    "schema/int96-deprecated": dict(found=value, expected="INT64 with TIMESTAMP"),
    "schema/leaf-zero-children": dict(found=value, expected=ABSENT),
    "schema/level-limit": dict(found="256", expected="255"),
    "schema/mixed-list-styles": dict(found=value, expected="a LIST or MAP group around it"),
    "schema/name-dot": dict(found=value, expected="a name without a dot"),
    "schema/name-empty": dict(found='""', expected="a name"),
    "schema/num-children-negative": dict(found=value, expected="0 or more"),
    "schema/repetition": dict(found=ABSENT, expected="REQUIRED, OPTIONAL or REPEATED"),
    "schema/root-annotation": dict(found=lambda site: site.path.split(".")[-1], expected=ABSENT),
    "schema/root-is-group": dict(found=ABSENT, expected="how many children it has"),
    "schema/root-type": dict(found=value, expected=ABSENT),
    "schema/root-repetition": dict(found=value, expected=ABSENT),
    "schema/root-repetition-required": dict(found=value, expected=ABSENT),
    "schema/scale-precision-context": dict(found=value, expected=ABSENT),
    "schema/sibling-names": dict(found=value, expected="a name of its own in its group"),
    "schema/sibling-names-alike": dict(found=SAID, expected=SAID),
    "schema/tree": dict(found=SAID, expected=SAID),
    "schema/type-length": dict(found=value, expected="0 or more"),
    "schema/type-length-bits": dict(found=lambda site: value(site) if isinstance(site, Field) else signed(site), expected=stated_bits, length=lambda site: site.length or TYPE(site)),
    "statistics/bound-length": dict(found=lambda site: f"4 + {len(site.stated()) - 4}" if site.leaf.type == BYTE_ARRAY else str(len(site.stated())),
                                    expected=lambda site: str(TYPE(site) or "4, without a length word")),
    "statistics/distinct-count-range": dict(found=value, expected=lambda site: f"0 to {len(site.chunk.entries)}"),
    "statistics/max": dict(found=bound, expected=extreme(max)),
    "statistics/max-exact": dict(found=lambda site: shown_value(site, plain_value(site, site.beside("max_value"))), expected=extreme(max)),
    "statistics/max-value": dict(found=bound, expected=extreme(max)),
    "statistics/min": dict(found=bound, expected=extreme(min)),
    "statistics/min-exact": dict(found=lambda site: shown_value(site, plain_value(site, site.beside("min_value"))), expected=extreme(min)),
    "statistics/min-max-order": dict(found=bound, expected=lambda site: shown_value(site, plain_value(site, site.beside("max_value")))),
    "statistics/min-value": dict(found=bound, expected=extreme(min)),
    "statistics/nan-bound": dict(found="NaN", expected="a number"),
    "statistics/nan-bound-undated": dict(found="NaN", expected="a number"),
    "statistics/nan-count": dict(found=value, expected=nans),
    "statistics/null-count": dict(found=value, expected=lambda site: str(len(site.chunk.entries) - site.chunk_values())),
    "statistics/null-count-leaf": dict(found=value, expected=lambda site: str(len(site.chunk.entries) - site.chunk_values())),
    "statistics/null-count-range": dict(found=value, expected=lambda site: f"0 to {len(site.chunk.entries)}" if site.leaf.max_def else "0"),
    "summary/chunk-metadata": dict(found=value, expected=SAID),
    "summary/common-metadata": dict(found=SAID, expected="0"),
    "summary/file-path": dict(found=ABSENT, expected="the path of the file that holds the chunk"),
    "summary/file-path-differs": dict(found=value, expected=SAID),
    "summary/not-formal": dict(found=value, expected=ABSENT),
    "summary/schema": dict(found=SAID, expected=SAID),
    "thrift/binary-length": dict(found=lambda site: str(site.path_number()), expected=lambda site: f"at most {len(site.rest) - site.length}", length=VARINT),
    "thrift/bool-list-value": dict(found=lambda site: str(site.bytes[0]), expected="1 or 2"),
    "thrift/bool-list-zero": dict(found="0", expected="1 or 2"),
    "thrift/compact-protocol": dict(found=lambda site: f"type {site.bytes[0] & 0x0F}", expected="1 to 13", length=BYTE),
    "thrift/duplicate-field": dict(found=lambda site: site.path.split(".")[-1].split("#")[0]),
    "thrift/field-id": dict(found=lambda site: site.path.split(".")[-1], expected="1 to 32767"),
    "thrift/field-order": dict(found=SAID, expected=SAID),
    "thrift/field-type": dict(found=wire, expected=lambda site: wire_name(site.declared())),
    "thrift/list-element-type": dict(found=wire, expected=lambda site: wire_name(site.declared()[1:-1]), length=BYTE),
    "thrift/list-size": dict(found=lambda site: str(site.path_number()), expected=lambda site: f"at most {len(site.rest) - site.length}", length=lambda site: 1 + varint_length(site.rest[1:])),
    "thrift/module-exact": dict(found=size, expected="0", length=REST),
    "thrift/nesting-depth": dict(found="65", expected="64"),
    "thrift/optional-field-type": dict(found=wire, expected=lambda site: wire_name(site.declared())),
    "thrift/required-field": dict(found=ABSENT, expected=lambda site: site.path.split(".")[-1]),
    "thrift/short-field-header": dict(found=lambda site: f"{site.length} bytes", expected="1 byte"),
    "thrift/stop-byte": dict(found=SAID, expected=SAID, length=SAID),
    "thrift/string-utf8": dict(found=lambda site: f"byte {site.bytes[0]}", expected="UTF-8", length=BYTE),
    "thrift/union-exactly-one": dict(found=SAID, expected="one member"),
    "thrift/unknown-enum-value": dict(found=value, expected=lambda site: site.declared()),
    "thrift/unknown-field": dict(found=lambda site: f"{site.path.split(chr(46))[-1]} ({wire(site)})", expected=lambda site: site.owner()),
    "thrift/unknown-union-member": dict(found="99", expected=lambda site: site.owner()),
    "thrift/varint-canonical": dict(found=lambda site: str(site.path_number()), length=VARINT),
    "thrift/varint-overflow": dict(found=overflow, expected=fitting, length=lambda site: min(site.length, 10)),
}


def tell(rule, site, said):
    """Length, found and expected of a finding of that rule: what the recipe has said, else what its row makes of the site."""
    row = ROWS.get(rule, {})

    def of(name):
        if said[name] is not None:
            return said[name]
        form = row.get(name)
        return form(site) if callable(form) else form

    length = of("length")
    if length is not None:
        site.length = min(length, len(site.rest)) if said["length"] is None else length
    told = {"length": site.length, "found": of("found"), "expected": of("expected")}
    return {name: what for name, what in told.items() if what is not None}


def untold(rule, told):
    """What a finding of that rule should say and does not."""
    if rule not in ROWS:
        return ["row in contrasts.py"]
    return [name for name in dict.fromkeys(("length", *ROWS[rule])) if name not in told]
