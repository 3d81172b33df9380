import unittest
from datetime import date
from decimal import Decimal

from room.kit.fields import BadField
from room.lists import orders as lists
from room.records.orders import ORDERS, changes_of_order, describe_order, format_order, parse_order

ROWS = [
    {
        "code": "O0098",
        "title": "Stony market",
        "asked": "2024-06-23",
        "arrived": "2024-08-02",
        "copies": "2",
        "price": "55.97",
        "state": "sent",
    },
    {
        "code": "O0131",
        "title": "Little coat",
        "asked": "2024-07-03",
        "arrived": "2024-07-31",
        "copies": "6",
        "price": "19.09",
        "state": "dropped",
    },
    {
        "code": "O0282",
        "title": "Blue letter",
        "asked": "2024-09-08",
        "arrived": "2024-11-01",
        "copies": "2",
        "price": "32.34",
        "state": "open",
    },
    {
        "code": "O0439",
        "title": "Silver journey 6",
        "asked": "2024-11-04",
        "arrived": "2024-12-10",
        "copies": "1",
        "price": "10.94",
        "state": "here",
    },
]


class OrderTest(unittest.TestCase):
    def setUp(self):
        self.orders = [parse_order(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_order(item) for item in self.orders], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(ORDERS.read()), 119)
        self.assertEqual(ORDERS.get("O0098"), self.orders[0])

    def test_it_is_described(self):
        wanted = [
            "code: O0098",
            "title: Stony market",
            "asked: 23.06.2024",
            "arrived: 02.08.2024",
            "copies: 2",
            "price: 55.97",
            "state: sent",
        ]
        self.assertEqual(list(describe_order(self.orders[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_order(self.orders[0], self.orders[1])
        wanted = ["code", "title", "asked", "arrived", "copies", "price", "state"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_order(self.orders[0], self.orders[0]), [])

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
        found = lists.search_title(self.orders, "LITTLE")
        self.assertEqual([item.code for item in found], ["O0131"])

    def test_find_asked_between(self):
        first, last = date(2024, 7, 3), date(2024, 9, 8)
        found = lists.find_asked_between(self.orders, first, last)
        self.assertEqual([item.code for item in found], ["O0131", "O0282"])

    def test_find_arrived_between(self):
        first, last = date(2024, 8, 2), date(2024, 11, 1)
        found = lists.find_arrived_between(self.orders, first, last)
        self.assertEqual([item.code for item in found], ["O0098", "O0282"])

    def test_mean_copies(self):
        self.assertEqual(lists.mean_copies(self.orders), 2.8)
        self.assertIsNone(lists.mean_copies([]))

    def test_at_least_copies(self):
        found = lists.at_least_copies(self.orders, 2)
        self.assertEqual([item.code for item in found], ["O0098", "O0131", "O0282"])

    def test_total_price(self):
        self.assertEqual(lists.total_price(self.orders), Decimal("118.34"))

    def test_price_of_each_state(self):
        wanted = [
            ("sent", Decimal("55.97")),
            ("open", Decimal("32.34")),
            ("dropped", Decimal("19.09")),
            ("here", Decimal("10.94")),
        ]
        self.assertEqual(lists.price_of_each_state(self.orders), wanted)

    def test_dearest_price(self):
        found = lists.dearest_price(self.orders, 2)
        self.assertEqual([item.code for item in found], ["O0098", "O0282"])

    def test_by_state(self):
        groups = lists.by_state(self.orders)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"sent": 1, "dropped": 1, "open": 1, "here": 1})

    def test_count_states(self):
        wanted = [("dropped", 1), ("here", 1), ("open", 1), ("sent", 1)]
        self.assertEqual(lists.count_states(self.orders), wanted)


if __name__ == "__main__":
    unittest.main()
