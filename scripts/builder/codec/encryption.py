"""Modular encryption: the modules of a file, by the AES of the Debian package python3-cryptography.

Nonces are not random, so that each run gives the same bytes: they are a hash of the place of the module.
"""

import hashlib
import struct

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

(FOOTER, COLUMN_METADATA, DATA_PAGE, DICTIONARY_PAGE, DATA_PAGE_HEADER, DICTIONARY_PAGE_HEADER, COLUMN_INDEX, OFFSET_INDEX,
 BLOOM_FILTER_HEADER, BLOOM_FILTER_BITSET) = range(10)
GCM, CTR = "AES_GCM_V1", "AES_GCM_CTR_V1"
HEAD, TAG = 16, 16  # the length and the nonce before a ciphertext, the tag after it
#: Types of modules by the structures that the builder writes outside the pages.
TYPES = {"column_index": COLUMN_INDEX, "offset_index": OFFSET_INDEX, "bloom_filter_header": BLOOM_FILTER_HEADER}


def aad(prefix, unique, kind, group=0, column=0, page=0):
    """The AAD of a module: prefix, file identifier, type, and the ordinals that the type has."""
    out = prefix + unique + bytes([kind])
    if kind != FOOTER:
        out += struct.pack("<hh", group, column)
    if kind in (DATA_PAGE, DATA_PAGE_HEADER):
        out += struct.pack("<h", page)
    return out


def seal_gcm(key, nonce, text, bound):
    """The ciphertext and the tag."""
    encryptor = Cipher(algorithms.AES(key), modes.GCM(nonce)).encryptor()
    encryptor.authenticate_additional_data(bound)
    return encryptor.update(text) + encryptor.finalize(), encryptor.tag


def open_gcm(key, nonce, sealed, bound):
    """The text of a ciphertext with its tag after it; raises InvalidTag if it is not authentic."""
    decryptor = Cipher(algorithms.AES(key), modes.GCM(nonce, sealed[-TAG:])).decryptor()
    decryptor.authenticate_additional_data(bound)
    return decryptor.update(sealed[:-TAG]) + decryptor.finalize()


def seal_ctr(key, nonce, text):
    encryptor = Cipher(algorithms.AES(key), modes.CTR(nonce + bytes([0, 0, 0, 1]))).encryptor()
    return encryptor.update(text) + encryptor.finalize()


class Crypto:
    """The encryption of a File.

    `columns` has for each encrypted leaf, by its dotted path, its key, or None for that of the footer. `footer` is the key of the footer, which is
    encrypted unless `plain`. `stored` is the prefix in the file, `supplied` a prefix that is not. `place_of`, `nonce_of`, `key_of` and
    `change` are functions of a place (type, row group, column, page) and of the usual value, or of the bytes of the module; they return what is
    used instead. `groups` are the row groups in which the columns are encrypted, by default all; `signature` replaces the signature, and `crypto_edits`
    change the FileCryptoMetaData. `footer_aad` is a function of the AAD of the footer that returns what is used instead. Modules of the types `clear` are not encrypted.
    """

    def __init__(self, columns, footer=b"0123456789012345", plain=False, algorithm=GCM, unique=b"12345678", stored=None,
                 supplied=None, key_metadata=None, column_key_metadata=None, place_of=None, nonce_of=None, key_of=None, change=None,
                 parameters=None, signature=None, v2_values_only=False, strip=True, groups=None, crypto_edits=None, footer_aad=None, clear=()):
        self.columns, self.footer, self.plain, self.algorithm, self.unique = columns, footer, plain, algorithm, unique
        self.stored, self.supplied, self.key_metadata = stored, supplied, key_metadata
        self.column_key_metadata = column_key_metadata or {}
        self.groups, self.crypto_edits, self.clear = groups, crypto_edits, clear
        self.footer_aad = footer_aad or (lambda bound: bound)
        self.place_of = place_of or (lambda place: place)
        self.nonce_of = nonce_of or (lambda place, nonce: nonce)
        self.key_of = key_of or (lambda place, key: key)
        self.change = change or (lambda place, module: module)
        self.parameters, self.signature, self.v2_values_only, self.strip = parameters, signature, v2_values_only, strip

    def encryption_algorithm(self):
        """The values of an EncryptionAlgorithm."""
        if self.parameters is not None:
            return {self.algorithm: self.parameters}
        return {self.algorithm: {"aad_prefix": self.stored, "aad_file_unique": self.unique,
                                 "supply_aad_prefix": True if self.supplied is not None else None}}

    def prefix(self):
        return self.supplied if self.supplied is not None else self.stored or b""

    def covers(self, leaf, group):
        return ".".join(leaf.path) in self.columns and (self.groups is None or group in self.groups)

    def key(self, leaf):
        return self.columns[".".join(leaf.path)] or self.footer

    def has_own_key(self, leaf):
        return self.columns[".".join(leaf.path)] is not None

    def crypto_metadata(self, leaf):
        """The values of a ColumnCryptoMetaData."""
        if not self.has_own_key(leaf):
            return {"ENCRYPTION_WITH_FOOTER_KEY": {}}
        return {"ENCRYPTION_WITH_COLUMN_KEY": {"path_in_schema": leaf.path,
                                               "key_metadata": self.column_key_metadata.get(".".join(leaf.path))}}

    def has_sealed_metadata(self, leaf):
        return self.plain or self.has_own_key(leaf)

    def parts(self, key, place, text):
        """(nonce, ciphertext, tag) of a module; the tag of CTR is empty."""
        nonce = self.nonce_of(place, hashlib.sha256(self.unique + repr(place).encode()).digest()[:12])
        key = self.key_of(place, key)
        if self.algorithm == CTR and place[0] in (DATA_PAGE, DICTIONARY_PAGE):
            return nonce, seal_ctr(key, nonce, text), b""
        bound = aad(self.prefix(), self.unique, *self.place_of(place))
        return nonce, *seal_gcm(key, nonce, text, self.footer_aad(bound) if place[0] == FOOTER else bound)

    def module(self, key, place, text):
        """The module of `text`, with its length."""
        if place[0] in self.clear:
            return text
        nonce, sealed, tag = self.parts(key, place, text)
        return self.change(place, struct.pack("<I", len(nonce + sealed + tag)) + nonce + sealed + tag)
