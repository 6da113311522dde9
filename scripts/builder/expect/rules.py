"""The rules as the program lists them (`parqproof rules --format json`): the id and class of each, and the structure that can break
it once.

The class is a fact of the rule, so the builder reads it. Severity, found and expected are independent of the program: findings.py
has them."""

import functools
import json
import os
import pathlib
import subprocess

PROGRAM = os.environ.get("PARQPROOF_BINARY", str(pathlib.Path(__file__).resolve().parents[3] / "build" / "release" / "parqproof"))


@functools.cache
def rules():
    """{id: row} of all rules."""
    try:
        listed = subprocess.run([PROGRAM, "rules", "--format", "json"], capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as problem:
        raise SystemExit(f"the rules are read from the program: build it, or set PARQPROOF_BINARY ({problem})") from problem
    return {rule["id"]: rule for rule in json.loads(listed)}


def classes():
    """{id: class} of all rules; a class is invalid, malformed, unsupported or limit."""
    return {name: rule["class"] for name, rule in rules().items()}


def class_of(rule):
    return rules()[rule]["class"]


def per(rule):
    """The structure that can break the rule once: file, chunk or page. A rule of a page needs a witness in which a chunk breaks it twice."""
    return rules()[rule]["per"]
