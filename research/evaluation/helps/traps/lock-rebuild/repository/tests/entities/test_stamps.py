import unittest
from datetime import date
from decimal import Decimal

from depot.kit.fields import BadField
from depot.summaries import stamps as lists
from depot.entities.stamps import STAMPS, changes_of_stamp_roll, describe_stamp_roll, format_stamp_roll, parse_stamp_roll

ROWS = [
    {
        "code": "R0113",
        "branch": "B0510",
        "given": "2024-11-20",
        "pieces": "863",
        "left_over": "394",
        "value": "856.93",
    },
    {
        "code": "R0433",
        "branch": "B0329",
        "given": "2025-03-14",
        "pieces": "906",
        "left_over": "226",
        "value": "334.65",
    },
    {
        "code": "R0695",
        "branch": "B1103",
        "given": "2025-07-13",
        "pieces": "693",
        "left_over": "232",
        "value": "878.12",
    },
    {
        "code": "R0697",
        "branch": "B0019",
        "given": "2025-07-16",
        "pieces": "332",
        "left_over": "310",
        "value": "209.91",
    },
]


class StampRollTest(unittest.TestCase):
    def setUp(self):
        self.stamps = [parse_stamp_roll(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_stamp_roll(item) for item in self.stamps], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(STAMPS.read()), 187)
        self.assertEqual(STAMPS.get("R0113"), self.stamps[0])

    def test_it_is_described(self):
        wanted = [
            "code: R0113",
            "branch: B0510",
            "given: 20.11.2024",
            "pieces: 863",
            "left over: 394",
            "value: 856.93",
        ]
        self.assertEqual(list(describe_stamp_roll(self.stamps[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_stamp_roll(self.stamps[0], self.stamps[1])
        wanted = ["code", "branch", "given", "pieces", "left_over", "value"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_stamp_roll(self.stamps[0], self.stamps[0]), [])

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
        self.assertEqual(sizes, {"B0510": 1, "B0329": 1, "B1103": 1, "B0019": 1})

    def test_select_given_between(self):
        first, last = date(2025, 3, 14), date(2025, 7, 13)
        found = lists.select_given_between(self.stamps, first, last)
        self.assertEqual([item.code for item in found], ["R0433", "R0695"])

    def test_mean_pieces(self):
        self.assertEqual(lists.mean_pieces(self.stamps), 698.5)
        self.assertIsNone(lists.mean_pieces([]))

    def test_at_least_pieces(self):
        found = lists.at_least_pieces(self.stamps, 863)
        self.assertEqual([item.code for item in found], ["R0113", "R0433"])

    def test_mean_left_over(self):
        self.assertEqual(lists.mean_left_over(self.stamps), 290.5)
        self.assertIsNone(lists.mean_left_over([]))

    def test_at_least_left_over(self):
        found = lists.at_least_left_over(self.stamps, 310)
        self.assertEqual([item.code for item in found], ["R0113", "R0697"])

    def test_add_up_value(self):
        self.assertEqual(lists.add_up_value(self.stamps), Decimal("2279.61"))

    def test_largest_value(self):
        found = lists.largest_value(self.stamps, 2)
        self.assertEqual([item.code for item in found], ["R0695", "R0113"])


if __name__ == "__main__":
    unittest.main()
