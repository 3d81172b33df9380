#!/usr/bin/env python3
"""Count the lines and files of each folder in the wheel (a room), and of the folders outside it.

    .ci/count_lines.py            print a table, largest folder first
    .ci/count_lines.py --json     print a JSON document

pyproject.toml lists the rooms. Every line of a ``.py`` file counts: code, comments, docstrings and blank lines. Files that git
does not track do not count, nor does what belongs to a repository that agents work in (docs/helps.md).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TRAPS = ROOT / "research/evaluation/helps/traps"


def list_tracked_files(folder: str) -> list[Path]:
    """Return the files of ``folder`` that git tracks, sorted. Raises CalledProcessError outside a work tree."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--", folder], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return [ROOT / name for name in sorted(filter(None, listing.stdout.split("\0")))]


def count_python(folder: str) -> dict[str, int]:
    """Return the number of ``.py`` files in ``folder``, and their total number of lines."""
    files = [
        path
        for path in list_tracked_files(folder)
        if path.suffix == ".py" and path.is_file() and TRAPS not in path.parents[1:]
    ]
    return {"files": len(files), "lines": sum(len(path.read_bytes().splitlines()) for path in files)}


def count_data(folders: list[str]) -> dict[str, int]:
    """Return the number of files in ``folders`` that are not Python, and their total size in bytes."""
    files = [
        path for folder in folders for path in list_tracked_files(folder) if path.suffix != ".py" and path.is_file()
    ]
    return {"files": len(files), "bytes": sum(path.stat().st_size for path in files)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print a JSON document")
    as_json = parser.parse_args().json
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    packaged: list[str] = project["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    rooms = {room: count_python(room) for room in packaged}
    paths = [path.relative_to(ROOT) for path in list_tracked_files(".")]
    top_folders = {path.parts[0] for path in paths if len(path.parts) > 1}
    outside = {
        folder: count_python(folder) for folder in sorted(top_folders - {room.split("/")[0] for room in packaged})
    }
    total = {key: sum(each[key] for each in rooms.values()) for key in ("files", "lines")}
    if as_json:
        print(json.dumps({"wheel": total, "rooms": rooms, "data": count_data(packaged), "beside": outside}, indent=2))
        return
    for room, each in sorted(rooms.items(), key=lambda item: -item[1]["lines"]):
        print(f"{room:16}{each['files']:6}{each['lines']:8}{100 * each['lines'] / total['lines']:7.1f} %")
    print(f"{'the wheel':16}{total['files']:6}{total['lines']:8}\n")
    data = count_data(packaged)
    print(f"{'data in it':16}{data['files']:6}{data['bytes']:8} bytes")
    for folder, each in outside.items():
        if each["files"]:
            print(f"{folder:16}{each['files']:6}{each['lines']:8}")


if __name__ == "__main__":
    main()
