"""Values of findings: functions of a Site (or factories of these) that return text or a length for the rows of findings.py.
"""

import math
import re
import struct

from builder.codec import bloom, plain
from builder.codec.checksums import crc32
from builder.codec.metadata import BOOLEAN, BYTE_ARRAY, DOUBLE, FLOAT, INT32, INT64, UINT_32, wire_of
from builder.codec.plain import width
from builder.expect.finding_site import WIRES, Field, elements, name_of, uleb, varint_length, zigzag


def value(site):
    """The field as written."""
    return site.text(site.stated())


def unedited(site):
    """The field without the edits of the recipe."""
    return site.text(site.correct())


def items(site):
    """The number of elements of the list at the field."""
    return str(len(elements(site.stated())))


def unedited_items(site):
    """The same number without the edits of the recipe."""
    return str(len(elements(site.correct())))


def data_pages(site):
    """The number of data pages of the chunk."""
    return str(len(site.chunk.data_pages()))


def number(site):
    """The wrong bytes as an unsigned little-endian number."""
    return str(int.from_bytes(site.bytes, "little"))


def signed(site):
    return str(int.from_bytes(site.bytes, "little", signed=True))


def counted(site):
    return str(uleb(site.rest))


def folded(site):
    return str(zigzag(site.rest))


def size(site):
    """The number of wrong bytes."""
    return str(site.length)


def physical(site):
    """The physical type of the column."""
    return name_of("Type", site.leaf.type)


def sized(site):
    """The physical type of the column, with the length that it states."""
    length = site.leaf.node.attributes.get("type_length")
    return physical(site) + ("" if length is None else f" of {length} byte{'s' * (length != 1)}")


def of_decimal_type(site):
    """The number of the same name in the DecimalType of the element."""
    element, _, name = site.path.rpartition(".")
    return str(site.stated(f"{element}.logicalType.DECIMAL.{name}"))


def stored_values(site):
    return str(site.values)


def zero_to(last):
    """The numbers from 0 to the last, which may be empty."""
    return f"0 to {last}" if last > 0 else "0" if last == 0 else "none"


def wide(float_, double):
    """One text for FLOAT columns, and one for DOUBLE columns."""
    return lambda site: double if site.leaf.type == DOUBLE else float_


REST = lambda site: len(site.rest)
VARINT = lambda site: varint_length(site.rest)
TYPE = lambda site: width(site.leaf.type, site.leaf.node.attributes.get("type_length"))
WORD, HALF, BYTE = 4, 2, 1


class FromRecipe:
    """Each recipe states it."""

    def __call__(self, site):
        return None


FROM_RECIPE = FromRecipe()


def level_bits(site):
    """The size in bits of the BIT_PACKED levels of the page."""
    maximum = site.leaf.max_def if site.mark.startswith("def") else site.leaf.max_rep
    return site.entries * maximum.bit_length()


def levels_size(site):
    return str((level_bits(site) + 7) // 8)


def entry(site, before=0):
    """The entry of the dictionary at the mark, or one before it."""
    return shown_value(site, site.page.page.items[int(site.mark.rsplit("value", 1)[1]) - before])


def entry_size(site):
    """Its bytes, the length prefix included."""
    return TYPE(site) or WORD + int.from_bytes(site.rest[:WORD], "little")


def bodies_size(site):
    """The size in bytes of the values, each of the width of its type."""
    return str(site.values * width(site.leaf.type, site.leaf.node.attributes.get("type_length")))


def bits_of_type(site):
    return "64" if site.leaf.type == INT64 else "32"


def hexadecimal(number_):
    return f"0x{number_ & 0xFFFFFFFF:08x}"


def names(items):
    """The names of a path, each in quotation marks."""
    return ", ".join(f'"{item}"' for item in items) or "empty"


def quarters(site):
    """The number of values of a miniblock."""
    data = site.page.image.data[site.page.image.marks[site.mark.rsplit("miniblocks", 1)[0] + "size"]:]
    return str(uleb(data) // uleb(site.rest))


def block_values(site):
    """The number of values before the block at the mark: the first, and those of earlier blocks."""
    which = site.mark.rsplit("block", 1)[1]
    return str(1 + 128 * int(which or 0))


def shortest(site):
    """The minimum number of bytes of the number."""
    return str(max(1, (uleb(site.rest).bit_length() + 6) // 7))


def group_rows(site):
    return str(site.tree.at(f"row_groups[{site.group}].num_rows"))


def in_own_file(site):
    """The position of a row group among those whose pages are in the same file."""
    files = [site.stated(f"row_groups[{group}].columns[0].file_path") for group in range(site.path_group() + 1)]
    return str(files[:-1].count(files[-1]))


def other(*pair):
    """Of two texts the one that the field does not have."""
    return lambda site: pair[1] if value(site) == pair[0] else pair[0]


def magic(data):
    """Four bytes as text, or in hex if they are no text."""
    return data.decode() if all(0x20 < byte < 0x7F for byte in data) else data.hex(" ")


def digits(site):
    """The maximum number of digits that every value of the element's type can hold."""
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
    """Numbers of pages as (page type, encoding, count) as a sentence, without those of 0."""
    return ", ".join(f"{count} x {name_of('PageType', kind)} {name_of('Encoding', encoding)}"
                     for kind, encoding, count in sorted(stats) if count) or "no page"


def stated_pages(site):
    return page_counts([tuple(entry.at(name) for name in ("page_type", "encoding", "count")) for entry in site.stated().items])


def pages_there(site):
    kinds = [(page.page.type, page.page.encoding) for page in site.chunk.pages]
    return page_counts([(*kind, kinds.count(kind)) for kind in set(kinds)])


def run_values(site):
    """The number of values of the run by its header."""
    header = uleb(site.rest)
    return str((header >> 1) * (8 if header & 1 else 1))


def bytes_after_word(site):
    """The number of bytes after the length prefix; None if that is truncated."""
    return str(len(site.rest) - WORD) if len(site.rest) >= WORD else None


def leaf_count(site):
    """The number of leaves of the schema of the footer."""
    return sum(element.field("type") is not None for element in site.tree.at("schema").items)


def stated_bits(site):
    """The type_length that a value does not fit, or its maximum."""
    if isinstance(site, Field):
        return "0 to 64" if site.sibling("type") == INT64 else "0 to 32"
    return f"a number of {site.leaf.node.attributes['type_length']} bits, which is type_length"


def left(site):
    return str(len(site.rest))


def names_child(site):
    offset, length = struct.unpack_from("<ii", site.rest)
    return f"an index entry names {length} bytes at offset {offset}"


def first_page(site):
    """The offset of the first data page of the column chunk."""
    return site.chunk.data_pages()[0].offset


def names_page(site):
    return f"an index entry names the page at byte {first_page(site) + struct.unpack_from('<i', site.rest)[0]}"


def values_buffer(site):
    """The size of the keys after the entries of an index page."""
    image = site.page.image
    return len(image) - 12 * sum(name.endswith(".child") for name in image.marks)


def text_length(site):
    return int.from_bytes(site.before[-WORD:], "little")


def broken_text(site):
    """The first byte that is not UTF-8, and its offset in the value."""
    try:
        site.bytes.decode()
    except UnicodeDecodeError as problem:
        return f"0x{site.bytes[problem.start]:02x} at byte {problem.start} of the value"


def space(site):
    """The allowed offset or length of a region, or the size of a chunk."""
    end, field = site.built.footer_start, site.path.split(".")[-1]
    if field.endswith("offset"):
        return f"4 to {end - 1}"
    if field == "total_compressed_size":
        return f"at most {end - site.sibling('data_page_offset')}"
    room = end - site.sibling(field.replace("length", "offset"))
    return f"0 to {room}" if room else "0"


def region(site, leaf=None, kind=None, group=None):
    """The region that a field of the footer begins, or that of another leaf, kind or row group, as a sentence."""
    field = kind or site.path.split(".")[-1]
    number = site.leaf_number() if leaf is None else leaf
    group = site.path_group() if group is None else group
    column = f"row_groups[{group}].columns[{number}]"
    at = lambda name: site.stated(f"{column}.{name}")
    if field == "data_page_offset":
        what, begin, size_ = "column chunk", at("meta_data.data_page_offset"), at("meta_data.total_compressed_size")
    elif field == "bloom_filter_offset":
        what, begin, size_ = "bloom filter", at("meta_data.bloom_filter_offset"), at("meta_data.bloom_filter_length")
    else:
        what, begin, size_ = field[:-7].replace("_", " "), at(field), at(field.removesuffix("offset") + "length")
    path = ".".join(site.built.leaves[number].path)
    return f"{what} of {path} in row group {group} at {begin} to {begin + size_}"


def _filters(site):
    """Row group, leaf and stated offset of the filters of the column chunks before that of the site."""
    mine = site.path_group(), site.leaf_number()
    places = [(g, c) for g, row in enumerate(site.built.chunks) for c in range(len(row)) if (g, c) < mine]
    stated = [(g, c, site.stated(f"row_groups[{g}].columns[{c}].meta_data.bloom_filter_offset")) for g, c in places]
    return [one for one in stated if one[2] is not None]


def filter_before(site):
    """The offset of the filter of the previous column chunk."""
    return str(_filters(site)[-1][2])


def same_filter(site):
    """The first column chunk with the same filter."""
    g, c, _ = next(one for one in _filters(site) if one[2] == site.stated())
    return region(site, leaf=c, group=g)


def first_index(site):
    """The offset of the first page index."""
    return str(min(start for (kind, *_), (start, *_) in site.built.structures.items() if kind != "bloom_filter_header"))


def bits_set(site):
    """The fill of the bitset of a filter."""
    return bloom.fill(site.rest)


def nans(site):
    items = [number_of(site, item) if is_half(site) else item for item in held(site)]
    return str(sum(item != item for item in items))


def wire_name(kind):
    """The wire type of a declared type."""
    return "i16" if kind == "i16" else WIRES[wire_of(kind)]


def overflow(site):
    """The row of a varint that is too long, or too large."""
    if varint_length(site.rest) > 10:
        return "more than 10 bytes"
    if uleb(site.rest) >= 1 << 64:
        return "more than 64 bits"
    return f"{zigzag(site.rest)} in {site.length} bytes"


def fitting(site):
    kind = wire_name(site.declared())
    return f"an {kind} of at most {dict(i16=3, i32=5, i64=10)[kind]} bytes"


def expanded(site):
    """The actual size of the page, or that it exceeds its stated size."""
    size_, stated = len(site.page.image), site.stated()
    return str(size_) if stated > size_ else f"more than {stated}"


def levels_room(site):
    other_ = site.tree.at("data_page_header_v2.repetition_levels_byte_length") if "definition" in site.path else 0
    return f"0 to {len(site.page.stored) - other_}"


def bound(site):
    """A bound in the form of the column's values."""
    return shown_value(site, plain_value(site, site.stated()))


def described(site):
    """The entries that Statistics describe: those of the page for a page header, else those of the column chunk."""
    return (site.page or site.chunk).entries


def held(site):
    """The non-null values among them."""
    return [item for _, level, item in described(site) if level == site.leaf.max_def]


def nulls(site):
    return str(len(described(site)) - len(held(site)))


def distinct(site):
    """The number of distinct values, by number and by bits."""
    items = held(site)
    bits = {bytes(plain.bare(site.leaf.type, item)) for item in items}
    if site.leaf.type not in (FLOAT, DOUBLE):
        return str(len(bits))
    fewest = len({item for item in items if item == item})
    return f"{fewest} to {len(bits)}" if fewest != len(bits) else str(fewest)


def bound_of(site):
    """The bound of an exact flag."""
    return "max_value" if "max" in site.path.split(".")[-1] else "min_value"


def undefined(site):
    """The annotation of a column without an order."""
    return next(iter(site.leaf.node.attributes.get("logicalType", {"INTERVAL": {}})))


def twin(site):
    return "min_value" if site.path.endswith("max_value") else "max_value"


def twin_of(site):
    """The deprecated form of a bound, or the reverse."""
    name = site.path.split(".")[-1]
    return name.removesuffix("_value") if name.endswith("_value") else name + "_value"


def extreme(take):
    """The min or max of the values that Statistics describe."""
    def form(site):
        items = held(site)
        total = site.built.file.column_orders not in (True, None)
        key = lambda item: order(site, item, total)
        if not total:
            items = [item for item in items if item == item]
        return shown_value(site, take(items, key=key)) if items else "none"
    return form


def page_extreme(take):
    """The min or max of the page of an entry of a ColumnIndex; of NaNs if it has no other value."""
    def form(site):
        page = site.chunk.data_pages()[int(re.search(r"\[(\d+)\]$", site.path)[1])]
        items = [item for _, level, item in page.entries if level == site.leaf.max_def]
        total = site.built.file.column_orders not in (True, None)
        items = [item for item in items if item == item] or items
        return shown_value(site, take(items, key=lambda item: order(site, item, total)))
    return form


def is_decimal(site):
    return "precision" in site.leaf.node.attributes


def decimal_type(site):
    """The numbers of the column's DECIMAL, by either annotation."""
    attributes = site.leaf.node.attributes
    return attributes.get("logicalType", {}).get("DECIMAL") or attributes


def unscaled(site):
    """The number of a DECIMAL regardless of its scale."""
    order = "little" if site.leaf.type in (INT32, INT64) else "big"
    return str(int.from_bytes(site.bytes, order, signed=True))


def min_bytes(site):
    """Bytes that the number of a DECIMAL needs."""
    number_ = int.from_bytes(site.bytes, "big", signed=True)
    return (number_ if number_ >= 0 else ~number_).bit_length() // 8 + 1


def is_half(site):
    return "FLOAT16" in site.leaf.node.attributes.get("logicalType", {})


def plain_value(site, data):
    """The value that the bytes of a bound encode."""
    kind = site.leaf.type
    if kind == BOOLEAN:
        return bool(data[0])
    return struct.unpack({INT32: "<i", INT64: "<q", FLOAT: "<f", DOUBLE: "<d"}[kind], data)[0] if kind in (
        INT32, INT64, FLOAT, DOUBLE) else data


def number_of(site, item):
    """The number that a value is by its annotation."""
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
