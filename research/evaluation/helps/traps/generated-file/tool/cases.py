"""Run the tests."""

import subprocess
import sys


def run_cases():
    command = [sys.executable, "-B", "-m", "unittest", "discover", "-q", "-s", "tests", "-t", "."]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stderr if done.returncode else None
