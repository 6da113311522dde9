"""A picture (SVG) of the results of readers for the corpus, by feature, for light and dark backgrounds."""

import html

from . import judge

# The rows of the picture. Long names of READERS.md are shortened here.
GROUPS = {
    "encodings": ("PLAIN", "RLE_DICTIONARY", "PLAIN_DICTIONARY", "RLE", "BIT_PACKED (deprecated)", "DELTA_BINARY_PACKED", "DELTA_LENGTH_BYTE_ARRAY",
                  "DELTA_BYTE_ARRAY", "BYTE_STREAM_SPLIT", "ALP", "GROUP_VAR_INT"),
    "compression codecs": ("UNCOMPRESSED", "SNAPPY", "GZIP", "LZO", "BROTLI", "LZ4 (deprecated)", "ZSTD", "LZ4_RAW"),
    "types": ("INT96", "FLOAT16", "DECIMAL (FIXED_LEN_BYTE_ARRAY)", "TIMESTAMP (INT64)", "LIST", "MAP"),
    "pages and indexes": ("Data Page V1", "Data Page V2", "Dictionary page", "Page CRC32 checksum", "Page index", "xxHash-based bloom filters"),
}
SHORT = {"DECIMAL (FIXED_LEN_BYTE_ARRAY)": "DECIMAL (FIXED_LEN)", "xxHash-based bloom filters": "Bloom filters"}
# The groups of results in a cell: class, results, and their name in the legend.
KINDS = (("right", judge.RIGHT, "as it should be"), ("lacks", (judge.UNSUPPORTED,), "not supported"),
         ("wrong", judge.WRONG, "wrong: other rows, accepted or refused wrongly, crashed, no end"))
LEFT, COLUMN, BAR, LINE, TOP, MARGIN = 200, 98, 56, 18, 76, 12
STYLE = """text { font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328; }
.group { fill: #59636e; font-style: italic; }
.bold { font-weight: 600; }
.frame { fill: #ffffff; stroke: #d0d7de; }
.right { fill: #2da47e; }
.lacks { fill: #c8ced6; }
.wrong { fill: #d1495b; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.group { fill: #9198a1; }
.frame { fill: #0d1117; stroke: #3d444d; }
.right { fill: #2a8f6f; }
.lacks { fill: #4d5560; }
.wrong { fill: #ff7b84; }
}"""


def text(x, y, words, kind=""):
    return f'<text x="{x:g}" y="{y:g}"' + (f' class="{kind}"' if kind else "") + f">{html.escape(words, quote=False)}</text>"


def bar(x, y, width, counts):
    """The shares of the three kinds, as adjacent bars, followed by the number of wrong ones."""
    total = sum(counts.values())
    numbers = {kind: sum(counts.get(result, 0) for result in results) for kind, results, _ in KINDS}
    parts = []
    for kind, number in numbers.items():
        if number:
            length = width * number / total
            parts.append(f'<rect class="{kind}" x="{x:.2f}" y="{y - 9:g}" width="{length:.2f}" height="10"/>')
            x += length
    if numbers["wrong"]:
        parts.append(text(round(x + 4, 2), y, str(numbers["wrong"])))
    return parts


def picture(readers):
    """The picture of readers, given as the objects of their NAME.json files."""
    width, lines, y = LEFT + COLUMN * len(readers) + MARGIN, [], TOP

    def row(title, counts_of, kind=""):
        lines.append(text(MARGIN, y, title, kind))
        for place, reader in enumerate(readers):
            if counts := counts_of(reader):
                lines.extend(bar(LEFT + COLUMN * place, y, BAR, counts))

    for place, reader in enumerate(readers):
        name, version = reader["reader"], reader["version"].rpartition(" ")[2]
        lines += [text(LEFT + COLUMN * place, TOP - 32, name, "bold"), text(LEFT + COLUMN * place, TOP - 18, version, "group")]
    row("all files", lambda reader: reader["results"], "bold")
    for group, features in GROUPS.items():
        y += LINE + 8
        lines.append(text(MARGIN, y, group, "group"))
        for feature in features:
            y += LINE
            row(SHORT.get(feature, feature), lambda reader: reader["features"].get(feature, {}))
    x = MARGIN
    for kind, _, words in KINDS:
        lines += [f'<rect class="{kind}" x="{x}" y="13" width="10" height="10"/>', text(x + 16, 22, words)]
        x += 40 + 6 * len(words)
    lines.append(text(x, 22, "a number: files wrong", "group"))
    height = y + 14
    label = f"What {len(readers)} readers make of the files of the corpus, by feature: the share that each handles correctly, and the number that it handles wrongly"
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
            f'aria-label="{html.escape(label)}">\n<style>\n{STYLE}\n</style>\n'
            f'<rect class="frame" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>\n' + "\n".join(lines) + "\n</svg>\n")
