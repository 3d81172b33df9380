"""Compile the tool of a trap into the archive that its repository has: pack.py FOLDER ARCHIVE

The modules of FOLDER are compiled by the Python that runs this, which must be the one of the sandbox: /usr/bin/python3.
"""

import py_compile
import sys
import tempfile
import zipfile
from pathlib import Path

WHEN = (2025, 10, 1, 8, 0, 0)


def pack(folder, archive):
    """Write an archive that Python runs, with compiled modules only. The same sources give the same bytes."""
    archive.parent.mkdir(parents=True, exist_ok=True)
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    with tempfile.TemporaryDirectory() as place, zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for path in sorted(folder.glob("**/*.py")):
            name = path.relative_to(folder)
            compiled = Path(place, "one.pyc")
            py_compile.compile(str(path), str(compiled), str(name), doraise=True, optimize=2, invalidation_mode=mode)
            info = zipfile.ZipInfo(str(name.with_suffix(".pyc")), WHEN)
            info.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(info, compiled.read_bytes())


if __name__ == "__main__":
    pack(Path(sys.argv[1]), Path(sys.argv[2]))
