import unittest
from datetime import date

from house.kit.fields import BadField
from house.queries import lockers as lists
from house.model.lockers import LOCKERS, changes_of_locker, describe_locker, format_locker, parse_locker

ROWS = [
    {"code": "K0790", "wall": "right", "size": "coat", "serviced": "2025-04-09", "broken": "yes", "key_lost": "no"},
    {"code": "K0842", "wall": "back", "size": "small", "serviced": "2025-04-29", "broken": "yes", "key_lost": "no"},
    {
        "code": "K0962",
        "wall": "right",
        "size": "small",
        "serviced": "2025-06-11",
        "broken": "no",
        "key_lost": "yes",
    },
    {"code": "K1009", "wall": "right", "size": "large", "serviced": "2025-06-28", "broken": "no", "key_lost": "no"},
]


class LockerTest(unittest.TestCase):
    def setUp(self):
        self.lockers = [parse_locker(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_locker(item) for item in self.lockers], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(LOCKERS.read()), 275)
        self.assertEqual(LOCKERS.get("K0790"), self.lockers[0])

    def test_it_is_described(self):
        wanted = [
            "code: K0790",
            "wall: right",
            "size: coat",
            "serviced: 09.04.2025",
            "broken",
        ]
        self.assertEqual(list(describe_locker(self.lockers[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_locker(self.lockers[0], self.lockers[1])
        self.assertEqual([name for name, _, _ in found], ["code", "wall", "size", "serviced"])
        self.assertEqual(changes_of_locker(self.lockers[0], self.lockers[0]), [])

    def test_wall_is_checked(self):
        with self.assertRaises(BadField):
            parse_locker(ROWS[0] | {"wall": "unheard of"})

    def test_size_is_checked(self):
        with self.assertRaises(BadField):
            parse_locker(ROWS[0] | {"size": "unheard of"})

    def test_serviced_is_checked(self):
        with self.assertRaises(BadField):
            parse_locker(ROWS[0] | {"serviced": "31.02.2025"})

    def test_broken_is_checked(self):
        with self.assertRaises(BadField):
            parse_locker(ROWS[0] | {"broken": "perhaps"})

    def test_key_lost_is_checked(self):
        with self.assertRaises(BadField):
            parse_locker(ROWS[0] | {"key_lost": "perhaps"})

    def test_group_by_wall(self):
        groups = lists.group_by_wall(self.lockers)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"right": 3, "back": 1})

    def test_count_walls(self):
        self.assertEqual(lists.count_walls(self.lockers), [("right", 3), ("back", 1)])

    def test_group_by_size(self):
        groups = lists.group_by_size(self.lockers)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"coat": 1, "small": 2, "large": 1})

    def test_count_sizes(self):
        self.assertEqual(lists.count_sizes(self.lockers), [("small", 2), ("coat", 1), ("large", 1)])

    def test_pick_serviced_between(self):
        first, last = date(2025, 4, 29), date(2025, 6, 11)
        found = lists.pick_serviced_between(self.lockers, first, last)
        self.assertEqual([item.code for item in found], ["K0842", "K0962"])

    def test_pick_broken(self):
        found = lists.pick_broken(self.lockers)
        self.assertEqual([item.code for item in found], ["K0790", "K0842"])

    def test_pick_key_lost(self):
        found = lists.pick_key_lost(self.lockers)
        self.assertEqual([item.code for item in found], ["K0962"])


if __name__ == "__main__":
    unittest.main()
