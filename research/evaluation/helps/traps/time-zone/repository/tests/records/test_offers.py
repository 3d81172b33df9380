import unittest
from datetime import date
from decimal import Decimal

from plant.kit.fields import BadField
from plant.lists import offers as lists
from plant.records.offers import OFFERS, changes_of_offer, describe_offer, format_offer, parse_offer

ROWS = [
    {
        "code": "O0030",
        "came": "2024-06-09",
        "ends": "2024-07-04",
        "price": "0.34",
        "kind": "gas",
        "months": "27",
        "taken": "no",
    },
    {
        "code": "O0321",
        "came": "2024-10-18",
        "ends": "2024-10-24",
        "price": "0.34",
        "kind": "power",
        "months": "38",
        "taken": "no",
    },
    {
        "code": "O0491",
        "came": "2024-12-31",
        "ends": "2025-01-15",
        "price": "0.23",
        "kind": "heat",
        "months": "17",
        "taken": "no",
    },
    {
        "code": "O0691",
        "came": "2025-04-01",
        "ends": "2025-05-12",
        "price": "0.20",
        "kind": "heat",
        "months": "19",
        "taken": "yes",
    },
]


class OfferTest(unittest.TestCase):
    def setUp(self):
        self.offers = [parse_offer(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_offer(item) for item in self.offers], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(OFFERS.read()), 195)
        self.assertEqual(OFFERS.get("O0030"), self.offers[0])

    def test_it_is_described(self):
        wanted = [
            "code: O0030",
            "came: 09.06.2024",
            "ends: 04.07.2024",
            "price: 0.34",
            "kind: gas",
            "months: 27",
        ]
        self.assertEqual(list(describe_offer(self.offers[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_offer(self.offers[0], self.offers[1])
        self.assertEqual([name for name, _, _ in found], ["code", "came", "ends", "kind", "months"])
        self.assertEqual(changes_of_offer(self.offers[0], self.offers[0]), [])

    def test_came_is_checked(self):
        with self.assertRaises(BadField):
            parse_offer(ROWS[0] | {"came": "31.02.2025"})

    def test_ends_is_checked(self):
        with self.assertRaises(BadField):
            parse_offer(ROWS[0] | {"ends": "31.02.2025"})

    def test_price_is_checked(self):
        with self.assertRaises(BadField):
            parse_offer(ROWS[0] | {"price": "a lot"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_offer(ROWS[0] | {"kind": "unheard of"})

    def test_months_is_checked(self):
        with self.assertRaises(BadField):
            parse_offer(ROWS[0] | {"months": "several"})

    def test_taken_is_checked(self):
        with self.assertRaises(BadField):
            parse_offer(ROWS[0] | {"taken": "perhaps"})

    def test_find_came_between(self):
        first, last = date(2024, 10, 18), date(2024, 12, 31)
        found = lists.find_came_between(self.offers, first, last)
        self.assertEqual([item.code for item in found], ["O0321", "O0491"])

    def test_find_ends_between(self):
        first, last = date(2024, 10, 24), date(2025, 1, 15)
        found = lists.find_ends_between(self.offers, first, last)
        self.assertEqual([item.code for item in found], ["O0321", "O0491"])

    def test_total_price(self):
        self.assertEqual(lists.total_price(self.offers), Decimal("1.11"))

    def test_price_of_each_kind(self):
        wanted = [("heat", Decimal("0.43")), ("gas", Decimal("0.34")), ("power", Decimal("0.34"))]
        self.assertEqual(lists.price_of_each_kind(self.offers), wanted)

    def test_dearest_price(self):
        found = lists.dearest_price(self.offers, 2)
        self.assertEqual([item.code for item in found], ["O0030", "O0321"])

    def test_by_kind(self):
        groups = lists.by_kind(self.offers)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"gas": 1, "power": 1, "heat": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.offers), [("heat", 2), ("gas", 1), ("power", 1)])

    def test_mean_months(self):
        self.assertEqual(lists.mean_months(self.offers), 25.2)
        self.assertIsNone(lists.mean_months([]))

    def test_at_least_months(self):
        found = lists.at_least_months(self.offers, 27)
        self.assertEqual([item.code for item in found], ["O0030", "O0321"])

    def test_find_taken(self):
        found = lists.find_taken(self.offers)
        self.assertEqual([item.code for item in found], ["O0691"])


if __name__ == "__main__":
    unittest.main()
