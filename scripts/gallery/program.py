"""The program whose output is documented, called like a user in the folder of the project."""

import os
import pathlib
import pty
import re
import shlex
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
WRAPPER = "scripts/parqproof"
ONE_VERSION = "0.0.0"  # replaces any version of parqproof, so that a new one changes nothing here
PLAIN = {"LC_ALL": "C.UTF-8", "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": os.environ.get("HOME", "/")}


def has_terminal():
    """Returns True if a terminal can be opened; containers without /dev/pts have none."""
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError:
        return False
    return True


class Program:
    """Runs the commands of documents, `scripts/parqproof ...`, in `folder`."""

    def __init__(self, folder, binary=os.environ.get("PARQPROOF_BINARY")):
        self.folder, self.binary = pathlib.Path(folder), str(binary or ROOT / WRAPPER)
        self.version = self.output(f"{WRAPPER} --version", None).split()[1]  # may build it

    def _shell(self, command):
        return ["bash", "-c", command.replace(WRAPPER, shlex.quote(self.binary))]

    def output(self, command, complaints=subprocess.STDOUT):
        """The output of the command, including stderr."""
        return subprocess.run(self._shell(command), cwd=self.folder, env=PLAIN, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=complaints,
                              check=False, text=True).stdout

    def report(self, command):
        """The standard output of the command, with a fixed version."""
        text = self.output(command, subprocess.DEVNULL)
        return re.sub(rf'(?<=")((?:parqproof )?){re.escape(self.version)}(?=["\s])', rf"\g<1>{ONE_VERSION}", text)

    def on_terminal(self, command):
        """The output of the command on a terminal, with its colours."""
        ours, its = pty.openpty()
        process = subprocess.Popen(self._shell(command), cwd=self.folder, env={**PLAIN, "TERM": "xterm-256color"}, stdin=subprocess.DEVNULL, stdout=its,
                                   stderr=subprocess.DEVNULL)
        os.close(its)
        written = b""
        while True:
            try:
                piece = os.read(ours, 1 << 16)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            written += piece
        os.close(ours)
        process.wait()
        return written.decode().replace("\r\n", "\n")
