import unittest
from datetime import date
from decimal import Decimal

from shop.kit.fields import BadField
from shop.summaries import rolls as lists
from shop.entities.rolls import ROLLS, changes_of_roll, describe_roll, format_roll, parse_roll

ROWS = [
    {"code": "R0121", "bought": "2024-12-19", "metres": "124", "width": "wide", "price": "12.25", "empty": "no"},
    {"code": "R0669", "bought": "2025-08-07", "metres": "103", "width": "wide", "price": "13.99", "empty": "no"},
    {"code": "R0685", "bought": "2025-08-15", "metres": "143", "width": "narrow", "price": "9.12", "empty": "no"},
    {"code": "R0754", "bought": "2025-09-06", "metres": "141", "width": "wide", "price": "16.72", "empty": "yes"},
]


class RollTest(unittest.TestCase):
    def setUp(self):
        self.rolls = [parse_roll(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_roll(item) for item in self.rolls], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(ROLLS.read()), 216)
        self.assertEqual(ROLLS.get("R0121"), self.rolls[0])

    def test_it_is_described(self):
        wanted = [
            "code: R0121",
            "bought: 19.12.2024",
            "metres: 124",
            "width: wide",
            "price: 12.25",
        ]
        self.assertEqual(list(describe_roll(self.rolls[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_roll(self.rolls[0], self.rolls[1])
        self.assertEqual([name for name, _, _ in found], ["code", "bought", "metres", "price"])
        self.assertEqual(changes_of_roll(self.rolls[0], self.rolls[0]), [])

    def test_bought_is_checked(self):
        with self.assertRaises(BadField):
            parse_roll(ROWS[0] | {"bought": "31.02.2025"})

    def test_metres_is_checked(self):
        with self.assertRaises(BadField):
            parse_roll(ROWS[0] | {"metres": "several"})

    def test_width_is_checked(self):
        with self.assertRaises(BadField):
            parse_roll(ROWS[0] | {"width": "unheard of"})

    def test_price_is_checked(self):
        with self.assertRaises(BadField):
            parse_roll(ROWS[0] | {"price": "a lot"})

    def test_empty_is_checked(self):
        with self.assertRaises(BadField):
            parse_roll(ROWS[0] | {"empty": "perhaps"})

    def test_select_bought_between(self):
        first, last = date(2025, 8, 7), date(2025, 8, 15)
        found = lists.select_bought_between(self.rolls, first, last)
        self.assertEqual([item.code for item in found], ["R0669", "R0685"])

    def test_mean_metres(self):
        self.assertEqual(lists.mean_metres(self.rolls), 127.8)
        self.assertIsNone(lists.mean_metres([]))

    def test_at_least_metres(self):
        found = lists.at_least_metres(self.rolls, 141)
        self.assertEqual([item.code for item in found], ["R0685", "R0754"])

    def test_per_width(self):
        groups = lists.per_width(self.rolls)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"wide": 3, "narrow": 1})

    def test_count_widths(self):
        self.assertEqual(lists.count_widths(self.rolls), [("wide", 3), ("narrow", 1)])

    def test_add_up_price(self):
        self.assertEqual(lists.add_up_price(self.rolls), Decimal("52.08"))

    def test_price_of_each_width(self):
        wanted = [("wide", Decimal("42.96")), ("narrow", Decimal("9.12"))]
        self.assertEqual(lists.price_of_each_width(self.rolls), wanted)

    def test_dearest_price(self):
        found = lists.dearest_price(self.rolls, 2)
        self.assertEqual([item.code for item in found], ["R0754", "R0669"])

    def test_select_empty(self):
        found = lists.select_empty(self.rolls)
        self.assertEqual([item.code for item in found], ["R0754"])


if __name__ == "__main__":
    unittest.main()
