"""Faults of the metadata that a plaintext footer shows of an encrypted column, for readers without the key (Encryption.md, Plaintext Footer Mode)."""

from builder.codec.file import Chunk
from builder.codec.metadata import INT64, PLAIN
from builder.codec.pages import V1
from builder.expect.places import V
from builder.expect.witness import Also
from builder.recipes.base_files import COLUMN, META
from builder.recipes.file.encryption import pages, sealed


def shown(name, value, data_pages=None):
    """Column `a` is encrypted; its visible metadata has this value of a field, the encrypted metadata another one."""
    return sealed(plain=True, chunk={"a": Chunk(data_pages or pages(), column={f"meta_data.{name}": value}, bloom=True)})


def longer(more):
    """The pages of column `a` seem to have so many more bytes, of those of column `b`."""
    data_pages = [V1(2), V1(2), V1(2)]
    size = shown("codec", 0, data_pages).build().chunks[0][0].metadata()["total_compressed_size"]
    return shown("total_compressed_size", size + more, data_pages)


class Overlapped(V):
    """The offset of column `b`, and the extents of both columns."""

    def __init__(self):
        super().__init__("row_groups[0].columns[1].meta_data.data_page_offset")

    def keys(self, built):
        (a, b), stated = built.chunks[0], built.tree("footer").at("row_groups[0].columns[0].meta_data.total_compressed_size")
        extent = lambda name, begin, end: f"column chunk of {name} in row group 0 at {begin} to {end}"
        begin, next_one = a.pages[0].offset, b.pages[0].offset
        return {**super().keys(built), "found": extent("b", next_one, b.pages[-1].body + len(b.pages[-1].stored)), "expected": extent("a", begin, begin + stated)}


def witnesses(c):
    no_key = Also("file/encrypted-column", V(COLUMN + ".crypto_metadata"), "there is no key")
    c.rule("file/region-inside")
    for name in ("data_page_offset", "total_compressed_size", "bloom_filter_offset"):
        c.fail(f"the visible {name} of an encrypted column is beyond the file", shown(name, 10**6, [V1(6)]), V(f"{META}.{name}"), no_key, found="1000000", lost=[])
    c.rule("column-chunk/dictionary-before-data")
    c.fail("the visible dictionary_page_offset of an encrypted column is beyond the file", shown("dictionary_page_offset", 10**6),
           V(META + ".dictionary_page_offset"), no_key, found="1000000", lost=[])
    c.rule("file/regions-disjoint")
    for more in (1, 30):
        c.fail(f"the visible total_compressed_size of an encrypted column is larger by {more}", longer(more), Overlapped(), no_key, lost=[])
    c.rule("column-chunk/type")
    c.fail("the visible metadata of an encrypted column states another type", shown("type", INT64), V(META + ".type"), no_key)
    c.rule("row-group/column-order")
    c.fail("the visible metadata of an encrypted column has the path of another column", shown("path_in_schema", ["b"]), V(META + ".path_in_schema"), no_key)
    c.rule("column-chunk/encodings-duplicate")
    c.fail("the visible metadata of an encrypted column lists an encoding twice", shown("encodings", [PLAIN, PLAIN]), V(META + ".encodings"), no_key, found="PLAIN twice")
    c.rule("edition/undefined")
    c.fail("the visible metadata of an encrypted column lists a proposed encoding", shown("encodings", [11]), V(META + ".encodings"), no_key,
           found="the encoding PFOR", expected="a proposal")
