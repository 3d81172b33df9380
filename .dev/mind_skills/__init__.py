"""Development shim: makes the top-level folders importable as ``mind_skills.<folder>``.

Never shipped: a wheel carries the folders under ``mind_skills/`` themselves.
"""

from pathlib import Path

__path__ = [str(Path(__file__).resolve().parents[2])]
