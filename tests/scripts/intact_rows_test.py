"""Random damage to sound files: a row that comes out is a row of the original, unless the damage breaks no rule of
levels, indices or lengths in its column. Then the report says that pages have no checksum."""

import hashlib
import json
import os
import random

from program import ROOT, Case, run

FILES = 20
CASES = {"all": 500, "few": 15}.get(os.environ.get("PARQPROOF_SWEEP"), 60)
#: Writers of files that are sound in levels and lengths.
WRITERS = ("arrow-rs", "clickhouse", "duckdb", "hyparquet", "parquet-go", "parquet-java", "polars", "pyarrow")
#: Rules of other areas are about values or about what is said of them.
STRUCTURAL = ("alp", "bit-packed", "byte-stream-split", "compression", "crc", "delta-binary-packed", "delta-byte-array",
              "delta-length-byte-array", "levels", "page", "plain", "rle")
MOVED = ("file/block-order", "file/bytes-inserted", "file/bytes-missing", "file/text-mode", "file/transfer-framing")


def chosen():
    """Files of every writer, the same ones in each run."""
    files = [path for writer in WRITERS for path in (ROOT / "corpus" / "writers" / writer).glob("*.parquet")
             if 1200 < path.stat().st_size < 30000]
    return sorted(files, key=lambda path: hashlib.sha256(str(path.relative_to(ROOT)).encode()).digest())[:FILES]


def damaged(data, bodies, draw):
    """(what happened, the damaged bytes): one damage of bytes that follow each other. Half of them begin at the levels
    or run headers with which the page bodies at these offsets begin."""
    size, at = len(data), draw.randrange(len(data))
    if bodies and draw.randrange(2):
        at = min(draw.choice(bodies) + draw.randrange(24), size - 1)
    count = draw.choice((1, 4, 16, 64, 512))
    noise = bytes(draw.randrange(256) for _ in range(count))
    sector = at // 512 * 512
    return draw.choice((
        lambda: ("bit", data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1:]),
        lambda: ("noise", (data[:at] + noise + data[at + count:])[:size]),
        lambda: ("zeros", (data[:at] + bytes(count) + data[at + count:])[:size]),
        lambda: ("sector", (data[:sector] + noise * (512 // count) + data[sector + 512:])[:size]),
        lambda: ("missing", data[:at] + data[at + count:]),
        lambda: ("inserted", data[:at] + noise + data[at:]),
        lambda: ("repeated", data[:at] + data[at - min(at, count):at] + data[at:]),
        lambda: ("cut", data[:at]),
        lambda: ("line ends", data.replace(b"\n", b"\r\n"))))()


class IntactRows(Case):
    def test_every_row_is_one_of_the_original(self):
        wrong = 0
        for path in chosen():
            data, name = path.read_bytes(), "/".join(path.parts[-2:])
            true = run("cat", path).stdout.splitlines()
            footer = len(data) - 8 - int.from_bytes(data[-8:-4], "little")  # no checksum covers it
            bodies = [one["offset"] for one in self.segments(data, "page-body")]
            for number in range(CASES):
                kind, bytes_ = damaged(data, bodies, random.Random(f"{name} {number}"))
                copy = self.write("damaged.parquet", bytes_)
                shown = run("cat", copy).stdout.splitlines()
                with self.subTest(file=name, case=number, kind=kind):
                    self.assertLessEqual(len(shown), len(true))
                    differing = [i for i, row in enumerate(shown) if row != true[i]]
                    if differing:
                        wrong += 1
                        self.blame([(json.loads(shown[i]), json.loads(true[i])) for i in differing], copy)
                        if bytes_[:footer] != data[:footer]:
                            self.assertLess(self.report["checksums"], self.report["pages"])
        # Pages without checksum exist, so some damage is silent: otherwise the test compares nothing.
        self.assertGreater(wrong, 0)

    def blame(self, rows, copy):
        """No structural error is in a column that differs."""
        (self.report,) = json.loads(run("check", "--format", "json", copy).stdout)["files"]
        columns = {name for shown, true in rows for name in shown.keys() | true.keys() if shown.get(name) != true.get(name)}
        for finding in self.report["findings"]:
            rule = finding["rule"]
            if finding["severity"] != "error":
                continue
            self.assertNotIn(rule, MOVED)
            if rule.split("/")[0] in STRUCTURAL:
                self.assertNotIn(finding.get("column", "").split(".")[0], columns, rule)


if __name__ == "__main__":
    import unittest
    unittest.main()
