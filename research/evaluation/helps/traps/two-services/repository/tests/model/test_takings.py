import unittest
from datetime import date
from decimal import Decimal

from house.kit.fields import BadField
from house.queries import takings as lists
from house.model.takings import TAKINGS, changes_of_taking, describe_taking, format_taking, parse_taking

ROWS = [
    {"code": "D0193", "day": "2024-08-25", "desk": "shop", "cash": "265.81", "card": "1155.33", "tickets": "444"},
    {"code": "D0501", "day": "2024-12-07", "desk": "south", "cash": "338.10", "card": "472.60", "tickets": "230"},
    {"code": "D0618", "day": "2025-01-18", "desk": "shop", "cash": "176.79", "card": "774.00", "tickets": "289"},
    {"code": "D0755", "day": "2025-03-17", "desk": "shop", "cash": "357.79", "card": "839.45", "tickets": "85"},
]


class TakingTest(unittest.TestCase):
    def setUp(self):
        self.takings = [parse_taking(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_taking(item) for item in self.takings], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(TAKINGS.read()), 221)
        self.assertEqual(TAKINGS.get("D0193"), self.takings[0])

    def test_it_is_described(self):
        wanted = [
            "code: D0193",
            "day: 25.08.2024",
            "desk: shop",
            "cash: 265.81",
            "card: 1,155.33",
            "tickets: 444",
        ]
        self.assertEqual(list(describe_taking(self.takings[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_taking(self.takings[0], self.takings[1])
        self.assertEqual([name for name, _, _ in found], ["code", "day", "desk", "cash", "card", "tickets"])
        self.assertEqual(changes_of_taking(self.takings[0], self.takings[0]), [])

    def test_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_taking(ROWS[0] | {"day": "31.02.2025"})

    def test_desk_is_checked(self):
        with self.assertRaises(BadField):
            parse_taking(ROWS[0] | {"desk": "unheard of"})

    def test_cash_is_checked(self):
        with self.assertRaises(BadField):
            parse_taking(ROWS[0] | {"cash": "a lot"})

    def test_card_is_checked(self):
        with self.assertRaises(BadField):
            parse_taking(ROWS[0] | {"card": "a lot"})

    def test_tickets_is_checked(self):
        with self.assertRaises(BadField):
            parse_taking(ROWS[0] | {"tickets": "several"})

    def test_pick_day_between(self):
        first, last = date(2024, 12, 7), date(2025, 1, 18)
        found = lists.pick_day_between(self.takings, first, last)
        self.assertEqual([item.code for item in found], ["D0501", "D0618"])

    def test_group_by_desk(self):
        groups = lists.group_by_desk(self.takings)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"shop": 3, "south": 1})

    def test_count_desks(self):
        self.assertEqual(lists.count_desks(self.takings), [("shop", 3), ("south", 1)])

    def test_sum_of_cash(self):
        self.assertEqual(lists.sum_of_cash(self.takings), Decimal("1138.49"))

    def test_cash_of_each_desk(self):
        wanted = [("shop", Decimal("800.39")), ("south", Decimal("338.10"))]
        self.assertEqual(lists.cash_of_each_desk(self.takings), wanted)

    def test_largest_cash(self):
        found = lists.largest_cash(self.takings, 2)
        self.assertEqual([item.code for item in found], ["D0755", "D0501"])

    def test_sum_of_card(self):
        self.assertEqual(lists.sum_of_card(self.takings), Decimal("3241.38"))

    def test_card_of_each_desk(self):
        wanted = [("shop", Decimal("2768.78")), ("south", Decimal("472.60"))]
        self.assertEqual(lists.card_of_each_desk(self.takings), wanted)

    def test_largest_card(self):
        found = lists.largest_card(self.takings, 2)
        self.assertEqual([item.code for item in found], ["D0193", "D0755"])

    def test_mean_tickets(self):
        self.assertEqual(lists.mean_tickets(self.takings), 262.0)
        self.assertIsNone(lists.mean_tickets([]))

    def test_at_least_tickets(self):
        found = lists.at_least_tickets(self.takings, 289)
        self.assertEqual([item.code for item in found], ["D0193", "D0618"])


if __name__ == "__main__":
    unittest.main()
