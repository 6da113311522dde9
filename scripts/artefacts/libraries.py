"""The libraries in the program, and the packages of Debian or Ubuntu from which a build took them."""

import dataclasses
import os
import pathlib
import platform
import re
import subprocess

from toolchains import Missing

# {library: (the licence of its parts that are in the program, a file of its package)}. A name in braces is a variable of the build's
# cache; other files are found by the compiler.
LIBRARIES = {
    "glibc": ("LGPL-2.1-or-later", "libc.a"),
    "libstdc++": ("GPL-3.0-or-later WITH GCC-exception-3.1", "libstdc++.a"),
    "libgcc": ("GPL-3.0-or-later WITH GCC-exception-3.1", "libgcc.a"),
    "{fmt}": ("MIT", "{fmt_DIR}/fmt-config.cmake"),
    "nlohmann/json": ("MIT", "{nlohmann_json_DIR}/nlohmann_jsonConfig.cmake"),
    "CLI11": ("BSD-3-Clause", "{CLI11_DIR}/CLI11Config.cmake"),
    "toml++": ("MIT", "{tomlplusplus_include_dir}/toml++/toml.h"),
    "Snappy": ("BSD-3-Clause", "{pkgcfg_lib_parqproof_compression_snappy}"),
    "libdeflate": ("MIT", "{pkgcfg_lib_parqproof_compression_deflate}"),
    "zlib": ("Zlib", "{pkgcfg_lib_parqproof_compression_z}"),
    "Zstandard": ("BSD-3-Clause", "{pkgcfg_lib_parqproof_compression_zstd}"),
    "Brotli": ("MIT", "{pkgcfg_lib_parqproof_compression_brotlidec}"),
    "LZ4": ("BSD-2-Clause", "{pkgcfg_lib_parqproof_compression_lz4}"),
    "xxHash": ("BSD-2-Clause", "{pkgcfg_lib_parqproof_compression_xxhash}"),
    "OpenSSL": ("Apache-2.0", "{pkgcfg_lib_parqproof_crypto_crypto}"),
}


@dataclasses.dataclass(frozen=True)
class Linked:
    """A library with its package."""

    name: str
    licence: str
    package: str
    version: str
    architecture: str


def system():
    """The id of the distribution: debian, ubuntu."""
    return platform.freedesktop_os_release()["ID"]


def _cache(build):
    path = build / "CMakeCache.txt"
    if not path.is_file():
        raise Missing(f"{path} is needed to find the libraries of the program: give a program in the folder of its build")
    return dict(re.findall(r"^([^#/\n][^:\n]*):\w+=(.*)$", path.read_text(encoding="utf-8"), re.M))


def _asked(*command):
    """The output of a command; empty if it fails."""
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"}).stdout.strip()


def _owner(path):
    """The package that has a file; empty if none has. /lib can be a link to /usr/lib, and packages name either."""
    for name in dict.fromkeys((os.path.realpath(path), os.path.abspath(path))):
        for one in (name, name.removeprefix("/usr")):
            if found := re.match(r"([^\s,:]+)(?::\w+)?(?:, [^:]+(?::\w+)?)*: /", _asked("dpkg", "-S", one)):
                return found[1]
    return ""


def linked(build):
    """The libraries that the programs of a build contain, with their packages. `Missing` if one is of no package: neither its version
    nor its licence is known then."""
    cache, found = _cache(build), []
    for name, (licence, file) in LIBRARIES.items():
        try:
            path = file.format_map(cache) if "{" in file else _asked(cache["CMAKE_CXX_COMPILER"], f"-print-file-name={file}")
        except KeyError as variable:
            raise Missing(f"{build}/CMakeCache.txt has no {variable}, by which {name} is found") from None
        package = _owner(path) if "/" in path else ""
        if not package:
            raise Missing(f"no installed package has {path or file} of {name}: install the package of {name}, and configure {build} again")
        version, architecture = _asked("dpkg-query", "-W", "-f", "${Version} ${Architecture}\n", package).splitlines()[0].split()
        found.append(Linked(name, licence, package, version, architecture))
    return found


def copyright_of(package):
    """The copyright file of a package: licence and notices of its parts."""
    path = pathlib.Path("/usr/share/doc") / package / "copyright"
    if not path.is_file():
        raise Missing(f"{path} is not installed")
    return path.read_text(encoding="utf-8", errors="replace")
