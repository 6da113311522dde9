"""The peak memory of a run is that of its largest file, however many files there are."""

import gzip
import subprocess
import sys

from program import PROGRAM, WITNESSES, Case, large

from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import BYTE_ARRAY, GZIP
from builder.codec.pages import V1
from builder.codec.schema import required
from builder.codec.shredding import variant_node

MIB = 1 << 20
KEPT = 16 * MIB  # kept at the end of the heap: conformance/cli/heap.cpp


# In a separate process, as the memory of this one counts in the peak of a child.
MEASURE = """
import os, sys
program = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
print(os.wait4(program, 0)[2].ru_maxrss)
"""


def peak(*arguments, command="check"):
    """In bytes."""
    command = [sys.executable, "-I", "-S", "-c", MEASURE, PROGRAM, command, *map(str, arguments)]
    return 1024 * int(subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout)


@large
class Memory(Case):
    def with_pages(self, name, sizes):
        """A file with a column chunk for each size in MiB: one page of zeros, which has that size once it is expanded."""
        columns = [f"c{i}" for i in range(len(sizes))]
        chunks = []
        for size in sizes:
            image = (size * MIB - 4).to_bytes(4, "little") + bytes(size * MIB - 4)
            chunks.append(Chunk([V1(count=1, values=image, stored=gzip.compress(image, 1))], codec=GZIP))
        group = Group([{column: b"" for column in columns}], chunks)
        return self.write(name, File([required(column, BYTE_ARRAY) for column in columns], groups=[group]).build().data)

    def test_memory_does_not_grow_from_file_to_file(self):
        path = self.with_pages("growing.parquet", range(4, 33, 4))
        for jobs, most in ((1, 64 * MIB), (2, 96 * MIB)):
            with self.subTest(jobs=jobs):
                once = peak("-j", jobs, path)
                self.assertLess(32 * MIB, once)
                self.assertLess(once, most)
                # Which pages two threads hold together is chance, in each run anew.
                self.assertLess(peak("-j", jobs, *[path] * 4), once + KEPT if jobs == 1 else most)

    def test_only_the_paths_of_small_files_are_kept(self):
        last = self.with_pages("last.parquet", [32])
        small = sorted(WITNESSES.glob("page/*/*.parquet"))
        self.assertGreater(len(small), 100)
        once = peak(*small, last)
        self.assertGreater(once, 32 * MIB)
        self.assertLess(peak(*small * 10, last), once + 3 * MIB)

    def test_values_that_overlap_take_the_memory_of_one_row(self):
        value = b"\0"
        for _ in range(60):  # arrays of 8 elements, each of which is the next array
            value = bytes([3 | 1 << 2, 8]) + bytes(16) + len(value).to_bytes(2, "little") + value
        path = self.write("overlap.parquet", File([variant_node("v")], [{"v": {"metadata": b"\1\0\0", "value": value}}]).build().data)
        row = 64 * MIB  # a sixteenth of --max-memory
        self.assertLess(peak("--max-memory", "1G", path, command="cat"), row + row // 4 + KEPT)
        self.assertLess(peak("--max-memory", "1G", "--shred", "v", path, self.folder / "x", command="rewrite"), row + KEPT)
