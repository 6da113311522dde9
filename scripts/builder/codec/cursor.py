"""Reads bytes part by part, with a description of each part."""


class Refused(ValueError):
    """Bytes that cannot be decoded."""


def counted(number, noun):
    """`3 groups`."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


class Cursor:
    """The position of a decoder in its bytes, and their end; `parts` are the taken ones, each with its description."""

    def __init__(self, data):
        self.data, self.at, self.end, self.parts = bytes(data), 0, len(data), []

    @property
    def left(self):
        return self.end - self.at

    def take(self, size, what):
        """Takes the next `size` bytes, described as `what`."""
        part = self.data[self.at:min(self.at + size, self.end)]
        self.at += len(part)
        intact = len(part) == size
        if part:
            self.parts.append((part, what if intact else what + ", cut short"))
        if not intact:
            raise Refused(f"{what}: of {size} bytes, {len(part)} are there")
        return part

    def say(self, what):
        """Replaces the description of the last part."""
        self.parts[-1] = (self.parts[-1][0], what)

    def number(self, size, what, byteorder="little", signed=False):
        """Takes a number of `size` bytes."""
        number = int.from_bytes(self.take(size, what), byteorder, signed=signed)
        self.say(f"{what} {number}")
        return number

    def uleb(self, what, bits=64, most=10):
        """Takes a ULEB128 number below 2^bits, in at most `most` bytes."""
        size = next((i + 1 for i, byte in enumerate(self.data[self.at:min(self.at + most, self.end)]) if byte < 0x80), most)
        if size > self.left:
            self.take(size, what)
        data = self.take(size, what)
        number = sum((byte & 0x7F) << 7 * i for i, byte in enumerate(data))
        if data[-1] > 0x7F or number >> bits:
            self.say(f"{what}, which {bits} bits cannot hold")
            raise Refused(f"{what}: {bits} bits cannot hold it")
        self.say(f"{what} {number}")
        return number

    def zigzag(self, what, bits=64, most=10):
        """Takes a signed number as zigzag ULEB128."""
        number = self.uleb(what, bits, most)
        number = -(number + 1 >> 1) if number & 1 else number >> 1
        self.say(f"{what} {number}")
        return number

    def segments(self, rest, most=60):
        """All bytes as [{"hex": bytes, "is": words}], where `rest` describes those that were not taken; after the first
        `most` parts all others are one."""
        parts = self.parts[:most]
        more = b"".join(part for part, _ in self.parts[most:])
        parts += [(more, f"{len(self.parts) - most} more parts of this kind")] if more else []
        parts += [(self.data[self.at:], rest)] if self.at < len(self.data) else []
        return [{"hex": part.hex(), "is": what} for part, what in parts]


def repeat(out, distance, length):
    """Appends `length` bytes from `distance` bytes back, which may overlap the appended ones."""
    if not 0 < distance <= len(out):
        raise Refused(f"{distance} bytes back, of {len(out)}")
    for _ in range(length):
        out.append(out[-distance])
