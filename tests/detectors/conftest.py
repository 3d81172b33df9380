import pytest

from tests.testkit.stories.detector_story import Story


@pytest.fixture
def story():
    return Story()
