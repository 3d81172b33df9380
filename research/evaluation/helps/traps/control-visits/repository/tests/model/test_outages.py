import unittest
from datetime import date

from office.kit.fields import BadField
from office.queries import outages as lists
from office.model.outages import OUTAGES, changes_of_outage, describe_outage, format_outage, parse_outage

ROWS = [
    {"code": "O0566", "seen": "2024-12-16", "minutes": "476", "why": "power", "remark": "by telephone"},
    {"code": "O0798", "seen": "2025-03-09", "minutes": "10", "why": "power", "remark": "as in May"},
    {"code": "O0841", "seen": "2025-03-29", "minutes": "486", "why": "power", "remark": "seen twice"},
    {"code": "O0853", "seen": "2025-04-08", "minutes": "462", "why": "change", "remark": "as in May"},
]


class OutageTest(unittest.TestCase):
    def setUp(self):
        self.outages = [parse_outage(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_outage(item) for item in self.outages], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(OUTAGES.read()), 273)
        self.assertEqual(OUTAGES.get("O0566"), self.outages[0])

    def test_it_is_described(self):
        wanted = [
            "code: O0566",
            "seen: 16.12.2024",
            "minutes: 476",
            "why: power",
            "remark: by telephone",
        ]
        self.assertEqual(list(describe_outage(self.outages[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_outage(self.outages[0], self.outages[1])
        self.assertEqual([name for name, _, _ in found], ["code", "seen", "minutes", "remark"])
        self.assertEqual(changes_of_outage(self.outages[0], self.outages[0]), [])

    def test_seen_is_checked(self):
        with self.assertRaises(BadField):
            parse_outage(ROWS[0] | {"seen": "31.02.2025"})

    def test_minutes_is_checked(self):
        with self.assertRaises(BadField):
            parse_outage(ROWS[0] | {"minutes": "several"})

    def test_why_is_checked(self):
        with self.assertRaises(BadField):
            parse_outage(ROWS[0] | {"why": "unheard of"})

    def test_pick_seen_between(self):
        first, last = date(2025, 3, 9), date(2025, 3, 29)
        found = lists.pick_seen_between(self.outages, first, last)
        self.assertEqual([item.code for item in found], ["O0798", "O0841"])

    def test_mean_minutes(self):
        self.assertEqual(lists.mean_minutes(self.outages), 358.5)
        self.assertIsNone(lists.mean_minutes([]))

    def test_at_least_minutes(self):
        found = lists.at_least_minutes(self.outages, 476)
        self.assertEqual([item.code for item in found], ["O0566", "O0841"])

    def test_group_by_why(self):
        groups = lists.group_by_why(self.outages)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"power": 3, "change": 1})

    def test_count_whys(self):
        self.assertEqual(lists.count_whys(self.outages), [("power", 3), ("change", 1)])


if __name__ == "__main__":
    unittest.main()
