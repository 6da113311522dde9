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


def witnesses(c):
    no_key = Also("file/encrypted-column", V(COLUMN + ".crypto_metadata"), "there is no key")
    c.rule("file/region-inside")
    for name in ("data_page_offset", "total_compressed_size", "bloom_filter_offset"):
        c.fail(f"the visible {name} of an encrypted column is beyond the file", shown(name, 10**6, [V1(6)]), V(f"{META}.{name}"), no_key, found="1000000", lost=[])
    c.rule("column-chunk/type")
    c.fail("the visible metadata of an encrypted column states another type", shown("type", INT64), V(META + ".type"), no_key)
    c.rule("row-group/column-order")
    c.fail("the visible metadata of an encrypted column has the path of another column", shown("path_in_schema", ["b"]), V(META + ".path_in_schema"), no_key)
    c.rule("column-chunk/encodings-duplicate")
    c.fail("the visible metadata of an encrypted column lists an encoding twice", shown("encodings", [PLAIN, PLAIN]), V(META + ".encodings"), no_key, found="PLAIN twice")
    c.rule("edition/undefined")
    c.fail("the visible metadata of an encrypted column lists a proposed encoding", shown("encodings", [11]), V(META + ".encodings"), no_key,
           found="the encoding PFOR", expected="a proposal")
