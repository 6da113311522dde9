"""The bill of materials of the static program, in the form of SPDX 2.3: the libraries that are linked into it."""

import json
import subprocess

# Debian packages whose archives or headers are compiled into the program, with the licences of their parts that are.
LINKED = {
    "libc6-dev": "LGPL-2.1-or-later", "libstdc++-12-dev": "GPL-3.0-or-later WITH GCC-exception-3.1", "libfmt-dev": "MIT", "nlohmann-json3-dev": "MIT",
    "libcli11-dev": "BSD-3-Clause", "libtomlplusplus-dev": "MIT", "libsnappy-dev": "BSD-3-Clause", "libdeflate-dev": "MIT", "zlib1g-dev": "Zlib",
    "libzstd-dev": "BSD-3-Clause", "libbrotli-dev": "MIT", "liblz4-dev": "BSD-2-Clause", "libxxhash-dev": "BSD-2-Clause", "libssl-dev": "Apache-2.0",
}


def version_of(package):
    """The installed version of a Debian package; None if it is not installed."""
    done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True, check=False)
    return done.stdout or None


def bill(version, date, digest):
    """The JSON text. `digest` is the SHA-256 of the program."""
    own = {"SPDXID": "SPDXRef-parqproof", "name": "parqproof", "versionInfo": version, "downloadLocation": "NOASSERTION", "licenseConcluded": "Apache-2.0",
           "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION", "filesAnalyzed": False, "checksums": [{"algorithm": "SHA256", "checksumValue": digest}]}
    packages, relations = [own], [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": own["SPDXID"]}]
    for name, licence in LINKED.items():
        if (installed := version_of(name)) is None:
            continue
        reference = f"SPDXRef-{name.replace('+', '-')}"
        packages.append({"SPDXID": reference, "name": name, "versionInfo": installed, "downloadLocation": "NOASSERTION", "licenseConcluded": licence,
                         "licenseDeclared": licence, "copyrightText": "NOASSERTION", "filesAnalyzed": False, "supplier": "Organization: Debian",
                         "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": f"pkg:deb/debian/{name}@{installed}"}]})
        relations.append({"spdxElementId": own["SPDXID"], "relationshipType": "STATIC_LINK", "relatedSpdxElement": reference})
    return json.dumps({"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"parqproof-{version}",
                       "documentNamespace": f"https://parqproof.invalid/spdx/{version}/{digest}", "creationInfo": {"created": f"{date}T00:00:00Z", "creators": ["Tool: scripts/release"]},
                       "packages": packages, "relationships": relations}, indent=1) + "\n"
