import unittest
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField
from office.lists import rates as lists
from office.records.rates import RATES, changes_of_rate, describe_rate, format_rate, parse_rate

ROWS = [
    {"code": "R0278", "label": "Red lawn rate 5", "since": "2024-04-25", "kind": "advice", "hourly": "115.47"},
    {"code": "R0343", "label": "Winter gravel rate", "since": "2024-05-08", "kind": "weekend", "hourly": "25.49"},
    {"code": "R0667", "label": "Dwarf bed rate", "since": "2024-09-22", "kind": "weekend", "hourly": "79.89"},
    {"code": "R0702", "label": "Early bed rate", "since": "2024-10-07", "kind": "advice", "hourly": "40.04"},
]


class RateTest(unittest.TestCase):
    def setUp(self):
        self.rates = [parse_rate(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_rate(item) for item in self.rates], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(RATES.read()), 197)
        self.assertEqual(RATES.get("R0278"), self.rates[0])

    def test_it_is_described(self):
        wanted = [
            "code: R0278",
            "label: Red lawn rate 5",
            "since: 25.04.2024",
            "kind: advice",
            "hourly: 115.47",
        ]
        self.assertEqual(list(describe_rate(self.rates[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_rate(self.rates[0], self.rates[1])
        self.assertEqual([name for name, _, _ in found], ["code", "label", "since", "kind", "hourly"])
        self.assertEqual(changes_of_rate(self.rates[0], self.rates[0]), [])

    def test_since_is_checked(self):
        with self.assertRaises(BadField):
            parse_rate(ROWS[0] | {"since": "31.02.2025"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_rate(ROWS[0] | {"kind": "unheard of"})

    def test_hourly_is_checked(self):
        with self.assertRaises(BadField):
            parse_rate(ROWS[0] | {"hourly": "a lot"})

    def test_search_label(self):
        found = lists.search_label(self.rates, "WINTER")
        self.assertEqual([item.code for item in found], ["R0343"])

    def test_find_since_between(self):
        first, last = date(2024, 5, 8), date(2024, 9, 22)
        found = lists.find_since_between(self.rates, first, last)
        self.assertEqual([item.code for item in found], ["R0343", "R0667"])

    def test_by_kind(self):
        groups = lists.by_kind(self.rates)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"advice": 2, "weekend": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.rates), [("advice", 2), ("weekend", 2)])

    def test_total_hourly(self):
        self.assertEqual(lists.total_hourly(self.rates), Decimal("260.89"))

    def test_hourly_of_each_kind(self):
        wanted = [("advice", Decimal("155.51")), ("weekend", Decimal("105.38"))]
        self.assertEqual(lists.hourly_of_each_kind(self.rates), wanted)

    def test_largest_hourly(self):
        found = lists.largest_hourly(self.rates, 2)
        self.assertEqual([item.code for item in found], ["R0278", "R0667"])


if __name__ == "__main__":
    unittest.main()
