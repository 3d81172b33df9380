import unittest
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField
from office.lists import materials as lists
from office.records.materials import MATERIALS, changes_of_material, describe_material, format_material, parse_material

ROWS = [
    {
        "code": "M0050",
        "what": "Spring pergola",
        "project": "P0230",
        "used": "2024-08-08",
        "pieces": "9",
        "price": "66.98",
    },
    {
        "code": "M0427",
        "what": "Golden trellis",
        "project": "P0305",
        "used": "2025-01-07",
        "pieces": "79",
        "price": "11.45",
    },
    {
        "code": "M0799",
        "what": "River border 7",
        "project": "P0117",
        "used": "2025-06-04",
        "pieces": "1",
        "price": "13.91",
    },
    {
        "code": "M1002",
        "what": "White gravel 4",
        "project": "P0017",
        "used": "2025-08-25",
        "pieces": "62",
        "price": "2.75",
    },
]


class MaterialTest(unittest.TestCase):
    def setUp(self):
        self.materials = [parse_material(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_material(item) for item in self.materials], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(MATERIALS.read()), 296)
        self.assertEqual(MATERIALS.get("M0050"), self.materials[0])

    def test_it_is_described(self):
        wanted = [
            "code: M0050",
            "what: Spring pergola",
            "project: P0230",
            "used: 08.08.2024",
            "pieces: 9",
            "price: 66.98",
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
        found = lists.search_what(self.materials, "GOLDEN")
        self.assertEqual([item.code for item in found], ["M0427"])

    def test_by_project(self):
        groups = lists.by_project(self.materials)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"P0230": 1, "P0305": 1, "P0117": 1, "P0017": 1})

    def test_find_used_between(self):
        first, last = date(2025, 1, 7), date(2025, 6, 4)
        found = lists.find_used_between(self.materials, first, last)
        self.assertEqual([item.code for item in found], ["M0427", "M0799"])

    def test_mean_pieces(self):
        self.assertEqual(lists.mean_pieces(self.materials), 37.8)
        self.assertIsNone(lists.mean_pieces([]))

    def test_at_least_pieces(self):
        found = lists.at_least_pieces(self.materials, 62)
        self.assertEqual([item.code for item in found], ["M0427", "M1002"])

    def test_total_price(self):
        self.assertEqual(lists.total_price(self.materials), Decimal("95.09"))

    def test_dearest_price(self):
        found = lists.dearest_price(self.materials, 2)
        self.assertEqual([item.code for item in found], ["M0050", "M0799"])


if __name__ == "__main__":
    unittest.main()
