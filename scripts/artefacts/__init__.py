"""The artefacts of a release: `scripts/release`."""
