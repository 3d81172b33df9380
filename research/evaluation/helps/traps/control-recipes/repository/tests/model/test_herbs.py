import unittest
from datetime import date

from pantry.kit.fields import BadField
from pantry.queries import herbs as lists
from pantry.model.herbs import HERBS, changes_of_herb, describe_herb, format_herb, parse_herb

ROWS = [
    {"code": "H0185", "what": "Sweet beet", "sown": "2024-09-18", "pots": "2", "state": "gone", "place": "shade"},
    {"code": "H0261", "what": "Large walnut", "sown": "2024-10-20", "pots": "1", "state": "gone", "place": "sun"},
    {
        "code": "H0433",
        "what": "Salted quince",
        "sown": "2025-01-30",
        "pots": "2",
        "state": "young",
        "place": "shade",
    },
    {
        "code": "H0574",
        "what": "Salted fennel",
        "sown": "2025-03-28",
        "pots": "6",
        "state": "good",
        "place": "shade",
    },
]


class HerbTest(unittest.TestCase):
    def setUp(self):
        self.herbs = [parse_herb(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_herb(item) for item in self.herbs], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(HERBS.read()), 222)
        self.assertEqual(HERBS.get("H0185"), self.herbs[0])

    def test_it_is_described(self):
        wanted = [
            "code: H0185",
            "what: Sweet beet",
            "sown: 18.09.2024",
            "pots: 2",
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
        found = lists.search_what(self.herbs, "LARGE")
        self.assertEqual([item.code for item in found], ["H0261"])

    def test_pick_sown_between(self):
        first, last = date(2024, 10, 20), date(2025, 1, 30)
        found = lists.pick_sown_between(self.herbs, first, last)
        self.assertEqual([item.code for item in found], ["H0261", "H0433"])

    def test_mean_pots(self):
        self.assertEqual(lists.mean_pots(self.herbs), 2.8)
        self.assertIsNone(lists.mean_pots([]))

    def test_at_least_pots(self):
        found = lists.at_least_pots(self.herbs, 2)
        self.assertEqual([item.code for item in found], ["H0185", "H0433", "H0574"])

    def test_group_by_state(self):
        groups = lists.group_by_state(self.herbs)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"gone": 2, "young": 1, "good": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.herbs), [("gone", 2), ("good", 1), ("young", 1)])

    def test_group_by_place(self):
        groups = lists.group_by_place(self.herbs)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"shade": 3, "sun": 1})


if __name__ == "__main__":
    unittest.main()
