import unittest
from datetime import date

from archive.kit.fields import BadField
from archive.queries import outages as lists
from archive.model.outages import OUTAGES, changes_of_outage, describe_outage, format_outage, parse_outage

ROWS = [
    {"code": "O0014", "seen": "2024-04-10", "minutes": "22", "why": "disk", "remark": "seen twice"},
    {"code": "O0155", "seen": "2024-06-18", "minutes": "376", "why": "disk", "remark": ""},
    {"code": "O0289", "seen": "2024-08-05", "minutes": "16", "why": "change", "remark": "seen twice"},
    {"code": "O0430", "seen": "2024-09-26", "minutes": "183", "why": "change", "remark": "by mail"},
]


class OutageTest(unittest.TestCase):
    def setUp(self):
        self.outages = [parse_outage(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_outage(item) for item in self.outages], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(OUTAGES.read()), 202)
        self.assertEqual(OUTAGES.get("O0014"), self.outages[0])

    def test_it_is_described(self):
        wanted = [
            "code: O0014",
            "seen: 10.04.2024",
            "minutes: 22",
            "why: disk",
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
        first, last = date(2024, 6, 18), date(2024, 8, 5)
        found = lists.pick_seen_between(self.outages, first, last)
        self.assertEqual([item.code for item in found], ["O0155", "O0289"])

    def test_mean_minutes(self):
        self.assertEqual(lists.mean_minutes(self.outages), 149.2)
        self.assertIsNone(lists.mean_minutes([]))

    def test_at_least_minutes(self):
        found = lists.at_least_minutes(self.outages, 183)
        self.assertEqual([item.code for item in found], ["O0155", "O0430"])

    def test_group_by_why(self):
        groups = lists.group_by_why(self.outages)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"disk": 2, "change": 2})

    def test_count_whys(self):
        self.assertEqual(lists.count_whys(self.outages), [("change", 2), ("disk", 2)])


if __name__ == "__main__":
    unittest.main()
