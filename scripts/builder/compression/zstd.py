"""ZSTD: RFC 8878 frames from raw and repeated-byte blocks."""

import struct


def block(data, last=True, size=None):
    """A raw block."""
    return ((len(data) if size is None else size) << 3 | last).to_bytes(3, "little") + data


def repeated(byte, count, last=True):
    """A block that repeats one byte."""
    return (count << 3 | 2 | last).to_bytes(3, "little") + bytes([byte])


def frame(*blocks, content_size=None):
    """A frame; with a content size it is a single segment of up to 255 bytes, without one it has a window of 1 KiB."""
    head = b"\0\0" if content_size is None else bytes([0x20, content_size])
    return b"\x28\xb5\x2f\xfd" + head + b"".join(blocks)


def skippable(data, kind=0):
    """A skippable frame."""
    return struct.pack("<II", 0x184D2A50 + kind, len(data)) + data


def compress(data):
    """One frame of one raw block; the content size is stated where it fits one byte."""
    return frame(block(data), content_size=len(data) if len(data) < 256 else None)
