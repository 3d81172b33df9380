import unittest
from datetime import date
from decimal import Decimal

from depot.kit.fields import BadField
from depot.summaries import lockers as lists
from depot.entities.lockers import LOCKERS, format_locker, parse_locker

ROWS = [
    {"code": "L0021", "place": "New field", "fitted": "2024-06-15", "doors": "38", "state": "down", "rent": "97.64"},
    {"code": "L0302", "place": "South canal", "fitted": "2024-10-13", "doors": "47", "state": "down", "rent": "47.21"},
    {"code": "L0545", "place": "Old depot 2", "fitted": "2025-02-08", "doors": "69", "state": "full", "rent": "77.83"},
    {"code": "L0617", "place": "Second tower", "fitted": "2025-03-10", "doors": "74", "state": "full", "rent": "56.41"},
]


class LockerTest(unittest.TestCase):
    def setUp(self):
        self.lockers = [parse_locker(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_locker(item) for item in self.lockers], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(LOCKERS.read()), 242)
        self.assertEqual(LOCKERS.get("L0021"), self.lockers[0])

    def test_fitted_is_checked(self):
        with self.assertRaises(BadField):
            parse_locker(ROWS[0] | {"fitted": "31.02.2025"})

    def test_doors_is_checked(self):
        with self.assertRaises(BadField):
            parse_locker(ROWS[0] | {"doors": "several"})

    def test_state_is_checked(self):
        with self.assertRaises(BadField):
            parse_locker(ROWS[0] | {"state": "unheard of"})

    def test_rent_is_checked(self):
        with self.assertRaises(BadField):
            parse_locker(ROWS[0] | {"rent": "a lot"})

    def test_search_place(self):
        self.assertEqual([item.code for item in lists.search_place(self.lockers, "SOUTH")], ["L0302"])

    def test_select_fitted_between(self):
        first, last = date(2024, 10, 13), date(2025, 2, 8)
        self.assertEqual([item.code for item in lists.select_fitted_between(self.lockers, first, last)], ["L0302", "L0545"])

    def test_mean_doors(self):
        self.assertEqual(lists.mean_doors(self.lockers), 57.0)
        self.assertIsNone(lists.mean_doors([]))

    def test_at_least_doors(self):
        self.assertEqual([item.code for item in lists.at_least_doors(self.lockers, 69)], ["L0545", "L0617"])

    def test_per_state(self):
        groups = lists.per_state(self.lockers)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"down": 2, "full": 2})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.lockers), [("down", 2), ("full", 2)])

    def test_add_up_rent(self):
        self.assertEqual(lists.add_up_rent(self.lockers), Decimal("279.09"))

    def test_rent_of_each_state(self):
        self.assertEqual(lists.rent_of_each_state(self.lockers), [("down", Decimal("144.85")), ("full", Decimal("134.24"))])

    def test_largest_rent(self):
        self.assertEqual([item.code for item in lists.largest_rent(self.lockers, 2)], ["L0021", "L0545"])


if __name__ == "__main__":
    unittest.main()
