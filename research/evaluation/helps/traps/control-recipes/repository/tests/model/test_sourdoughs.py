import unittest
from datetime import date

from pantry.kit.fields import BadField
from pantry.queries import sourdoughs as lists
from pantry.model.sourdoughs import (
    SOURDOUGHS,
    changes_of_sourdough,
    describe_sourdough,
    format_sourdough,
    parse_sourdough,
)

ROWS = [
    {
        "code": "S0175",
        "label": "Yellow cabbage 8",
        "begun": "2024-05-31",
        "fed": "2024-07-18",
        "flour": "spelt",
        "grams": "342",
    },
    {
        "code": "S0219",
        "label": "Dry beet",
        "begun": "2024-06-19",
        "fed": "2024-08-09",
        "flour": "rye",
        "grams": "385",
    },
    {
        "code": "S0574",
        "label": "New squash 4",
        "begun": "2024-11-18",
        "fed": "2024-11-29",
        "flour": "rye",
        "grams": "215",
    },
    {
        "code": "S0653",
        "label": "Plain bean 2",
        "begun": "2024-12-15",
        "fed": "2025-01-23",
        "flour": "spelt",
        "grams": "89",
    },
]


class SourdoughTest(unittest.TestCase):
    def setUp(self):
        self.sourdoughs = [parse_sourdough(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_sourdough(item) for item in self.sourdoughs], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(SOURDOUGHS.read()), 188)
        self.assertEqual(SOURDOUGHS.get("S0175"), self.sourdoughs[0])

    def test_it_is_described(self):
        wanted = [
            "code: S0175",
            "label: Yellow cabbage 8",
            "begun: 31.05.2024",
            "fed: 18.07.2024",
            "flour: spelt",
            "grams: 342",
        ]
        self.assertEqual(list(describe_sourdough(self.sourdoughs[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_sourdough(self.sourdoughs[0], self.sourdoughs[1])
        self.assertEqual([name for name, _, _ in found], ["code", "label", "begun", "fed", "flour", "grams"])
        self.assertEqual(changes_of_sourdough(self.sourdoughs[0], self.sourdoughs[0]), [])

    def test_begun_is_checked(self):
        with self.assertRaises(BadField):
            parse_sourdough(ROWS[0] | {"begun": "31.02.2025"})

    def test_fed_is_checked(self):
        with self.assertRaises(BadField):
            parse_sourdough(ROWS[0] | {"fed": "31.02.2025"})

    def test_flour_is_checked(self):
        with self.assertRaises(BadField):
            parse_sourdough(ROWS[0] | {"flour": "unheard of"})

    def test_grams_is_checked(self):
        with self.assertRaises(BadField):
            parse_sourdough(ROWS[0] | {"grams": "several"})

    def test_search_label(self):
        found = lists.search_label(self.sourdoughs, "DRY")
        self.assertEqual([item.code for item in found], ["S0219"])

    def test_pick_begun_between(self):
        first, last = date(2024, 6, 19), date(2024, 11, 18)
        found = lists.pick_begun_between(self.sourdoughs, first, last)
        self.assertEqual([item.code for item in found], ["S0219", "S0574"])

    def test_pick_fed_between(self):
        first, last = date(2024, 8, 9), date(2024, 11, 29)
        found = lists.pick_fed_between(self.sourdoughs, first, last)
        self.assertEqual([item.code for item in found], ["S0219", "S0574"])

    def test_group_by_flour(self):
        groups = lists.group_by_flour(self.sourdoughs)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"spelt": 2, "rye": 2})

    def test_count_flours(self):
        self.assertEqual(lists.count_flours(self.sourdoughs), [("rye", 2), ("spelt", 2)])

    def test_mean_grams(self):
        self.assertEqual(lists.mean_grams(self.sourdoughs), 257.8)
        self.assertIsNone(lists.mean_grams([]))

    def test_at_least_grams(self):
        found = lists.at_least_grams(self.sourdoughs, 342)
        self.assertEqual([item.code for item in found], ["S0175", "S0219"])


if __name__ == "__main__":
    unittest.main()
