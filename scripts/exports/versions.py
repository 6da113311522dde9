"""The version of this checkout, as `version.txt` has it, and the forms of it that packages take."""

# The end of a version between releases. Each sorts before the release.
DEVELOPMENT = "-dev"  # the program, and semantic versions: crates, npm, Go
FORMS = {"python": ".dev0", "debian": "~dev", "java": "-SNAPSHOT"}


def version_of(root):
    return (root / "version.txt").read_text(encoding="utf-8").strip()


def form(version, package):
    """The version in the form of a kind of package."""
    return version.replace(DEVELOPMENT, FORMS.get(package, DEVELOPMENT))
