import unittest
from datetime import date
from decimal import Decimal

from ops.kit.fields import BadField
from ops.queries import disks as lists
from ops.model.disks import DISKS, format_disk, parse_disk

ROWS = [
    {"code": "S0325", "host": "H0467", "fitted": "2024-09-25", "size": "804.03", "state": "old", "errors": "16"},
    {"code": "S0367", "host": "H0217", "fitted": "2024-10-15", "size": "284.07", "state": "old", "errors": "35"},
    {"code": "S0502", "host": "H0589", "fitted": "2024-12-11", "size": "5425.12", "state": "dying", "errors": "7"},
    {"code": "S0543", "host": "H0666", "fitted": "2025-01-02", "size": "3956.25", "state": "good", "errors": "4"},
]


class DiskTest(unittest.TestCase):
    def setUp(self):
        self.disks = [parse_disk(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_disk(item) for item in self.disks], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(DISKS.read()), 270)
        self.assertEqual(DISKS.get("S0325"), self.disks[0])

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
        self.assertEqual(sizes, {"H0467": 1, "H0217": 1, "H0589": 1, "H0666": 1})

    def test_pick_fitted_between(self):
        first, last = date(2024, 10, 15), date(2024, 12, 11)
        self.assertEqual([item.code for item in lists.pick_fitted_between(self.disks, first, last)], ["S0367", "S0502"])

    def test_sum_of_size(self):
        self.assertEqual(lists.sum_of_size(self.disks), Decimal("10469.47"))

    def test_size_of_each_state(self):
        self.assertEqual(lists.size_of_each_state(self.disks), [("dying", Decimal("5425.12")), ("good", Decimal("3956.25")), ("old", Decimal("1088.10"))])

    def test_largest_size(self):
        self.assertEqual([item.code for item in lists.largest_size(self.disks, 2)], ["S0502", "S0543"])

    def test_group_by_state(self):
        groups = lists.group_by_state(self.disks)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"old": 2, "dying": 1, "good": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.disks), [("old", 2), ("dying", 1), ("good", 1)])

    def test_mean_errors(self):
        self.assertEqual(lists.mean_errors(self.disks), 15.5)
        self.assertIsNone(lists.mean_errors([]))

    def test_at_least_errors(self):
        self.assertEqual([item.code for item in lists.at_least_errors(self.disks, 16)], ["S0325", "S0367"])


if __name__ == "__main__":
    unittest.main()
