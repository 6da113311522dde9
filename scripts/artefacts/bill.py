"""The bill of materials, in the form of SPDX 2.3: the artefacts of a release, and the libraries in them."""

import hashlib
import json
import urllib.parse

from artefacts import libraries


def _package(identifier, name, licence, **more):
    return {"SPDXID": identifier, "name": name, "downloadLocation": "NOASSERTION", "licenseConcluded": licence, "licenseDeclared": licence,
            "copyrightText": "NOASSERTION", "filesAnalyzed": False, **more}


def _identifier(*names):
    return "-".join(["SPDXRef", *("".join(char if char.isascii() and char.isalnum() or char in ".-" else "-" for char in name) for name in names)])


def purl(system, one):
    """The package URL of a library's package."""
    name, version = (urllib.parse.quote(text, safe=":~") for text in (one.package, one.version))
    return f"pkg:deb/{system}/{name}@{version}?arch={one.architecture}"


def _library(system, one):
    return _package(_identifier("library", one.name), one.package, one.licence, versionInfo=one.version, supplier=f"Organization: {system.capitalize()}",
                    summary=one.name, externalRefs=[{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl(system, one)}])


def bill(version, date, artefacts, linked):
    """The JSON text. `artefacts` are (name, SHA-256, the names of the libraries that it contains, of those that it loads)."""
    packages, relations = [], []
    for name, digest, contained, loaded in artefacts:
        own = _identifier("artefact", name)
        packages.append(_package(own, name, "Apache-2.0", versionInfo=version, packageFileName=name, checksums=[{"algorithm": "SHA256", "checksumValue": digest}]))
        related = [("SPDXRef-DOCUMENT", "DESCRIBES", own), *((own, "STATIC_LINK", _identifier("library", one)) for one in contained),
                   *((own, "DYNAMIC_LINK", _identifier("library", one)) for one in loaded)]
        relations += [{"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other} for one, kind, other in related]
    if linked:
        system = libraries.system()
        packages += [_library(system, one) for one in linked]
    digest = hashlib.sha256(json.dumps(packages).encode()).hexdigest()
    return json.dumps({"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"parqproof-{version}",
                       "documentNamespace": f"https://parqproof.invalid/spdx/{version}/{digest}", "creationInfo": {"created": f"{date}T00:00:00Z", "creators": ["Tool: scripts/release"]},
                       "packages": packages, "relationships": relations}, indent=1) + "\n"
