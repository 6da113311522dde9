"""Shows the rows of Parquet files as arrow-rs reads them, with the program of main.rs: `driver.py PROGRAM [FILE]`."""

import signal
import subprocess
import sys

import arrow_rows
import pyarrow
import serve

VERSION = "arrow-rs 60.1.0"


class Program:
    """The program in Rust; a new one where the last has died."""

    def __init__(self, command):
        self.command, self.process = command, None

    def ask(self, path):
        """How it went, and the Arrow stream or the reason."""
        if self.process is None:
            self.process = subprocess.Popen([self.command], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.process.stdin.write(path.encode() + b"\n")
        self.process.stdin.flush()
        how, _, rest = self.process.stdout.readline().decode(errors="replace").strip().partition(" ")
        if not how:
            code, self.process = self.process.wait(), None
            raise serve.Crashed(signal.Signals(-code).name if code < 0 else f"exit code {code}")
        return how, self.process.stdout.read(int(rest)) if how == "rows" else rest

    def rows(self, path):
        how, given = self.ask(path)
        if how == "crashed":
            raise serve.Crashed(given)
        if how == "refused":
            raise ValueError(given)
        try:
            yield from arrow_rows.rows_of(pyarrow.ipc.open_stream(given), path)
        except KeyError as kind:  # pyarrow has no values of the type
            raise serve.Unsupported(f"an INTERVAL comes without its months, as Arrow type {kind}: days and milliseconds") from kind


serve.main(Program(sys.argv.pop(1)).rows, VERSION)
