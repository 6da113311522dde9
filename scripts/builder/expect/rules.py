"""The ids and classes of the rules, as the program lists them (`parqproof rules --format json`).

The class is a fact of the rule, so the builder reads it. Severity, found and expected are independent of the program: findings.py
has them."""

import functools
import json
import os
import pathlib
import subprocess

PROGRAM = os.environ.get("PARQPROOF_BINARY", str(pathlib.Path(__file__).resolve().parents[3] / "build" / "release" / "parqproof"))


@functools.cache
def classes():
    """{id: class} of all rules; a class is invalid, malformed, unsupported or limit."""
    try:
        listed = subprocess.run([PROGRAM, "rules", "--format", "json"], capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as problem:
        raise SystemExit(f"the rules are read from the program: build it, or set PARQPROOF_BINARY ({problem})") from problem
    return {rule["id"]: rule["class"] for rule in json.loads(listed)}


def class_of(rule):
    return classes()[rule]
