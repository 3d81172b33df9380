"""Detection looks at observations in proportion to their number. benchmarks/detection.py measures the time as well, and longer."""

import pytest

from benchmarks import detection
from benchmarks import detection_scenes as scenes

SHORT, LONG = 400, 1600


@pytest.mark.process
@pytest.mark.parametrize("name", [name for name in scenes.SCENES if name != "giant"])
def test_four_times_the_session_takes_four_times_the_looks(name):
    looks = [detection.looks(scenes.session(scenes.SCENES[name], length)) for length in (SHORT, LONG)]
    assert looks[1] / looks[0] < (LONG / SHORT) ** detection.LIMIT
