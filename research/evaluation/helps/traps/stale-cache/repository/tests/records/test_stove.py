import unittest
from datetime import date
from decimal import Decimal

from room.kit.fields import BadField
from room.lists import stove as lists
from room.records.stove import STOVE, format_firing, parse_firing

ROWS = [
    {"code": "F0078", "lit": "2024-09-11", "logs": "17", "wood": "beech", "warm": "17.89", "remark": "to the shed"},
    {"code": "F0337", "lit": "2024-12-27", "logs": "9", "wood": "birch", "warm": "21.20", "remark": "asked twice"},
    {"code": "F0423", "lit": "2025-02-01", "logs": "3", "wood": "birch", "warm": "18.96", "remark": ""},
    {"code": "F0629", "lit": "2025-05-12", "logs": "2", "wood": "beech", "warm": "21.84", "remark": ""},
]


class FiringTest(unittest.TestCase):
    def setUp(self):
        self.stove = [parse_firing(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_firing(item) for item in self.stove], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(STOVE.read()), 161)
        self.assertEqual(STOVE.get("F0078"), self.stove[0])

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
        first, last = date(2024, 12, 27), date(2025, 2, 1)
        self.assertEqual([item.code for item in lists.find_lit_between(self.stove, first, last)], ["F0337", "F0423"])

    def test_mean_logs(self):
        self.assertEqual(lists.mean_logs(self.stove), 7.8)
        self.assertIsNone(lists.mean_logs([]))

    def test_at_least_logs(self):
        self.assertEqual([item.code for item in lists.at_least_logs(self.stove, 9)], ["F0078", "F0337"])

    def test_by_wood(self):
        groups = lists.by_wood(self.stove)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"beech": 2, "birch": 2})

    def test_count_woods(self):
        self.assertEqual(lists.count_woods(self.stove), [("beech", 2), ("birch", 2)])

    def test_total_warm(self):
        self.assertEqual(lists.total_warm(self.stove), Decimal("79.89"))

    def test_warm_of_each_wood(self):
        self.assertEqual(lists.warm_of_each_wood(self.stove), [("birch", Decimal("40.16")), ("beech", Decimal("39.73"))])

    def test_largest_warm(self):
        self.assertEqual([item.code for item in lists.largest_warm(self.stove, 2)], ["F0629", "F0337"])


if __name__ == "__main__":
    unittest.main()
