"""Files of `parqproof rewrite` for the readers: combinations of what its writer can do, each with the rows of its source; the
committed results (`corpus/readers/written.json`), and the page with the reason of each deviation (`corpus/WRITTEN.md`)."""

import dataclasses
import json
import re
import subprocess

from builder.expect import features

from . import catalogue, judge

REFUSED = "refused"  # an outdated form, which a reader may refuse
LIST, PAGE = "readers/written.json", "WRITTEN.md"


@dataclasses.dataclass(frozen=True)
class Combination:
    """A file: the options of `rewrite` and the source, in corpus/writers. `columns` limits the rows. `outdated`: readers need not read it."""

    name: str
    source: str
    options: str
    columns: str = ""
    outdated: bool = False

    @property
    def file(self):
        return f"{self.name}.parquet"

    def words(self):
        return [*self.options.split(), *(["--columns", self.columns] if self.columns else [])]


FLAT, NESTED = "pyarrow/default-flat", "pyarrow/default-nested"
LONG_NESTED, ROWS = "pyarrow/several-pages-nested-v1", "duckdb/several-row-groups"
TYPES, TIMES, HALF = "parquet-java/default-types-v1", "pyarrow/time-utc", "pyarrow/float16"
INTEGERS, DECIMALS, LABELS = "pyarrow/decimals-as-integers", "d1_0,d9_2,d10_10,d18_4,d19_0,d38_20", "id,mood,doc"

# Encodings of columns whose type has it: the others keep theirs.
_ENCODINGS = ("PLAIN", "RLE_DICTIONARY", "RLE", "DELTA_BINARY_PACKED", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY",
              "BYTE_STREAM_SPLIT", "ALP")
_CODECS = ("UNCOMPRESSED", "SNAPPY", "GZIP", "BROTLI", "ZSTD", "LZ4_RAW")
_LEVELS = ("GZIP:1", "GZIP:9", "BROTLI:11", "ZSTD:1", "ZSTD:19")
_DELTA = "--encoding DELTA_BINARY_PACKED --encoding DELTA_BYTE_ARRAY"


def _slug(text):
    return text.lower().replace("_", "-").replace(":", "-")


def _encodings():
    for encoding in _ENCODINGS:
        for version in (1, 2):
            yield Combination(f"{_slug(encoding)}-v{version}", FLAT, f"--encoding {encoding} --page-version {version}")
    for encoding in ("PLAIN", "RLE_DICTIONARY", "BYTE_STREAM_SPLIT"):
        yield Combination(f"nested-{_slug(encoding)}", NESTED, f"--encoding {encoding}")
    yield Combination("nested-delta", NESTED, f"{_DELTA} --page-version 2")
    yield Combination("required-delta", "pyarrow/required-flat", f"{_DELTA} --page-version 2")


def _codecs():
    for codec in _CODECS:
        yield Combination(f"codec-{_slug(codec)}-v1", FLAT, f"--compression {codec} --page-version 1")
        yield Combination(f"codec-{_slug(codec)}-nested-v2", NESTED, f"--compression {codec} --page-version 2")
    for codec in _LEVELS:
        yield Combination(f"codec-{_slug(codec)}", ROWS, f"--compression {codec} --encoding PLAIN")


_SMALL = (
    Combination("small-pages-v1", FLAT, "--page-rows 3 --page-version 1"),
    Combination("small-pages-v2", FLAT, "--page-rows 3 --page-version 2 --compression ZSTD"),
    Combination("small-pages-dictionary", FLAT, "--page-rows 3 --encoding RLE_DICTIONARY --page-index"),
    Combination("small-pages-delta", "pyarrow/boundaries", "--page-rows 3 --encoding DELTA_BINARY_PACKED"),
    Combination("small-pages-nested-v1", LONG_NESTED, "--page-rows 3 --page-version 1 --page-index"),
    Combination("small-pages-nested-v2", LONG_NESTED, "--page-rows 3 --page-version 2 --page-index"),
    Combination("pages-of-64-bytes", FLAT, "--page-size 64 --encoding PLAIN"),
    Combination("pages-of-a-row", "pyarrow/long-values", "--page-size 1 --compression UNCOMPRESSED --page-index"),
    Combination("row-groups", FLAT, "--row-group-rows 7"),
    Combination("row-groups-nested", LONG_NESTED, "--row-group-rows 50 --page-rows 3 --page-version 2"),
    Combination("row-groups-of-a-row", "pyarrow/long-values", "--row-group-rows 1 --encoding DELTA_LENGTH_BYTE_ARRAY"),
    Combination("row-groups-joined", ROWS, "--row-group-rows 1000000 --page-rows 100"),
)

_METADATA = (
    Combination("page-index", FLAT, "--page-index"),
    Combination("page-index-off", LONG_NESTED, "--page-index=no --page-rows 20"),
    Combination("page-index-without-statistics", ROWS, "--page-index --statistics=no --page-rows 100"),
    Combination("statistics-off", FLAT, "--statistics=no --page-index=no"),
    Combination("checksums-off-v1", FLAT, "--crc=no --page-version 1"),
    Combination("checksums-off-v2", NESTED, "--crc=no --page-version 2"),
    Combination("bloom-filters", FLAT, "--bloom i32 --bloom i64 --bloom f32 --bloom f64 --bloom text --bloom blob --bloom fixed"),
    Combination("bloom-filters-nested", LONG_NESTED, "--bloom points.list.element.label --bloom pairs.key_value.key --row-group-rows 40"),
    Combination("columns-flat", FLAT, "", "i32,text"),
    Combination("columns-nested", NESTED, "--page-version 2", "points,pairs"),
    Combination("everything", ROWS, "--encoding RLE_DICTIONARY --compression ZSTD:9 --page-version 2 --page-rows 50 --row-group-rows 800 "
                "--page-index --bloom key --bloom count --bloom price"),
)

_TYPES = (
    *(Combination(f"decimals-{form}", INTEGERS, options, DECIMALS) for form, options in (
        ("plain", "--encoding PLAIN"), ("dictionary", "--encoding RLE_DICTIONARY --page-version 2"), ("delta", _DELTA),
        ("byte-stream-split", "--encoding BYTE_STREAM_SPLIT"))),
    *(Combination(f"times-{form}", TIMES, options) for form, options in (
        ("plain", "--encoding PLAIN --page-version 2"), ("dictionary", "--encoding RLE_DICTIONARY --page-index"),
        ("delta", "--encoding DELTA_BINARY_PACKED --page-rows 3"), ("byte-stream-split", "--encoding BYTE_STREAM_SPLIT"))),
    Combination("int96", "pyarrow/int96", "--encoding RLE_DICTIONARY", "local_us,utc_us"),
    Combination("labels", TYPES, "--encoding RLE_DICTIONARY --page-index", LABELS),
    Combination("float16-plain", HALF, "--encoding PLAIN --page-index"),
    Combination("float16-byte-stream-split", HALF, "--encoding BYTE_STREAM_SPLIT --page-version 2"),
    Combination("nan-plain", "pyarrow/nan", "--encoding PLAIN --page-index --page-rows 3"),
    Combination("nan-dictionary", "pyarrow/nan", "--encoding RLE_DICTIONARY --page-version 2"),
    Combination("nan-byte-stream-split", "pyarrow/nan", "--encoding BYTE_STREAM_SPLIT --compression ZSTD"),
    Combination("long-values-dictionary", "pyarrow/long-values", "--encoding RLE_DICTIONARY --page-index"),
    Combination("long-values-delta", "pyarrow/long-values", "--encoding DELTA_BYTE_ARRAY --page-version 2"),
    Combination("empty-strings-delta", "pyarrow/empty-strings", "--encoding DELTA_BYTE_ARRAY"),
    Combination("empty-strings-delta-length", "pyarrow/empty-strings", "--encoding DELTA_LENGTH_BYTE_ARRAY --page-version 2"),
    Combination("all-null-v1", "pyarrow/all-null", "--page-version 1 --page-index"),
    Combination("all-null-v2", "pyarrow/all-null", "--page-version 2 --page-index --compression ZSTD"),
    Combination("zero-rows", "pyarrow/zero-rows", "--page-index"),
    Combination("no-row-groups", "pyarrow/no-row-groups", ""),
)

_OUTDATED = (
    Combination("outdated-lz4", FLAT, "--profile historical --compression LZ4", "", True),
    Combination("outdated-group-var-int", FLAT, "--profile historical --encoding GROUP_VAR_INT", "", True),
)

ALL = (*_encodings(), *_codecs(), *_SMALL, *_METADATA, *_TYPES, *_OUTDATED)

# Why a reader does not give the rows of a file that conforms: (reader or any, its message or result, the reason). The first that fits counts.
REASONS = (
    ("pyarrow", "Unknown encoding type", "it does not have ALP"),
    ("DuckDB", "BYTE_STREAM_SPLIT encoding is only supported", "it has BYTE_STREAM_SPLIT of numbers, and not of FIXED_LEN_BYTE_ARRAY"),
    ("DuckDB", "unsupported: Error: TProtocolException", "it does not have ALP: its number is not in the enumeration of its Thrift reader"),
    ("Polars", "Decoding FixedLenByteArray.*DeltaByteArray", "it has DELTA_BYTE_ARRAY of BYTE_ARRAY, and not of FIXED_LEN_BYTE_ARRAY"),
    ("Polars", "Decoding FixedLenByteArray.*ByteStreamSplit", "it has BYTE_STREAM_SPLIT of numbers, and not of FIXED_LEN_BYTE_ARRAY"),
    ("Polars", "crashed: PanicException.*Thrift out of ran", "it does not have the encoding, and panics at its number"),
    ("parquet-java", "BrotliCodec", "Brotli is a codec that has to be installed separately"),
    ("parquet-java", "Required field 'encoding' was not present", "it does not have ALP: its number is not in the enumeration of its Thrift reader"),
    ("parquet-go", "encoding not supported for type", "it does not have ALP"),
    ("parquet-go", "other rows: row \\d+, bool: false instead of true",
     "RLE of BOOLEAN is read as something else, in files of pyarrow and arrow-rs too ([parquet-go](readers/parquet-go.md))"),
    ("hyparquet", "unsupported encoding: undefined", "it does not have ALP"),
    ("hyparquet", "DECIMAL comes as a floating-point number", "it has DECIMAL only as a floating-point number, which is shown up to 15 digits"),
)


def reason(reader, result, note):
    for who, pattern, why in REASONS:
        if who in (reader, "any") and re.search(pattern, f"{result}: {note}"):
            return why
    return None


class Unmade(Exception):
    """A file could not be made, or does not conform."""


def _program(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unmade(f"{' '.join(map(str, arguments))}: exit code {done.returncode}: {done.stderr.strip()[:300]}")
    return done.stdout


def make(program, corpus, folder, one):
    """Writes a file and its rows into a folder; returns its entry, as in the index of the corpus."""
    source, out = corpus / "writers" / f"{one.source}.parquet", folder / one.file
    _program(program, "rewrite", *one.words(), source, out)
    _program(program, "check", "--quiet", *(["--profile", "historical"] if one.outdated else []), out)
    rows = folder / f"{one.name}.rows.jsonl"
    if one.columns:
        rows.write_text(_program(program, "cat", "--columns", one.columns, source), encoding="utf-8")
    else:
        rows.write_bytes(source.with_suffix(".rows.jsonl").read_bytes())
    return {"file": one.file, "duty": "may" if one.outdated else "accept", "rows": rows.name, "features": features.of_bytes(out.read_bytes())}


# ---- The committed results


class Results:
    """The deviations of readers, {reader: {file: (result, note)}}: all other files are equal; and {reader: version}."""

    def __init__(self, versions, deviations):
        self.versions, self.deviations = versions, deviations

    @staticmethod
    def read(corpus):
        path = corpus / LIST
        stored = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"readers": {}, "deviations": []}
        deviations = {name: {} for name in stored["readers"]}
        for name, file, result, note in stored["deviations"]:
            deviations[name][file] = result, note
        return Results(stored["readers"], deviations)

    def take(self, name, version, results):
        """Replaces the results of a reader."""
        self.versions[name] = version
        self.deviations[name] = {file: one for file, one in results.items() if one[0] != "equal"}

    def changes(self, name, results):
        """A line for each file with another result than that of the list."""
        for file, (result, note) in results.items():
            listed = self.deviations.get(name, {}).get(file, ("equal", ""))[0]
            if result != listed:
                yield f"{file}: {result}, but {listed} in the list: {note}"

    def write(self, corpus):
        places = {one.file: place for place, one in enumerate(ALL)}
        names = [name for name in catalogue.READERS if name in self.versions]
        rows = [[name, file, *self.deviations[name][file]] for name in names for file in sorted(self.deviations[name], key=places.get)]
        (corpus / LIST).write_text(
            json.dumps({"readers": {name: self.versions[name] for name in names}})[:-1] + ',\n"deviations": [\n'
            + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]}\n", encoding="utf-8")

    def unexplained(self):
        """A line for each deviation without a reason."""
        for name, found in self.deviations.items():
            yield from (f"{name}: {file}: {result}: no reason in written.py: {note}"
                        for file, (result, note) in found.items() if result != REFUSED and reason(name, result, note) is None)


# ---- The page

INTRODUCTION = """# What readers make of files by `parqproof rewrite`

Made by `scripts/interop written --update`. Each file is a combination of what the writer can do, written from a file in
[writers](writers/README.md) that another writer made. Its rows have to be those of the source, which another reader has too. `parqproof check` finds
no error in them, or only that a form is outdated. The files are not committed; `scripts/interop written --keep DIR` leaves them in a folder.

"""


def page(results):
    """WRITTEN.md."""
    names = [name for name in catalogue.READERS if name in results.versions]
    marks, files = {}, {}
    for one in ALL:
        for name in names:
            result, note = results.deviations[name].get(one.file, (None, ""))
            if result not in (None, REFUSED):
                key = (name, result, reason(name, result, note))
                marks.setdefault(key, len(marks) + 1)
                files.setdefault(key, []).append(one.name)
    accept = [one for one in ALL if not one.outdated]
    text = INTRODUCTION + f"| reader | equal, of {len(accept)} | unsupported | wrong |\n|---|--:|--:|--:|\n"
    for name in names:
        found = [results.deviations[name].get(one.file, ("equal", ""))[0] for one in accept]
        lacks = found.count(judge.UNSUPPORTED)
        text += f"| {results.versions[name]} | {found.count('equal')} | {lacks or ''} | {len(found) - found.count('equal') - lacks or ''} |\n"
    text += "\n## Deviations\n| | reader | result | reason | files |\n|--:|---|---|---|---|\n"
    for key, mark in marks.items():
        text += f"| {mark} | {key[0]} | {key[1]} | {key[2]} | {', '.join(files[key])} |\n"
    text += ("\n## Files\n`=`: the rows are equal; `r`: an outdated form is refused, as it may be; a number: a deviation above.\n\n"
             "| file | source | options | " + " | ".join(names) + " |\n|---|---|---|" + "---|" * len(names) + "\n")
    for one in ALL:
        cells = []
        for name in names:
            result, note = results.deviations[name].get(one.file, (None, ""))
            cells.append("=" if not result else "r" if result == REFUSED else str(marks[name, result, reason(name, result, note)]))
        words = " ".join(one.words())
        text += f"| {one.name} | {one.source} | {f'`{words}`' if words else ''} | " + " | ".join(cells) + " |\n"
    return text
