import unittest
from datetime import date

from ops.kit.fields import BadField
from ops.queries import keys as lists
from ops.model.keys import KEYS, changes_of_key, describe_key, format_key, parse_key

ROWS = [
    {
        "code": "K0010",
        "given": "2024-02-16",
        "ends": "2024-02-19",
        "uses": "34966",
        "kind": "write",
        "blocked": "no",
    },
    {
        "code": "K0766",
        "given": "2024-12-21",
        "ends": "2025-02-13",
        "uses": "7734",
        "kind": "test",
        "blocked": "yes",
    },
    {
        "code": "K0905",
        "given": "2025-02-20",
        "ends": "2025-04-01",
        "uses": "88104",
        "kind": "test",
        "blocked": "no",
    },
    {
        "code": "K1313",
        "given": "2025-08-21",
        "ends": "2025-10-14",
        "uses": "26832",
        "kind": "test",
        "blocked": "yes",
    },
]


class KeyTest(unittest.TestCase):
    def setUp(self):
        self.keys = [parse_key(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_key(item) for item in self.keys], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(KEYS.read()), 392)
        self.assertEqual(KEYS.get("K0010"), self.keys[0])

    def test_it_is_described(self):
        wanted = [
            "code: K0010",
            "given: 16.02.2024",
            "ends: 19.02.2024",
            "uses: 34966",
            "kind: write",
        ]
        self.assertEqual(list(describe_key(self.keys[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_key(self.keys[0], self.keys[1])
        self.assertEqual([name for name, _, _ in found], ["code", "given", "ends", "uses", "kind", "blocked"])
        self.assertEqual(changes_of_key(self.keys[0], self.keys[0]), [])

    def test_given_is_checked(self):
        with self.assertRaises(BadField):
            parse_key(ROWS[0] | {"given": "31.02.2025"})

    def test_ends_is_checked(self):
        with self.assertRaises(BadField):
            parse_key(ROWS[0] | {"ends": "31.02.2025"})

    def test_uses_is_checked(self):
        with self.assertRaises(BadField):
            parse_key(ROWS[0] | {"uses": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_key(ROWS[0] | {"kind": "unheard of"})

    def test_blocked_is_checked(self):
        with self.assertRaises(BadField):
            parse_key(ROWS[0] | {"blocked": "perhaps"})

    def test_pick_given_between(self):
        first, last = date(2024, 12, 21), date(2025, 2, 20)
        found = lists.pick_given_between(self.keys, first, last)
        self.assertEqual([item.code for item in found], ["K0766", "K0905"])

    def test_pick_ends_between(self):
        first, last = date(2025, 2, 13), date(2025, 4, 1)
        found = lists.pick_ends_between(self.keys, first, last)
        self.assertEqual([item.code for item in found], ["K0766", "K0905"])

    def test_mean_uses(self):
        self.assertEqual(lists.mean_uses(self.keys), 39409.0)
        self.assertIsNone(lists.mean_uses([]))

    def test_at_least_uses(self):
        found = lists.at_least_uses(self.keys, 34966)
        self.assertEqual([item.code for item in found], ["K0010", "K0905"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.keys)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"write": 1, "test": 3})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.keys), [("test", 3), ("write", 1)])

    def test_pick_blocked(self):
        found = lists.pick_blocked(self.keys)
        self.assertEqual([item.code for item in found], ["K0766", "K1313"])


if __name__ == "__main__":
    unittest.main()
