"""The peak memory of a run is that of its largest file, however many files there are."""

import gzip
import subprocess
import sys

from program import PROGRAM, WITNESSES, Case, large

from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import BYTE_ARRAY, GZIP
from builder.codec.pages import V1
from builder.codec.schema import required

MIB = 1 << 20
KEPT = 16 * MIB  # kept at the end of the heap: conformance/cli/heap.cpp


# In a separate process, as the memory of this one counts in the peak of a child.
MEASURE = """
import os, sys
program = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
print(os.wait4(program, 0)[2].ru_maxrss)
"""


def peak(*arguments):
    """In bytes."""
    command = [sys.executable, "-I", "-S", "-c", MEASURE, PROGRAM, "check", *map(str, arguments)]
    return 1024 * int(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


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
                self.assertLess(peak("-j", jobs, *[path] * 4), once + KEPT)

    def test_only_the_paths_of_small_files_are_kept(self):
        last = self.with_pages("last.parquet", [32])
        small = sorted(WITNESSES.glob("page/*/*.parquet"))
        self.assertGreater(len(small), 100)
        once = peak(*small, last)
        self.assertGreater(once, 32 * MIB)
        self.assertLess(peak(*small * 10, last), once + 3 * MIB)
