import unittest
from datetime import date

from ops.kit.fields import BadField
from ops.queries import keys as lists
from ops.model.keys import KEYS, format_key, parse_key

ROWS = [
    {"code": "K0421", "given": "2025-03-27", "ends": "2025-05-15", "uses": "48046", "kind": "read", "blocked": "no"},
    {"code": "K0519", "given": "2025-05-03", "ends": "2025-06-23", "uses": "26329", "kind": "read", "blocked": "no"},
    {"code": "K0607", "given": "2025-06-08", "ends": "2025-07-21", "uses": "5125", "kind": "read", "blocked": "no"},
    {"code": "K0847", "given": "2025-09-18", "ends": "2025-10-20", "uses": "116", "kind": "write", "blocked": "no"},
]


class KeyTest(unittest.TestCase):
    def setUp(self):
        self.keys = [parse_key(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_key(item) for item in self.keys], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(KEYS.read()), 279)
        self.assertEqual(KEYS.get("K0421"), self.keys[0])

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
        first, last = date(2025, 5, 3), date(2025, 6, 8)
        self.assertEqual([item.code for item in lists.pick_given_between(self.keys, first, last)], ["K0519", "K0607"])

    def test_pick_ends_between(self):
        first, last = date(2025, 6, 23), date(2025, 7, 21)
        self.assertEqual([item.code for item in lists.pick_ends_between(self.keys, first, last)], ["K0519", "K0607"])

    def test_mean_uses(self):
        self.assertEqual(lists.mean_uses(self.keys), 19904.0)
        self.assertIsNone(lists.mean_uses([]))

    def test_at_least_uses(self):
        self.assertEqual([item.code for item in lists.at_least_uses(self.keys, 26329)], ["K0421", "K0519"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.keys)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"read": 3, "write": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.keys), [("read", 3), ("write", 1)])

    def test_pick_blocked(self):
        self.assertEqual([item.code for item in lists.pick_blocked(self.keys)], [])


if __name__ == "__main__":
    unittest.main()
