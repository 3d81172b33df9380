import unittest
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField
from office.lists import allowances as lists
from office.records.allowances import (
    ALLOWANCES,
    changes_of_allowance,
    describe_allowance,
    format_allowance,
    parse_allowance,
)

ROWS = [
    {"code": "L0217", "project": "P0558", "day": "2024-06-03", "nights": "2", "amount": "153.02", "country": "at"},
    {"code": "L0467", "project": "P0257", "day": "2024-09-18", "nights": "1", "amount": "27.04", "country": "de"},
    {"code": "L0566", "project": "P0186", "day": "2024-10-26", "nights": "1", "amount": "90.62", "country": "de"},
    {"code": "L1051", "project": "P0435", "day": "2025-07-05", "nights": "2", "amount": "117.19", "country": "be"},
]


class AllowanceTest(unittest.TestCase):
    def setUp(self):
        self.allowances = [parse_allowance(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_allowance(item) for item in self.allowances], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(ALLOWANCES.read()), 269)
        self.assertEqual(ALLOWANCES.get("L0217"), self.allowances[0])

    def test_it_is_described(self):
        wanted = [
            "code: L0217",
            "project: P0558",
            "day: 03.06.2024",
            "nights: 2",
            "amount: 153.02",
            "country: at",
        ]
        self.assertEqual(list(describe_allowance(self.allowances[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_allowance(self.allowances[0], self.allowances[1])
        wanted = ["code", "project", "day", "nights", "amount", "country"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_allowance(self.allowances[0], self.allowances[0]), [])

    def test_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_allowance(ROWS[0] | {"day": "31.02.2025"})

    def test_nights_is_checked(self):
        with self.assertRaises(BadField):
            parse_allowance(ROWS[0] | {"nights": "several"})

    def test_amount_is_checked(self):
        with self.assertRaises(BadField):
            parse_allowance(ROWS[0] | {"amount": "a lot"})

    def test_country_is_checked(self):
        with self.assertRaises(BadField):
            parse_allowance(ROWS[0] | {"country": "unheard of"})

    def test_by_project(self):
        groups = lists.by_project(self.allowances)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"P0558": 1, "P0257": 1, "P0186": 1, "P0435": 1})

    def test_find_day_between(self):
        first, last = date(2024, 9, 18), date(2024, 10, 26)
        found = lists.find_day_between(self.allowances, first, last)
        self.assertEqual([item.code for item in found], ["L0467", "L0566"])

    def test_mean_nights(self):
        self.assertEqual(lists.mean_nights(self.allowances), 1.5)
        self.assertIsNone(lists.mean_nights([]))

    def test_at_least_nights(self):
        found = lists.at_least_nights(self.allowances, 2)
        self.assertEqual([item.code for item in found], ["L0217", "L1051"])

    def test_total_amount(self):
        self.assertEqual(lists.total_amount(self.allowances), Decimal("387.87"))

    def test_amount_of_each_country(self):
        wanted = [("at", Decimal("153.02")), ("de", Decimal("117.66")), ("be", Decimal("117.19"))]
        self.assertEqual(lists.amount_of_each_country(self.allowances), wanted)

    def test_largest_amount(self):
        found = lists.largest_amount(self.allowances, 2)
        self.assertEqual([item.code for item in found], ["L0217", "L1051"])

    def test_by_country(self):
        groups = lists.by_country(self.allowances)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"at": 1, "de": 2, "be": 1})

    def test_count_countrys(self):
        self.assertEqual(lists.count_countrys(self.allowances), [("de", 2), ("at", 1), ("be", 1)])


if __name__ == "__main__":
    unittest.main()
