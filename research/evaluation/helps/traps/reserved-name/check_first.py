"""The orders table has the batch as its last column, with the engine as it was."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ORIGINAL = Path(__file__).resolve().parent / "repository"
TABLE = "orders"
INPUT = {
    "orders.csv": """order_id,lot,customer,quantity,unit_price
B-1,QQ01-9,north pier,2,1.50
B-2,ZX99-1234, south pier,10,0.10
"""
}
WANTED = """order,customer,net,gross,total,batch
B-1,NORTH PIER,3.0,3.5999999999999996,3.60,QQ01
B-2,SOUTH PIER,1.0,1.2,1.20,ZX99
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
