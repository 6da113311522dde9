"""The other implementations: the program that drives each, the forms that its interface takes, and what is known of it."""

import dataclasses
import json
import os
import pathlib
import re
import subprocess

import toolchains

HERE = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass(frozen=True)
class Known:
    """A difference with its reason: in what the implementation does on a side, in forms whose name matches. `about` is a pattern of the difference."""

    side: str
    about: str
    why: str
    forms: str = ""

    def fits(self, side, form, difference):
        return self.side == side and re.search(self.forms, form.name) and re.search(self.about, difference)


@dataclasses.dataclass(frozen=True)
class Other:
    name: str
    program: object
    #: Why its interface does not take a form to write, or to read; None if it does.
    no_writing: object
    no_reading: object
    known: tuple = ()
    #: Makes the key metadata by which it finds the keys of columns and the footer; None: it takes them by name.
    metadata: object = None
    #: It also reads files of columns without lists, of one page a chunk, without Bloom filters.
    reads_flat: bool = False

    def command(self):
        """Installs what is missing, and returns the command of the driver."""
        return self.program.command(HERE, self.name)


class Driver:
    """A running driver: it answers jobs, and is started again after it has died."""

    def __init__(self, command):
        self.command, self.process = command, None
        self.environment = {**os.environ, "PYTHONPATH": str(HERE / "shared"), "PYTHONDONTWRITEBYTECODE": "1", "TZ": "UTC"}
        self.version = toolchains.run([*command, "--version"], env=self.environment).strip()

    def ask(self, **job):
        if self.process is None:
            self.process = subprocess.Popen([*map(str, self.command)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                            text=True, env=self.environment)
        try:
            self.process.stdin.write(json.dumps(job, default=str) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        line = self.process.stdout.readline()
        if line:
            return json.loads(line)
        code, self.process = self.process.wait(), None
        return {"crashed": f"exit code {code}"}

    def close(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()


def material(name):
    """Key metadata that leads the key tools of Arrow to the key of this name."""
    return json.dumps({"keyMaterialType": "PKMT1", "internalStorage": True, "isFooterKey": name == "footer", "kmsInstanceID": "x",
                       "kmsInstanceURL": "x", "masterKeyID": name, "wrappedDEK": "x", "doubleWrapping": False})


def _first(*lacks):
    """The first reason of (holds, reason)."""
    return next((reason for holds, reason in lacks if holds), None)


_OPEN_SIZES = Known("writes", "warning encryption/open-details at meta_data.size_statistics", "the plaintext footer has the size_statistics of encrypted columns; "
                    "Encryption.md#55-plaintext-footer-mode names statistics alone", "plaintext")
_NO_IDENTIFIER = "AADs are empty, and aad_file_unique is absent, against Encryption.md#442-aad-suffix; so no reader of the specification opens its files"
_OWN_AADS = "it verifies tags with other AADs than Encryption.md#44-additional-authenticated-data: it reads no second data page, no leaf in a group, no data page of version 2, no Bloom filter, and no file with a stored AAD prefix"
_V2_LEVELS = "levels of data pages of version 2 are not encrypted, against Encryption.md#3-technical-approach"

OTHERS = {one.name: one for one in (
    Other("arrow-rs", toolchains.Cargo("arrow-rs/main.rs", "release", "driver"),
          lambda form: _first((form.algorithm != "AES_GCM_V1", "only AES_GCM_V1"), (form.keys == "some", "with keys of columns, other columns are not encrypted")),
          lambda form: _first((form.algorithm != "AES_GCM_V1", "only AES_GCM_V1")),
          (Known("writes", "unsupported key length: 24", "no keys of 192 bits", "-192-"), Known("reads", "unsupported key length: 24", "no keys of 192 bits", "-192-"),
           Known("writes", "error encryption/clear-pages|verdict malformed", "Bloom filters of encrypted columns are not encrypted, against BloomFilter.md#encryption"))),
    Other("duckdb", toolchains.Python("duckdb/driver.py", "../writers/duckdb/requirements.txt"),
          lambda form: _first((form.keys != "uniform", "no keys of columns"), (form.prefix != "none", "no AAD prefix"),
                              (form.algorithm != "AES_GCM_V1", "only AES_GCM_V1"), (form.footer == "plaintext", "only encrypted footers")),
          lambda form: _first((form.keys != "uniform", "no keys of columns"), (form.prefix == "supplied", "no AAD prefix"),
                              (form.algorithm != "AES_GCM_V1", "only AES_GCM_V1"), (form.footer == "plaintext", "only encrypted footers")),
          (Known("writes", "error encryption/(aad-file-unique|tag)|verdict (malformed|nonconforming)|cat: .* encryption/(aad-file-unique|tag)", _NO_IDENTIFIER),
           Known("reads", "Computed AES tag differs|DecryptionTransport::Finalize", _OWN_AADS),
           Known("reads flat", "Computed AES tag differs|DecryptionTransport::Finalize", _OWN_AADS, "v2$|stored")),
          reads_flat=True),
    Other("pyarrow", toolchains.Python("pyarrow/driver.py", "../writers/pyarrow/requirements.txt"),
          lambda form: _first((form.keys == "some", "with keys of columns, other columns are not encrypted"),
                              (form.keys != "uniform" and form.prefix != "none", "no AAD prefix with keys of columns")),
          lambda form: _first((form.keys != "uniform" and form.prefix == "supplied", "no AAD prefix with keys of columns")),
          (_OPEN_SIZES,), metadata=material),
    Other("parquet-java", toolchains.Maven("parquet-java/src/main/java/Driver.java", ("-Xmx1g", "-XX:+UseSerialGC")), lambda form: None, lambda form: None,
          (_OPEN_SIZES,
           Known("writes", "warning (thrift/module-exact at (column|offset)_index|footer/exact-length)", "unused bytes of a buffer follow the struct in its module"),
           Known("writes", "warning encryption/v2-levels", _V2_LEVELS, "v2$"), Known("reads", ".", _V2_LEVELS, "v2$"))),
)}
