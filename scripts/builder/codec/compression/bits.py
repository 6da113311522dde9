"""Bit streams, from the lowest bit of the first byte on."""

from builder.codec.cursor import Refused


class Writer:
    """Writes numbers one after another."""

    def __init__(self):
        self.bits, self.count = 0, 0

    def put(self, number, size):
        """A number of `size` bits, its lowest bit first."""
        assert 0 <= number < 1 << size
        self.bits |= number << self.count
        self.count += size

    def code(self, number, size):
        """A prefix code of `size` bits, its highest bit first."""
        for bit in reversed(range(size)):
            self.put(number >> bit & 1, 1)

    def align(self):
        """Appends zeros up to the end of the byte."""
        self.count += -self.count % 8

    def append(self, data):
        """Appends bytes; the stream has to be aligned."""
        assert self.count % 8 == 0
        self.put(int.from_bytes(data, "little"), 8 * len(data))

    def bytes(self):
        return self.bits.to_bytes((self.count + 7) // 8, "little")


class Reader:
    """Reads the format of Writer from the rest of a cursor; take() consumes the started bytes."""

    def __init__(self, cursor):
        self.cursor = cursor
        self._begin()

    def _begin(self):
        self.bits, self.have, self.count, self.at = 0, 0, 0, self.cursor.at

    def peek(self, size):
        """The next bits; those after the end are zeros."""
        if self.have < size:
            self.bits |= int.from_bytes(self.cursor.data[self.at:min(self.at + 8, self.cursor.end)], "little") << self.have
            self.have += 64
            self.at += 8
        return self.bits & (1 << size) - 1

    def skip(self, size):
        self.bits >>= size
        self.have -= size
        self.count += size
        if self.count > 8 * self.cursor.left:
            raise Refused("the bits end early")

    def number(self, size):
        number = self.peek(size)
        self.skip(size)
        return number

    def take(self, what):
        """Takes the bytes up to here as `what`; returns the unread bits of the last one."""
        rest = self.peek(-self.count % 8)
        self.cursor.take((self.count + 7) // 8, what)
        self._begin()
        return rest


class Backward:
    """The bits of a section from its last to its first: the highest 1 of the last byte marks the end. `left` is the number of bits
    left, negative after reading past the end."""

    def __init__(self, data):
        if not data or not data[-1]:
            raise Refused("no bit marks the end of the stream")
        self.data, self.left = data, 8 * len(data) - 9 + data[-1].bit_length()

    def peek(self, size):
        """The next bits; those before the first are zeros."""
        first = self.left - size
        at = max(first, 0)
        bits = int.from_bytes(self.data[at // 8:(self.left + 7) // 8], "little") >> at % 8 if self.left > 0 else 0
        return (bits << at - first) & (1 << size) - 1

    def skip(self, size):
        self.left -= size

    def number(self, size):
        number = self.peek(size)
        self.skip(size)
        return number
