import unittest
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField
from office.lists import materials as lists
from office.records.materials import MATERIALS, changes_of_material, describe_material, format_material, parse_material

ROWS = [
    {
        "code": "M0041",
        "what": "Old roll of fleece",
        "project": "P0249",
        "used": "2024-07-31",
        "pieces": "28",
        "price": "71.62",
    },
    {
        "code": "M0361",
        "what": "Good box of screws",
        "project": "P0363",
        "used": "2024-12-17",
        "pieces": "38",
        "price": "29.89",
    },
    {
        "code": "M0475",
        "what": "Long load of gravel",
        "project": "P0513",
        "used": "2025-01-30",
        "pieces": "74",
        "price": "75.51",
    },
    {
        "code": "M0975",
        "what": "Light load of gravel",
        "project": "P0587",
        "used": "2025-09-03",
        "pieces": "12",
        "price": "41.13",
    },
]


class MaterialTest(unittest.TestCase):
    def setUp(self):
        self.materials = [parse_material(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_material(item) for item in self.materials], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(MATERIALS.read()), 325)
        self.assertEqual(MATERIALS.get("M0041"), self.materials[0])

    def test_it_is_described(self):
        wanted = [
            "code: M0041",
            "what: Old roll of fleece",
            "project: P0249",
            "used: 31.07.2024",
            "pieces: 28",
            "price: 71.62",
        ]
        self.assertEqual(list(describe_material(self.materials[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_material(self.materials[0], self.materials[1])
        self.assertEqual([name for name, _, _ in found], ["code", "what", "project", "used", "pieces", "price"])
        self.assertEqual(changes_of_material(self.materials[0], self.materials[0]), [])

    def test_used_is_checked(self):
        with self.assertRaises(BadField):
            parse_material(ROWS[0] | {"used": "31.02.2025"})

    def test_pieces_is_checked(self):
        with self.assertRaises(BadField):
            parse_material(ROWS[0] | {"pieces": "several"})

    def test_price_is_checked(self):
        with self.assertRaises(BadField):
            parse_material(ROWS[0] | {"price": "a lot"})

    def test_search_what(self):
        found = lists.search_what(self.materials, "GOOD")
        self.assertEqual([item.code for item in found], ["M0361"])

    def test_by_project(self):
        groups = lists.by_project(self.materials)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"P0249": 1, "P0363": 1, "P0513": 1, "P0587": 1})

    def test_find_used_between(self):
        first, last = date(2024, 12, 17), date(2025, 1, 30)
        found = lists.find_used_between(self.materials, first, last)
        self.assertEqual([item.code for item in found], ["M0361", "M0475"])

    def test_mean_pieces(self):
        self.assertEqual(lists.mean_pieces(self.materials), 38.0)
        self.assertIsNone(lists.mean_pieces([]))

    def test_at_least_pieces(self):
        found = lists.at_least_pieces(self.materials, 38)
        self.assertEqual([item.code for item in found], ["M0361", "M0475"])

    def test_total_price(self):
        self.assertEqual(lists.total_price(self.materials), Decimal("218.15"))

    def test_dearest_price(self):
        found = lists.dearest_price(self.materials, 2)
        self.assertEqual([item.code for item in found], ["M0475", "M0041"])


if __name__ == "__main__":
    unittest.main()
