import unittest
from datetime import date
from decimal import Decimal

from shop.kit.fields import BadField
from shop.summaries import orders as lists
from shop.entities.orders import ORDERS, changes_of_order, describe_order, format_order, parse_order

ROWS = [
    {
        "code": "F0173",
        "asked": "2024-06-15",
        "fetched": "2024-07-28",
        "pieces": "40",
        "total": "286.42",
        "state": "packed",
    },
    {
        "code": "F0183",
        "asked": "2024-06-16",
        "fetched": "2024-07-21",
        "pieces": "1",
        "total": "56.84",
        "state": "packed",
    },
    {
        "code": "F0198",
        "asked": "2024-06-19",
        "fetched": "2024-08-07",
        "pieces": "16",
        "total": "246.40",
        "state": "fetched",
    },
    {
        "code": "F0889",
        "asked": "2025-03-26",
        "fetched": "2025-04-26",
        "pieces": "11",
        "total": "95.46",
        "state": "open",
    },
]


class OrderTest(unittest.TestCase):
    def setUp(self):
        self.orders = [parse_order(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_order(item) for item in self.orders], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(ORDERS.read()), 265)
        self.assertEqual(ORDERS.get("F0173"), self.orders[0])

    def test_it_is_described(self):
        wanted = [
            "code: F0173",
            "asked: 15.06.2024",
            "fetched: 28.07.2024",
            "pieces: 40",
            "total: 286.42",
            "state: packed",
        ]
        self.assertEqual(list(describe_order(self.orders[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_order(self.orders[0], self.orders[1])
        self.assertEqual([name for name, _, _ in found], ["code", "asked", "fetched", "pieces", "total"])
        self.assertEqual(changes_of_order(self.orders[0], self.orders[0]), [])

    def test_asked_is_checked(self):
        with self.assertRaises(BadField):
            parse_order(ROWS[0] | {"asked": "31.02.2025"})

    def test_fetched_is_checked(self):
        with self.assertRaises(BadField):
            parse_order(ROWS[0] | {"fetched": "31.02.2025"})

    def test_pieces_is_checked(self):
        with self.assertRaises(BadField):
            parse_order(ROWS[0] | {"pieces": "several"})

    def test_total_is_checked(self):
        with self.assertRaises(BadField):
            parse_order(ROWS[0] | {"total": "a lot"})

    def test_state_is_checked(self):
        with self.assertRaises(BadField):
            parse_order(ROWS[0] | {"state": "unheard of"})

    def test_select_asked_between(self):
        first, last = date(2024, 6, 16), date(2024, 6, 19)
        found = lists.select_asked_between(self.orders, first, last)
        self.assertEqual([item.code for item in found], ["F0183", "F0198"])

    def test_select_fetched_between(self):
        first, last = date(2024, 7, 28), date(2024, 8, 7)
        found = lists.select_fetched_between(self.orders, first, last)
        self.assertEqual([item.code for item in found], ["F0173", "F0198"])

    def test_mean_pieces(self):
        self.assertEqual(lists.mean_pieces(self.orders), 17.0)
        self.assertIsNone(lists.mean_pieces([]))

    def test_at_least_pieces(self):
        found = lists.at_least_pieces(self.orders, 16)
        self.assertEqual([item.code for item in found], ["F0173", "F0198"])

    def test_add_up_total(self):
        self.assertEqual(lists.add_up_total(self.orders), Decimal("685.12"))

    def test_total_of_each_state(self):
        wanted = [("packed", Decimal("343.26")), ("fetched", Decimal("246.40")), ("open", Decimal("95.46"))]
        self.assertEqual(lists.total_of_each_state(self.orders), wanted)

    def test_largest_total(self):
        found = lists.largest_total(self.orders, 2)
        self.assertEqual([item.code for item in found], ["F0173", "F0198"])

    def test_per_state(self):
        groups = lists.per_state(self.orders)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"packed": 2, "fetched": 1, "open": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.orders), [("packed", 2), ("fetched", 1), ("open", 1)])


if __name__ == "__main__":
    unittest.main()
