"""Runs a script of sqllogictest by DuckDB, and prints a line for each record that fails: run_sqllogictest.py SCRIPT, in the folder of its files."""
import re
import sys

import duckdb


def records(text):
    """(the file that a record is about, its head, the query, the expected lines)"""
    file = None
    for part in re.split(r"\n\n+", text):
        lines = part.splitlines()
        while lines and lines[0].startswith("#"):
            file = lines.pop(0)[2:].partition(":")[0]
        if lines:
            split = lines.index("----") if "----" in lines else len(lines)
            yield file, lines[0], "\n".join(lines[1:split]), lines[split + 1:]


def shown(value):
    return "NULL" if value is None else "(empty)" if value == "" else str(value)


def failed(connection, head, query, expected):
    """What is wrong, or None."""
    try:
        rows = connection.execute(query).fetchall()
    except duckdb.Error as reason:
        return None if head == "statement error" else f"an error: {str(reason).splitlines()[0]}"
    if head == "statement error":
        return f"no error, but {len(rows)} rows"
    if head == "statement ok":
        return None
    lines = ["\t".join(map(shown, row)) for row in rows]
    return None if lines == expected else f"{lines[:3]} instead of {expected[:3]}"


connection = duckdb.connect(config={"threads": 1, "memory_limit": "2GB"})
asked = 0
for file, head, query, expected in records(open(sys.argv[1], encoding="utf-8").read()):
    asked += 1
    if why := failed(connection, head, query, expected):
        print(f"wrong\t{file}\t{why}")
print(f"asked\t{asked}")
