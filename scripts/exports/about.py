"""What a form of the corpus says about itself: its version and its licence."""

import json
import shutil

LICENSE = "Apache-2.0"


def write(root, out, version, **more):
    """Writes manifest.json and LICENSE into a folder."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "manifest.json").write_text(json.dumps({"version": version, "license": LICENSE, **more}, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    shutil.copyfile(root / "LICENSE", out / "LICENSE")
