"""``python -m parqproof SUBCOMMAND URL``: subcommands on objects that fsspec reads, with the options of the program."""
from __future__ import annotations

import argparse
import json
import sys
from contextlib import ExitStack
from typing import Any, Sequence, TextIO

from . import Error, InvalidCall, Report, _arguments, _library, check, layout, meta, rows, schema, schema_text
from .report import FORMS, unreadable_report

_EXIT_CODES = {"conforming": 0, "nonconforming": 1, "malformed": 1}
#: Forms that can be printed one after the other.
_LINE_FORMS = ("text", "lines", "github")
_SUFFIXES = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def _bytes(text: str) -> int:
    factor = _SUFFIXES.get(text[-1:].upper(), 1)
    return int(text if factor == 1 else text[:-1]) * factor


def _range(text: str) -> tuple[int, int | None]:
    first, colon, end = text.partition(":")
    if not colon:
        raise ValueError
    return int(first or 0), int(end) if end else None


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError
    return name, value


def _storage(text: str) -> tuple[str, Any]:
    """``NAME=VALUE``, where a value that is JSON is the value of the JSON."""
    name, value = _pair(text)
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _output(text: str) -> tuple[str, str]:
    form, path = _pair(text)
    if form not in FORMS:
        raise ValueError
    return form, path


def _verdicts(text: str) -> list[str]:
    verdicts = text.split(",")
    if not {"unsupported", "limit"}.issuperset(verdicts):
        raise ValueError
    return verdicts


_NAMES: tuple[tuple[Any, str], ...] = ((_bytes, "size"), (_range, "range"), (_pair, "RULE=LEVEL"), (_storage, "NAME=VALUE"),
                                       (_output, "FORMAT=FILE"), (_verdicts, "list of unsupported, limit"))
for _function, _name in _NAMES:
    _function.__name__ = _name  # argparse shows it


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m parqproof", description="Objects that fsspec reads. Options are those of the program.")
    commands = parser.add_subparsers(dest="command", required=True)
    common = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    common.add_argument("--storage-option", type=_storage, action="append", default=[], metavar="NAME=VALUE",
                        help="for the filesystem of fsspec; the value is JSON or text")
    common.add_argument("--keys", metavar="FILE")
    common.add_argument("--footer-at", type=int, metavar="OFFSET")
    one = argparse.ArgumentParser(add_help=False, allow_abbrev=False, parents=[common])
    one.add_argument("urls", nargs=1, metavar="URL")

    word = commands.add_parser("check", aliases=["validate", "verify"], parents=[common], allow_abbrev=False)
    word.add_argument("urls", nargs="+", metavar="URL")
    for option, choices in (("--tier", ("footer", "pages", "values")), ("--profile", ("strict", "historical", "interop")),
                            ("--edition", ("2.13", "2.14", "next")), ("--format", FORMS), ("--fail-on", ("error", "warning"))):
        word.add_argument(option, choices=choices)
    for option in ("--ignore", "--only"):
        word.add_argument(option, action="append", default=[], metavar="RULE")
    word.add_argument("--severity", action="append", type=_pair, default=[], metavar="RULE=LEVEL")
    word.add_argument("--output", action="append", type=_output, default=[], metavar="FORMAT=FILE")
    word.add_argument("--tolerate", type=_verdicts, default=[], metavar="VERDICTS")
    word.add_argument("--limit", type=int, default=100)
    word.add_argument("--row-groups", type=_range, metavar="A:B")
    word.add_argument("--max-page", type=_bytes, metavar="SIZE")
    word.add_argument("--max-memory", type=_bytes, metavar="SIZE")
    word.add_argument("--max-work", type=int, metavar="N")
    word.add_argument("--max-depth", type=int, metavar="N")
    word.add_argument("-j", "--jobs", type=int, default=1)
    for option in ("--advice", "--hex", "--quiet", "--no-config"):
        word.add_argument(option, action="store_true")
    commands.add_parser("layout", parents=[one], allow_abbrev=False).add_argument("--hex", action="store_true")
    commands.add_parser("meta", parents=[one], allow_abbrev=False)
    commands.add_parser("schema", parents=[one], allow_abbrev=False)
    for name in ("layout", "meta", "schema"):
        commands.choices[name].add_argument("--format", choices=["text", "json"], default="text")
    cat = commands.add_parser("cat", parents=[one], allow_abbrev=False)
    cat.add_argument("--columns", action="append", default=[])
    cat.add_argument("--rows", type=_range, default=(0, None), metavar="A:B")
    cat.add_argument("--limit", type=int)
    cat.add_argument("--physical", action="store_true")
    cat.add_argument("--ignore-crc", action="store_true")
    return parser


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _source_options(given: argparse.Namespace) -> dict[str, Any]:
    return {"keys": given.keys, "footer_at": given.footer_at, "storage_options": dict(given.storage_option)}


def _exit_code(report: Report, fail_on: str | None, tolerated: Sequence[str]) -> int:
    code = 0 if report.verdict in tolerated else _EXIT_CODES.get(report.verdict, 2)
    warned = any(finding.severity == "warning" and finding.fault_class not in ("unsupported", "limit") for finding in report)
    return 1 if code == 0 and fail_on == "warning" and warned else code


def _check(given: argparse.Namespace) -> int:
    form = given.format or "text"
    for option, one in (("--format", form), *(("--output", one) for one, _ in given.output)):
        if len(given.urls) > 1 and one not in _LINE_FORMS:
            raise InvalidCall(f"{option} {one} takes one URL; {', '.join(_LINE_FORMS)} take several")
    with ExitStack() as stack:
        try:
            outputs = [(one, stack.enter_context(open(path, "w", encoding="utf-8"))) for one, path in given.output]
        except OSError as failure:
            raise InvalidCall(f"--output: {failure}") from failure
        return _check_urls(given, form, outputs)


def _unreadable(url: str, cause: str, given: argparse.Namespace) -> Report:
    """The report of a file that cannot be read."""
    options = _library.defaults("check", _library.CheckOptions)
    options.tier, options.profile, options.edition = (_arguments.text_or_none("an option", word) for word in (given.tier, given.profile, given.edition))
    return unreadable_report(url, cause, options)


def _check_urls(given: argparse.Namespace, form: str, outputs: Sequence[tuple[str, TextIO]]) -> int:
    words = {name: getattr(given, name) for name in ("tier", "profile", "fail_on") if getattr(given, name)}
    code = 0
    for url in given.urls:
        try:
            report = check(url, **words, **_source_options(given), edition=given.edition, limit=given.limit, advice=given.advice, ignore=given.ignore,
                           only=given.only, severity=dict(given.severity), row_groups=given.row_groups, threads=given.jobs, hex=given.hex,
                           max_page=given.max_page, max_memory=given.max_memory, max_work=given.max_work, max_depth=given.max_depth)
        except InvalidCall:
            raise
        except Exception as failure:  # of the filesystem, whatever it raises: no finding, and the next file is checked
            _complain(url, failure)
            report = _unreadable(url, _cause(failure), given)
        code = max(code, _exit_code(report, given.fail_on, given.tolerate))
        for one, file in outputs:
            file.write(report.to_form(one))
        if not given.quiet:
            _write(report.to_form(form))
    return code


def _show(given: argparse.Namespace) -> None:
    url, source = given.urls[0], _source_options(given)
    if given.command == "cat":
        columns = [column for paths in given.columns for column in paths.split(",")]
        for line in rows(url, text=True, columns=columns, rows=given.rows, limit=given.limit, physical=given.physical,
                         ignore_crc=given.ignore_crc, **source):
            sys.stdout.write(line + "\n")
    elif given.command == "schema" and given.format == "text":
        _write(schema_text(url, **source))
    elif given.format == "text":
        raise InvalidCall(f"{given.command} of a URL needs --format json")
    else:
        shown = layout(url, hex=given.hex, **source) if given.command == "layout" else {"meta": meta, "schema": schema}[given.command](url, **source)
        _write(json.dumps(shown, ensure_ascii=False) + "\n")


def _cause(failure: BaseException) -> str:
    return f"{type(failure).__name__}: {failure}" if str(failure) else type(failure).__name__


def _complain(url: str, failure: BaseException) -> None:
    sys.stdout.flush()
    print(f"parqproof: {url}: unreadable: {_cause(failure)}", file=sys.stderr)


def main(arguments: Sequence[str]) -> int:
    """The exit code, as of the program: 0, 1 if a rule is broken, 2 if something could not be read or checked."""
    given = _parser().parse_args(arguments)
    try:
        if given.command in ("check", "validate", "verify"):
            return _check(given)
        _show(given)
        return 0
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return 2
    except (InvalidCall, ImportError) as failure:
        print(f"parqproof: {failure}", file=sys.stderr)
        return 2
    except Error as failure:
        print(f"parqproof: {failure}", file=sys.stderr)
        return 1 if type(failure).__name__ == "FileBroken" else 2
    except Exception as failure:
        _complain(given.urls[0], failure)
        return 2
