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
        "code": "S0215",
        "label": "Sweet squash",
        "begun": "2024-06-29",
        "fed": "2024-08-18",
        "flour": "spelt",
        "grams": "91",
    },
    {
        "code": "S0595",
        "label": "Long beet",
        "begun": "2024-11-16",
        "fed": "2024-12-31",
        "flour": "spelt",
        "grams": "276",
    },
    {
        "code": "S0651",
        "label": "Late tomato",
        "begun": "2024-12-01",
        "fed": "2025-01-15",
        "flour": "spelt",
        "grams": "80",
    },
    {
        "code": "S0903",
        "label": "Round radish",
        "begun": "2025-03-11",
        "fed": "2025-04-20",
        "flour": "rye",
        "grams": "232",
    },
]


class SourdoughTest(unittest.TestCase):
    def setUp(self):
        self.sourdoughs = [parse_sourdough(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_sourdough(item) for item in self.sourdoughs], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(SOURDOUGHS.read()), 271)
        self.assertEqual(SOURDOUGHS.get("S0215"), self.sourdoughs[0])

    def test_it_is_described(self):
        wanted = [
            "code: S0215",
            "label: Sweet squash",
            "begun: 29.06.2024",
            "fed: 18.08.2024",
            "flour: spelt",
            "grams: 91",
        ]
        self.assertEqual(list(describe_sourdough(self.sourdoughs[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_sourdough(self.sourdoughs[0], self.sourdoughs[1])
        self.assertEqual([name for name, _, _ in found], ["code", "label", "begun", "fed", "grams"])
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
        found = lists.search_label(self.sourdoughs, "LONG")
        self.assertEqual([item.code for item in found], ["S0595"])

    def test_pick_begun_between(self):
        first, last = date(2024, 11, 16), date(2024, 12, 1)
        found = lists.pick_begun_between(self.sourdoughs, first, last)
        self.assertEqual([item.code for item in found], ["S0595", "S0651"])

    def test_pick_fed_between(self):
        first, last = date(2024, 12, 31), date(2025, 1, 15)
        found = lists.pick_fed_between(self.sourdoughs, first, last)
        self.assertEqual([item.code for item in found], ["S0595", "S0651"])

    def test_group_by_flour(self):
        groups = lists.group_by_flour(self.sourdoughs)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"spelt": 3, "rye": 1})

    def test_count_flours(self):
        self.assertEqual(lists.count_flours(self.sourdoughs), [("spelt", 3), ("rye", 1)])

    def test_mean_grams(self):
        self.assertEqual(lists.mean_grams(self.sourdoughs), 169.8)
        self.assertIsNone(lists.mean_grams([]))

    def test_at_least_grams(self):
        found = lists.at_least_grams(self.sourdoughs, 232)
        self.assertEqual([item.code for item in found], ["S0595", "S0903"])


if __name__ == "__main__":
    unittest.main()
