import unittest
from datetime import date

from pantry.kit.fields import BadField
from pantry.queries import herbs as lists
from pantry.model.herbs import HERBS, changes_of_herb, describe_herb, format_herb, parse_herb

ROWS = [
    {"code": "H0115", "what": "Light basil", "sown": "2024-03-31", "pots": "9", "state": "gone", "place": "shade"},
    {"code": "H0281", "what": "Heavy parsley", "sown": "2024-06-10", "pots": "4", "state": "gone", "place": "sun"},
    {"code": "H0322", "what": "Long dill", "sown": "2024-07-02", "pots": "1", "state": "good", "place": "shade"},
    {"code": "H1134", "what": "Good lovage", "sown": "2025-07-17", "pots": "9", "state": "young", "place": "shade"},
]


class HerbTest(unittest.TestCase):
    def setUp(self):
        self.herbs = [parse_herb(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_herb(item) for item in self.herbs], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(HERBS.read()), 294)
        self.assertEqual(HERBS.get("H0115"), self.herbs[0])

    def test_it_is_described(self):
        wanted = [
            "code: H0115",
            "what: Light basil",
            "sown: 31.03.2024",
            "pots: 9",
            "state: gone",
            "place: shade",
        ]
        self.assertEqual(list(describe_herb(self.herbs[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_herb(self.herbs[0], self.herbs[1])
        self.assertEqual([name for name, _, _ in found], ["code", "what", "sown", "pots", "place"])
        self.assertEqual(changes_of_herb(self.herbs[0], self.herbs[0]), [])

    def test_sown_is_checked(self):
        with self.assertRaises(BadField):
            parse_herb(ROWS[0] | {"sown": "31.02.2025"})

    def test_pots_is_checked(self):
        with self.assertRaises(BadField):
            parse_herb(ROWS[0] | {"pots": "several"})

    def test_state_is_checked(self):
        with self.assertRaises(BadField):
            parse_herb(ROWS[0] | {"state": "unheard of"})

    def test_place_is_checked(self):
        with self.assertRaises(BadField):
            parse_herb(ROWS[0] | {"place": "unheard of"})

    def test_search_what(self):
        found = lists.search_what(self.herbs, "HEAVY")
        self.assertEqual([item.code for item in found], ["H0281"])

    def test_pick_sown_between(self):
        first, last = date(2024, 6, 10), date(2024, 7, 2)
        found = lists.pick_sown_between(self.herbs, first, last)
        self.assertEqual([item.code for item in found], ["H0281", "H0322"])

    def test_mean_pots(self):
        self.assertEqual(lists.mean_pots(self.herbs), 5.8)
        self.assertIsNone(lists.mean_pots([]))

    def test_at_least_pots(self):
        found = lists.at_least_pots(self.herbs, 9)
        self.assertEqual([item.code for item in found], ["H0115", "H1134"])

    def test_group_by_state(self):
        groups = lists.group_by_state(self.herbs)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"gone": 2, "good": 1, "young": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.herbs), [("gone", 2), ("good", 1), ("young", 1)])

    def test_group_by_place(self):
        groups = lists.group_by_place(self.herbs)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"shade": 3, "sun": 1})


if __name__ == "__main__":
    unittest.main()
