import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))  # importlib mode leaves the folder off the path

from detector_story import Story


@pytest.fixture
def story():
    return Story()
