"""Detection reads observations in proportion to their number. research/benchmarks/detection.py also measures time, on longer sessions."""

import pytest

from research.benchmarks import detection
from research.benchmarks import detection_scenes as scenes

SHORT, LONG = 400, 1600


@pytest.mark.process
@pytest.mark.parametrize("name", [name for name in scenes.SCENES if name != "giant"])
def test_a_session_of_four_times_the_length_takes_about_four_times_the_reads(name):
    reads = [detection.count_accesses(scenes.make_session(scenes.SCENES[name], length)) for length in (SHORT, LONG)]
    assert reads[1] / reads[0] < (LONG / SHORT) ** detection.LIMIT
