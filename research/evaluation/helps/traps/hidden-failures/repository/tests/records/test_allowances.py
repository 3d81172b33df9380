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
    {"code": "L0031", "project": "P0117", "day": "2024-10-11", "nights": "2", "amount": "46.52", "country": "nl"},
    {"code": "L0314", "project": "P0482", "day": "2025-02-14", "nights": "0", "amount": "89.96", "country": "be"},
    {"code": "L0491", "project": "P0222", "day": "2025-03-31", "nights": "4", "amount": "125.10", "country": "nl"},
    {"code": "L0625", "project": "P0317", "day": "2025-05-13", "nights": "4", "amount": "145.48", "country": "be"},
]


class AllowanceTest(unittest.TestCase):
    def setUp(self):
        self.allowances = [parse_allowance(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_allowance(item) for item in self.allowances], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(ALLOWANCES.read()), 270)
        self.assertEqual(ALLOWANCES.get("L0031"), self.allowances[0])

    def test_it_is_described(self):
        wanted = [
            "code: L0031",
            "project: P0117",
            "day: 11.10.2024",
            "nights: 2",
            "amount: 46.52",
            "country: nl",
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
        self.assertEqual(sizes, {"P0117": 1, "P0482": 1, "P0222": 1, "P0317": 1})

    def test_find_day_between(self):
        first, last = date(2025, 2, 14), date(2025, 3, 31)
        found = lists.find_day_between(self.allowances, first, last)
        self.assertEqual([item.code for item in found], ["L0314", "L0491"])

    def test_mean_nights(self):
        self.assertEqual(lists.mean_nights(self.allowances), 2.5)
        self.assertIsNone(lists.mean_nights([]))

    def test_at_least_nights(self):
        found = lists.at_least_nights(self.allowances, 4)
        self.assertEqual([item.code for item in found], ["L0491", "L0625"])

    def test_total_amount(self):
        self.assertEqual(lists.total_amount(self.allowances), Decimal("407.06"))

    def test_amount_of_each_country(self):
        wanted = [("be", Decimal("235.44")), ("nl", Decimal("171.62"))]
        self.assertEqual(lists.amount_of_each_country(self.allowances), wanted)

    def test_largest_amount(self):
        found = lists.largest_amount(self.allowances, 2)
        self.assertEqual([item.code for item in found], ["L0625", "L0491"])

    def test_by_country(self):
        groups = lists.by_country(self.allowances)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"nl": 2, "be": 2})

    def test_count_countrys(self):
        self.assertEqual(lists.count_countrys(self.allowances), [("be", 2), ("nl", 2)])


if __name__ == "__main__":
    unittest.main()
