"""The corpus as a release archive: reproducible from the same files."""

import hashlib
import io
import subprocess
import tarfile
import zipfile

from exports import versions
from toolchains import tool


def contents(root):
    """The files of the archive: {path in it: path here}."""
    corpus, schemas = root / "corpus", root / "conformance" / "json-schema"
    files = {path.relative_to(corpus).as_posix(): path for path in corpus.rglob("*") if path.is_file() and not path.name.startswith(".")}
    files |= {f"json-schema/{path.name}": path for path in schemas.glob("*.json")}
    return files | {"LICENSE": root / "LICENSE"}


def tar_of(name, files, stamp=0):
    """A tar file of {path: (bytes, mode)} in a folder of that name, sorted by name, without owners, all of one time."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in sorted(files, key=str.encode):
            data, mode = files[path]
            about = tarfile.TarInfo(f"{name}/{path}")
            about.size, about.mode, about.mtime = len(data), mode, stamp
            tar.addfile(about, io.BytesIO(data))
    return out.getvalue()


def zip_of(name, files):
    """A zip file of {path in it: path here}, in a folder of that name if there is one, the same each time."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(files, key=str.encode):
            about = zipfile.ZipInfo(f"{name}/{path}" if name else path)  # its time is that of the format's beginning
            about.compress_type, about.external_attr = zipfile.ZIP_DEFLATED, 0o100644 << 16
            packed.writestr(about, files[path].read_bytes())
    return out.getvalue()


def write(path, data):
    """Writes a file, and its checksum next to it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.with_name(f"{path.name}.sha256").write_text(f"{hashlib.sha256(data).hexdigest()}  {path.name}\n")


def tar_zst_of(name, files, level):
    """A tar file of {path in it: path here}, compressed with zstd."""
    tar = tar_of(name, {path: (here.read_bytes(), 0o644) for path, here in files.items()})
    return subprocess.run([tool("zstd"), "-q", "--single-thread", f"-{level}", "-c"], input=tar, capture_output=True, check=True).stdout


def make(root, folder, level):
    """Writes the archive and its checksum into a folder; returns the path of the archive, and its files."""
    name, files = f"parqproof-corpus-{versions.version_of(root)}", contents(root)
    path = folder / f"{name}.tar.zst"
    write(path, tar_zst_of(name, files, level))
    return path, files
