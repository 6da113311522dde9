"""Programs in other languages with pinned dependencies: installed in a cache outside the checkout, and rebuilt when their
sources have changed. Used by the writers (`scripts/writers`) and the readers (`scripts/readers`)."""

import dataclasses
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "parqproof"


class Missing(Exception):
    """A toolchain is not installed."""


class Failed(Exception):
    """An installation, a build or a recipe failed."""


def tool(*names):
    """The path of the first of these programs that exists."""
    for name in names:
        if path := shutil.which(name):
            return path
    raise Missing(f"{' or '.join(names)} is not installed")


def run(command, **options):
    """Runs a command and returns its stdout; the end of its output is printed if it fails."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode:
        lines = [line for line in f"{done.stdout}\n{done.stderr}".splitlines() if line and not line.startswith("{")]
        raise Failed("\n".join([f"{command[0]} exited {done.returncode}", *lines[-15:]]))
    return done.stdout


def files_of(source):
    """The files of a folder, or the file itself, in order."""
    return [path for path in (sorted(source.rglob("*")) if source.is_dir() else [source]) if path.is_file()]


def digest_of(source):
    """The SHA-256 of names and bytes of all files of a source."""
    digest = hashlib.sha256()
    for path in files_of(source):
        digest.update(f"{path.relative_to(source)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


def prepared(home, name, source, install):
    """A cache directory with an installed copy of source; rebuilt when source has changed."""
    work = CACHE / home.name / name
    stamp, digest = work / "installed", digest_of(source)
    if stamp.is_file() and stamp.read_text() == digest:
        return work
    work.mkdir(parents=True, exist_ok=True)
    stamp.unlink(missing_ok=True)
    if source.is_dir():
        shutil.copytree(source, work, dirs_exist_ok=True)
    install(work)
    stamp.write_text(digest)
    return work


# Each of these is a program of a folder `home`, scripts/writers or scripts/readers. command(home, name) installs its dependencies
# in the cache of that name, and returns the command that runs it.


@dataclasses.dataclass(frozen=True)
class Python:
    """A program in Python, run in its own virtual environment."""

    program: str
    requirements: str

    def command(self, home, name):
        def install(work):
            tool("python3")
            if not (work / "bin" / "python").exists():
                run([sys.executable, "-m", "venv", work])
            run([work / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check",
                 "--only-binary=:all:", "-r", home / self.requirements])

        work = prepared(home, name, home / self.requirements, install)
        return [work / "bin" / "python", home / self.program]


@dataclasses.dataclass(frozen=True)
class Node:
    """A program in JavaScript next to its package.json; arguments follow its name."""

    program: str
    arguments: tuple = ()

    def command(self, home, name):
        node, npm = tool("node"), tool("npm")
        source = (home / self.program).parent
        lock = (source / "package-lock.json").exists()
        work = prepared(home, name, source, lambda work: run(
            [npm, "ci" if lock else "install", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=work))
        return [node, work / pathlib.Path(self.program).name, *self.arguments]


@dataclasses.dataclass(frozen=True)
class Cargo:
    """A program in Rust: a crate with this binary."""

    program: str
    profile: str
    binary: str = "recipe"

    def command(self, home, name):
        cargo = tool("cargo")
        source = (home / self.program).parent
        options = ["--release"] if self.profile == "release" else []
        work = prepared(home, name, source, lambda work: run([cargo, "build", "-q", "--jobs", "2", *options], cwd=work))
        return [work / "target" / self.profile / self.binary]


@dataclasses.dataclass(frozen=True)
class Go:
    """A program in Go: a module with a main package."""

    program: str

    def command(self, home, name):
        go = tool("go")
        source = (home / self.program).parent
        work = prepared(home, name, source, lambda work: run([go, "build", "-p", "2", "-o", "recipe", "."], cwd=work))
        return [work / "recipe"]


@dataclasses.dataclass(frozen=True)
class Maven:
    """A program in Java: a Maven project whose main class is that of the file."""

    program: str
    options: tuple = ()

    def command(self, home, name):
        java, mvn = tool("java"), tool("mvn")
        source, main = home / self.program.partition("/src/")[0], pathlib.Path(self.program).stem

        def install(work):
            shutil.rmtree(work / "target" / "classes", ignore_errors=True)  # Maven keeps classes that are newer than a copied source
            run([mvn, "-q", "-B", "compile", "dependency:copy-dependencies", "-DoutputDirectory=target/lib"], cwd=work)

        work = prepared(home, name, source, install)
        return [java, *self.options, "-cp", f"{work}/target/classes:{work}/target/lib/*", main]
