import unittest
from datetime import date

from plant.kit.fields import BadField
from plant.lists import keys as lists
from plant.records.keys import KEYS, changes_of_key, describe_key, format_key, parse_key

ROWS = [
    {"code": "Y0017", "building": "H0357", "given": "2024-03-06", "hooks": "4", "kind": "main", "lost": "no"},
    {"code": "Y0266", "building": "H0651", "given": "2024-06-29", "hooks": "1", "kind": "main", "lost": "yes"},
    {"code": "Y0355", "building": "H0630", "given": "2024-08-06", "hooks": "4", "kind": "cellar", "lost": "yes"},
    {"code": "Y0409", "building": "H0805", "given": "2024-08-25", "hooks": "2", "kind": "main", "lost": "no"},
]


class KeyTest(unittest.TestCase):
    def setUp(self):
        self.keys = [parse_key(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_key(item) for item in self.keys], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(KEYS.read()), 134)
        self.assertEqual(KEYS.get("Y0017"), self.keys[0])

    def test_it_is_described(self):
        wanted = [
            "code: Y0017",
            "building: H0357",
            "given: 06.03.2024",
            "hooks: 4",
            "kind: main",
        ]
        self.assertEqual(list(describe_key(self.keys[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_key(self.keys[0], self.keys[1])
        self.assertEqual([name for name, _, _ in found], ["code", "building", "given", "hooks", "lost"])
        self.assertEqual(changes_of_key(self.keys[0], self.keys[0]), [])

    def test_given_is_checked(self):
        with self.assertRaises(BadField):
            parse_key(ROWS[0] | {"given": "31.02.2025"})

    def test_hooks_is_checked(self):
        with self.assertRaises(BadField):
            parse_key(ROWS[0] | {"hooks": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_key(ROWS[0] | {"kind": "unheard of"})

    def test_lost_is_checked(self):
        with self.assertRaises(BadField):
            parse_key(ROWS[0] | {"lost": "perhaps"})

    def test_by_building(self):
        groups = lists.by_building(self.keys)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"H0357": 1, "H0651": 1, "H0630": 1, "H0805": 1})

    def test_find_given_between(self):
        first, last = date(2024, 6, 29), date(2024, 8, 6)
        found = lists.find_given_between(self.keys, first, last)
        self.assertEqual([item.code for item in found], ["Y0266", "Y0355"])

    def test_mean_hooks(self):
        self.assertEqual(lists.mean_hooks(self.keys), 2.8)
        self.assertIsNone(lists.mean_hooks([]))

    def test_at_least_hooks(self):
        found = lists.at_least_hooks(self.keys, 4)
        self.assertEqual([item.code for item in found], ["Y0017", "Y0355"])

    def test_by_kind(self):
        groups = lists.by_kind(self.keys)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"main": 3, "cellar": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.keys), [("main", 3), ("cellar", 1)])

    def test_find_lost(self):
        found = lists.find_lost(self.keys)
        self.assertEqual([item.code for item in found], ["Y0266", "Y0355"])


if __name__ == "__main__":
    unittest.main()
