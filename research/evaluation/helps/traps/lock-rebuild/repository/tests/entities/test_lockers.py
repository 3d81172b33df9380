import unittest
from datetime import date
from decimal import Decimal

from depot.kit.fields import BadField
from depot.summaries import lockers as lists
from depot.entities.lockers import LOCKERS, changes_of_locker, describe_locker, format_locker, parse_locker

ROWS = [
    {
        "code": "L0094",
        "place": "Second bridge",
        "fitted": "2024-07-03",
        "doors": "32",
        "state": "full",
        "rent": "30.08",
    },
    {"code": "L0147", "place": "Quick mill", "fitted": "2024-07-18", "doors": "63", "state": "up", "rent": "88.89"},
    {
        "code": "L0599",
        "place": "Upper border 6",
        "fitted": "2025-01-21",
        "doors": "52",
        "state": "down",
        "rent": "48.14",
    },
    {"code": "L0731", "place": "Late field", "fitted": "2025-03-30", "doors": "13", "state": "up", "rent": "46.01"},
]


class LockerTest(unittest.TestCase):
    def setUp(self):
        self.lockers = [parse_locker(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_locker(item) for item in self.lockers], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(LOCKERS.read()), 192)
        self.assertEqual(LOCKERS.get("L0094"), self.lockers[0])

    def test_it_is_described(self):
        wanted = [
            "code: L0094",
            "place: Second bridge",
            "fitted: 03.07.2024",
            "doors: 32",
            "state: full",
            "rent: 30.08",
        ]
        self.assertEqual(list(describe_locker(self.lockers[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_locker(self.lockers[0], self.lockers[1])
        self.assertEqual([name for name, _, _ in found], ["code", "place", "fitted", "doors", "state", "rent"])
        self.assertEqual(changes_of_locker(self.lockers[0], self.lockers[0]), [])

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
        found = lists.search_place(self.lockers, "QUICK")
        self.assertEqual([item.code for item in found], ["L0147"])

    def test_select_fitted_between(self):
        first, last = date(2024, 7, 18), date(2025, 1, 21)
        found = lists.select_fitted_between(self.lockers, first, last)
        self.assertEqual([item.code for item in found], ["L0147", "L0599"])

    def test_mean_doors(self):
        self.assertEqual(lists.mean_doors(self.lockers), 40.0)
        self.assertIsNone(lists.mean_doors([]))

    def test_at_least_doors(self):
        found = lists.at_least_doors(self.lockers, 52)
        self.assertEqual([item.code for item in found], ["L0147", "L0599"])

    def test_per_state(self):
        groups = lists.per_state(self.lockers)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"full": 1, "up": 2, "down": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.lockers), [("up", 2), ("down", 1), ("full", 1)])

    def test_add_up_rent(self):
        self.assertEqual(lists.add_up_rent(self.lockers), Decimal("213.12"))

    def test_rent_of_each_state(self):
        wanted = [("up", Decimal("134.90")), ("down", Decimal("48.14")), ("full", Decimal("30.08"))]
        self.assertEqual(lists.rent_of_each_state(self.lockers), wanted)

    def test_largest_rent(self):
        found = lists.largest_rent(self.lockers, 2)
        self.assertEqual([item.code for item in found], ["L0147", "L0599"])


if __name__ == "__main__":
    unittest.main()
