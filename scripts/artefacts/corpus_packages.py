"""The packages of the corpus as the archives that their registries take, each packed here: the tools of the languages would add what depends on the
day, such as a lock file. Only the jar of Maven needs them, for classes."""

import gzip
import json
import pathlib
import re
import shutil
import tempfile

from exports import packages, versions
from readers import archive
from toolchains import Failed, Missing, run, tool


def _files(folder):
    return {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}


def _tar_gz(name, files, stamp):
    return gzip.compress(archive.tar_of(name, {path: (here.read_bytes(), 0o644) for path, here in files.items()}, stamp), 9, mtime=stamp)


def crate(folder, version, stamp):
    """A crate: {file name: its bytes}."""
    name = f"parqproof-corpus-{version}"
    return {f"{name}.crate": _tar_gz(name, _files(folder), stamp)}


def npm(folder, version, stamp):
    """A package of npm: the files that `package.json` lists, and itself."""
    wanted = {"package.json", *json.loads((folder / "package.json").read_text(encoding="utf-8"))["files"]}
    return {f"parqproof-corpus-{version}.tgz": _tar_gz("package", {path: here for path, here in _files(folder).items() if path in wanted}, stamp)}


def go(folder, version, _):
    """The zip file of a Go module."""
    module = re.search(r"^module (\S+)", (folder / "go.mod").read_text(encoding="utf-8"), re.M)[1]
    return {f"{module.rpartition('/')[2]}-{version}.zip": archive.zip_of(f"{module}@v{version}", _files(folder))}


def maven(folder, version, _):
    """The POM and the sources of a Maven package; jar() has its classes."""
    main = folder / "src/main"
    sources = {path: here for part in ("java", "resources") for path, here in _files(main / part).items()}
    name = f"parqproof-corpus-{version}"
    return {f"{name}.pom": (folder / "pom.xml").read_bytes(), f"{name}-sources.jar": archive.zip_of("", {**sources, "META-INF/LICENSE": folder / "LICENSE"})}


def jar(folder, version, _):
    """The jar of Maven, which takes the compiler plugin and dependencies from its repository, and would add times and users to a jar."""
    tool("javac")
    try:
        run([tool("mvn"), "-q", "-B", "compile"], cwd=folder)
    except Failed as reason:
        raise Missing(str(reason)) from reason
    return {f"parqproof-corpus-{version}.jar": archive.zip_of("", {**_files(folder / "target/classes"), "META-INF/LICENSE": folder / "LICENSE"})}


PACKERS = {"rust": [crate], "npm": [npm], "go": [go], "java": [maven, jar]}


def make(root, corpus, files, version, stamp, out):
    """Writes the archives into `out`. Returns {what is left out: why}."""
    left_out = {}
    for name, packers in PACKERS.items():
        own = versions.form(version, name)
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch) / "sources"
            packages.make(root, name, corpus, files, own, folder)
            for packer in packers:
                try:
                    # A copy, so that nothing that a tool writes gets into an archive.
                    made = packer(shutil.copytree(folder, pathlib.Path(scratch) / packer.__name__), own, stamp)
                except Missing as reason:
                    left_out[f"the {packer.__name__} of {name}"] = str(reason)
                    continue
                for file, data in made.items():
                    (out / file).write_bytes(data)
    return left_out
