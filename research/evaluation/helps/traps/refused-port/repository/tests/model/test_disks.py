import unittest
from datetime import date
from decimal import Decimal

from ops.kit.fields import BadField
from ops.queries import disks as lists
from ops.model.disks import DISKS, changes_of_disk, describe_disk, format_disk, parse_disk

ROWS = [
    {"code": "S0139", "host": "H0525", "fitted": "2024-12-20", "size": "5934.38", "state": "old", "errors": "8"},
    {"code": "S0174", "host": "H0418", "fitted": "2025-01-05", "size": "1573.81", "state": "good", "errors": "33"},
    {"code": "S0217", "host": "H0645", "fitted": "2025-01-17", "size": "4625.28", "state": "dying", "errors": "19"},
    {"code": "S0761", "host": "H0091", "fitted": "2025-08-22", "size": "4454.50", "state": "good", "errors": "53"},
]


class DiskTest(unittest.TestCase):
    def setUp(self):
        self.disks = [parse_disk(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_disk(item) for item in self.disks], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(DISKS.read()), 272)
        self.assertEqual(DISKS.get("S0139"), self.disks[0])

    def test_it_is_described(self):
        wanted = [
            "code: S0139",
            "host: H0525",
            "fitted: 20.12.2024",
            "size: 5,934.38",
            "state: old",
            "errors: 8",
        ]
        self.assertEqual(list(describe_disk(self.disks[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_disk(self.disks[0], self.disks[1])
        self.assertEqual([name for name, _, _ in found], ["code", "host", "fitted", "size", "state", "errors"])
        self.assertEqual(changes_of_disk(self.disks[0], self.disks[0]), [])

    def test_fitted_is_checked(self):
        with self.assertRaises(BadField):
            parse_disk(ROWS[0] | {"fitted": "31.02.2025"})

    def test_size_is_checked(self):
        with self.assertRaises(BadField):
            parse_disk(ROWS[0] | {"size": "a lot"})

    def test_state_is_checked(self):
        with self.assertRaises(BadField):
            parse_disk(ROWS[0] | {"state": "unheard of"})

    def test_errors_is_checked(self):
        with self.assertRaises(BadField):
            parse_disk(ROWS[0] | {"errors": "several"})

    def test_group_by_host(self):
        groups = lists.group_by_host(self.disks)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"H0525": 1, "H0418": 1, "H0645": 1, "H0091": 1})

    def test_pick_fitted_between(self):
        first, last = date(2025, 1, 5), date(2025, 1, 17)
        found = lists.pick_fitted_between(self.disks, first, last)
        self.assertEqual([item.code for item in found], ["S0174", "S0217"])

    def test_sum_of_size(self):
        self.assertEqual(lists.sum_of_size(self.disks), Decimal("16587.97"))

    def test_size_of_each_state(self):
        wanted = [("good", Decimal("6028.31")), ("old", Decimal("5934.38")), ("dying", Decimal("4625.28"))]
        self.assertEqual(lists.size_of_each_state(self.disks), wanted)

    def test_largest_size(self):
        found = lists.largest_size(self.disks, 2)
        self.assertEqual([item.code for item in found], ["S0139", "S0217"])

    def test_group_by_state(self):
        groups = lists.group_by_state(self.disks)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"old": 1, "good": 2, "dying": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.disks), [("good", 2), ("dying", 1), ("old", 1)])

    def test_mean_errors(self):
        self.assertEqual(lists.mean_errors(self.disks), 28.2)
        self.assertIsNone(lists.mean_errors([]))

    def test_at_least_errors(self):
        found = lists.at_least_errors(self.disks, 33)
        self.assertEqual([item.code for item in found], ["S0174", "S0761"])


if __name__ == "__main__":
    unittest.main()
