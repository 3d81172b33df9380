import unittest
from datetime import date
from decimal import Decimal

from pantry.kit.fields import BadField
from pantry.queries import purchases as lists
from pantry.model.purchases import PURCHASES, changes_of_purchase, describe_purchase, format_purchase, parse_purchase

ROWS = [
    {
        "code": "P0306",
        "what": "Salted pepper",
        "day": "2024-08-14",
        "pieces": "11",
        "price": "2.79",
        "shop": "garden",
    },
    {
        "code": "P0490",
        "what": "Dark turnip 9",
        "day": "2024-10-11",
        "pieces": "8",
        "price": "18.08",
        "shop": "corner",
    },
    {"code": "P0806", "what": "Plain leek", "day": "2025-02-07", "pieces": "4", "price": "11.56", "shop": "corner"},
    {"code": "P0817", "what": "Long walnut", "day": "2025-02-18", "pieces": "1", "price": "3.09", "shop": "garden"},
]


class PurchaseTest(unittest.TestCase):
    def setUp(self):
        self.purchases = [parse_purchase(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_purchase(item) for item in self.purchases], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(PURCHASES.read()), 218)
        self.assertEqual(PURCHASES.get("P0306"), self.purchases[0])

    def test_it_is_described(self):
        wanted = [
            "code: P0306",
            "what: Salted pepper",
            "day: 14.08.2024",
            "pieces: 11",
            "price: 2.79",
            "shop: garden",
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
        found = lists.search_what(self.purchases, "DARK")
        self.assertEqual([item.code for item in found], ["P0490"])

    def test_pick_day_between(self):
        first, last = date(2024, 10, 11), date(2025, 2, 7)
        found = lists.pick_day_between(self.purchases, first, last)
        self.assertEqual([item.code for item in found], ["P0490", "P0806"])

    def test_mean_pieces(self):
        self.assertEqual(lists.mean_pieces(self.purchases), 6.0)
        self.assertIsNone(lists.mean_pieces([]))

    def test_at_least_pieces(self):
        found = lists.at_least_pieces(self.purchases, 8)
        self.assertEqual([item.code for item in found], ["P0306", "P0490"])

    def test_sum_of_price(self):
        self.assertEqual(lists.sum_of_price(self.purchases), Decimal("35.52"))

    def test_price_of_each_shop(self):
        wanted = [("corner", Decimal("29.64")), ("garden", Decimal("5.88"))]
        self.assertEqual(lists.price_of_each_shop(self.purchases), wanted)

    def test_dearest_price(self):
        found = lists.dearest_price(self.purchases, 2)
        self.assertEqual([item.code for item in found], ["P0490", "P0806"])

    def test_group_by_shop(self):
        groups = lists.group_by_shop(self.purchases)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"garden": 2, "corner": 2})

    def test_count_shops(self):
        self.assertEqual(lists.count_shops(self.purchases), [("corner", 2), ("garden", 2)])


if __name__ == "__main__":
    unittest.main()
