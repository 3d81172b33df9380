"""Places are avoided."""

import subprocess
import sys

PROBE = """
from routes import NoWay, shortest
from routes.network import parse_map

net = parse_map("a b 1\\nb c 1\\na c 5\\nc d 1\\nb d 9\\nx y 1")
assert shortest(net, "a", "d") == (3, ["a", "b", "c", "d"])
assert shortest(net, "a", "d", avoid={"b"}) == (6, ["a", "c", "d"])
assert shortest(net, "a", "d", avoid={"c"}) == (10, ["a", "b", "d"])
assert shortest(net, "a", "d", avoid=["a", "d", "b"]) == (6, ["a", "c", "d"])
assert shortest(net, "a", "a", avoid={"a"}) == (0, ["a"])
assert net["a"] == {"b": 1, "c": 5}
for goal, avoid in (("d", {"b", "c"}), ("x", set())):
    try:
        shortest(net, "a", goal, avoid=avoid)
    except NoWay:
        continue
    raise AssertionError(f"a way to {goal} without {avoid}")
"""
for command in ([sys.executable, "-c", PROBE], ["./test"]):
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}")
