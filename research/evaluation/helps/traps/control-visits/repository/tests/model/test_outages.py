import unittest
from datetime import date

from office.kit.fields import BadField
from office.queries import outages as lists
from office.model.outages import OUTAGES, changes_of_outage, describe_outage, format_outage, parse_outage

ROWS = [
    {"code": "O0035", "seen": "2024-09-02", "minutes": "3", "why": "change", "remark": "seen twice"},
    {"code": "O0055", "seen": "2024-09-05", "minutes": "531", "why": "change", "remark": ""},
    {"code": "O0982", "seen": "2025-09-20", "minutes": "145", "why": "change", "remark": ""},
    {"code": "O1085", "seen": "2025-11-18", "minutes": "287", "why": "net", "remark": ""},
]


class OutageTest(unittest.TestCase):
    def setUp(self):
        self.outages = [parse_outage(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_outage(item) for item in self.outages], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(OUTAGES.read()), 282)
        self.assertEqual(OUTAGES.get("O0035"), self.outages[0])

    def test_it_is_described(self):
        wanted = [
            "code: O0035",
            "seen: 02.09.2024",
            "minutes: 3",
            "why: change",
            "remark: seen twice",
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
        first, last = date(2024, 9, 5), date(2025, 9, 20)
        found = lists.pick_seen_between(self.outages, first, last)
        self.assertEqual([item.code for item in found], ["O0055", "O0982"])

    def test_mean_minutes(self):
        self.assertEqual(lists.mean_minutes(self.outages), 241.5)
        self.assertIsNone(lists.mean_minutes([]))

    def test_at_least_minutes(self):
        found = lists.at_least_minutes(self.outages, 287)
        self.assertEqual([item.code for item in found], ["O0055", "O1085"])

    def test_group_by_why(self):
        groups = lists.group_by_why(self.outages)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"change": 3, "net": 1})

    def test_count_whys(self):
        self.assertEqual(lists.count_whys(self.outages), [("change", 3), ("net", 1)])


if __name__ == "__main__":
    unittest.main()
