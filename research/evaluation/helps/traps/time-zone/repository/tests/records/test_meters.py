import unittest
from datetime import date

from plant.kit.fields import BadField
from plant.lists import meters as lists
from plant.records.meters import METERS, changes_of_meter, describe_meter, format_meter, parse_meter

ROWS = [
    {
        "code": "M0389",
        "building": "H0811",
        "fitted": "2024-07-27",
        "kind": "water",
        "digits": "7",
        "sealed": "no",
        "remark": "",
    },
    {
        "code": "M0686",
        "building": "H0731",
        "fitted": "2024-12-11",
        "kind": "heat",
        "digits": "6",
        "sealed": "no",
        "remark": "read twice",
    },
    {
        "code": "M0815",
        "building": "H0331",
        "fitted": "2025-01-28",
        "kind": "heat",
        "digits": "7",
        "sealed": "yes",
        "remark": "cellar was wet",
    },
    {
        "code": "M0819",
        "building": "H0249",
        "fitted": "2025-01-29",
        "kind": "power",
        "digits": "6",
        "sealed": "yes",
        "remark": "read twice",
    },
]


class MeterTest(unittest.TestCase):
    def setUp(self):
        self.meters = [parse_meter(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_meter(item) for item in self.meters], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(METERS.read()), 205)
        self.assertEqual(METERS.get("M0389"), self.meters[0])

    def test_it_is_described(self):
        wanted = [
            "code: M0389",
            "building: H0811",
            "fitted: 27.07.2024",
            "kind: water",
            "digits: 7",
        ]
        self.assertEqual(list(describe_meter(self.meters[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_meter(self.meters[0], self.meters[1])
        wanted = ["code", "building", "fitted", "kind", "digits", "remark"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_meter(self.meters[0], self.meters[0]), [])

    def test_fitted_is_checked(self):
        with self.assertRaises(BadField):
            parse_meter(ROWS[0] | {"fitted": "31.02.2025"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_meter(ROWS[0] | {"kind": "unheard of"})

    def test_digits_is_checked(self):
        with self.assertRaises(BadField):
            parse_meter(ROWS[0] | {"digits": "several"})

    def test_sealed_is_checked(self):
        with self.assertRaises(BadField):
            parse_meter(ROWS[0] | {"sealed": "perhaps"})

    def test_by_building(self):
        groups = lists.by_building(self.meters)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"H0811": 1, "H0731": 1, "H0331": 1, "H0249": 1})

    def test_find_fitted_between(self):
        first, last = date(2024, 12, 11), date(2025, 1, 28)
        found = lists.find_fitted_between(self.meters, first, last)
        self.assertEqual([item.code for item in found], ["M0686", "M0815"])

    def test_by_kind(self):
        groups = lists.by_kind(self.meters)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"water": 1, "heat": 2, "power": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.meters), [("heat", 2), ("power", 1), ("water", 1)])

    def test_mean_digits(self):
        self.assertEqual(lists.mean_digits(self.meters), 6.5)
        self.assertIsNone(lists.mean_digits([]))

    def test_at_least_digits(self):
        found = lists.at_least_digits(self.meters, 7)
        self.assertEqual([item.code for item in found], ["M0389", "M0815"])

    def test_find_sealed(self):
        found = lists.find_sealed(self.meters)
        self.assertEqual([item.code for item in found], ["M0815", "M0819"])


if __name__ == "__main__":
    unittest.main()
