import unittest
from datetime import date
from decimal import Decimal

from depot.kit.fields import BadField
from depot.summaries import stamps as lists
from depot.entities.stamps import STAMPS, format_stamp_roll, parse_stamp_roll

ROWS = [
    {"code": "R0050", "branch": "B0075", "given": "2024-04-26", "pieces": "420", "left_over": "363", "value": "774.11"},
    {"code": "R0130", "branch": "B0573", "given": "2024-06-13", "pieces": "886", "left_over": "353", "value": "69.79"},
    {"code": "R0514", "branch": "B0301", "given": "2024-11-26", "pieces": "929", "left_over": "241", "value": "197.05"},
    {"code": "R0637", "branch": "B1015", "given": "2025-01-17", "pieces": "770", "left_over": "213", "value": "410.26"},
]


class StampRollTest(unittest.TestCase):
    def setUp(self):
        self.stamps = [parse_stamp_roll(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_stamp_roll(item) for item in self.stamps], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(STAMPS.read()), 191)
        self.assertEqual(STAMPS.get("R0050"), self.stamps[0])

    def test_given_is_checked(self):
        with self.assertRaises(BadField):
            parse_stamp_roll(ROWS[0] | {"given": "31.02.2025"})

    def test_pieces_is_checked(self):
        with self.assertRaises(BadField):
            parse_stamp_roll(ROWS[0] | {"pieces": "several"})

    def test_left_over_is_checked(self):
        with self.assertRaises(BadField):
            parse_stamp_roll(ROWS[0] | {"left_over": "several"})

    def test_value_is_checked(self):
        with self.assertRaises(BadField):
            parse_stamp_roll(ROWS[0] | {"value": "a lot"})

    def test_per_branch(self):
        groups = lists.per_branch(self.stamps)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"B0075": 1, "B0573": 1, "B0301": 1, "B1015": 1})

    def test_select_given_between(self):
        first, last = date(2024, 6, 13), date(2024, 11, 26)
        self.assertEqual([item.code for item in lists.select_given_between(self.stamps, first, last)], ["R0130", "R0514"])

    def test_mean_pieces(self):
        self.assertEqual(lists.mean_pieces(self.stamps), 751.2)
        self.assertIsNone(lists.mean_pieces([]))

    def test_at_least_pieces(self):
        self.assertEqual([item.code for item in lists.at_least_pieces(self.stamps, 886)], ["R0130", "R0514"])

    def test_mean_left_over(self):
        self.assertEqual(lists.mean_left_over(self.stamps), 292.5)
        self.assertIsNone(lists.mean_left_over([]))

    def test_at_least_left_over(self):
        self.assertEqual([item.code for item in lists.at_least_left_over(self.stamps, 353)], ["R0050", "R0130"])

    def test_add_up_value(self):
        self.assertEqual(lists.add_up_value(self.stamps), Decimal("1451.21"))

    def test_largest_value(self):
        self.assertEqual([item.code for item in lists.largest_value(self.stamps, 2)], ["R0050", "R0637"])


if __name__ == "__main__":
    unittest.main()
