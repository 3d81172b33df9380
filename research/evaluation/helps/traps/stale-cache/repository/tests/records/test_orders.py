import unittest
from datetime import date
from decimal import Decimal

from room.kit.fields import BadField
from room.lists import orders as lists
from room.records.orders import ORDERS, format_order, parse_order

ROWS = [
    {"code": "O0073", "title": "Second garden", "asked": "2024-08-07", "arrived": "2024-08-12", "copies": "2", "price": "4.40", "state": "dropped"},
    {"code": "O0210", "title": "Red journey", "asked": "2024-10-09", "arrived": "2024-12-02", "copies": "6", "price": "14.25", "state": "here"},
    {"code": "O0333", "title": "Broken bridge", "asked": "2024-12-08", "arrived": "2025-01-09", "copies": "3", "price": "29.57", "state": "dropped"},
    {"code": "O0389", "title": "Salt kitchen", "asked": "2025-01-10", "arrived": "2025-01-30", "copies": "4", "price": "40.29", "state": "sent"},
]


class OrderTest(unittest.TestCase):
    def setUp(self):
        self.orders = [parse_order(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_order(item) for item in self.orders], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(ORDERS.read()), 101)
        self.assertEqual(ORDERS.get("O0073"), self.orders[0])

    def test_asked_is_checked(self):
        with self.assertRaises(BadField):
            parse_order(ROWS[0] | {"asked": "31.02.2025"})

    def test_arrived_is_checked(self):
        with self.assertRaises(BadField):
            parse_order(ROWS[0] | {"arrived": "31.02.2025"})

    def test_copies_is_checked(self):
        with self.assertRaises(BadField):
            parse_order(ROWS[0] | {"copies": "several"})

    def test_price_is_checked(self):
        with self.assertRaises(BadField):
            parse_order(ROWS[0] | {"price": "a lot"})

    def test_state_is_checked(self):
        with self.assertRaises(BadField):
            parse_order(ROWS[0] | {"state": "unheard of"})

    def test_search_title(self):
        self.assertEqual([item.code for item in lists.search_title(self.orders, "RED")], ["O0210"])

    def test_find_asked_between(self):
        first, last = date(2024, 10, 9), date(2024, 12, 8)
        self.assertEqual([item.code for item in lists.find_asked_between(self.orders, first, last)], ["O0210", "O0333"])

    def test_find_arrived_between(self):
        first, last = date(2024, 12, 2), date(2025, 1, 9)
        self.assertEqual([item.code for item in lists.find_arrived_between(self.orders, first, last)], ["O0210", "O0333"])

    def test_mean_copies(self):
        self.assertEqual(lists.mean_copies(self.orders), 3.8)
        self.assertIsNone(lists.mean_copies([]))

    def test_at_least_copies(self):
        self.assertEqual([item.code for item in lists.at_least_copies(self.orders, 4)], ["O0210", "O0389"])

    def test_total_price(self):
        self.assertEqual(lists.total_price(self.orders), Decimal("88.51"))

    def test_price_of_each_state(self):
        self.assertEqual(lists.price_of_each_state(self.orders), [("sent", Decimal("40.29")), ("dropped", Decimal("33.97")), ("here", Decimal("14.25"))])

    def test_dearest_price(self):
        self.assertEqual([item.code for item in lists.dearest_price(self.orders, 2)], ["O0389", "O0333"])

    def test_by_state(self):
        groups = lists.by_state(self.orders)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"dropped": 2, "here": 1, "sent": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.orders), [("dropped", 2), ("here", 1), ("sent", 1)])


if __name__ == "__main__":
    unittest.main()
