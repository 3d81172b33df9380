import unittest
from datetime import date
from decimal import Decimal

from room.kit.fields import BadField
from room.lists import stove as lists
from room.records.stove import STOVE, changes_of_firing, describe_firing, format_firing, parse_firing

ROWS = [
    {
        "code": "F0038",
        "lit": "2024-06-20",
        "logs": "8",
        "wood": "beech",
        "warm": "15.23",
        "remark": "stamp is missing",
    },
    {"code": "F0510", "lit": "2024-12-10", "logs": "14", "wood": "oak", "warm": "17.97", "remark": "to the shed"},
    {"code": "F0710", "lit": "2025-02-23", "logs": "17", "wood": "birch", "warm": "21.30", "remark": ""},
    {"code": "F0811", "lit": "2025-04-22", "logs": "18", "wood": "oak", "warm": "17.51", "remark": ""},
]


class FiringTest(unittest.TestCase):
    def setUp(self):
        self.stove = [parse_firing(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_firing(item) for item in self.stove], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(STOVE.read()), 208)
        self.assertEqual(STOVE.get("F0038"), self.stove[0])

    def test_it_is_described(self):
        wanted = [
            "code: F0038",
            "lit: 20.06.2024",
            "logs: 8",
            "wood: beech",
            "warm: 15.23",
            "remark: stamp is missing",
        ]
        self.assertEqual(list(describe_firing(self.stove[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_firing(self.stove[0], self.stove[1])
        self.assertEqual([name for name, _, _ in found], ["code", "lit", "logs", "wood", "warm", "remark"])
        self.assertEqual(changes_of_firing(self.stove[0], self.stove[0]), [])

    def test_lit_is_checked(self):
        with self.assertRaises(BadField):
            parse_firing(ROWS[0] | {"lit": "31.02.2025"})

    def test_logs_is_checked(self):
        with self.assertRaises(BadField):
            parse_firing(ROWS[0] | {"logs": "several"})

    def test_wood_is_checked(self):
        with self.assertRaises(BadField):
            parse_firing(ROWS[0] | {"wood": "unheard of"})

    def test_warm_is_checked(self):
        with self.assertRaises(BadField):
            parse_firing(ROWS[0] | {"warm": "a lot"})

    def test_find_lit_between(self):
        first, last = date(2024, 12, 10), date(2025, 2, 23)
        found = lists.find_lit_between(self.stove, first, last)
        self.assertEqual([item.code for item in found], ["F0510", "F0710"])

    def test_mean_logs(self):
        self.assertEqual(lists.mean_logs(self.stove), 14.2)
        self.assertIsNone(lists.mean_logs([]))

    def test_at_least_logs(self):
        found = lists.at_least_logs(self.stove, 17)
        self.assertEqual([item.code for item in found], ["F0710", "F0811"])

    def test_by_wood(self):
        groups = lists.by_wood(self.stove)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"beech": 1, "oak": 2, "birch": 1})

    def test_count_woods(self):
        self.assertEqual(lists.count_woods(self.stove), [("oak", 2), ("beech", 1), ("birch", 1)])

    def test_total_warm(self):
        self.assertEqual(lists.total_warm(self.stove), Decimal("72.01"))

    def test_warm_of_each_wood(self):
        wanted = [("oak", Decimal("35.48")), ("birch", Decimal("21.30")), ("beech", Decimal("15.23"))]
        self.assertEqual(lists.warm_of_each_wood(self.stove), wanted)

    def test_largest_warm(self):
        found = lists.largest_warm(self.stove, 2)
        self.assertEqual([item.code for item in found], ["F0710", "F0510"])


if __name__ == "__main__":
    unittest.main()
