import unittest
from datetime import date

from rangers.kit.fields import BadField
from rangers.lists import signs as lists
from rangers.records.signs import SIGNS, changes_of_sign, describe_sign, format_sign, parse_sign

ROWS = [
    {"code": "S0539", "place": "Mossy bank 3", "set": "2024-11-13", "arms": "1", "state": "good"},
    {"code": "S0603", "place": "Shady wood", "set": "2024-12-05", "arms": "6", "state": "gone"},
    {"code": "S0750", "place": "New clearing 4", "set": "2025-02-08", "arms": "5", "state": "good"},
    {"code": "S0754", "place": "Green orchard", "set": "2025-02-11", "arms": "5", "state": "faded"},
]


class SignTest(unittest.TestCase):
    def setUp(self):
        self.signs = [parse_sign(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_sign(item) for item in self.signs], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(SIGNS.read()), 265)
        self.assertEqual(SIGNS.get("S0539"), self.signs[0])

    def test_it_is_described(self):
        wanted = [
            "code: S0539",
            "place: Mossy bank 3",
            "set: 13.11.2024",
            "arms: 1",
            "state: good",
        ]
        self.assertEqual(list(describe_sign(self.signs[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_sign(self.signs[0], self.signs[1])
        self.assertEqual([name for name, _, _ in found], ["code", "place", "set", "arms", "state"])
        self.assertEqual(changes_of_sign(self.signs[0], self.signs[0]), [])

    def test_set_is_checked(self):
        with self.assertRaises(BadField):
            parse_sign(ROWS[0] | {"set": "31.02.2025"})

    def test_arms_is_checked(self):
        with self.assertRaises(BadField):
            parse_sign(ROWS[0] | {"arms": "several"})

    def test_state_is_checked(self):
        with self.assertRaises(BadField):
            parse_sign(ROWS[0] | {"state": "unheard of"})

    def test_search_place(self):
        found = lists.search_place(self.signs, "SHADY")
        self.assertEqual([item.code for item in found], ["S0603"])

    def test_find_set_between(self):
        first, last = date(2024, 12, 5), date(2025, 2, 8)
        found = lists.find_set_between(self.signs, first, last)
        self.assertEqual([item.code for item in found], ["S0603", "S0750"])

    def test_mean_arms(self):
        self.assertEqual(lists.mean_arms(self.signs), 4.2)
        self.assertIsNone(lists.mean_arms([]))

    def test_at_least_arms(self):
        found = lists.at_least_arms(self.signs, 5)
        self.assertEqual([item.code for item in found], ["S0603", "S0750", "S0754"])

    def test_by_state(self):
        groups = lists.by_state(self.signs)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"good": 2, "gone": 1, "faded": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.signs), [("good", 2), ("faded", 1), ("gone", 1)])


if __name__ == "__main__":
    unittest.main()
