"""Runs drivers: programs that print the rows of Parquet files as JSON Lines. README.md defines drivers."""

import dataclasses
import os
import resource
import selectors
import signal
import subprocess
import tempfile
import time

MOST = 64 << 20  # bytes of rows of one file, 100 times the maximum of the corpus
ANSWERS = ("rows", "refused", "unsupported", "crashed")


@dataclasses.dataclass(frozen=True)
class Answer:
    """The answer of a driver for a file: one of ANSWERS, or `no end`; the rows; and its last message."""

    how: str
    rows: bytes = b""
    why: str = ""


class Broken(Exception):
    """A driver cannot be run, or violates the protocol."""


class Process:
    """A running driver, under limits of time and memory."""

    def __init__(self, command, limits):
        def limit():
            resource.setrlimit(resource.RLIMIT_DATA, (limits.memory, limits.memory))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        self.errors, self.said = tempfile.TemporaryFile(), 0
        try:
            self.process = subprocess.Popen([str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=self.errors, env=limits.environment, start_new_session=True, preexec_fn=limit)
        except OSError as problem:
            raise Broken(f"{command[0]}: {problem.strerror}") from problem
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)

    def read(self, deadline):
        """The output since the last call; empty at the end of the driver, None after a timeout."""
        if not self.selector.select(max(deadline - time.monotonic(), 0)):
            return None
        return os.read(self.process.stdout.fileno(), 1 << 16)

    def stop(self):
        """Ends the driver and all its child processes; returns its exit code, negative for a signal."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        for pipe in (self.process.stdin, self.process.stdout):
            try:
                pipe.close()
            except BrokenPipeError:
                pass
        self.selector.close()
        return self.process.wait()

    def code(self, deadline):
        """The exit code of a driver whose output has ended, None if it continues."""
        try:
            return self.process.wait(max(deadline - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            return None

    def next_file(self):
        """Marks the current end of stderr, which is about earlier files."""
        self.said = self.errors.seek(0, os.SEEK_END)

    def last_words(self):
        """The last line on stderr about this file, or the one that begins a trace of Go."""
        self.errors.seek(max(self.errors.seek(0, os.SEEK_END) - (1 << 16), self.said))
        lines = [line.strip() for line in self.errors.read().decode(errors="replace").splitlines()]
        lines = [line for line in lines if line and not line.startswith("note:")]
        return next((line for line in lines if line.startswith(("fatal error:", "panic:"))), lines[-1] if lines else "")


@dataclasses.dataclass(frozen=True)
class Limits:
    """Limits for one file: seconds, bytes of memory; and the environment of the driver."""

    seconds: float = 60
    memory: int = 4 << 30
    environment: dict = dataclasses.field(default_factory=lambda: dict(os.environ))


def ended(process, code, rows=b""):
    """The answer of a driver that has ended."""
    if code < 0:
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        words = process.last_words()
        return Answer("crashed", b"", f"{name}{': ' + words if words else ''}")
    how = {0: "rows", 3: "unsupported", 4: "crashed"}.get(code, "refused")
    return Answer(how, rows if how == "rows" else b"", process.last_words() if how != "rows" else "")


class Single:
    """A driver that is started for each file: `CMD FILE`."""

    def __init__(self, command, limits=Limits()):
        self.command, self.limits = command, limits

    def answer(self, path):
        process, rows = Process([*self.command, path], self.limits), bytearray()
        deadline = time.monotonic() + self.limits.seconds
        try:
            while part := process.read(deadline):
                rows += part
                if len(rows) > MOST:
                    return Answer("no end", b"", f"more than {MOST} bytes of rows")
            code = process.code(deadline) if part is not None else None
            if code in (126, 127):
                raise Broken(f"{self.command[0]} exits with {code}: {process.last_words()}")
            return ended(process, code, bytes(rows)) if code is not None else Answer("no end", b"", f"{self.limits.seconds:g} s")
        finally:
            process.stop()

    def close(self):
        """Does nothing, as no process is left."""


class Batch:
    """A driver that reads a path a line, with a predicate after it if it can (`PATH TAB COLUMN TAB OPERATOR TAB VALUE`), and ends the rows of each with a line `=rows`, `=refused WHY`, `=unsupported WHY` or
    `=crashed WHY`. It is started again when it has ended or was stopped."""

    def __init__(self, command, limits=Limits()):
        self.command, self.limits, self.process = command, limits, None

    def answer(self, path):
        began = self.process is None
        if began:
            self.process = Process(self.command, self.limits)
        pipe, deadline, read = self.process.process.stdin, time.monotonic() + self.limits.seconds, bytearray()
        self.process.next_file()
        try:
            pipe.write(os.fsencode(path) + b"\n")
            pipe.flush()
        except BrokenPipeError:  # it ended after its last answer
            return self._ended(deadline) if began else self._again(path)
        while True:
            part = self.process.read(deadline)
            if part is None or len(read) > MOST:
                self.close()
                return Answer("no end", b"", f"{self.limits.seconds:g} s" if part is None else f"more than {MOST} bytes of rows")
            if not part:
                return self._ended(deadline)
            read += part
            if read.endswith(b"\n"):
                at = read.rfind(b"\n", 0, -1) + 1  # of the last line
                if read.startswith(b"=", at):
                    how, _, why = read[at + 1:].decode(errors="replace").strip().partition(" ")
                    if how not in ANSWERS:
                        raise Broken(f"{self.command[0]} answers ={how}")
                    return Answer(how, bytes(read[:at]) if how == "rows" else b"", why)

    def _again(self, path):
        self.close()
        return self.answer(path)

    def _ended(self, deadline):
        """The answer of a driver that ended without one, which exit code 0 is not either."""
        process, self.process = self.process, None
        code = process.code(deadline)
        process.stop()
        if code is None:
            return Answer("no end", b"", f"{self.limits.seconds:g} s")
        if code == 0 or code in (126, 127):
            raise Broken(f"{self.command[0]} exits with {code} and without an answer: {process.last_words()}")
        return ended(process, code) if code < 0 or code in (3, 4) else Answer("crashed", b"", f"exit code {code}: {process.last_words()}")

    def close(self):
        if self.process is not None:
            self.process.stop()
            self.process = None
