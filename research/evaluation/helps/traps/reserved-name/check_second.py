"""The returns table has the country as its last column, with the engine as it was."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ORIGINAL = Path(__file__).resolve().parent / "repository"
TABLE = "returns"
INPUT = {
    "returns.csv": """return_id,order_id,reason,refund,warehouse
R-7,B-1,,1.5,w9
R-8,B-2,stale,0.1,w4
R-9,B-2,stale,0.1,w1
""",
    "warehouses.csv": """code,town,country
w1,Turku,FI
w9,Graz,AT
""",
}
WANTED = """return,order,reason,refund,origin
R-7,B-1,unknown,1.50,AT
R-8,B-2,stale,0.10,??
R-9,B-2,stale,0.10,FI
"""

with tempfile.TemporaryDirectory() as folder:
    copy = Path(folder, "copy")
    shutil.copytree(Path.cwd(), copy, ignore=shutil.ignore_patterns(".git", "__pycache__", "out"))
    shutil.rmtree(copy / "engine", ignore_errors=True)
    shutil.copytree(ORIGINAL / "engine", copy / "engine")
    shutil.copy2(ORIGINAL / "flow", copy / "flow")
    for name, text in INPUT.items():
        (copy / "data" / name).write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "flow", "run", TABLE], cwd=copy, capture_output=True, text=True, timeout=60, check=False
    )
    if done.returncode:
        sys.exit(f"flow run {TABLE}: {done.stdout}{done.stderr}")
    found = (copy / "out" / f"{TABLE}.csv").read_text(encoding="utf-8")
if found != WANTED:
    sys.exit(f"out/{TABLE}.csv is\n{found}and should be\n{WANTED}")
