"""Deterministic data for the Python recipes: every column is a function of only the row number."""

import datetime
import decimal
import struct
import uuid

EPOCH = datetime.datetime(1970, 1, 1)
WORDS = ("", "a", "alpha", "alphabet", "beta", "Gamma", "größe", "日本", "zz", "🙂 smile")


def mix(i, salt=0):
    """SplitMix64 of (i, salt): 64 bits that look random and never change."""
    z = (i * 0x9E3779B97F4A7C15 + salt * 0xD1B54A32D192ED03 + 0x632BE59BD9B4E019) % 2**64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return z ^ z >> 31


def signed(i, bits, salt=0):
    """An integer of that many bits; rows 0 and 1 hold the extremes."""
    if i < 2:
        return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)[i]
    return mix(i, salt) % 2**bits - 2 ** (bits - 1)


def unsigned(i, bits, salt=0):
    """An unsigned integer of that many bits; rows 0 and 1 hold the extremes."""
    return (0, 2**bits - 1)[i] if i < 2 else mix(i, salt) % 2**bits


def real32(i):
    """A binary32 value; the first rows hold zeros of both signs, infinities and the smallest subnormal."""
    special = (0.0, -0.0, float("inf"), float("-inf"), 2.0**-149, -1.5)
    if i < len(special):
        return special[i]
    return struct.unpack("<f", struct.pack("<f", (mix(i, 3) % 2000001 - 1000000) / 1000))[0]


def real64(i):
    """A binary64 value, with the same specials."""
    special = (-0.0, 0.0, float("inf"), float("-inf"), 5e-324, -1.7976931348623157e308)
    return special[i] if i < len(special) else (mix(i, 4) % 2000001 - 1000000) / 1024


def price(i):
    """A binary64 value with two decimals."""
    return (mix(i, 5) % 100000) / 100


def text(i):
    """Text from ten words, some empty, some outside ASCII."""
    return WORDS[mix(i, 6) % len(WORDS)]


def key(i):
    """Text with long shared prefixes, ascending."""
    return f"customer/{i // 16:06d}/order/{i:08d}"


def blob(i, limit=12):
    """Bytes of 0 to limit bytes, any value."""
    return mix(i, 7).to_bytes(8, "little")[: mix(i, 8) % 9] + b"\xff" * (mix(i, 9) % max(1, limit - 7))


def fixed(i, length):
    """Exactly that many bytes."""
    return b"".join(mix(i, 10 + k).to_bytes(8, "big") for k in range(length // 8 + 1))[:length]


def number(i, precision, scale):
    """A decimal of that precision and scale, of either sign; rows 0 and 1 hold the extremes."""
    limit = 10**precision
    unscaled = (1 - limit, limit - 1)[i] if i < 2 else (mix(i, 11) * 2**64 + mix(i, 12)) % (2 * limit - 1) - limit + 1
    return decimal.Context(prec=80).create_decimal(unscaled).scaleb(-scale, decimal.Context(prec=80))


def date(i):
    """A date between 1582 and 2415."""
    return (EPOCH + datetime.timedelta(days=mix(i, 13) % 304000 - 141000)).date()


def time(i, unit=1):
    """A time of day in multiples of that many microseconds."""
    micros = mix(i, 14) % 86_400_000_000 // unit * unit
    return (EPOCH + datetime.timedelta(microseconds=micros)).time()


def moment(i, unit=1):
    """A date and time between 1900 and 2100 in multiples of that many microseconds."""
    return EPOCH + datetime.timedelta(microseconds=(mix(i, 15) % 6_300_000_000_000_000 - 2_200_000_000_000_000) // unit * unit)


def guid(i):
    """A UUID."""
    return uuid.UUID(bytes=fixed(i, 16))


def sparse(value, i, salt=0):
    """The value, or None in about one row of four."""
    return None if mix(i, 100 + salt) % 4 == 0 else value


def column(n, f, *args, nulls=True):
    """n values of f, every fourth or so None unless nulls is False."""
    return [sparse(f(i, *args), i) if nulls else f(i, *args) for i in range(n)]


def numbers(i):
    """None, an empty list, or up to four integers with nulls among them."""
    k = mix(i, 20) % 6
    return None if k == 0 else [sparse(mix(i, 21 + j) % 50, i * 8 + j) for j in range(k - 1)]


def matrix(i):
    """None, an empty list, or a list of lists as above."""
    k = mix(i, 30) % 5
    return None if k == 0 else [numbers(i * 5 + j) for j in range(k - 1)]


def point(i):
    """None or a struct {x, y, label}; each member may be None."""
    if mix(i, 40) % 5 == 0:
        return None
    return {"x": sparse(mix(i, 41) % 100, i, 1), "y": sparse(price(i), i, 2), "label": sparse(text(i), i, 3)}


def points(i):
    """None, an empty list, or a list of structs."""
    k = mix(i, 50) % 5
    return None if k == 0 else [point(i * 7 + j) for j in range(k - 1)]


def pairs(i):
    """None, an empty map, or up to three (key, value) pairs with distinct keys; values may be None."""
    k = mix(i, 60) % 5
    return None if k == 0 else [(f"k{j}", sparse(mix(i, 61 + j) % 1000, i * 3 + j)) for j in range(k - 1)]


def deep(i):
    """A struct that holds a list of structs that hold lists."""
    if mix(i, 70) % 6 == 0:
        return None
    return {"id": i, "items": [{"tags": [text(i + t) for t in range(mix(i, 71 + j) % 3)]} for j in range(mix(i, 72) % 4)]}
