import unittest
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField
from office.lists import plants as lists
from office.records.plants import PLANTS, changes_of_plant, describe_plant, format_plant, parse_plant

ROWS = [
    {
        "code": "G0151",
        "what": "New hosta",
        "set": "2024-05-08",
        "count": "58",
        "state": "new",
        "place": "shade",
        "price": "1.34",
    },
    {
        "code": "G0219",
        "what": "Heavy sage",
        "set": "2024-06-05",
        "count": "42",
        "state": "grown",
        "place": "shade",
        "price": "19.59",
    },
    {
        "code": "G0365",
        "what": "Large peony",
        "set": "2024-08-16",
        "count": "34",
        "state": "new",
        "place": "pot",
        "price": "22.48",
    },
    {
        "code": "G0374",
        "what": "Long maple",
        "set": "2024-08-21",
        "count": "41",
        "state": "new",
        "place": "shade",
        "price": "16.85",
    },
]


class PlantTest(unittest.TestCase):
    def setUp(self):
        self.plants = [parse_plant(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_plant(item) for item in self.plants], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(PLANTS.read()), 235)
        self.assertEqual(PLANTS.get("G0151"), self.plants[0])

    def test_it_is_described(self):
        wanted = [
            "code: G0151",
            "what: New hosta",
            "set: 08.05.2024",
            "count: 58",
            "state: new",
            "place: shade",
            "price: 1.34",
        ]
        self.assertEqual(list(describe_plant(self.plants[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_plant(self.plants[0], self.plants[1])
        self.assertEqual([name for name, _, _ in found], ["code", "what", "set", "count", "state", "price"])
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
        found = lists.search_what(self.plants, "HEAVY")
        self.assertEqual([item.code for item in found], ["G0219"])

    def test_find_set_between(self):
        first, last = date(2024, 6, 5), date(2024, 8, 16)
        found = lists.find_set_between(self.plants, first, last)
        self.assertEqual([item.code for item in found], ["G0219", "G0365"])

    def test_mean_count(self):
        self.assertEqual(lists.mean_count(self.plants), 43.8)
        self.assertIsNone(lists.mean_count([]))

    def test_at_least_count(self):
        found = lists.at_least_count(self.plants, 42)
        self.assertEqual([item.code for item in found], ["G0151", "G0219"])

    def test_by_state(self):
        groups = lists.by_state(self.plants)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"new": 3, "grown": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.plants), [("new", 3), ("grown", 1)])

    def test_by_place(self):
        groups = lists.by_place(self.plants)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"shade": 3, "pot": 1})

    def test_count_places(self):
        self.assertEqual(lists.count_places(self.plants), [("shade", 3), ("pot", 1)])

    def test_total_price(self):
        self.assertEqual(lists.total_price(self.plants), Decimal("60.26"))

    def test_price_of_each_state(self):
        wanted = [("new", Decimal("40.67")), ("grown", Decimal("19.59"))]
        self.assertEqual(lists.price_of_each_state(self.plants), wanted)

    def test_dearest_price(self):
        found = lists.dearest_price(self.plants, 2)
        self.assertEqual([item.code for item in found], ["G0365", "G0219"])


if __name__ == "__main__":
    unittest.main()
