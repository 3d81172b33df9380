"""Run the steps of a plan."""

import importlib
import json
import sys
from pathlib import Path


def run_plan(name):
    plan = json.loads(Path("tools/plan.json").read_text())
    for step in plan[name]:
        complaint = importlib.import_module(f"tools.{step}").run(plan)
        if complaint:
            print(complaint.rstrip(), file=sys.stderr)
            print(f"{name}: failed", file=sys.stderr)
            return 1
    print(f"{name}: ok")
    return 0
