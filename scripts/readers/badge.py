"""The numbers of a reader as a badge: JSON in the endpoint form of shields.io."""

import collections
import json

from . import judge

LABEL = "parqproof corpus"
MANY_RIGHT = 0.95  # of the files whose features the reader has


def of(results, is_part=False):
    """The badge of {file: (result, note)}. Files with a feature that the reader does not have count neither as right nor as wrong."""
    counts = collections.Counter(result for result, _ in results.values())
    right, wrong = (sum(counts[result] for result in some) for some in (judge.RIGHT, judge.WRONG))
    color = "brightgreen" if not wrong and right else "yellow" if right and right >= MANY_RIGHT * (right + wrong) else "red"
    return {"schemaVersion": 1, "label": LABEL + (", a part" if is_part else ""), "message": f"{right} of {right + wrong} right", "color": color}


def write(folder, name, results, is_part):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name.lower()}.json").write_text(json.dumps(of(results, is_part)) + "\n", encoding="utf-8")
