import unittest
from datetime import date
from decimal import Decimal

from pantry.kit.fields import BadField
from pantry.queries import purchases as lists
from pantry.model.purchases import PURCHASES, changes_of_purchase, describe_purchase, format_purchase, parse_purchase

ROWS = [
    {
        "code": "P0607",
        "what": "Yellow onion",
        "day": "2024-11-24",
        "pieces": "9",
        "price": "30.90",
        "shop": "corner",
    },
    {
        "code": "P0771",
        "what": "Sour mushroom 2",
        "day": "2025-02-03",
        "pieces": "6",
        "price": "19.20",
        "shop": "mill",
    },
    {
        "code": "P0785",
        "what": "Long radish 3",
        "day": "2025-02-05",
        "pieces": "4",
        "price": "39.07",
        "shop": "garden",
    },
    {"code": "P0791", "what": "Wild leek", "day": "2025-02-05", "pieces": "10", "price": "10.60", "shop": "mill"},
]


class PurchaseTest(unittest.TestCase):
    def setUp(self):
        self.purchases = [parse_purchase(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_purchase(item) for item in self.purchases], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(PURCHASES.read()), 218)
        self.assertEqual(PURCHASES.get("P0607"), self.purchases[0])

    def test_it_is_described(self):
        wanted = [
            "code: P0607",
            "what: Yellow onion",
            "day: 24.11.2024",
            "pieces: 9",
            "price: 30.90",
            "shop: corner",
        ]
        self.assertEqual(list(describe_purchase(self.purchases[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_purchase(self.purchases[0], self.purchases[1])
        self.assertEqual([name for name, _, _ in found], ["code", "what", "day", "pieces", "price", "shop"])
        self.assertEqual(changes_of_purchase(self.purchases[0], self.purchases[0]), [])

    def test_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_purchase(ROWS[0] | {"day": "31.02.2025"})

    def test_pieces_is_checked(self):
        with self.assertRaises(BadField):
            parse_purchase(ROWS[0] | {"pieces": "several"})

    def test_price_is_checked(self):
        with self.assertRaises(BadField):
            parse_purchase(ROWS[0] | {"price": "a lot"})

    def test_shop_is_checked(self):
        with self.assertRaises(BadField):
            parse_purchase(ROWS[0] | {"shop": "unheard of"})

    def test_search_what(self):
        found = lists.search_what(self.purchases, "SOUR")
        self.assertEqual([item.code for item in found], ["P0771"])

    def test_pick_day_between(self):
        first, last = date(2025, 2, 3), date(2025, 2, 5)
        found = lists.pick_day_between(self.purchases, first, last)
        self.assertEqual([item.code for item in found], ["P0771", "P0785", "P0791"])

    def test_mean_pieces(self):
        self.assertEqual(lists.mean_pieces(self.purchases), 7.2)
        self.assertIsNone(lists.mean_pieces([]))

    def test_at_least_pieces(self):
        found = lists.at_least_pieces(self.purchases, 9)
        self.assertEqual([item.code for item in found], ["P0607", "P0791"])

    def test_sum_of_price(self):
        self.assertEqual(lists.sum_of_price(self.purchases), Decimal("99.77"))

    def test_price_of_each_shop(self):
        wanted = [("garden", Decimal("39.07")), ("corner", Decimal("30.90")), ("mill", Decimal("29.80"))]
        self.assertEqual(lists.price_of_each_shop(self.purchases), wanted)

    def test_dearest_price(self):
        found = lists.dearest_price(self.purchases, 2)
        self.assertEqual([item.code for item in found], ["P0785", "P0607"])

    def test_group_by_shop(self):
        groups = lists.group_by_shop(self.purchases)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"corner": 1, "mill": 2, "garden": 1})

    def test_count_shops(self):
        self.assertEqual(lists.count_shops(self.purchases), [("mill", 2), ("corner", 1), ("garden", 1)])


if __name__ == "__main__":
    unittest.main()
