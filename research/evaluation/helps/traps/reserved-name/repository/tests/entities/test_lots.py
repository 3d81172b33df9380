import unittest
from datetime import date
from decimal import Decimal

from sales.kit.fields import BadField
from sales.summaries import lots as lists
from sales.entities.lots import LOTS, changes_of_lot, describe_lot, format_lot, parse_lot

ROWS = [
    {
        "code": "L0182",
        "made": "2024-06-17",
        "best_until": "2024-06-25",
        "pieces": "1334",
        "kind": "tea",
        "price": "12.00",
    },
    {
        "code": "L0193",
        "made": "2024-06-20",
        "best_until": "2024-07-06",
        "pieces": "1566",
        "kind": "spice",
        "price": "7.49",
    },
    {
        "code": "L0358",
        "made": "2024-08-29",
        "best_until": "2024-10-22",
        "pieces": "2615",
        "kind": "spice",
        "price": "13.01",
    },
    {
        "code": "L0787",
        "made": "2025-03-03",
        "best_until": "2025-04-13",
        "pieces": "2966",
        "kind": "tea",
        "price": "8.04",
    },
]


class LotTest(unittest.TestCase):
    def setUp(self):
        self.lots = [parse_lot(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_lot(item) for item in self.lots], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(LOTS.read()), 197)
        self.assertEqual(LOTS.get("L0182"), self.lots[0])

    def test_it_is_described(self):
        wanted = [
            "code: L0182",
            "made: 17.06.2024",
            "best until: 25.06.2024",
            "pieces: 1334",
            "kind: tea",
            "price: 12.00",
        ]
        self.assertEqual(list(describe_lot(self.lots[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_lot(self.lots[0], self.lots[1])
        wanted = ["code", "made", "best_until", "pieces", "kind", "price"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_lot(self.lots[0], self.lots[0]), [])

    def test_made_is_checked(self):
        with self.assertRaises(BadField):
            parse_lot(ROWS[0] | {"made": "31.02.2025"})

    def test_best_until_is_checked(self):
        with self.assertRaises(BadField):
            parse_lot(ROWS[0] | {"best_until": "31.02.2025"})

    def test_pieces_is_checked(self):
        with self.assertRaises(BadField):
            parse_lot(ROWS[0] | {"pieces": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_lot(ROWS[0] | {"kind": "unheard of"})

    def test_price_is_checked(self):
        with self.assertRaises(BadField):
            parse_lot(ROWS[0] | {"price": "a lot"})

    def test_select_made_between(self):
        first, last = date(2024, 6, 20), date(2024, 8, 29)
        found = lists.select_made_between(self.lots, first, last)
        self.assertEqual([item.code for item in found], ["L0193", "L0358"])

    def test_select_best_until_between(self):
        first, last = date(2024, 7, 6), date(2024, 10, 22)
        found = lists.select_best_until_between(self.lots, first, last)
        self.assertEqual([item.code for item in found], ["L0193", "L0358"])

    def test_mean_pieces(self):
        self.assertEqual(lists.mean_pieces(self.lots), 2120.2)
        self.assertIsNone(lists.mean_pieces([]))

    def test_at_least_pieces(self):
        found = lists.at_least_pieces(self.lots, 2615)
        self.assertEqual([item.code for item in found], ["L0358", "L0787"])

    def test_per_kind(self):
        groups = lists.per_kind(self.lots)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"tea": 2, "spice": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.lots), [("spice", 2), ("tea", 2)])

    def test_add_up_price(self):
        self.assertEqual(lists.add_up_price(self.lots), Decimal("40.54"))

    def test_price_of_each_kind(self):
        wanted = [("spice", Decimal("20.50")), ("tea", Decimal("20.04"))]
        self.assertEqual(lists.price_of_each_kind(self.lots), wanted)

    def test_dearest_price(self):
        found = lists.dearest_price(self.lots, 2)
        self.assertEqual([item.code for item in found], ["L0358", "L0182"])


if __name__ == "__main__":
    unittest.main()
