"""Development shim: makes the top-level folders importable as ``mind_skills.<folder>``.

Never shipped: a wheel carries the folders under ``mind_skills/`` themselves. So it is not to cost a start anything, as
importing pathlib would.
"""

import os

__path__ = [os.path.realpath(f"{__file__}/../../..")]
