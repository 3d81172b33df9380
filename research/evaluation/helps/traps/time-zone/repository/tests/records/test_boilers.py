import unittest
from datetime import date
from decimal import Decimal

from plant.kit.fields import BadField
from plant.lists import boilers as lists
from plant.records.boilers import BOILERS, changes_of_boiler, describe_boiler, format_boiler, parse_boiler

ROWS = [
    {
        "code": "K0185",
        "building": "H0501",
        "fitted": "2024-09-06",
        "checked": "2024-09-16",
        "output": "26.02",
        "fuel": "wood",
    },
    {
        "code": "K0293",
        "building": "H0013",
        "fitted": "2024-10-28",
        "checked": "2024-12-02",
        "output": "235.26",
        "fuel": "wood",
    },
    {
        "code": "K0378",
        "building": "H0666",
        "fitted": "2024-11-24",
        "checked": "2025-01-23",
        "output": "222.80",
        "fuel": "gas",
    },
    {
        "code": "K0421",
        "building": "H0679",
        "fitted": "2024-12-16",
        "checked": "2025-02-12",
        "output": "33.38",
        "fuel": "oil",
    },
]


class BoilerTest(unittest.TestCase):
    def setUp(self):
        self.boilers = [parse_boiler(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_boiler(item) for item in self.boilers], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(BOILERS.read()), 118)
        self.assertEqual(BOILERS.get("K0185"), self.boilers[0])

    def test_it_is_described(self):
        wanted = [
            "code: K0185",
            "building: H0501",
            "fitted: 06.09.2024",
            "checked: 16.09.2024",
            "output: 26.02",
            "fuel: wood",
        ]
        self.assertEqual(list(describe_boiler(self.boilers[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_boiler(self.boilers[0], self.boilers[1])
        self.assertEqual([name for name, _, _ in found], ["code", "building", "fitted", "checked", "output"])
        self.assertEqual(changes_of_boiler(self.boilers[0], self.boilers[0]), [])

    def test_fitted_is_checked(self):
        with self.assertRaises(BadField):
            parse_boiler(ROWS[0] | {"fitted": "31.02.2025"})

    def test_checked_is_checked(self):
        with self.assertRaises(BadField):
            parse_boiler(ROWS[0] | {"checked": "31.02.2025"})

    def test_output_is_checked(self):
        with self.assertRaises(BadField):
            parse_boiler(ROWS[0] | {"output": "a lot"})

    def test_fuel_is_checked(self):
        with self.assertRaises(BadField):
            parse_boiler(ROWS[0] | {"fuel": "unheard of"})

    def test_by_building(self):
        groups = lists.by_building(self.boilers)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"H0501": 1, "H0013": 1, "H0666": 1, "H0679": 1})

    def test_find_fitted_between(self):
        first, last = date(2024, 10, 28), date(2024, 11, 24)
        found = lists.find_fitted_between(self.boilers, first, last)
        self.assertEqual([item.code for item in found], ["K0293", "K0378"])

    def test_find_checked_between(self):
        first, last = date(2024, 12, 2), date(2025, 1, 23)
        found = lists.find_checked_between(self.boilers, first, last)
        self.assertEqual([item.code for item in found], ["K0293", "K0378"])

    def test_total_output(self):
        self.assertEqual(lists.total_output(self.boilers), Decimal("517.46"))

    def test_output_of_each_fuel(self):
        wanted = [("wood", Decimal("261.28")), ("gas", Decimal("222.80")), ("oil", Decimal("33.38"))]
        self.assertEqual(lists.output_of_each_fuel(self.boilers), wanted)

    def test_largest_output(self):
        found = lists.largest_output(self.boilers, 2)
        self.assertEqual([item.code for item in found], ["K0293", "K0378"])

    def test_by_fuel(self):
        groups = lists.by_fuel(self.boilers)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"wood": 2, "gas": 1, "oil": 1})

    def test_count_fuels(self):
        self.assertEqual(lists.count_fuels(self.boilers), [("wood", 2), ("gas", 1), ("oil", 1)])


if __name__ == "__main__":
    unittest.main()
