"""What the tests of parqproof.lake share: tables with one corrupt file and one false claim, and a filesystem with faults."""
import io
import json
import os
import pathlib
import sys

import parqproof
from files import BROKEN, INTACT, FolderTest

FILESYSTEM = '''
import os, signal
from fsspec.implementations.local import LocalFileSystem

class Logged(LocalFileSystem):
    """Local files below a folder that begin with what happens: `kill`, `kill-once`, `kill-worker-once`. Each open file is logged."""
    protocol = "logged"

    @classmethod
    def _strip_protocol(cls, path):
        return super()._strip_protocol(path.removeprefix("logged://"))

    def _open(self, path, mode="rb", **kwargs):
        name = os.path.basename(path)
        if mode == "rb":
            with open(os.environ["PARQPROOF_TEST_LOG"], "a") as log:
                log.write(name + "\\n")
            marker = path + ".killed"
            if name.startswith("kill-") and os.path.exists(marker):
                pass
            elif name.startswith("kill"):
                open(marker, "w").close()
                os.kill(os.getppid() if name.startswith("kill-worker") else os.getpid(), signal.SIGKILL)
        return super()._open(path, mode=mode, **kwargs)
'''


class LakeTest(FolderTest):
    def setUp(self):
        super().setUp()
        self.data = self.folder / "data"
        self.data.mkdir()

    def logged_filesystem(self):
        """Makes the protocol `logged` known in all processes that begin from now on."""
        package = self.folder / "package"
        (package / "logged-1.0.dist-info").mkdir(parents=True)
        (package / "logged_filesystem.py").write_text(FILESYSTEM)
        (package / "logged-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: logged\nVersion: 1.0\n")
        (package / "logged-1.0.dist-info" / "entry_points.txt").write_text("[fsspec.specs]\nlogged = logged_filesystem.Logged\n")
        self.log = self.folder / "log"
        self.log.touch()
        sys.path.insert(0, str(package))
        self.addCleanup(sys.path.remove, str(package))
        import fsspec

        fsspec.register_implementation("logged", "logged_filesystem.Logged", clobber=True)
        changed = {"PARQPROOF_TEST_LOG": str(self.log), "PYTHONPATH": os.pathsep.join([str(package), os.environ.get("PYTHONPATH", "")])}
        for name, value in changed.items():
            self.addCleanup(os.environ.__setitem__, name, os.environ.get(name, ""))
            os.environ[name] = value
        from parqproof.lake import batch

        batch._close_all()  # processes of other tests do not know the filesystem
        self.addCleanup(batch._close_all)

    def fill(self, names, data=None):
        for name in names:
            path = self.data / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data or (BROKEN if "broken" in name else INTACT).read_bytes())
        return [str(self.data / name) for name in names]


def table(first=0, rows=100):
    import pyarrow

    numbers = range(first, first + rows)
    return pyarrow.table({
        "id": pyarrow.array(numbers, pyarrow.int64()), "name": [f"name {number:06}" for number in numbers],
        "part": ["north" if number % 2 == 0 else "south" for number in numbers],
        "maybe": pyarrow.array([None if number % 5 == 0 else number / 3 for number in numbers], pyarrow.float64()),
        "at": pyarrow.array([1_700_000_000_123_456 + number for number in numbers], pyarrow.timestamp("us", "UTC")),
    })


def corrupt(path):
    """Changes a byte in the body of the first page of a file, which keeps its size."""
    data = bytearray(pathlib.Path(path).read_bytes())
    body = next(segment for segment in parqproof.layout(bytes(data))["segments"] if segment["kind"] == "page-body")
    data[body["offset"] + body["length"] // 2] ^= 0xFF
    pathlib.Path(path).write_bytes(data)


def overwrite(path):
    """Fills a file with zeros. It keeps its size and modification time, so that only a check that reads it notices."""
    status = os.stat(path)
    pathlib.Path(path).write_bytes(bytes(status.st_size))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def delta_table(folder):
    """A table of three files: of the first the log has another number of records and another max, the second is corrupt."""
    import deltalake

    for number in range(3):
        deltalake.write_deltalake(folder, table(100 * number), mode="append")
    files = []
    for log in sorted(pathlib.Path(folder, "_delta_log").glob("*.json")):
        lines = [json.loads(line) for line in log.read_text().splitlines()]
        for add in (line["add"] for line in lines if "add" in line):
            files.append(str(pathlib.Path(folder, add["path"])))
            if len(files) == 1:
                statistics = json.loads(add["stats"])
                statistics["numRecords"] += 1
                statistics["maxValues"]["id"] -= 1
                statistics["nullCount"]["maybe"] -= 1
                add["stats"] = json.dumps(statistics)
        log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    corrupt(files[1])
    return deltalake.DeltaTable(folder), files


def iceberg_table(folder):
    """A table of two files: one is corrupt, the other is one row shorter than the manifest says, and has other values."""
    from pyiceberg.catalog.sql import SqlCatalog

    catalog = SqlCatalog("catalog", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}/warehouse")
    catalog.create_namespace("space")
    made = catalog.create_table("space.made", schema=table().schema)
    for number in range(2):
        made.append(table(100 * number))
    files = sorted((task.file.file_path.removeprefix("file://") for task in made.scan().plan_files()), key=os.path.getmtime)
    corrupt(files[0])
    return made, files


def several_row_groups(faults=(), groups=6):
    """A file of row groups of which some have a page with a wrong checksum."""
    import pyarrow.parquet

    made = io.BytesIO()
    pyarrow.parquet.write_table(table(rows=1000 * groups), made, row_group_size=1000, write_page_checksum=True, compression="snappy")
    data = bytearray(made.getvalue())
    footer = pyarrow.parquet.ParquetFile(io.BytesIO(bytes(data))).metadata
    for group in faults:
        data[footer.row_group(group).column(0).data_page_offset + 60] ^= 0xFF
    return bytes(data)
