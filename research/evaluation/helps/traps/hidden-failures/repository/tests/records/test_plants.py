import unittest
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField
from office.lists import plants as lists
from office.records.plants import PLANTS, changes_of_plant, describe_plant, format_plant, parse_plant

ROWS = [
    {
        "code": "G0161",
        "what": "Tall path",
        "set": "2024-11-24",
        "count": "1",
        "state": "grown",
        "place": "pot",
        "price": "35.03",
    },
    {
        "code": "G0169",
        "what": "White bed",
        "set": "2024-12-01",
        "count": "4",
        "state": "gone",
        "place": "sun",
        "price": "26.74",
    },
    {
        "code": "G0202",
        "what": "Golden gravel",
        "set": "2024-12-14",
        "count": "27",
        "state": "gone",
        "place": "pot",
        "price": "10.55",
    },
    {
        "code": "G0874",
        "what": "Narrow gate",
        "set": "2025-10-25",
        "count": "2",
        "state": "grown",
        "place": "pot",
        "price": "1.96",
    },
]


class PlantTest(unittest.TestCase):
    def setUp(self):
        self.plants = [parse_plant(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_plant(item) for item in self.plants], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(PLANTS.read()), 318)
        self.assertEqual(PLANTS.get("G0161"), self.plants[0])

    def test_it_is_described(self):
        wanted = [
            "code: G0161",
            "what: Tall path",
            "set: 24.11.2024",
            "count: 1",
            "state: grown",
            "place: pot",
            "price: 35.03",
        ]
        self.assertEqual(list(describe_plant(self.plants[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_plant(self.plants[0], self.plants[1])
        wanted = ["code", "what", "set", "count", "state", "place", "price"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_plant(self.plants[0], self.plants[0]), [])

    def test_set_is_checked(self):
        with self.assertRaises(BadField):
            parse_plant(ROWS[0] | {"set": "31.02.2025"})

    def test_count_is_checked(self):
        with self.assertRaises(BadField):
            parse_plant(ROWS[0] | {"count": "several"})

    def test_state_is_checked(self):
        with self.assertRaises(BadField):
            parse_plant(ROWS[0] | {"state": "unheard of"})

    def test_place_is_checked(self):
        with self.assertRaises(BadField):
            parse_plant(ROWS[0] | {"place": "unheard of"})

    def test_price_is_checked(self):
        with self.assertRaises(BadField):
            parse_plant(ROWS[0] | {"price": "a lot"})

    def test_search_what(self):
        found = lists.search_what(self.plants, "WHITE")
        self.assertEqual([item.code for item in found], ["G0169"])

    def test_find_set_between(self):
        first, last = date(2024, 12, 1), date(2024, 12, 14)
        found = lists.find_set_between(self.plants, first, last)
        self.assertEqual([item.code for item in found], ["G0169", "G0202"])

    def test_mean_count(self):
        self.assertEqual(lists.mean_count(self.plants), 8.5)
        self.assertIsNone(lists.mean_count([]))

    def test_at_least_count(self):
        found = lists.at_least_count(self.plants, 4)
        self.assertEqual([item.code for item in found], ["G0169", "G0202"])

    def test_by_state(self):
        groups = lists.by_state(self.plants)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"grown": 2, "gone": 2})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.plants), [("gone", 2), ("grown", 2)])

    def test_by_place(self):
        groups = lists.by_place(self.plants)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"pot": 3, "sun": 1})

    def test_count_places(self):
        self.assertEqual(lists.count_places(self.plants), [("pot", 3), ("sun", 1)])

    def test_total_price(self):
        self.assertEqual(lists.total_price(self.plants), Decimal("74.28"))

    def test_price_of_each_state(self):
        wanted = [("gone", Decimal("37.29")), ("grown", Decimal("36.99"))]
        self.assertEqual(lists.price_of_each_state(self.plants), wanted)

    def test_dearest_price(self):
        found = lists.dearest_price(self.plants, 2)
        self.assertEqual([item.code for item in found], ["G0161", "G0169"])


if __name__ == "__main__":
    unittest.main()
