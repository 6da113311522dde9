"""ZSTD: RFC 8878 frames from raw and repeated-byte blocks."""

import struct


def block(data, last=True, size=None):
    """A raw block."""
    return ((len(data) if size is None else size) << 3 | last).to_bytes(3, "little") + data


def repeated(byte, count, last=True):
    """A block that repeats one byte."""
    return (count << 3 | 2 | last).to_bytes(3, "little") + bytes([byte])


def frame(*blocks, content_size=None):
    """A frame: a single segment of `content_size` bytes, or without that a window of 1 KiB."""
    if content_size is None:
        head = b"\0\0"
    elif content_size < 256:
        head = bytes([0x20, content_size])
    elif content_size < 65792:
        head = b"\x60" + struct.pack("<H", content_size - 256)
    else:
        head = b"\xa0" + struct.pack("<I", content_size)
    return b"\x28\xb5\x2f\xfd" + head + b"".join(blocks)


def skippable(data, kind=0):
    """A skippable frame."""
    return struct.pack("<II", 0x184D2A50 + kind, len(data)) + data


def compress(data):
    """One frame of one raw block, for up to 128 KiB."""
    return frame(block(data), content_size=len(data))
