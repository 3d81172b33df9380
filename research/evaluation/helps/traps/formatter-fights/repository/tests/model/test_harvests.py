import unittest
from datetime import date
from decimal import Decimal

from apiary.kit.fields import BadField
from apiary.queries import harvests as lists
from apiary.model.harvests import HARVESTS, changes_of_harvest, describe_harvest, format_harvest, parse_harvest

ROWS = [
    {"code": "E0042", "hive": "H0341", "taken": "2024-05-22", "kilos": "24.15", "kind": "spring", "frames": "17"},
    {"code": "E0385", "hive": "H0479", "taken": "2024-09-26", "kilos": "27.78", "kind": "lime", "frames": "8"},
    {"code": "E0397", "hive": "H0337", "taken": "2024-10-07", "kilos": "8.14", "kind": "spring", "frames": "19"},
    {"code": "E0407", "hive": "H0202", "taken": "2024-10-10", "kilos": "10.07", "kind": "heather", "frames": "8"},
]


class HarvestTest(unittest.TestCase):
    def setUp(self):
        self.harvests = [parse_harvest(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_harvest(item) for item in self.harvests], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(HARVESTS.read()), 162)
        self.assertEqual(HARVESTS.get("E0042"), self.harvests[0])

    def test_it_is_described(self):
        wanted = [
            "code: E0042",
            "hive: H0341",
            "taken: 22.05.2024",
            "kilos: 24.15",
            "kind: spring",
            "frames: 17",
        ]
        self.assertEqual(list(describe_harvest(self.harvests[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_harvest(self.harvests[0], self.harvests[1])
        self.assertEqual([name for name, _, _ in found], ["code", "hive", "taken", "kilos", "kind", "frames"])
        self.assertEqual(changes_of_harvest(self.harvests[0], self.harvests[0]), [])

    def test_taken_is_checked(self):
        with self.assertRaises(BadField):
            parse_harvest(ROWS[0] | {"taken": "31.02.2025"})

    def test_kilos_is_checked(self):
        with self.assertRaises(BadField):
            parse_harvest(ROWS[0] | {"kilos": "a lot"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_harvest(ROWS[0] | {"kind": "unheard of"})

    def test_frames_is_checked(self):
        with self.assertRaises(BadField):
            parse_harvest(ROWS[0] | {"frames": "several"})

    def test_group_by_hive(self):
        groups = lists.group_by_hive(self.harvests)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"H0341": 1, "H0479": 1, "H0337": 1, "H0202": 1})

    def test_pick_taken_between(self):
        first, last = date(2024, 9, 26), date(2024, 10, 7)
        found = lists.pick_taken_between(self.harvests, first, last)
        self.assertEqual([item.code for item in found], ["E0385", "E0397"])

    def test_sum_of_kilos(self):
        self.assertEqual(lists.sum_of_kilos(self.harvests), Decimal("70.14"))

    def test_kilos_of_each_kind(self):
        wanted = [("spring", Decimal("32.29")), ("lime", Decimal("27.78")), ("heather", Decimal("10.07"))]
        self.assertEqual(lists.kilos_of_each_kind(self.harvests), wanted)

    def test_largest_kilos(self):
        found = lists.largest_kilos(self.harvests, 2)
        self.assertEqual([item.code for item in found], ["E0385", "E0042"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.harvests)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"spring": 2, "lime": 1, "heather": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.harvests), [("spring", 2), ("heather", 1), ("lime", 1)])

    def test_mean_frames(self):
        self.assertEqual(lists.mean_frames(self.harvests), 13.0)
        self.assertIsNone(lists.mean_frames([]))

    def test_at_least_frames(self):
        found = lists.at_least_frames(self.harvests, 17)
        self.assertEqual([item.code for item in found], ["E0042", "E0397"])


if __name__ == "__main__":
    unittest.main()
