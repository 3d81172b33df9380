import unittest
from datetime import date
from decimal import Decimal

from ops.kit.fields import BadField
from ops.queries import calls as lists
from ops.model.calls import CALLS, format_call_sum, parse_call_sum

ROWS = [
    {"code": "C0021", "day": "2024-08-20", "calls": "38658", "errors": "171", "seconds": "564.06", "size": "small"},
    {"code": "C0291", "day": "2024-12-12", "calls": "1468", "errors": "278", "seconds": "593.32", "size": "huge"},
    {"code": "C0562", "day": "2025-04-07", "calls": "2975", "errors": "23", "seconds": "546.06", "size": "huge"},
    {"code": "C0854", "day": "2025-07-25", "calls": "72643", "errors": "361", "seconds": "77.64", "size": "large"},
]


class CallSumTest(unittest.TestCase):
    def setUp(self):
        self.calls = [parse_call_sum(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_call_sum(item) for item in self.calls], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(CALLS.read()), 225)
        self.assertEqual(CALLS.get("C0021"), self.calls[0])

    def test_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_call_sum(ROWS[0] | {"day": "31.02.2025"})

    def test_calls_is_checked(self):
        with self.assertRaises(BadField):
            parse_call_sum(ROWS[0] | {"calls": "several"})

    def test_errors_is_checked(self):
        with self.assertRaises(BadField):
            parse_call_sum(ROWS[0] | {"errors": "several"})

    def test_seconds_is_checked(self):
        with self.assertRaises(BadField):
            parse_call_sum(ROWS[0] | {"seconds": "a lot"})

    def test_size_is_checked(self):
        with self.assertRaises(BadField):
            parse_call_sum(ROWS[0] | {"size": "unheard of"})

    def test_pick_day_between(self):
        first, last = date(2024, 12, 12), date(2025, 4, 7)
        self.assertEqual([item.code for item in lists.pick_day_between(self.calls, first, last)], ["C0291", "C0562"])

    def test_mean_calls(self):
        self.assertEqual(lists.mean_calls(self.calls), 28936.0)
        self.assertIsNone(lists.mean_calls([]))

    def test_at_least_calls(self):
        self.assertEqual([item.code for item in lists.at_least_calls(self.calls, 38658)], ["C0021", "C0854"])

    def test_mean_errors(self):
        self.assertEqual(lists.mean_errors(self.calls), 208.2)
        self.assertIsNone(lists.mean_errors([]))

    def test_at_least_errors(self):
        self.assertEqual([item.code for item in lists.at_least_errors(self.calls, 278)], ["C0291", "C0854"])

    def test_sum_of_seconds(self):
        self.assertEqual(lists.sum_of_seconds(self.calls), Decimal("1781.08"))

    def test_seconds_of_each_size(self):
        self.assertEqual(lists.seconds_of_each_size(self.calls), [("huge", Decimal("1139.38")), ("small", Decimal("564.06")), ("large", Decimal("77.64"))])

    def test_largest_seconds(self):
        self.assertEqual([item.code for item in lists.largest_seconds(self.calls, 2)], ["C0291", "C0021"])

    def test_group_by_size(self):
        groups = lists.group_by_size(self.calls)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"small": 1, "huge": 2, "large": 1})

    def test_count_sizes(self):
        self.assertEqual(lists.count_sizes(self.calls), [("huge", 2), ("large", 1), ("small", 1)])


if __name__ == "__main__":
    unittest.main()
