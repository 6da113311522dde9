"""The corpus as a release archive: reproducible from the same files."""

import hashlib
import io
import re
import shutil
import subprocess
import tarfile

from toolchains import Missing


def version_of(root):
    return re.search(r"project\(\w+ VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text()).group(1)


def contents(root):
    """The files of the archive: {path in it: path here}."""
    corpus, schemas = root / "corpus", root / "conformance" / "json-schema"
    files = {path.relative_to(corpus).as_posix(): path for path in corpus.rglob("*") if path.is_file() and not path.name.startswith(".")}
    files |= {f"json-schema/{path.name}": path for path in schemas.glob("*.json")}
    return files | {"LICENSE": root / "LICENSE"}


def tar_of(name, files):
    """A tar file of these files in a folder of that name, sorted by name, without owners and times."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in sorted(files, key=str.encode):
            data = files[path].read_bytes()
            about = tarfile.TarInfo(f"{name}/{path}")
            about.size, about.mode = len(data), 0o644
            tar.addfile(about, io.BytesIO(data))
    return out.getvalue()


def make(root, folder, level):
    """Writes the archive and its checksum into a folder; returns the path of the archive, and its files."""
    zstd = shutil.which("zstd")
    if zstd is None:
        raise Missing("zstd is not installed")
    name, files = f"parqproof-corpus-{version_of(root)}", contents(root)
    packed = subprocess.run([zstd, "-q", "--single-thread", f"-{level}", "-c"], input=tar_of(name, files), capture_output=True, check=True).stdout
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.tar.zst"
    path.write_bytes(packed)
    (folder / f"{path.name}.sha256").write_text(f"{hashlib.sha256(packed).hexdigest()}  {path.name}\n")
    return path, files
