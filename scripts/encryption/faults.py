"""Faults of encrypted files, module by module: what was changed, and the findings that it has to cause."""

import dataclasses
import struct

from builder.codec import encryption, thrift_reader
from builder.codec.cursor import Cursor

HEAD, TAG = encryption.HEAD, encryption.TAG
PAGES = ("page-header", "page-body")
TAGGED, PLACE, LENGTH, NONCE, KEY, SIGNATURE = (
    f"encryption/{name}" for name in ("tag", "module-place", "module-length", "nonce", "key", "signature"))


@dataclasses.dataclass(frozen=True)
class Module:
    kind: str
    begin: int
    end: int
    chunk: tuple = ()  # row group and leaf
    page: int = -1
    dictionary: bool = False

    @property
    def name(self):
        return f"{'dictionary ' if self.dictionary else ''}{self.kind}"

    def is_tagged(self, algorithm):
        return algorithm == "AES_GCM_V1" or self.kind != "page-body"


@dataclasses.dataclass(frozen=True)
class Fault:
    """A changed file. `rules`: one of them is broken, once in each column chunk of `places`, modules in file order, and nothing else. `keys` replace the
    right ones. `visible`: it is found without keys too."""

    name: str
    data: bytes
    rules: tuple
    places: tuple
    keys: dict = None
    visible: bool = False

    def expects(self, finding):
        return finding["rule"] in self.rules and any(one.begin <= finding["offset"] < one.end for one in self.places)


def modules_of(segments, data):
    """The modules outside the footer, by the byte map of the file; the lengths that they begin with have to fit."""
    out = []
    for one in segments:
        if not one.get("encrypted"):
            continue
        begin, end = one["offset"], one["offset"] + one["length"]
        if begin + 4 + struct.unpack_from("<I", data, begin)[0] != end:
            continue  # levels before the module, or another length
        out.append(Module(one["kind"], begin, end, (one["row_group"], one["leaf"]), one.get("page", -1), one.get("page_type") == "DICTIONARY_PAGE"))
    return out


def changed(data, at, new):
    return data[:at] + new + data[at + len(new):]


def flipped(data, at):
    return changed(data, at, bytes([data[at] ^ 1]))


def exchanged(data, first, second):
    """Two stretches [begin, end) in file order change places."""
    (a, b), (c, d) = first, second
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def with_header(modules, body):
    """A page body with its header, which has the checksum of the body."""
    at = modules.index(body)
    return dataclasses.replace(body, begin=modules[at - 1].begin)


def of_bytes(data, modules, algorithm):
    """A changed byte in each part of a module of each kind."""
    kinds = {}
    for one in modules:
        kinds.setdefault(one.name, []).append(one)
    for name, those in kinds.items():
        one = those[len(those) // 2]
        rules, place = (), (one,)
        if one.kind == "page-body":
            rules, place = ("crc/match",), (with_header(modules, one),)
        if algorithm == "AES_GCM_V1" or one.kind != "page-body":
            yield Fault(f"a byte of the ciphertext: {name}", flipped(data, (one.begin + HEAD + one.end - TAG) // 2), (TAGGED, *rules), place)
            yield Fault(f"a byte of the nonce: {name}", flipped(data, one.begin + 9), (TAGGED, *rules), place)
            yield Fault(f"a byte of the tag: {name}", flipped(data, one.end - 3), (TAGGED, *rules), place)
        yield Fault(f"the length is larger by 65536: {name}", flipped(data, one.begin + 2), (LENGTH, *rules), place, visible=True)


def of_places(data, modules):
    """Modules at the places of others."""
    chunks = {}
    for one in modules:
        if one.kind in PAGES and not one.dictionary:
            chunks.setdefault(one.chunk, []).append(one)
    longest = max(chunks.values(), key=len, default=[])
    if len(longest) >= 8:
        at = len(longest) // 4 * 2
        header, body, other_header, other_body = longest[at:at + 4]
        if header.end == body.begin and body.end == other_header.begin and other_header.end == other_body.begin:
            moved = exchanged(data, (header.begin, body.end), (other_header.begin, other_body.end))
            yield Fault("two pages changed places", moved, (PLACE,), (dataclasses.replace(header, end=other_body.end),))
    for name, kind in (("page headers", "page-header"), ("column indexes", "column-index"), ("offset indexes", "offset-index"),
                       ("Bloom filters", "bloom-filter-bitset")):
        those = [one for one in modules if one.kind == kind and not one.dictionary]
        pair = next(((one, other) for one in those for other in those
                     if one.chunk < other.chunk and one.chunk[1] != other.chunk[1] and one.end - one.begin == other.end - other.begin), None)
        if pair:
            yield Fault(f"{name} of two columns changed places", exchanged(data, *((one.begin, one.end) for one in pair)), (PLACE, TAGGED), pair)


def of_keys(data, known):
    """Keys and a prefix that are not those of the file."""
    everywhere = (Module("file", 0, len(data)),)
    other = "00" * (len(known["footer_key"]) // 2)
    yield Fault("another footer key", data, (KEY, SIGNATURE), everywhere, keys={**known, "footer_key": other})
    for name in list(known.get("column_keys", ()))[:1]:
        yield Fault("another key of a column", data, (KEY,), everywhere, keys={**known, "column_keys": {**known["column_keys"], name: other}})
    yield Fault("another AAD prefix", data, (KEY,), everywhere, keys={**known, "aad_prefix": "another"})


def of_footer(data, form):
    length = struct.unpack("<I", data[-8:-4])[0]
    footer = Module("footer", len(data) - 8 - length, len(data) - 8)
    if form.footer == "encrypted":
        yield Fault("a byte of the footer", flipped(data, footer.end - length // 4), (TAGGED, KEY), (footer,))
    else:
        # Where nothing else is encrypted with the key of the footer, a wrong key cannot be excluded.
        yield Fault("a byte of the signature", flipped(data, footer.end - 5), (SIGNATURE, KEY), (footer,))


def of_frame(data):
    yield Fault("the last 100 bytes are missing", data[:-100], ("file/tail-magic",), (Module("file", 0, len(data)),), visible=True)


def algorithm_of(data, form):
    """The aad_prefix and the aad_file_unique of a file."""
    length = struct.unpack("<I", data[-8:-4])[0]
    kind = "FileCryptoMetaData" if form.footer == "encrypted" else "FileMetaData"
    stated = thrift_reader.read(Cursor(data[-8 - length:-8]), kind, needed={})["encryption_algorithm"][form.algorithm]
    return bytes.fromhex(stated.get("aad_prefix", "")), bytes.fromhex(stated["aad_file_unique"])


def of_nonces(data, modules, known, form, leaves):
    """The nonce of the offset index of a chunk becomes that of its column index."""
    kinds = {(one.kind, one.chunk): one for one in modules}
    chunk = next((chunk for kind, chunk in kinds if kind == "column-index" and ("offset-index", chunk) in kinds), None)
    if chunk is None:
        return
    first, second = kinds["column-index", chunk], kinds["offset-index", chunk]
    stored, unique = algorithm_of(data, form)
    bound = encryption.aad(known.get("aad_prefix", "").encode() or stored, unique, encryption.OFFSET_INDEX, *chunk)
    key = bytes.fromhex(known.get("column_keys", {}).get(leaves[chunk[1]], known["footer_key"]))
    text = encryption.open_gcm(key, data[second.begin + 4:second.begin + HEAD], data[second.begin + HEAD:second.end], bound)
    nonce = data[first.begin + 4:first.begin + HEAD]
    again = nonce + b"".join(encryption.seal_gcm(key, nonce, text, bound))
    yield Fault("the nonce of another module", changed(data, second.begin + 4, again), (NONCE,), (second,), visible=True)


def all_of(data, segments, known, form, leaves):
    modules = modules_of(segments, data)
    yield from of_bytes(data, modules, form.algorithm)
    yield from of_places(data, modules)
    yield from of_nonces(data, modules, known, form, leaves)
    yield from of_keys(data, known)
    yield from of_footer(data, form)
    yield from of_frame(data)
