import unittest
from datetime import date
from decimal import Decimal

from pantry.kit.fields import BadField
from pantry.queries import purchases as lists
from pantry.model.purchases import PURCHASES, changes_of_purchase, describe_purchase, format_purchase, parse_purchase

ROWS = [
    {
        "code": "P0405",
        "what": "Plain pear 6",
        "day": "2024-12-24",
        "pieces": "8",
        "price": "28.00",
        "shop": "corner",
    },
    {
        "code": "P0495",
        "what": "Yellow pear",
        "day": "2025-02-05",
        "pieces": "9",
        "price": "18.73",
        "shop": "garden",
    },
    {
        "code": "P0554",
        "what": "Salted walnut",
        "day": "2025-02-24",
        "pieces": "9",
        "price": "12.85",
        "shop": "market",
    },
    {"code": "P0577", "what": "Early grape", "day": "2025-03-03", "pieces": "12", "price": "27.21", "shop": "mill"},
]


class PurchaseTest(unittest.TestCase):
    def setUp(self):
        self.purchases = [parse_purchase(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_purchase(item) for item in self.purchases], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(PURCHASES.read()), 172)
        self.assertEqual(PURCHASES.get("P0405"), self.purchases[0])

    def test_it_is_described(self):
        wanted = [
            "code: P0405",
            "what: Plain pear 6",
            "day: 24.12.2024",
            "pieces: 8",
            "price: 28.00",
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
        found = lists.search_what(self.purchases, "YELLOW")
        self.assertEqual([item.code for item in found], ["P0495"])

    def test_pick_day_between(self):
        first, last = date(2025, 2, 5), date(2025, 2, 24)
        found = lists.pick_day_between(self.purchases, first, last)
        self.assertEqual([item.code for item in found], ["P0495", "P0554"])

    def test_mean_pieces(self):
        self.assertEqual(lists.mean_pieces(self.purchases), 9.5)
        self.assertIsNone(lists.mean_pieces([]))

    def test_at_least_pieces(self):
        found = lists.at_least_pieces(self.purchases, 9)
        self.assertEqual([item.code for item in found], ["P0495", "P0554", "P0577"])

    def test_sum_of_price(self):
        self.assertEqual(lists.sum_of_price(self.purchases), Decimal("86.79"))

    def test_price_of_each_shop(self):
        wanted = [
            ("corner", Decimal("28.00")),
            ("mill", Decimal("27.21")),
            ("garden", Decimal("18.73")),
            ("market", Decimal("12.85")),
        ]
        self.assertEqual(lists.price_of_each_shop(self.purchases), wanted)

    def test_dearest_price(self):
        found = lists.dearest_price(self.purchases, 2)
        self.assertEqual([item.code for item in found], ["P0405", "P0577"])

    def test_group_by_shop(self):
        groups = lists.group_by_shop(self.purchases)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"corner": 1, "garden": 1, "market": 1, "mill": 1})

    def test_count_shops(self):
        wanted = [("corner", 1), ("garden", 1), ("market", 1), ("mill", 1)]
        self.assertEqual(lists.count_shops(self.purchases), wanted)


if __name__ == "__main__":
    unittest.main()
