"""CRC-32 of gzip, CRC-32C, XXH64 and XXH32."""

import zlib

_M64 = (1 << 64) - 1
_P = (11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579, 2870177450012600261)


def crc32(data):
    return zlib.crc32(data)


def crc32c(data):
    """CRC-32C, with the reflected Castagnoli polynomial: a page must not use it."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def signed(crc):
    """The i32 that stores a 32-bit checksum."""
    return crc - (1 << 32) if crc >> 31 else crc


def _rotate(x, n):
    return (x << n | x >> (64 - n)) & _M64


def _round(acc, lane):
    return _rotate((acc + lane * _P[1]) & _M64, 31) * _P[0] & _M64


def xxh64(data, seed=0):
    """XXH64 with seed 0, as Bloom filters use it."""
    at, size = 0, len(data)
    if size >= 32:
        acc = [(seed + _P[0] + _P[1]) & _M64, (seed + _P[1]) & _M64, seed, (seed - _P[0]) & _M64]
        while at + 32 <= size:
            for i in range(4):
                acc[i] = _round(acc[i], int.from_bytes(data[at + 8 * i:at + 8 * i + 8], "little"))
            at += 32
        h = sum(_rotate(acc[i], (1, 7, 12, 18)[i]) for i in range(4)) & _M64
        for lane in acc:
            h = ((h ^ _round(0, lane)) * _P[0] + _P[3]) & _M64
    else:
        h = (seed + _P[4]) & _M64
    h = (h + size) & _M64
    while at + 8 <= size:
        h = (_rotate(h ^ _round(0, int.from_bytes(data[at:at + 8], "little")), 27) * _P[0] + _P[3]) & _M64
        at += 8
    if at + 4 <= size:
        h = (_rotate(h ^ int.from_bytes(data[at:at + 4], "little") * _P[0] & _M64, 23) * _P[1] + _P[2]) & _M64
        at += 4
    for byte in data[at:]:
        h = _rotate(h ^ byte * _P[4] & _M64, 11) * _P[0] & _M64
    h = (h ^ h >> 33) * _P[1] & _M64
    h = (h ^ h >> 29) * _P[2] & _M64
    return h ^ h >> 32


_M32 = (1 << 32) - 1
_Q = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F, 0x165667B1)


def _turn(x, n):
    x &= _M32
    return (x << n | x >> (32 - n)) & _M32


def xxh32(data):
    """XXH32 with seed 0, as LZ4 frames use it."""
    data = bytes(data)
    words = [int.from_bytes(data[at:at + 4], "little") for at in range(0, len(data) // 4 * 4, 4)]
    lanes, striped = [_Q[0] + _Q[1], _Q[1], 0, -_Q[0]], len(data) // 16 * 4
    for at, word in enumerate(words[:striped]):
        lanes[at % 4] = _turn(lanes[at % 4] + word * _Q[1], 13) * _Q[0]
    h = sum(map(_turn, lanes, (1, 7, 12, 18))) if striped else _Q[4]
    h += len(data)
    for word in words[striped:]:
        h = _turn(h + word * _Q[2], 17) * _Q[3]
    for byte in data[4 * len(words):]:
        h = _turn(h + byte * _Q[4], 11) * _Q[0]
    h &= _M32
    h = (h ^ h >> 15) * _Q[1] & _M32
    h = (h ^ h >> 13) * _Q[2] & _M32
    return h ^ h >> 16
