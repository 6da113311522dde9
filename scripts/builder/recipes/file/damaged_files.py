"""Files damaged as a unit after they were written: each damage is one finding, without consequences, and faults of the
file before the damage have separate findings."""

import base64
import io
import tarfile
import zipfile
import zlib

from builder.codec.compression import lz4, zstd
from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import BYTE_ARRAY, INT32, SNAPPY
from builder.codec.pages import V1
from builder.codec.schema import required
from builder.expect.losses import lost
from builder.expect.places import V, At
from builder.expect.witness import Also
from builder.recipes.base_files import column, flat

REJECT = ("reject", "README.md#error-recovery")
#: A block that occurs nowhere else in the files.
BLOCK = bytes((37 * i * i + 11 * i + 5) % 256 for i in range(4096))


def pages(count, crc=None, **more):
    return Chunk([V1(8, crc=crc) for _ in range(count)], **more)


def rich(codec=SNAPPY, indexes=True, **more):
    """Two row groups of two columns, each chunk of four pages."""
    rows = [{"a": 7 * i * i, "b": (b"%d" % (i * 7919)) * 3} for i in range(64)]

    def chunks():
        return [pages(4, codec=codec, crc=True, offset_index=indexes or None), pages(4, codec=codec, crc=True, offset_index=indexes or None)]

    return File([required("a", INT32), required("b", BYTE_ARRAY)], groups=[Group(rows[:32], chunks()), Group(rows[32:], chunks())], **more)


def other(count=24):
    """Another write of the same columns, with an odd number of bytes."""
    rows = [{"a": 5 * i * i + 1, "b": (b"%d" % (i * 104729)) * 2} for i in range(count)]
    return File([required("a", INT32), required("b", BYTE_ARRAY)], rows, [pages(count // 8, codec=SNAPPY), pages(count // 8, codec=SNAPPY)])


def grouped():
    """Three row groups of different sizes, of two columns."""
    pages_of, groups, first = (2, 4, 3), [], 0
    for count in pages_of:
        rows = [{"a": 7 * i * i, "b": (b"%d" % (i * 7919)) * 3} for i in range(first, first + 8 * count)]
        groups.append(Group(rows, [pages(count, codec=SNAPPY, crc=True, offset_index=True) for _ in "ab"]))
        first += len(rows)
    return File([required("a", INT32), required("b", BYTE_ARRAY)], groups=groups)


def group_at(built, g):
    """The first byte of a row group of grouped(); after the last one, of what follows it."""
    return page(built, g, 0, 0).offset if g < 3 else max(p.body + len(p.stored) for p in built.chunks[2][1].pages)


def group_sizes():
    built = grouped().build()
    return [group_at(built, g + 1) - group_at(built, g) for g in range(3)]


def interleaved(first, second, size):
    """Blocks of two writes by turns, until both have ended."""
    return b"".join(first[at:at + size] + second[at:at + size] for at in range(0, max(len(first), len(second)), size))


def page(built, g, c, p):
    return built.chunks[g][c].pages[p]


def cut(at, count):
    """Removes `count` bytes at the offset `at`."""
    def data(built):
        begin = at(built)
        return built.data[:begin] + built.data[begin + count:]
    return data


def put(at, more):
    def data(built):
        begin = at(built)
        return built.data[:begin] + more + built.data[begin:]
    return data


def over(at, more):
    def data(built):
        begin = at(built)
        return built.data[:begin] + more + built.data[begin + len(more):]
    return data


class Range(At):
    """The bytes from one place to another."""

    def __init__(self, begin, end, **override):
        super().__init__(begin, **override)
        self.end = end

    def resolve(self, built):
        keys = super().resolve(built)
        return {**keys, "length": self.end(built) - keys["offset"]}


def rows_of(g, c, p):
    """The rows of a page of rich()."""
    return lost("page", g, c, p)


def where(g, c, p=None):
    place = {"row_group": g, "column": "ab"[c], "leaf": c}
    return place if p is None else {**place, "page": p}


def body(g, c, p):
    return lambda b: page(b, g, c, p).body


def inside(g, c, p, by=8):
    return lambda b: page(b, g, c, p).body + by


def witnesses(c):
    missing(c)
    inserted(c)
    overwritten(c)
    other_format(c)
    text_mode(c)
    framed(c)
    block_order(c)


def missing(c):
    c.rule("file/bytes-missing")

    def fail(about, file, at, count, begin, end, *more, place=None, gone=(), **others):
        c.fail(about, file, Range(begin, end, **(place or {})).with_values(f"{count} byte{'s' * (count != 1)}"), *more,
               data=cut(at, count), reader=REJECT, lost=list(gone), **others)

    def after(g, cc, p, count):
        return lambda b: page(b, g, cc, p).offset - count

    fail("ten bytes of the body of the first page are missing", rich(), inside(0, 0, 0), 10, body(0, 0, 0), after(0, 0, 1, 10),
         place=where(0, 0, 0), gone=[rows_of(0, 0, 0)])
    fail("one byte of the body of a page in the middle is missing", rich(), inside(1, 0, 2), 1, body(1, 0, 2), after(1, 0, 3, 1),
         place=where(1, 0, 2), gone=[rows_of(1, 0, 2)])
    fail("four bytes of the last page of a chunk are missing", rich(), inside(0, 1, 3), 4, body(0, 1, 3), after(1, 0, 0, 4),
         place=where(0, 1), gone=[rows_of(0, 1, 3)])
    fail("four bytes of a page are missing, in a file without a page index", rich(indexes=False), inside(0, 1, 1), 4, body(0, 1, 1),
         after(0, 1, 2, 4), place=where(0, 1, 1), gone=[rows_of(0, 1, 1)])
    fail("ten bytes of the last page are missing, in a file without a page index", rich(indexes=False), inside(1, 1, 3), 10, body(1, 1, 3),
         lambda b: b.footer_start - 10, place=where(1, 1), gone=[rows_of(1, 1, 3)])
    fail("the first four bytes are missing, the magic", rich(), lambda b: 0, 4, lambda b: 0, lambda b: 0)
    fail("the first 20 bytes are missing, and the header of the first page with them", rich(), lambda b: 0, 20, lambda b: 0,
         after(0, 0, 1, 20), gone=[rows_of(0, 0, 0)])
    wrong = Also("footer/num-rows", At(lambda b: V("num_rows").resolve(b)["offset"] - 10, field="num_rows", length=2).with_values("65", "64"),
               "the file states one row more than its row groups, whatever happened to it later")
    fail("ten bytes of a page are missing, and num_rows of the file is one too many", rich(footer={"num_rows": 65}), inside(0, 1, 0), 10,
         body(0, 1, 0), after(0, 1, 1, 10), wrong, place=where(0, 1, 0), gone=[rows_of(0, 1, 0)])
    fail("twelve bytes of the footer are missing", rich(), lambda b: b.footer_start + 90, 12, lambda b: b.footer_start,
         lambda b: len(b.data) - 20, gone=[lost("file")])
    sizes = group_sizes()
    for g in range(3):
        c.fail(f"row group {g} of three is missing", grouped(),
               Range(lambda b, g=g: group_at(b, g), lambda b, g=g: group_at(b, g)).with_values(
                   f"{sizes[g]} bytes"),
               data=lambda b, g=g: b.data[:group_at(b, g)] + b.data[group_at(b, g + 1):], reader=REJECT,
               lost=[lost("rest of chunk", g, leaf, 0) for leaf in range(2)])
    c.ok("all bytes are there", rich())
    c.ok("all bytes are there, and there is no page index", rich(indexes=False))
    c.ok("all row groups are there", grouped())


def inserted(c):
    c.rule("file/bytes-inserted")

    def fail(about, file, at, more, begin, end, place=None, gone=(), **others):
        bytes_ = more if isinstance(more, bytes) else None
        count = len(bytes_) if bytes_ else more
        data = put(at, bytes_) if bytes_ else (lambda b: put(at, b.data[at(b) - count:at(b)])(b))
        c.fail(about, file, Range(begin, end, **(place or {})).with_values(f"{count} byte{'s' * (count != 1)}"),
               data=data, reader=REJECT, lost=list(gone), **others)

    start = lambda b: 0  # noqa: E731
    fail("a byte order mark is before the file", rich(), start, b"\xef\xbb\xbf", start, lambda b: 3)
    fail("a line of a mail is before the file", rich(), start, b"Content-Type: application/octet-stream\r\n\r\n", start, lambda b: 42)
    fail("100 bytes are between the magic and the first page", rich(), lambda b: 4, BLOCK[:100], lambda b: 4, lambda b: 104)
    fail("four bytes are in the body of a page", rich(), inside(0, 0, 1), BLOCK[:4], body(0, 0, 1),
         lambda b: page(b, 0, 0, 2).offset + 4, where(0, 0, 1), [rows_of(0, 0, 1)])
    fail("4096 bytes are between two row groups", rich(), lambda b: page(b, 1, 0, 0).offset, BLOCK,
         lambda b: page(b, 1, 0, 0).offset, lambda b: page(b, 1, 0, 0).offset + 4096)
    fail("64 bytes are repeated in a page", rich(), inside(1, 0, 1, 30), 64, inside(1, 0, 1, 30), inside(1, 0, 1, 94), where(1, 0, 1))
    fail("twelve bytes are in the footer", rich(), lambda b: b.footer_start + 90, b"\xff" * 12, lambda b: b.footer_start,
         lambda b: len(b.data) + 4, gone=[lost("file")])
    longer = rich(indexes=False).build().data
    aborted = longer[:900]
    fail("the start of an aborted write is before the file", rich(), start, aborted, start, lambda b: len(aborted))
    fail("an aborted write, and a line feed, are before the file", rich(indexes=False), start, aborted + b"\n", start, lambda b: len(aborted) + 1)
    fail("pages of another write are between the magic and the first page", rich(), lambda b: 4, aborted[4:], lambda b: 4,
         lambda b: len(aborted))
    short = column(required("a", INT32), list(range(40)))
    c.fail("a shorter file was written over a longer one without truncation", short,
           Range(lambda b: len(b.data), lambda b: len(longer)).with_values(f"{len(longer) - len(short.build().data)} bytes"),
           data=lambda b: b.data + longer[len(b.data):], reader=REJECT, lost=[])
    more = other().build().data
    blocks = -(-len(more) // 512)
    c.fail("blocks of another write precede those of the file", rich(), Range(lambda b: 0, lambda b: (blocks - 1) * 512 + len(more)).with_values(
        f"{len(more)} bytes"), data=lambda b: interleaved(more, b.data, 512), reader=REJECT, lost=[])
    c.fail("blocks of another write follow those of the file", rich(), Range(lambda b: 512, lambda b: blocks * 512 + len(more)).with_values(
        f"{len(more)} bytes"), data=lambda b: interleaved(b.data, more, 512), reader=REJECT, lost=[])
    sizes = group_sizes()
    for g in range(2):
        c.fail(f"row group {g} of three is there twice", grouped(),
               Range(lambda b, g=g: group_at(b, g + 1), lambda b, g=g: 2 * group_at(b, g + 1) - group_at(b, g)).with_values(
                   f"{sizes[g]} bytes"),
               data=lambda b, g=g: b.data[:group_at(b, g + 1)] + b.data[group_at(b, g):], reader=REJECT, lost=[])
    c.ok("no byte is too many", rich())


def overwritten(c):
    c.rule("file/overwritten")

    def run(data, at):
        """The zeros around a byte."""
        begin = end = at
        while data[begin - 1] == 0:
            begin -= 1
        while data[end] == 0:
            end += 1
        return begin, end

    def gone(built, begin, end):
        return [lost("page", g, cc, p) for g, group in enumerate(built.chunks) for cc, chunk in enumerate(group)
                for p, one in enumerate(chunk.pages) if one.offset < end and begin < one.offset + len(one)]

    for at, about in ((512, "in the first row group"), (1024, "further on")):
        zeros = over(lambda b, at=at: at, bytes(512))
        built = rich().build()
        begin, end = run(zeros(built), at)
        c.fail(f"512 zero bytes are in place of pages {about}", rich(), At(begin, length=end - begin).with_values(f"{end - begin} zero bytes", "pages"),
               data=zeros, reader=REJECT, lost=gone(built, begin, end))
    again = over(lambda b: 512, rich().build().data[:512])
    c.fail("a block of 512 bytes also replaces the block after it", rich(),
           At(512, length=512).with_values("512 bytes of the block in front", "pages"), data=again, reader=REJECT, lost=gone(built, 512, 1024))
    c.fail("the last 512 bytes are zeros", rich(), Range(lambda b: run(b.data[:-512] + bytes(512) + b"x", len(b.data) - 512)[0],
           lambda b: len(b.data)).with_values("512 zero bytes", "the footer"),
           data=lambda b: b.data[:-512] + bytes(512), reader=REJECT, lost=[lost("file")])
    for at, more, about in ((1024, other(240).build().data[1000:1512], "in the middle"), (512, other(240).build().data[3000:4024], "two blocks long")):
        pages_gone = [one for one in gone(rich().build(), at, at + len(more)) if at == 1024 or (one["row_group"], one["leaf"]) != (1, 0)]
        c.fail(f"pages of another write replace those of the file, {about}", rich(),
               At(at, length=len(more)).with_values(f"{len(more)} bytes of another write", "pages"), data=over(lambda b, at=at: at, more),
               reader=REJECT, lost=pages_gone + [lost("rest of chunk", 1, 0, 0)] * (at == 512))
    c.fail("a block is a copy of the first of the file", rich(), At(1024, length=512).with_values("512 bytes of other blocks of the file", "pages"),
           data=over(lambda b: 1024, rich().build().data[:512]), reader=REJECT, lost=gone(rich().build(), 1024, 1536))
    c.ok("a value of 2,000 zero bytes", column(required("a", BYTE_ARRAY), [bytes(2000)]))
    c.ok("two values of 1,024 equal bytes", column(required("a", BYTE_ARRAY), [BLOCK[:1020] * 2]))


def other_format(c):
    c.rule("file/other-format")

    def packed(name, content):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as into:
            into.writestr(zipfile.ZipInfo(name), content)
        return out.getvalue()

    def taped(name, content):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as into:
            about = tarfile.TarInfo(name)
            about.size = len(content)
            into.addfile(about, io.BytesIO(content))
        return out.getvalue()

    def fail(about, name, data):
        c.fail(about, flat(), At(0).with_values(name), data=data, reader=REJECT, lost=[lost("file")])

    fail("a file in a gzip stream", "a gzip stream", lambda b: gzip_stored(b.data))
    fail("a file in a ZIP archive", "a ZIP archive", lambda b: packed("a.parquet", b.data))
    fail("a file in a tar archive", "a tar archive", lambda b: taped("a.parquet", b.data))
    fail("a file in Base64, in lines of two lengths", "Base64 text", lambda b: base64.b64encode(b.data)[:50] + b"\n" + base64.b64encode(b.data)[50:])
    fail("a file in hexadecimal digits", "hexadecimal text", lambda b: b.data.hex().encode())
    fail("an HTML page", "an HTML page", lambda b: b"<!DOCTYPE html>\n<html><body>404: no such file</body></html>\n")
    fail("JSON", "JSON", lambda b: b'{"error": "no such file or directory"}\n')
    fail("JSON Lines", "JSON Lines", lambda b: b'{"a": 1, "b": "x"}\n{"a": 2, "b": "y"}\n')
    fail("CSV", "CSV text", lambda b: b"id,name,amount\n1,one,1.5\n2,two,2.5\n")
    fail("an Avro file", "an Avro file", lambda b: b"Obj\x01\x02\x16avro.schema\x1a" + b'{"type": "int"}' + bytes(20))
    fail("an ORC file", "an ORC file", lambda b: b"ORC" + BLOCK[:60] + b"ORC\x17")
    fail("an Arrow IPC file", "an Arrow IPC file", lambda b: b"ARROW1\0\0\xff\xff\xff\xff" + BLOCK[:60] + b"ARROW1")
    fail("an Arrow IPC stream", "an Arrow IPC stream", lambda b: b"\xff\xff\xff\xff\x78\0\0\0\x10\0\0\0" + BLOCK[:120])
    fail("a Feather file of the first version", "a Feather file (version 1)", lambda b: b"FEA1" + BLOCK[:60] + b"FEA1")
    fail("zero bytes alone", "zero bytes throughout", lambda b: bytes(len(b.data)))
    fail("the beginning of a zstd stream", "a Zstandard stream", lambda b: zstd.frame(BLOCK[:60], content_size=9999)[:60])
    fail("a file in an LZ4 frame", "an LZ4 frame", lambda b: lz4.frame(b.data))
    fail("the beginning of a bzip2 stream", "a bzip2 stream", lambda b: b"BZh91AY&SY" + BLOCK[:60])
    fail("the beginning of an XZ stream", "an XZ stream", lambda b: b"\xfd7zXZ\0\0\4" + BLOCK[:60])
    fail("the beginning of a framed Snappy stream", "a framed Snappy stream", lambda b: b"\xff\6\0\0sNaPpY" + BLOCK[:60])
    fail("the beginning of a 7z archive", "a 7z archive", lambda b: b"7z\xbc\xaf\x27\x1c\0\4" + BLOCK[:60])
    fail("the beginning of a RAR archive", "a RAR archive", lambda b: b"Rar!\x1a\7\1\0" + BLOCK[:60])
    fail("an empty ZIP archive", "an empty ZIP archive", lambda b: b"PK\5\6" + bytes(16) + b"\x10\0" + b"nothing is in it")
    fail("text in a ZIP archive", "a ZIP archive", lambda b: packed("a.txt", b"no Parquet file"))
    fail("the beginning of a ZIP archive", "a ZIP archive", lambda b: packed("a.parquet", b.data)[:28])
    fail("text in a tar archive", "a tar archive", lambda b: taped("a.txt", b"no Parquet file"))
    fail("the beginning of a tar archive", "a tar archive", lambda b: taped("a.parquet", b.data)[:300])
    fail("an XML document", "an XML document", lambda b: b'<?xml version="1.0"?>\n<Error><Code>NoSuchKey</Code></Error>\n')
    fail("a Git LFS pointer", "a Git LFS pointer in place of the file",
         lambda b: b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 1024\n")
    fail("UTF-16 text", "UTF-16 text", lambda b: "\ufeffid,name\n1,one\n2,two\n".encode("utf-16-le"))
    fail("the beginning of a Hadoop sequence file", "a Hadoop sequence file", lambda b: b"SEQ\6\x19" + BLOCK[:60])
    fail("the beginning of an RCFile", "an RCFile", lambda b: b"RCF\1\0" + BLOCK[:60])
    fail("the beginning of an SQLite database", "an SQLite database", lambda b: b"SQLite format 3\0" + BLOCK[:60])
    fail("the beginning of an HDF5 file", "an HDF5 file", lambda b: b"\x89HDF\r\n\x1a\n" + BLOCK[:60])
    fail("a PDF document", "a PDF document", lambda b: b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n")
    fail("the beginning of a PNG picture", "a PNG picture", lambda b: b"\x89PNG\r\n\x1a\n" + BLOCK[:60])
    fail("a line of text", "text", lambda b: b"no such file, or no right to read it\n")
    fail("two lines with other numbers of commas", "text", lambda b: b"one, two and three\nfour and five\n")
    c.ok("a value that begins as a ZIP archive does", column(required("a", BYTE_ARRAY), [b"PK\x03\x04" + BLOCK[:60]]))


def gzip_stored(data):
    """A gzip stream of one stored block."""
    size = len(data)
    return (b"\x1f\x8b\x08\0\0\0\0\0\0\xff\x01" + size.to_bytes(2, "little") + (size ^ 0xFFFF).to_bytes(2, "little") + data +
            zlib.crc32(data).to_bytes(4, "little") + size.to_bytes(4, "little"))


def text_mode(c):
    c.rule("file/text-mode")

    def windows(built):
        return built.data.replace(b"\n", b"\r\n")

    c.fail("each line feed has got a carriage return", rich(), At(lambda b: windows(b).index(b"\r\n"), length=2).with_values("CR LF", "LF"),
           data=windows, reader=REJECT, lost=[])
    c.fail("each line feed has got a carriage return, and num_rows of the file is one too many", rich(footer={"num_rows": 65}),
           At(lambda b: windows(b).index(b"\r\n"), length=2).with_values("CR LF", "LF"),
           Also("footer/num-rows", At(lambda b: len(b.data[:V("num_rows").resolve(b)["offset"]].replace(b"\n", b"\r\n")),
                                      field="num_rows", length=2).with_values("65", "64"), "num_rows was wrong from the beginning"),
           data=windows, reader=REJECT, lost=[])

    def replaced(built):
        return built.data.decode("utf-8", "replace").encode()

    def characters(built):
        return built.data.decode("latin-1").encode()

    def first(data):
        return next(i for i, byte in enumerate(data) if byte >= 0x80)

    c.fail("all bytes that are no UTF-8 were replaced", rich(), At(lambda b: first(replaced(b)), length=3).with_values("EF BF BD", "bytes that are no UTF-8"),
           data=replaced, reader=REJECT, lost=[lost("file")])
    c.fail("each byte was written as a character of UTF-8", rich(), At(lambda b: first(characters(b)), length=2).with_values(
        "characters of UTF-8", "single bytes"), data=characters, reader=REJECT, lost=[lost("file")])
    lined = [{"a": i, "b": b"line %d" % i + (b"\r\n" if i % 32 == 12 else b"")} for i in range(128)]
    unix = File([required("a", INT32), required("b", BYTE_ARRAY)],
                groups=[Group(lined[at:at + 32], [pages(4), pages(4)]) for at in range(0, 128, 32)])
    c.fail("the carriage return before each line feed was removed", unix,
           Range(body(0, 1, 1), lambda b: page(b, 3, 1, 2).offset - 4).with_values("LF", "CR LF"),
           data=lambda b: b.data.replace(b"\r\n", b"\n"), reader=REJECT, lost=[rows_of(g, 1, 1) for g in range(4)])
    c.ok("line feeds, and carriage returns before some of them", unix)


def chunked(data, size, extension=b"", trailer=b""):
    """The chunked encoding of HTTP, with chunks of `size` bytes."""
    parts = [data[at:at + size] for at in range(0, len(data), size)]
    return b"".join(b"%x%s\r\n%s\r\n" % (len(part), extension, part) for part in parts) + b"0%s\r\n%s\r\n" % (extension, trailer)


def lines_of(text, length):
    return b"".join(text[at:at + length] + b"\n" for at in range(0, len(text), length))


def framed(c):
    c.rule("file/transfer-framing")
    signed = b";chunk-signature=" + b"0f" * 32
    headers = b"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    line = b"--------------------------d74496d66958873e"
    form = line + b'\r\nContent-Disposition: form-data; name="file"; filename="a.parquet"\r\nContent-Type: application/octet-stream\r\n\r\n'
    field = line + b'\r\nContent-Disposition: form-data; name="key"\r\n\r\nuploads/a.parquet\r\n'

    def fail(about, name, data, file=None, others=()):
        c.fail(about, file or rich(), Range(lambda b: 0, lambda b: data(b).index(b"PAR1")).with_values(name, "the file alone"), *others,
               data=data, reader=REJECT, lost=[])

    fail("the signed chunk of an upload to Amazon S3 is the object", "aws-chunked encoding", lambda b: chunked(b.data, 65536, signed))
    fail("signed chunks of 512 bytes are the object", "aws-chunked encoding", lambda b: chunked(b.data, 512, signed))
    fail("chunks without signature, and a trailer with a checksum, are the object", "aws-chunked encoding",
         lambda b: chunked(b.data, 1000, trailer=b"x-amz-checksum-crc32:AAAAAA==\r\n"))
    fail("the chunks of an HTTP body are the object", "HTTP chunked encoding", lambda b: chunked(b.data, 777))
    fail("an HTTP message with a chunked body is the object", "HTTP chunked encoding", lambda b: headers + chunked(b.data, 777))
    fail("an HTTP message is the object", "HTTP headers", lambda b: headers.replace(b"Transfer-Encoding: chunked", b"Connection: close") + b.data)
    fail("a form with one part is the object", "multipart/form-data", lambda b: form + b.data + b"\r\n" + line + b"--\r\n")
    fail("a form with a field and the file is the object", "multipart/form-data",
         lambda b: field + form + b.data + b"\r\n" + line + b"--\r\n")
    at = len(headers)
    fail("the headers of a request are before the file, in which num_rows is one too many", "HTTP headers",
         lambda b: headers.replace(b"HTTP/1.1 200 OK", b"PUT /a HTTP/1.1") + b.data, file=rich(footer={"num_rows": 65}),
         others=[Also("footer/num-rows", At(lambda b: V("num_rows").resolve(b)["offset"] + at, field="num_rows", length=2).with_values("65", "64"),
                      "num_rows was wrong before the transfer")])
    for about, data in (("in lines of 76 characters that end with CR LF, as in a mail", lambda b: base64.encodebytes(b.data).replace(b"\n", b"\r\n")),
                        ("in lines of 64 characters", lambda b: lines_of(base64.b64encode(b.data), 64)),
                        ("in one line", lambda b: base64.b64encode(b.data))):
        c.fail(f"base64 of the file {about}, is the object", rich(), Range(lambda b: 0, lambda b, data=data: len(data(b))).with_values("base64", "the file alone"),
               data=data, reader=REJECT, lost=[])
    c.ok("a value that is the size of a chunk", column(required("a", BYTE_ARRAY), [b"1f4\r\n" + BLOCK[:500] + b"\r\n0\r\n\r\n"]))


def block_order(c):
    c.rule("file/block-order")
    size = 512

    def reordered(order):
        """The blocks of a file in another order; those that `order` does not name stay."""
        def data(built):
            blocks = [built.data[at:at + size] for at in range(0, len(built.data), size)]
            return b"".join(blocks[order.get(i, i)] for i in range(len(blocks)))
        return data

    def fail(about, order, *more, file=None):
        first, last = min(order), max(order)
        c.fail(about, file or rich(), At(first * size, length=(last - first + 1) * size).with_values(f"{len(order)} blocks of {size} bytes"), *more,
               data=reordered(order), reader=REJECT, lost=[])

    fail("two blocks that follow each other are swapped", {1: 2, 2: 1})
    fail("the first and the third block are swapped", {0: 2, 2: 0})
    fail("three blocks changed places", {0: 1, 1: 2, 2: 0})
    fail("two blocks are swapped, in a file without a page index", {0: 1, 1: 0}, file=rich(indexes=False))
    fail("two blocks are swapped, and num_rows of the file is one too many", {0: 2, 2: 0},
         Also("footer/num-rows", At(lambda b: V("num_rows").resolve(b)["offset"], field="num_rows", length=2).with_values("65", "64"),
              "num_rows was wrong before the blocks were moved"), file=rich(footer={"num_rows": 65}))
    for one, two in ((0, 1), (1, 2), (0, 2)):
        def swapped(b, one=one, two=two):
            begin, end, other_begin, other_end = (group_at(b, g) for g in (one, one + 1, two, two + 1))
            return b.data[:begin] + b.data[other_begin:other_end] + b.data[end:other_begin] + b.data[begin:end] + b.data[other_end:]
        c.fail(f"row groups {one} and {two} of three changed places", grouped(),
               Range(lambda b, one=one: group_at(b, one), lambda b, two=two: group_at(b, two + 1)).with_values(
                   f"row groups {one} and {two}", "row groups in their order"), data=swapped, reader=REJECT, lost=[])
    c.ok("the blocks are in their order", rich())
