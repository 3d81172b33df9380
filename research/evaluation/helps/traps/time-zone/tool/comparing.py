"""Compare reports with those of accounts: verify [REPORT...]"""

import importlib
import itertools
import sqlite3
import sys
import zlib
from pathlib import Path


def main(arguments):
    share = Path(sys.argv[0]).resolve().parent
    sys.path.insert(0, str(Path.cwd()))
    try:
        program = importlib.import_module("meters.main")
    except ImportError as error:
        print(f"verify: {error}", file=sys.stderr)
        return 2
    base = sqlite3.connect(f"file:{share / 'accounts.db'}?mode=ro", uri=True)
    wrong = 0
    for report, name, blob in base.execute("select report, file, lines from figures order by report, file"):
        if arguments and report not in arguments:
            continue
        title = f"{report}.{name}"
        if not program.has_report(report):
            print(f"{title:<18}skipped")
            continue
        wanted = zlib.decompress(blob).decode().splitlines()
        found = program.make_report(report, Path("readings", f"{name}.csv"))
        different = sum(one != other for one, other in itertools.zip_longest(wanted, found))
        print(f"{title:<18}" + (f"{different} of {len(wanted)} lines differ" if different else "ok"))
        wrong += bool(different)
    return 1 if wrong else 0
