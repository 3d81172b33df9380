import unittest
from datetime import date
from decimal import Decimal

from apiary.kit.fields import BadField
from apiary.queries import harvests as lists
from apiary.model.harvests import HARVESTS, changes_of_harvest, describe_harvest, format_harvest, parse_harvest

ROWS = [
    {"code": "E0094", "hive": "H0515", "taken": "2024-06-15", "kilos": "22.25", "kind": "forest", "frames": "19"},
    {"code": "E0465", "hive": "H0643", "taken": "2024-10-31", "kilos": "21.90", "kind": "forest", "frames": "17"},
    {"code": "E0537", "hive": "H0430", "taken": "2024-12-05", "kilos": "9.08", "kind": "heather", "frames": "3"},
    {"code": "E0558", "hive": "H0458", "taken": "2024-12-11", "kilos": "16.21", "kind": "spring", "frames": "11"},
]


class HarvestTest(unittest.TestCase):
    def setUp(self):
        self.harvests = [parse_harvest(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_harvest(item) for item in self.harvests], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(HARVESTS.read()), 162)
        self.assertEqual(HARVESTS.get("E0094"), self.harvests[0])

    def test_it_is_described(self):
        wanted = [
            "code: E0094",
            "hive: H0515",
            "taken: 15.06.2024",
            "kilos: 22.25",
            "kind: forest",
            "frames: 19",
        ]
        self.assertEqual(list(describe_harvest(self.harvests[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_harvest(self.harvests[0], self.harvests[1])
        self.assertEqual([name for name, _, _ in found], ["code", "hive", "taken", "kilos", "frames"])
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
        self.assertEqual(sizes, {"H0515": 1, "H0643": 1, "H0430": 1, "H0458": 1})

    def test_pick_taken_between(self):
        first, last = date(2024, 10, 31), date(2024, 12, 5)
        found = lists.pick_taken_between(self.harvests, first, last)
        self.assertEqual([item.code for item in found], ["E0465", "E0537"])

    def test_sum_of_kilos(self):
        self.assertEqual(lists.sum_of_kilos(self.harvests), Decimal("69.44"))

    def test_kilos_of_each_kind(self):
        wanted = [("forest", Decimal("44.15")), ("spring", Decimal("16.21")), ("heather", Decimal("9.08"))]
        self.assertEqual(lists.kilos_of_each_kind(self.harvests), wanted)

    def test_largest_kilos(self):
        found = lists.largest_kilos(self.harvests, 2)
        self.assertEqual([item.code for item in found], ["E0094", "E0465"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.harvests)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"forest": 2, "heather": 1, "spring": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.harvests), [("forest", 2), ("heather", 1), ("spring", 1)])

    def test_mean_frames(self):
        self.assertEqual(lists.mean_frames(self.harvests), 12.5)
        self.assertIsNone(lists.mean_frames([]))

    def test_at_least_frames(self):
        found = lists.at_least_frames(self.harvests, 17)
        self.assertEqual([item.code for item in found], ["E0094", "E0465"])


if __name__ == "__main__":
    unittest.main()
