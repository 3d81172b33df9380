import unittest
from datetime import date
from decimal import Decimal

from depot.kit.fields import BadField
from depot.summaries import pickups as lists
from depot.entities.pickups import PICKUPS, changes_of_pickup, describe_pickup, format_pickup, parse_pickup

ROWS = [
    {"code": "P0019", "branch": "B0094", "day": "2024-07-24", "parcels": "7", "fee": "2.11", "state": "asked"},
    {"code": "P0259", "branch": "B0879", "day": "2024-10-18", "parcels": "47", "fee": "2.47", "state": "missed"},
    {"code": "P0351", "branch": "B0365", "day": "2024-11-22", "parcels": "50", "fee": "7.48", "state": "missed"},
    {"code": "P0583", "branch": "B0189", "day": "2025-02-16", "parcels": "3", "fee": "8.39", "state": "done"},
]


class PickupTest(unittest.TestCase):
    def setUp(self):
        self.pickups = [parse_pickup(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_pickup(item) for item in self.pickups], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(PICKUPS.read()), 222)
        self.assertEqual(PICKUPS.get("P0019"), self.pickups[0])

    def test_it_is_described(self):
        wanted = [
            "code: P0019",
            "branch: B0094",
            "day: 24.07.2024",
            "parcels: 7",
            "fee: 2.11",
            "state: asked",
        ]
        self.assertEqual(list(describe_pickup(self.pickups[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_pickup(self.pickups[0], self.pickups[1])
        self.assertEqual([name for name, _, _ in found], ["code", "branch", "day", "parcels", "fee", "state"])
        self.assertEqual(changes_of_pickup(self.pickups[0], self.pickups[0]), [])

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
        self.assertEqual(sizes, {"B0094": 1, "B0879": 1, "B0365": 1, "B0189": 1})

    def test_select_day_between(self):
        first, last = date(2024, 10, 18), date(2024, 11, 22)
        found = lists.select_day_between(self.pickups, first, last)
        self.assertEqual([item.code for item in found], ["P0259", "P0351"])

    def test_mean_parcels(self):
        self.assertEqual(lists.mean_parcels(self.pickups), 26.8)
        self.assertIsNone(lists.mean_parcels([]))

    def test_at_least_parcels(self):
        found = lists.at_least_parcels(self.pickups, 47)
        self.assertEqual([item.code for item in found], ["P0259", "P0351"])

    def test_add_up_fee(self):
        self.assertEqual(lists.add_up_fee(self.pickups), Decimal("20.45"))

    def test_fee_of_each_state(self):
        wanted = [("missed", Decimal("9.95")), ("done", Decimal("8.39")), ("asked", Decimal("2.11"))]
        self.assertEqual(lists.fee_of_each_state(self.pickups), wanted)

    def test_dearest_fee(self):
        found = lists.dearest_fee(self.pickups, 2)
        self.assertEqual([item.code for item in found], ["P0583", "P0351"])

    def test_per_state(self):
        groups = lists.per_state(self.pickups)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"asked": 1, "missed": 2, "done": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.pickups), [("missed", 2), ("asked", 1), ("done", 1)])


if __name__ == "__main__":
    unittest.main()
