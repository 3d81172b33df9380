import unittest

from worklog import Entry, describe_duration, text_report


class ReportsTest(unittest.TestCase):
    def test_durations_in_words(self):
        found = [describe_duration(minutes) for minutes in (540, 0, 3)]
        self.assertEqual(found, ["1 day, 1 hour", "nothing", "3 minutes"])

    def test_a_line_for_each_project(self):
        text = text_report([Entry("garden", 60), Entry("office", 5)])
        self.assertEqual(text.splitlines(), ["garden      1h", "office      5m", "total       1h 5m"])
