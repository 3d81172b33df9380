"""Measure whether what mind-skills learns helps: fresh agents solve tasks with a trap, with and without the resulting skills."""
