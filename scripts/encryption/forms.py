"""The forms of encrypted files: all combinations of algorithm, footer, keys, AAD prefix, length of keys, and version of data pages."""

import dataclasses
import hashlib
import itertools

ALGORITHMS = ("AES_GCM_V1", "AES_GCM_CTR_V1")
FOOTERS = ("encrypted", "plaintext")
#: uniform: the key of the footer for all columns. each: a key for each column. some: keys for OWN, and the key of the footer for the others.
#: clear: keys for OWN, and the others are not encrypted.
KEYS = ("uniform", "each", "some", "clear")
PREFIXES = ("none", "stored", "supplied")
BITS = (128, 192, 256)
VERSIONS = (1, 2)
#: Columns with a key of their own: one without a dictionary that repeats, one of texts in lists.
OWN = ("id", "points.list.element.label")
PREFIX = "table/2026/part"


def key(name, bits):
    """A key of so many bits for a column or the footer, as hex: another one for each name. Its bytes are text, because DuckDB takes others only with 256 bits."""
    return hashlib.sha256(name.encode()).hexdigest()[: bits // 8].encode().hex()


@dataclasses.dataclass(frozen=True)
class Form:
    algorithm: str
    footer: str
    keys: str
    prefix: str
    bits: int
    version: int

    @property
    def name(self):
        return "-".join([self.algorithm, self.footer, self.keys, self.prefix, str(self.bits), f"v{self.version}"]).lower()

    def encryption(self, leaves, metadata=None):
        """The members of a file for `rewrite --encryption`, and of a job. `metadata` makes the key metadata of a column or the footer."""
        named = {"uniform": (), "each": leaves}.get(self.keys, OWN)
        out = {"algorithm": self.algorithm, "footer": self.footer, "footer_key": key("footer", self.bits)}
        if named:
            out["column_keys"] = {name: key(name, self.bits) for name in named}
        if self.keys == "clear":
            out["other_columns"] = "plaintext"
        if self.prefix != "none":
            out["aad_prefix"] = PREFIX
        if self.prefix == "supplied":
            out["store_aad_prefix"] = False
        if metadata is not None:
            out["footer_key_metadata"] = metadata("footer")
            out["column_key_metadata"] = {name: metadata(name) for name in named}
        return out

    def known(self, leaves, made=None):
        """The members of a file for `--keys`, and of a job. `made` replaces the keys, where the writer made them."""
        keys = made or {name: value for name, value in self.encryption(leaves).items() if name in ("footer_key", "column_keys")}
        return {**keys, "aad_prefix": PREFIX} if self.prefix == "supplied" else keys


ALL = tuple(Form(*one) for one in itertools.product(ALGORITHMS, FOOTERS, KEYS, PREFIXES, BITS, VERSIONS))
