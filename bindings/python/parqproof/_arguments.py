"""Arguments of the functions, as the library takes them. What has the wrong type raises TypeError, what has a wrong value InvalidCall."""
from __future__ import annotations

import json
import operator
import os
from ctypes import c_char_p
from pathlib import Path
from typing import Any, Iterable, Mapping

from . import _library
from ._library import InvalidCall, pointer


def _wrong_type(name: str, value: Any, expected: str) -> TypeError:
    return TypeError(f"{name} is of type {type(value).__name__}, not {expected}")


def text(name: str, value: str) -> bytes:
    return _library.text(value, name)


def text_or_none(name: str, value: str | None) -> bytes | None:
    return None if value is None else text(name, value)


def _several(name: str, values: str | Iterable[str]) -> list[str]:
    if isinstance(values, str):
        return [values]
    if isinstance(values, bytes) or not hasattr(values, "__iter__"):
        raise _wrong_type(name, values, "str, or several")
    return list(values)


def put_texts(options: Any, name: str, values: str | Iterable[str]) -> None:
    """A member with several texts, and their count."""
    given = [text(name, value) for value in _several(name, values)]
    setattr(options, name, (c_char_p * len(given))(*given))
    count = f"{name}_count"
    setattr(options, count if hasattr(options, count) else f"{name.removesuffix('s')}_count", len(given))


def put_columns(options: Any, columns: str | Iterable[str]) -> None:
    columns = _several("columns", columns)
    if "" in columns:
        raise InvalidCall("columns has an empty path")
    put_texts(options, "columns", columns)


def pairs(name: str, values: Mapping[str, str] | None) -> list[tuple[str, str]]:
    """The items of a mapping of texts."""
    if values is None:
        return []
    if not isinstance(values, Mapping):
        raise _wrong_type(name, values, "a mapping")
    for one in (*values, *values.values()):
        text(name, one)
    return list(values.items())


def number(name: str, value: int, end: int = _library.NONE) -> int:
    """A number below `end`: ctypes takes any modulo 2**64."""
    try:
        value = operator.index(value)
    except TypeError:
        raise _wrong_type(name, value, "int") from None
    if not 0 <= value < end:
        raise InvalidCall(f"{name} is {value}, and not a number from 0 to {end - 1}")
    return value


def number_or_none(name: str, value: int | None) -> int:
    return _library.NONE if value is None else number(name, value)


def size(name: str, value: int | None, end: int = _library.NONE) -> int:
    """A number from 1 on; 0 if none is given."""
    if value is None:
        return 0
    value = number(name, value, end)
    if value == 0:
        raise InvalidCall(f"{name} is less than 1")
    return value


def limits(max_page: int | None, max_memory: int | None, max_work: int | None = None, max_depth: int | None = None) -> Any:
    return pointer(_library.Limits(max_page=size("max_page", max_page), max_memory=size("max_memory", max_memory),
                                   max_work=size("max_work", max_work), max_depth=size("max_depth", max_depth)))


def interval(name: str, value: tuple[int, int | None]) -> tuple[int, int]:
    if not isinstance(value, (tuple, list)):
        raise _wrong_type(name, value, "a pair")
    if len(value) != 2:
        raise InvalidCall(f"{name} is not a pair of a first number and an end")
    return number(name, value[0]), number_or_none(name, value[1])


def _dict(value: Any) -> dict[Any, Any]:
    """A mapping for JSON."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"keys are texts, not {type(value).__name__}")


def keys_text(name: str, keys: Mapping[str, Any] | str | os.PathLike[str] | None) -> bytes | None:
    """JSON with keys, as in the file of ``parqproof check --keys``."""
    if keys is None:
        return None
    try:
        if isinstance(keys, Mapping):
            return text(name, json.dumps(keys, default=_dict))
        if not isinstance(keys, (str, os.PathLike)):
            raise _wrong_type(name, keys, "a mapping or the path of a file")
        return text(name, Path(keys).read_text())
    except OSError as error:
        if error.errno is not None and not os.path.exists(keys):  # type: ignore[arg-type]
            # What names no file may be a key, or JSON with keys.
            raise type(error)(error.errno, f"the file with the keys: {os.strerror(error.errno)}") from None
        raise
    except (ValueError, RecursionError):  # a path with NUL, bytes that are not UTF-8, a mapping that contains itself
        raise InvalidCall(f"{name} is neither JSON nor the path of a file with it") from None


def storage(options: Mapping[str, Any] | None) -> dict[str, Any]:
    if options is not None and not isinstance(options, Mapping):
        raise _wrong_type("storage_options", options, "a mapping")
    return dict(options or {})
