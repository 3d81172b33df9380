"""The shopping list adds up."""

import subprocess
import sys

WANTED = {
    ("pancakes", "crumble"): "6 pc apples|120 g butter|3 pc eggs|450 g flour|1/2 l milk|1 tsp salt|100 g sugar",
    ("pancakes", "soup"): "3 pc eggs|250 g flour|3 pc leeks|1/2 l milk|200 g potatoes|1 1/2 tsp salt|3/4 l water",
    ("soup",): "3 pc leeks|200 g potatoes|1/2 tsp salt|3/4 l water",
}


def run(*command):
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, timeout=60, check=False)


for names, wanted in WANTED.items():
    done = run("recipe", "shop", *names)
    if done.returncode or done.stdout.strip().splitlines() != wanted.split("|"):
        sys.exit(f"recipe shop {' '.join(names)}: {done.stdout}{done.stderr}")
if run("recipe", "shop", "soup", "stew").returncode != 1:
    sys.exit("an unknown recipe is not refused")
done = run("-m", "unittest", "-q")
if done.returncode:
    sys.exit(done.stderr)
