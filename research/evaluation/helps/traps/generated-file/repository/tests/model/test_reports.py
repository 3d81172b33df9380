import unittest
from datetime import date

from archive.kit.fields import BadField
from archive.queries import reports as lists
from archive.model.reports import REPORTS, changes_of_report, describe_report, format_report, parse_report

ROWS = [
    {"code": "R0207", "sent": "2024-05-29", "kind": "rude", "entries": "1", "done": "no", "remark": "see the log"},
    {"code": "R0353", "sent": "2024-08-08", "kind": "rude", "entries": "3", "done": "yes", "remark": "see the log"},
    {"code": "R0361", "sent": "2024-08-13", "kind": "spam", "entries": "4", "done": "no", "remark": "seen twice"},
    {
        "code": "R0583",
        "sent": "2024-11-05",
        "kind": "other",
        "entries": "7",
        "done": "yes",
        "remark": "asked again",
    },
]


class ReportTest(unittest.TestCase):
    def setUp(self):
        self.reports = [parse_report(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_report(item) for item in self.reports], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(REPORTS.read()), 240)
        self.assertEqual(REPORTS.get("R0207"), self.reports[0])

    def test_it_is_described(self):
        wanted = [
            "code: R0207",
            "sent: 29.05.2024",
            "kind: rude",
            "entries: 1",
            "remark: see the log",
        ]
        self.assertEqual(list(describe_report(self.reports[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_report(self.reports[0], self.reports[1])
        self.assertEqual([name for name, _, _ in found], ["code", "sent", "entries", "done"])
        self.assertEqual(changes_of_report(self.reports[0], self.reports[0]), [])

    def test_sent_is_checked(self):
        with self.assertRaises(BadField):
            parse_report(ROWS[0] | {"sent": "31.02.2025"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_report(ROWS[0] | {"kind": "unheard of"})

    def test_entries_is_checked(self):
        with self.assertRaises(BadField):
            parse_report(ROWS[0] | {"entries": "several"})

    def test_done_is_checked(self):
        with self.assertRaises(BadField):
            parse_report(ROWS[0] | {"done": "perhaps"})

    def test_pick_sent_between(self):
        first, last = date(2024, 8, 8), date(2024, 8, 13)
        found = lists.pick_sent_between(self.reports, first, last)
        self.assertEqual([item.code for item in found], ["R0353", "R0361"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.reports)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"rude": 2, "spam": 1, "other": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.reports), [("rude", 2), ("other", 1), ("spam", 1)])

    def test_mean_entries(self):
        self.assertEqual(lists.mean_entries(self.reports), 3.8)
        self.assertIsNone(lists.mean_entries([]))

    def test_at_least_entries(self):
        found = lists.at_least_entries(self.reports, 4)
        self.assertEqual([item.code for item in found], ["R0361", "R0583"])

    def test_pick_done(self):
        found = lists.pick_done(self.reports)
        self.assertEqual([item.code for item in found], ["R0353", "R0583"])


if __name__ == "__main__":
    unittest.main()
