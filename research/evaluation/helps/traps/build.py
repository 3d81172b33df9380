"""Build the repository of a trap: build.py TRAP TARGET

It is what stands in TRAP/repository, with the records of an ordinary project (bulk.py, by TRAP/records.json), and with TRAP/tool compiled
into the archive that records.json names, in which no source can be read. Run it with the Python of the sandbox, /usr/bin/python3.
"""

import json
import py_compile
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

from bulk import Bulk

WHEN = (2025, 10, 1, 8, 0, 0)


def build(trap, target):
    """Write the repository into the folder ``target``. The same trap gives the same bytes."""
    if (trap / "records.json").exists():
        spec = json.loads((trap / "records.json").read_text(encoding="utf-8"))
        archive, changes, version = spec.pop("archive"), spec.pop("changes"), spec.pop("version")
        spec["records"] = "\n".join(spec["records"])
        bulk = Bulk(target, **spec)
        bulk.make()
        bulk.changelog(changes, version)
        compile_archive(trap / "tool", target / archive)
    shutil.copytree(trap / "repository", target, symlinks=True, dirs_exist_ok=True)


def compile_archive(folder, archive):
    """Write an archive that Python runs, with compiled modules only."""
    archive.parent.mkdir(parents=True, exist_ok=True)
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    with tempfile.TemporaryDirectory() as place, zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as written:
        for path in sorted(folder.glob("**/*.py")):
            name = path.relative_to(folder)
            compiled = Path(place, "one.pyc")
            py_compile.compile(str(path), str(compiled), str(name), doraise=True, optimize=2, invalidation_mode=mode)
            info = zipfile.ZipInfo(str(name.with_suffix(".pyc")), WHEN)
            info.compress_type = zipfile.ZIP_DEFLATED
            written.writestr(info, compiled.read_bytes())


if __name__ == "__main__":
    build(Path(sys.argv[1]), Path(sys.argv[2]))
