"""What the drivers in Python share: jobs come in as JSON, one a line, and each gets an answer of one line."""

import json
import sys


def main(version, do):
    """`do(job)` reads the file `in` with `keys`, and writes its rows to `out` as `form` and `layout` say; it returns the members of the answer. Keys are hex."""
    if sys.argv[1:] == ["--version"]:
        print(version)
        return
    for line in sys.stdin:
        try:
            answer = {"done": True, **(do(json.loads(line)) or {})}
        except Exception as reason:  # whatever the library raises, it did not do the job
            answer = {"refused": f"{type(reason).__name__}: {' '.join(str(reason).split())}"}
        print(json.dumps(answer), flush=True)
