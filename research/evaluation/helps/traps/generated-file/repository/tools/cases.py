"""Run the tests."""

import subprocess
import sys


def run(plan):
    done = subprocess.run([sys.executable, "-B", "-m", "unittest", "-q"], capture_output=True, text=True)
    return done.stderr if done.returncode else None
