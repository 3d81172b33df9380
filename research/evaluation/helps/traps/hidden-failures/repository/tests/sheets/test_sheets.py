import unittest

from worklog import Entry, by_project, parse_sheet, total

SHEET = """
garden 1d 2h planted the hedge
office 45m mail
garden 30m
"""


class SheetsTest(unittest.TestCase):
    def test_lines_become_entries(self):
        wanted = [Entry("garden", 600, "planted the hedge"), Entry("office", 45, "mail"), Entry("garden", 30)]
        self.assertEqual(parse_sheet(SHEET), wanted)

    def test_a_line_without_duration_is_named(self):
        with self.assertRaisesRegex(ValueError, "line 2: no duration"):
            parse_sheet("garden 1h\noffice mail")

    def test_sums(self):
        entries = parse_sheet(SHEET)
        self.assertEqual(total(entries), 675)
        self.assertEqual(by_project(entries), {"garden": 630, "office": 45})
