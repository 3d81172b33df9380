import unittest
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField
from office.lists import rates as lists
from office.records.rates import RATES, changes_of_rate, describe_rate, format_rate, parse_rate

ROWS = [
    {"code": "R0015", "label": "Mountain bed rate", "since": "2024-05-06", "kind": "normal", "hourly": "49.93"},
    {"code": "R0261", "label": "Hardy border rate", "since": "2024-08-24", "kind": "advice", "hourly": "55.25"},
    {
        "code": "R0926",
        "label": "Narrow trellis rate 2",
        "since": "2025-07-09",
        "kind": "advice",
        "hourly": "113.63",
    },
    {"code": "R1201", "label": "Silver gate rate", "since": "2025-10-31", "kind": "night", "hourly": "134.65"},
]


class RateTest(unittest.TestCase):
    def setUp(self):
        self.rates = [parse_rate(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_rate(item) for item in self.rates], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(RATES.read()), 322)
        self.assertEqual(RATES.get("R0015"), self.rates[0])

    def test_it_is_described(self):
        wanted = [
            "code: R0015",
            "label: Mountain bed rate",
            "since: 06.05.2024",
            "kind: normal",
            "hourly: 49.93",
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
        found = lists.search_label(self.rates, "HARDY")
        self.assertEqual([item.code for item in found], ["R0261"])

    def test_find_since_between(self):
        first, last = date(2024, 8, 24), date(2025, 7, 9)
        found = lists.find_since_between(self.rates, first, last)
        self.assertEqual([item.code for item in found], ["R0261", "R0926"])

    def test_by_kind(self):
        groups = lists.by_kind(self.rates)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"normal": 1, "advice": 2, "night": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.rates), [("advice", 2), ("night", 1), ("normal", 1)])

    def test_total_hourly(self):
        self.assertEqual(lists.total_hourly(self.rates), Decimal("353.46"))

    def test_hourly_of_each_kind(self):
        wanted = [("advice", Decimal("168.88")), ("night", Decimal("134.65")), ("normal", Decimal("49.93"))]
        self.assertEqual(lists.hourly_of_each_kind(self.rates), wanted)

    def test_largest_hourly(self):
        found = lists.largest_hourly(self.rates, 2)
        self.assertEqual([item.code for item in found], ["R1201", "R0926"])


if __name__ == "__main__":
    unittest.main()
