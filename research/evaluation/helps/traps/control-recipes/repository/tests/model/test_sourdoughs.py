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
        "code": "S0251",
        "label": "Dry cabbage",
        "begun": "2024-05-30",
        "fed": "2024-06-08",
        "flour": "wheat",
        "grams": "102",
    },
    {
        "code": "S0299",
        "label": "Late radish",
        "begun": "2024-06-10",
        "fed": "2024-08-01",
        "flour": "spelt",
        "grams": "53",
    },
    {
        "code": "S0482",
        "label": "Salted cabbage 6",
        "begun": "2024-08-16",
        "fed": "2024-09-08",
        "flour": "wheat",
        "grams": "307",
    },
    {
        "code": "S0747",
        "label": "Large plum 6",
        "begun": "2024-12-01",
        "fed": "2025-01-21",
        "flour": "spelt",
        "grams": "346",
    },
]


class SourdoughTest(unittest.TestCase):
    def setUp(self):
        self.sourdoughs = [parse_sourdough(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_sourdough(item) for item in self.sourdoughs], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(SOURDOUGHS.read()), 218)
        self.assertEqual(SOURDOUGHS.get("S0251"), self.sourdoughs[0])

    def test_it_is_described(self):
        wanted = [
            "code: S0251",
            "label: Dry cabbage",
            "begun: 30.05.2024",
            "fed: 08.06.2024",
            "flour: wheat",
            "grams: 102",
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
        found = lists.search_label(self.sourdoughs, "LATE")
        self.assertEqual([item.code for item in found], ["S0299"])

    def test_pick_begun_between(self):
        first, last = date(2024, 6, 10), date(2024, 8, 16)
        found = lists.pick_begun_between(self.sourdoughs, first, last)
        self.assertEqual([item.code for item in found], ["S0299", "S0482"])

    def test_pick_fed_between(self):
        first, last = date(2024, 8, 1), date(2024, 9, 8)
        found = lists.pick_fed_between(self.sourdoughs, first, last)
        self.assertEqual([item.code for item in found], ["S0299", "S0482"])

    def test_group_by_flour(self):
        groups = lists.group_by_flour(self.sourdoughs)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"wheat": 2, "spelt": 2})

    def test_count_flours(self):
        self.assertEqual(lists.count_flours(self.sourdoughs), [("spelt", 2), ("wheat", 2)])

    def test_mean_grams(self):
        self.assertEqual(lists.mean_grams(self.sourdoughs), 202.0)
        self.assertIsNone(lists.mean_grams([]))

    def test_at_least_grams(self):
        found = lists.at_least_grams(self.sourdoughs, 307)
        self.assertEqual([item.code for item in found], ["S0482", "S0747"])


if __name__ == "__main__":
    unittest.main()
