"""Detection looks at observations in proportion to their number. benchmarks/detection.py measures the time as well, and longer."""

import importlib
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))  # no package, as they are programs

detection = importlib.import_module("detection")
scenes = importlib.import_module("detection_scenes")
SHORT, LONG = 400, 1600


@pytest.mark.parametrize("name", [name for name in scenes.SCENES if name != "giant"])
def test_four_times_the_session_takes_four_times_the_looks(name):
    looks = [detection.looks(scenes.session(scenes.SCENES[name], length)) for length in (SHORT, LONG)]
    assert looks[1] / looks[0] < (LONG / SHORT) ** detection.LIMIT
