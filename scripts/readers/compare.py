"""Compares the rows of `parqproof cat` with those of readers, for any files."""

import json
import pathlib
import subprocess

from . import judge


def verdict(program, path):
    report = subprocess.run([program, "check", "--format", "json", path], capture_output=True, text=True, check=False)
    return json.loads(report.stdout)["files"][0]["verdict"]


class Comparison:
    """The rows of a file by `cat` and by readers."""

    def __init__(self, program, path, readers):
        done = subprocess.run([program, "cat", path], capture_output=True, check=False)
        self.path, self.rows, self.code = path, done.stdout, done.returncode
        self.is_broken = done.returncode == 1 and verdict(program, path) in ("malformed", "nonconforming")
        self.failed = "" if self.is_broken or not done.returncode else f"cat exits with {done.returncode}: {done.stderr.decode()[:400]}"
        self.agrees, self.differences, self.refusals = None, [], []
        for name, driver in readers.items():
            self._ask(name, driver)
            if self.agrees:
                break

    def _ask(self, name, driver):
        answer = driver.answer(str(self.path))
        if answer.how != "rows":
            self.refusals.append(f"{name}: {answer.how}: {answer.why}"[:160])
            return
        rows = answer.rows
        if self.is_broken:  # those before the one that cannot be assembled
            rows = b"".join(rows.splitlines(keepends=True)[: self.rows.count(b"\n")])
        differs = self.failed or judge.difference(rows, self.rows)
        if differs:
            self.differences.append(f"{name}: {differs}")
        else:
            self.agrees = name

    def message(self):
        """A message about the file, None if there is none."""
        if self.agrees:
            return f"cat ends before the last rows of {self.agrees}, in a file that breaks a rule" if self.is_broken else None
        if self.differences:
            return "differs from " + "; ".join(self.differences)
        return f"not compared (cat: {self.code}, {self.rows.count(bytes([10]))} rows); " + "; ".join(self.refusals)


def write(agreed, folder):
    """Writes the rows next to the files, and the agreeing readers into rows.json: a line a file, sorted by name."""
    lines = []
    for one in sorted(agreed, key=lambda one: str(one.path)):
        one.path.with_suffix(".rows.jsonl").write_bytes(one.rows)
        name = one.path.resolve().relative_to(folder).as_posix()
        lines.append(f"  {json.dumps(name)}: {json.dumps({'exit': one.code, 'reader': one.agrees.lower()})}")
    (folder / "rows.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


def compare(program, files, readers, folder=None):
    """Prints the files that readers read differently; returns their number. `folder`: write agreed rows there."""
    agreed, different, compared = [], 0, dict.fromkeys(readers, 0)
    for path in map(pathlib.Path, files):
        one = Comparison(program, path, readers)
        if one.message():
            print(f"{path}: {one.message()}", flush=True)
        if one.agrees:
            compared[one.agrees] += 1
            agreed += [one] if one.rows or not one.is_broken else []
        different += bool(one.differences and not one.agrees)
    if folder:
        write(agreed, folder)
    print(", ".join(f"{count} files like {name}" for name, count in compared.items()) + f", {different} like none that reads them")
    return different
