import unittest
from datetime import date
from decimal import Decimal

from depot.kit.fields import BadField
from depot.summaries import pickups as lists
from depot.entities.pickups import PICKUPS, format_pickup, parse_pickup

ROWS = [
    {"code": "P0121", "branch": "B0295", "day": "2024-10-05", "parcels": "20", "fee": "6.44", "state": "done"},
    {"code": "P0362", "branch": "B0525", "day": "2024-12-26", "parcels": "57", "fee": "2.61", "state": "done"},
    {"code": "P0530", "branch": "B1063", "day": "2025-03-05", "parcels": "27", "fee": "2.86", "state": "missed"},
    {"code": "P0830", "branch": "B1027", "day": "2025-08-02", "parcels": "11", "fee": "16.12", "state": "asked"},
]


class PickupTest(unittest.TestCase):
    def setUp(self):
        self.pickups = [parse_pickup(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_pickup(item) for item in self.pickups], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(PICKUPS.read()), 234)
        self.assertEqual(PICKUPS.get("P0121"), self.pickups[0])

    def test_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_pickup(ROWS[0] | {"day": "31.02.2025"})

    def test_parcels_is_checked(self):
        with self.assertRaises(BadField):
            parse_pickup(ROWS[0] | {"parcels": "several"})

    def test_fee_is_checked(self):
        with self.assertRaises(BadField):
            parse_pickup(ROWS[0] | {"fee": "a lot"})

    def test_state_is_checked(self):
        with self.assertRaises(BadField):
            parse_pickup(ROWS[0] | {"state": "unheard of"})

    def test_per_branch(self):
        groups = lists.per_branch(self.pickups)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"B0295": 1, "B0525": 1, "B1063": 1, "B1027": 1})

    def test_select_day_between(self):
        first, last = date(2024, 12, 26), date(2025, 3, 5)
        self.assertEqual([item.code for item in lists.select_day_between(self.pickups, first, last)], ["P0362", "P0530"])

    def test_mean_parcels(self):
        self.assertEqual(lists.mean_parcels(self.pickups), 28.8)
        self.assertIsNone(lists.mean_parcels([]))

    def test_at_least_parcels(self):
        self.assertEqual([item.code for item in lists.at_least_parcels(self.pickups, 27)], ["P0362", "P0530"])

    def test_add_up_fee(self):
        self.assertEqual(lists.add_up_fee(self.pickups), Decimal("28.03"))

    def test_fee_of_each_state(self):
        self.assertEqual(lists.fee_of_each_state(self.pickups), [("asked", Decimal("16.12")), ("done", Decimal("9.05")), ("missed", Decimal("2.86"))])

    def test_dearest_fee(self):
        self.assertEqual([item.code for item in lists.dearest_fee(self.pickups, 2)], ["P0830", "P0121"])

    def test_per_state(self):
        groups = lists.per_state(self.pickups)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"done": 2, "missed": 1, "asked": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.pickups), [("done", 2), ("asked", 1), ("missed", 1)])


if __name__ == "__main__":
    unittest.main()
