"""A picture (SVG) of the output of a command on a terminal, for light and dark surroundings."""

import html
import re

LINE, GLYPH, SIZE, MARGIN = 19, 7.8, 13, 18
COLOURS = {"31": "red", "32": "green", "33": "yellow", "34": "blue"}
FRAME = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" role="img" aria-label="{label}">
<style>
text {{ font: {size}px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328; white-space: pre; }}
.frame {{ fill: #ffffff; stroke: #d0d7de; }}
.bold {{ font-weight: 700; }}
.prompt {{ fill: #59636e; }}
.red {{ fill: #b3181d; }}
.green {{ fill: #116329; }}
.yellow {{ fill: #845306; }}
.blue {{ fill: #0550ae; }}
.link {{ text-decoration: underline; }}
@media (prefers-color-scheme: dark) {{
text {{ fill: #e6edf3; }}
.frame {{ fill: #0d1117; stroke: #3d444d; }}
.prompt {{ fill: #9198a1; }}
.red {{ fill: #ff9492; }}
.green {{ fill: #4ac26b; }}
.yellow {{ fill: #f0b72f; }}
.blue {{ fill: #71b7ff; }}
}}
</style>
<rect class="frame" x="0.5" y="0.5" width="{inner_width:g}" height="{inner_height:g}" rx="8"/>
{lines}
</svg>
"""
ESCAPE = re.compile(r"\x1b\[([0-9;]*)m|\x1b\]8;;([^\x1b]*)\x1b\\")


def spans(line):
    """The parts of a line, each with its classes."""
    parts, classes, link, at = [], set(), set(), 0
    for found in ESCAPE.finditer(line):
        parts.append((line[at:found.start()], classes | link))
        at = found.end()
        if found[1] is None:
            link = {"link"} if found[2] else set()
        else:
            codes = found[1].split(";")
            classes = {"bold"} & {"bold" if code == "1" else "" for code in codes} | {COLOURS[code] for code in codes if code in COLOURS}
    return [(text, sorted(classes)) for text, classes in [*parts, (line[at:], classes | link)] if text]


def drawn(line, number):
    parts = spans(line)
    text = "".join(part for part, _ in parts)
    blank = len(text) - len(text.lstrip())
    if not text.strip():
        return None
    out, skip = [], blank
    for part, classes in parts:  # leading blanks become an offset without glyphs
        cut = min(skip, len(part))
        skip -= cut
        words = html.escape(part[cut:], quote=False)
        if words:
            out.append(f'<tspan class="{" ".join(classes)}">{words}</tspan>' if classes else words)
    y = MARGIN + SIZE + LINE * number
    length = GLYPH * (len(text) - blank)
    return f'<text xml:space="preserve" x="{MARGIN + GLYPH * blank:g}" y="{y}" textLength="{length:g}">{"".join(out)}</text>'


def picture(command, output, label):
    lines = [f"$ {command}", *output.rstrip("\n").split("\n")]
    columns = max(len(ESCAPE.sub("", line)) for line in lines)
    width, height = round(2 * MARGIN + GLYPH * columns), 2 * MARGIN + LINE * len(lines)
    texts = [drawn(line, number) for number, line in enumerate(lines)]
    texts[0] = texts[0].replace("<text ", '<text class="prompt" ', 1)
    return FRAME.format(width=width, height=height, inner_width=width - 1, inner_height=height - 1, size=SIZE, label=html.escape(label),
                        lines="\n".join(text for text in texts if text))
