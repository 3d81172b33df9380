import unittest
from datetime import date
from decimal import Decimal

from ops.kit.fields import BadField
from ops.queries import calls as lists
from ops.model.calls import CALLS, changes_of_call_sum, describe_call_sum, format_call_sum, parse_call_sum

ROWS = [
    {"code": "C0327", "day": "2024-05-14", "calls": "57374", "errors": "116", "seconds": "142.65", "size": "large"},
    {"code": "C0351", "day": "2024-05-27", "calls": "59190", "errors": "22", "seconds": "434.56", "size": "huge"},
    {"code": "C0513", "day": "2024-08-05", "calls": "85457", "errors": "71", "seconds": "742.38", "size": "huge"},
    {"code": "C0758", "day": "2024-11-12", "calls": "34190", "errors": "261", "seconds": "7.42", "size": "large"},
]


class CallSumTest(unittest.TestCase):
    def setUp(self):
        self.calls = [parse_call_sum(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_call_sum(item) for item in self.calls], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(CALLS.read()), 296)
        self.assertEqual(CALLS.get("C0327"), self.calls[0])

    def test_it_is_described(self):
        wanted = [
            "code: C0327",
            "day: 14.05.2024",
            "calls: 57374",
            "errors: 116",
            "seconds: 142.65",
            "size: large",
        ]
        self.assertEqual(list(describe_call_sum(self.calls[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_call_sum(self.calls[0], self.calls[1])
        self.assertEqual([name for name, _, _ in found], ["code", "day", "calls", "errors", "seconds", "size"])
        self.assertEqual(changes_of_call_sum(self.calls[0], self.calls[0]), [])

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
        first, last = date(2024, 5, 27), date(2024, 8, 5)
        found = lists.pick_day_between(self.calls, first, last)
        self.assertEqual([item.code for item in found], ["C0351", "C0513"])

    def test_mean_calls(self):
        self.assertEqual(lists.mean_calls(self.calls), 59052.8)
        self.assertIsNone(lists.mean_calls([]))

    def test_at_least_calls(self):
        found = lists.at_least_calls(self.calls, 59190)
        self.assertEqual([item.code for item in found], ["C0351", "C0513"])

    def test_mean_errors(self):
        self.assertEqual(lists.mean_errors(self.calls), 117.5)
        self.assertIsNone(lists.mean_errors([]))

    def test_at_least_errors(self):
        found = lists.at_least_errors(self.calls, 116)
        self.assertEqual([item.code for item in found], ["C0327", "C0758"])

    def test_sum_of_seconds(self):
        self.assertEqual(lists.sum_of_seconds(self.calls), Decimal("1327.01"))

    def test_seconds_of_each_size(self):
        wanted = [("huge", Decimal("1176.94")), ("large", Decimal("150.07"))]
        self.assertEqual(lists.seconds_of_each_size(self.calls), wanted)

    def test_largest_seconds(self):
        found = lists.largest_seconds(self.calls, 2)
        self.assertEqual([item.code for item in found], ["C0513", "C0351"])

    def test_group_by_size(self):
        groups = lists.group_by_size(self.calls)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"large": 2, "huge": 2})

    def test_count_sizes(self):
        self.assertEqual(lists.count_sizes(self.calls), [("huge", 2), ("large", 2)])


if __name__ == "__main__":
    unittest.main()
