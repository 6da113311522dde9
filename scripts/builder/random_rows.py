"""Random files: every type under every annotation, groups, lists and maps in legal and illegal shapes."""

import struct

from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import (BOOLEAN, DECIMAL, DOUBLE, FIXED_LEN_BYTE_ARRAY, FLOAT, INT32, INT64, INT96, LIST, MAP,
                                    MAP_KEY_VALUE, OPTIONAL, REPEATED, REQUIRED)
from builder.codec.pages import V1, V2
from builder.codec.schema import Node

NAMES = ("a", "b", "list", "element", "array", "key", "value", "l_tuple", "l", "é", 'x"y', "c.d", "bag", "key_value")
DAYS = (0, -719_162, -719_163, 2_932_896, 2_932_897)  # the ends of the years 1 and 9999, and days beyond them
EDGES = [sign * edge for edge in (0, 1, 255, 65_535, 2**31 - 1, 2**31, 2**63 - 1) for sign in (1, -1)] + \
    [day * 86_400 * 10**digits + more for day in (*DAYS, 1) for digits in (3, 6, 9) for more in (0, -1)] + list(DAYS)
REALS = (0.0, -0.0, 1.0, 1e5, 123456.0, 1e15, 1e17, 1e22, 0.1, 1e-4, 1.5e-5, float("inf"), float("-inf"), float("nan"), 2.0**63,
         16777216.0, 3.4e38)
LETTERS = ("a", "é", "\u2028", "\u202e", "\U0001f600", '"', "\\", "\x01", "\x9f", "\ufeff", "漢", "\x7f")
NO_UTF8 = (b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82")
ANNOTATIONS = [
    *({name: {}} for name in ("STRING", "ENUM", "JSON", "BSON", "UUID", "FLOAT16", "DATE", "UNKNOWN", "LIST", "MAP")),
    *({"INTEGER": {"bitWidth": bits, "isSigned": is_signed}} for bits in (8, 16, 32, 64) for is_signed in (True, False)),
    *({name: {"isAdjustedToUTC": is_utc, "unit": {unit: {}}}} for name in ("TIME", "TIMESTAMP") for is_utc in (True, False)
      for unit in ("MILLIS", "MICROS", "NANOS")),
    *({"DECIMAL": {"scale": scale, "precision": precision}} for scale, precision in ((0, 1), (2, 9), (5, 5), (30, 38), (-1, 5), (9, 3)))]
GROUPS = ({"logicalType": {"LIST": {}}}, {"converted_type": LIST}, {"logicalType": {"MAP": {}}}, {"converted_type": MAP},
          {"converted_type": MAP_KEY_VALUE})


class Maker:
    """Makes files by a random generator."""

    def __init__(self, random):
        self.random = random

    def number(self, bits):
        if self.random.random() < 0.5:
            return (self.random.choice(EDGES) + 2**(bits - 1)) % 2**bits - 2**(bits - 1)
        return self.random.randrange(-2**(bits - 1), 2**(bits - 1)) >> self.random.randrange(bits)

    def real(self, form):
        pick = self.random.random()
        if pick < 0.3:
            return self.random.randbytes(struct.calcsize(form))
        digits = self.random.randrange(-99999, 99999)
        return struct.pack(form, self.random.choice(REALS) if pick < 0.6 else float(f"{digits}e{self.random.randrange(-20, 25)}"))

    def text(self):
        text = "".join(self.random.choice(LETTERS) for _ in range(self.random.randrange(6))).encode()
        return text + (self.random.choice(NO_UTF8) if self.random.random() < 0.2 else b"")

    def value(self, kind, length):
        if kind in (INT32, INT64):
            return self.number(32 if kind == INT32 else 64)
        if kind in (FLOAT, DOUBLE):
            return self.real("<f" if kind == FLOAT else "<d")
        if kind == INT96:
            day = self.random.choice((self.number(32), 2_440_588 + self.random.choice(DAYS)))
            return struct.pack("<qi", self.number(64) if self.random.random() < 0.3 else self.random.randrange(86_400 * 10**9), day)
        if kind == BOOLEAN:
            return self.random.random() < 0.5
        return self.random.randbytes(length) if kind == FIXED_LEN_BYTE_ARRAY or self.random.random() < 0.3 else self.text()

    def attributes(self):
        """Annotations of a leaf, which may contradict its type and each other."""
        found = {"logicalType": self.random.choice(ANNOTATIONS)} if self.random.random() < 0.6 else {}
        if self.random.random() < 0.4:
            found["converted_type"] = self.random.randrange(22)
            if found["converted_type"] == DECIMAL:
                found.update(scale=self.random.choice((0, 2, 7)), precision=9)
        return found

    def node(self, depth, name, repetition=None):
        random = self.random
        repetition = random.choice((REQUIRED, OPTIONAL, OPTIONAL, REPEATED)) if repetition is None else repetition
        if not depth or random.random() < 0.3:
            kind, more = random.randrange(8), self.attributes()
            if kind == FIXED_LEN_BYTE_ARRAY:
                more["type_length"] = random.choice((1, 2, 4, 12, 16, 20))
            return Node(name, kind, repetition, **more)
        more = random.choice(GROUPS) if random.random() < 0.6 else {}
        if more and random.random() < 0.85:
            middle = random.choice((name + "_tuple", "array", "list", "bag"))
            return Node(name, [self.node(depth - 1, middle, REPEATED if random.random() < 0.9 else None)], repetition, **more)
        return Node(name, self.nodes(depth - 1), repetition, **more)

    def nodes(self, depth):
        return [self.node(depth, name) for name in self.random.sample(NAMES, self.random.randrange(1, 4))]

    def item(self, node):
        """The value of a node in a row."""
        def one():
            if node.children is None:
                return self.value(node.type, node.attributes.get("type_length", self.random.randrange(20)))
            return {child.name: self.item(child) for child in node.children}
        if node.repetition == REPEATED:
            return [one() for _ in range(self.random.randrange(4))]
        return None if node.repetition == OPTIONAL and self.random.random() < 0.3 else one()

    def file(self):
        nodes = self.nodes(self.random.randrange(5))
        groups = [Group([{node.name: self.item(node) for node in nodes} for _ in range(self.random.randrange(6))],
                        Chunk([self.random.choice((V1, V2))()])) for _ in range(self.random.randrange(1, 3))]
        return File(nodes, groups=groups)
