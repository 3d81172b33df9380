import unittest
from datetime import date

from apiary.kit.fields import BadField
from apiary.queries import counts as lists
from apiary.model.counts import (
    COUNTS,
    changes_of_mite_count,
    describe_mite_count,
    format_mite_count,
    parse_mite_count,
)

ROWS = [
    {"code": "M0054", "hive": "H0555", "counted": "2024-08-04", "days": "4", "mites": "60", "treated": "no"},
    {"code": "M0119", "hive": "H0259", "counted": "2024-08-30", "days": "5", "mites": "41", "treated": "no"},
    {"code": "M0281", "hive": "H0003", "counted": "2024-10-28", "days": "1", "mites": "60", "treated": "yes"},
    {"code": "M0531", "hive": "H0310", "counted": "2025-03-06", "days": "4", "mites": "79", "treated": "yes"},
]


class MiteCountTest(unittest.TestCase):
    def setUp(self):
        self.counts = [parse_mite_count(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_mite_count(item) for item in self.counts], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(COUNTS.read()), 150)
        self.assertEqual(COUNTS.get("M0054"), self.counts[0])

    def test_it_is_described(self):
        wanted = [
            "code: M0054",
            "hive: H0555",
            "counted: 04.08.2024",
            "days: 4",
            "mites: 60",
        ]
        self.assertEqual(list(describe_mite_count(self.counts[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_mite_count(self.counts[0], self.counts[1])
        self.assertEqual([name for name, _, _ in found], ["code", "hive", "counted", "days", "mites"])
        self.assertEqual(changes_of_mite_count(self.counts[0], self.counts[0]), [])

    def test_counted_is_checked(self):
        with self.assertRaises(BadField):
            parse_mite_count(ROWS[0] | {"counted": "31.02.2025"})

    def test_days_is_checked(self):
        with self.assertRaises(BadField):
            parse_mite_count(ROWS[0] | {"days": "several"})

    def test_mites_is_checked(self):
        with self.assertRaises(BadField):
            parse_mite_count(ROWS[0] | {"mites": "several"})

    def test_treated_is_checked(self):
        with self.assertRaises(BadField):
            parse_mite_count(ROWS[0] | {"treated": "perhaps"})

    def test_group_by_hive(self):
        groups = lists.group_by_hive(self.counts)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"H0555": 1, "H0259": 1, "H0003": 1, "H0310": 1})

    def test_pick_counted_between(self):
        first, last = date(2024, 8, 30), date(2024, 10, 28)
        found = lists.pick_counted_between(self.counts, first, last)
        self.assertEqual([item.code for item in found], ["M0119", "M0281"])

    def test_mean_days(self):
        self.assertEqual(lists.mean_days(self.counts), 3.5)
        self.assertIsNone(lists.mean_days([]))

    def test_at_least_days(self):
        found = lists.at_least_days(self.counts, 4)
        self.assertEqual([item.code for item in found], ["M0054", "M0119", "M0531"])

    def test_mean_mites(self):
        self.assertEqual(lists.mean_mites(self.counts), 60.0)
        self.assertIsNone(lists.mean_mites([]))

    def test_at_least_mites(self):
        found = lists.at_least_mites(self.counts, 60)
        self.assertEqual([item.code for item in found], ["M0054", "M0281", "M0531"])

    def test_pick_treated(self):
        found = lists.pick_treated(self.counts)
        self.assertEqual([item.code for item in found], ["M0281", "M0531"])


if __name__ == "__main__":
    unittest.main()
