import unittest
from datetime import date
from decimal import Decimal

from plant.kit.fields import BadField
from plant.lists import buildings as lists
from plant.records.buildings import BUILDINGS, changes_of_building, describe_building, format_building, parse_building

ROWS = [
    {
        "code": "H0031",
        "title": "Lower library",
        "since": "2024-07-09",
        "kind": "office",
        "rooms": "105",
        "floor_area": "2135.20",
        "heated": "yes",
    },
    {
        "code": "H0543",
        "title": "Church library",
        "since": "2025-02-19",
        "kind": "office",
        "rooms": "60",
        "floor_area": "5946.16",
        "heated": "no",
    },
    {
        "code": "H0711",
        "title": "New lodge",
        "since": "2025-05-19",
        "kind": "mill",
        "rooms": "56",
        "floor_area": "8098.40",
        "heated": "no",
    },
    {
        "code": "H0735",
        "title": "Round school 2",
        "since": "2025-05-29",
        "kind": "flats",
        "rooms": "81",
        "floor_area": "6550.73",
        "heated": "no",
    },
]


class BuildingTest(unittest.TestCase):
    def setUp(self):
        self.buildings = [parse_building(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_building(item) for item in self.buildings], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(BUILDINGS.read()), 207)
        self.assertEqual(BUILDINGS.get("H0031"), self.buildings[0])

    def test_it_is_described(self):
        wanted = [
            "code: H0031",
            "title: Lower library",
            "since: 09.07.2024",
            "kind: office",
            "rooms: 105",
            "floor area: 2,135.20",
            "heated",
        ]
        self.assertEqual(list(describe_building(self.buildings[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_building(self.buildings[0], self.buildings[1])
        wanted = ["code", "title", "since", "rooms", "floor_area", "heated"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_building(self.buildings[0], self.buildings[0]), [])

    def test_since_is_checked(self):
        with self.assertRaises(BadField):
            parse_building(ROWS[0] | {"since": "31.02.2025"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_building(ROWS[0] | {"kind": "unheard of"})

    def test_rooms_is_checked(self):
        with self.assertRaises(BadField):
            parse_building(ROWS[0] | {"rooms": "several"})

    def test_floor_area_is_checked(self):
        with self.assertRaises(BadField):
            parse_building(ROWS[0] | {"floor_area": "a lot"})

    def test_heated_is_checked(self):
        with self.assertRaises(BadField):
            parse_building(ROWS[0] | {"heated": "perhaps"})

    def test_search_title(self):
        found = lists.search_title(self.buildings, "CHURCH")
        self.assertEqual([item.code for item in found], ["H0543"])

    def test_find_since_between(self):
        first, last = date(2025, 2, 19), date(2025, 5, 19)
        found = lists.find_since_between(self.buildings, first, last)
        self.assertEqual([item.code for item in found], ["H0543", "H0711"])

    def test_by_kind(self):
        groups = lists.by_kind(self.buildings)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"office": 2, "mill": 1, "flats": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.buildings), [("office", 2), ("flats", 1), ("mill", 1)])

    def test_mean_rooms(self):
        self.assertEqual(lists.mean_rooms(self.buildings), 75.5)
        self.assertIsNone(lists.mean_rooms([]))

    def test_at_least_rooms(self):
        found = lists.at_least_rooms(self.buildings, 81)
        self.assertEqual([item.code for item in found], ["H0031", "H0735"])

    def test_total_floor_area(self):
        self.assertEqual(lists.total_floor_area(self.buildings), Decimal("22730.49"))

    def test_floor_area_of_each_kind(self):
        wanted = [("mill", Decimal("8098.40")), ("office", Decimal("8081.36")), ("flats", Decimal("6550.73"))]
        self.assertEqual(lists.floor_area_of_each_kind(self.buildings), wanted)

    def test_largest_floor_area(self):
        found = lists.largest_floor_area(self.buildings, 2)
        self.assertEqual([item.code for item in found], ["H0711", "H0735"])

    def test_find_heated(self):
        found = lists.find_heated(self.buildings)
        self.assertEqual([item.code for item in found], ["H0031"])


if __name__ == "__main__":
    unittest.main()
