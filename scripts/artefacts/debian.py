"""The Debian package: the program, its man page and its completions."""

import gzip
import os
import pathlib
import re
import subprocess
import tempfile

from artefacts import notices

CONTROL = """Package: parqproof
Version: {version}-1
Architecture: {architecture}
Maintainer: parqproof maintainers <maintainers@parqproof.invalid>
Installed-Size: {size}
Depends: libc6 (>= {libc})
Section: utils
Priority: optional
Description: strict referee of the Apache Parquet format
 parqproof checks every byte of Parquet files against the specification, and
 names the rule, the place and the cause of what is wrong.
 .
 It also shows the layout, the metadata and the rows of files, writes the rows
 of damaged files into sound ones, and makes files with one fault each for the
 tests of readers.
"""
COPYRIGHT = """Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: parqproof

Files: *
Copyright: 2026 parqproof maintainers
License: Apache-2.0
Comment: The program contains parts of other libraries, with other licences:
 {notices} in this folder has their copyright files.

License: Apache-2.0
 On Debian systems, the text of the Apache License 2.0 is in
 /usr/share/common-licenses/Apache-2.0.
"""
OVERRIDES = """# Shared libraries would cost the program time at every start; it is linked with libc alone.
parqproof: embedded-library *
# The package is made by upstream, not for the archive of Debian.
parqproof: initial-upload-closes-no-bugs *
"""


def libc_of(program):
    """The newest version of libc that a program needs."""
    text = subprocess.run(["objdump", "-T", program], capture_output=True, text=True, check=True).stdout
    return ".".join(map(str, max(tuple(map(int, found.split("."))) for found in re.findall(r"GLIBC_(\d+\.\d+)", text))))


def packed(text):
    return gzip.compress(text.encode(), 9, mtime=0)


def changelog(version, stamp):
    date = subprocess.run(["date", "-u", "-R", "-d", f"@{stamp}"], capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C"}).stdout.strip()
    return f"parqproof ({version}-1) unstable; urgency=medium\n\n  * Release {version}.\n\n -- parqproof maintainers <maintainers@parqproof.invalid>  {date}\n"


def make(program, version, stamp, man, completions, third_party, out):
    """Writes the package into `out`, with the modes of the umask, and returns its path. `program` is linked with libc alone; `completions` are texts by shell,
    `third_party` the notices of libraries."""
    architecture = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True).stdout.strip()
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch) / "root"
        files = {
            "usr/bin/parqproof": pathlib.Path(program).read_bytes(),
            "usr/share/man/man1/parqproof.1.gz": packed(man),
            "usr/share/bash-completion/completions/parqproof": completions["bash"].encode(),
            "usr/share/zsh/vendor-completions/_parqproof": completions["zsh"].encode(),
            "usr/share/fish/vendor_completions.d/parqproof.fish": completions["fish"].encode(),
            "usr/share/lintian/overrides/parqproof": OVERRIDES.encode(),
            "usr/share/doc/parqproof/copyright": COPYRIGHT.format(notices=notices.FILE).encode(),
            f"usr/share/doc/parqproof/{notices.FILE}": third_party.encode(),
            "usr/share/doc/parqproof/changelog.Debian.gz": packed(changelog(version, stamp)),
        }
        for name, data in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            path.chmod(0o755 if name.startswith("usr/bin/") else 0o644)
        subprocess.run(["strip", "--strip-unneeded", "--remove-section=.comment", root / "usr/bin/parqproof"], check=True)
        (root / "DEBIAN").mkdir()
        size = -(-sum((root / name).stat().st_size for name in files) // 1024)
        (root / "DEBIAN/control").write_text(CONTROL.format(version=version, architecture=architecture, size=size, libc=libc_of(program)), encoding="utf-8")
        target = out / f"parqproof_{version}-1_{architecture}.deb"
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "-z6", "--build", root, target], check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "SOURCE_DATE_EPOCH": str(stamp)})
    return target
