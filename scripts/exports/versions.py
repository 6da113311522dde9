"""The version of this checkout, as CMakeLists.txt has it, and the forms of it that packages take."""

import re

# The end of a version between releases. Each sorts before the release.
DEVELOPMENT = "-dev"  # the program, and semantic versions: crates, npm, Go
FORMS = {"python": ".dev0", "debian": "~dev", "java": "-SNAPSHOT"}


def version_of(root):
    return re.search(r"^set\(parqproof_version (\S+)\)$", (root / "CMakeLists.txt").read_text(encoding="utf-8"), re.MULTILINE)[1]


def form(version, package):
    """The version in the form of a kind of package."""
    return version.replace(DEVELOPMENT, FORMS.get(package, DEVELOPMENT))
