import unittest
from datetime import date

from pantry.kit.fields import BadField
from pantry.queries import guests as lists
from pantry.model.guests import GUESTS, changes_of_meal, describe_meal, format_meal, parse_meal

ROWS = [
    {"code": "G0009", "day": "2024-01-11", "guests": "3", "dish": "Good pie", "kind": "tea", "remark": ""},
    {
        "code": "G0275",
        "day": "2024-05-01",
        "guests": "7",
        "dish": "New roast",
        "kind": "lunch",
        "remark": "given by a neighbour",
    },
    {"code": "G0561", "day": "2024-08-24", "guests": "9", "dish": "Long pie", "kind": "dinner", "remark": ""},
    {
        "code": "G0701",
        "day": "2024-10-26",
        "guests": "13",
        "dish": "Old salad",
        "kind": "lunch",
        "remark": "with sugar",
    },
]


class MealTest(unittest.TestCase):
    def setUp(self):
        self.guests = [parse_meal(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_meal(item) for item in self.guests], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(GUESTS.read()), 185)
        self.assertEqual(GUESTS.get("G0009"), self.guests[0])

    def test_it_is_described(self):
        wanted = [
            "code: G0009",
            "day: 11.01.2024",
            "guests: 3",
            "dish: Good pie",
            "kind: tea",
        ]
        self.assertEqual(list(describe_meal(self.guests[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_meal(self.guests[0], self.guests[1])
        self.assertEqual([name for name, _, _ in found], ["code", "day", "guests", "dish", "kind", "remark"])
        self.assertEqual(changes_of_meal(self.guests[0], self.guests[0]), [])

    def test_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_meal(ROWS[0] | {"day": "31.02.2025"})

    def test_guests_is_checked(self):
        with self.assertRaises(BadField):
            parse_meal(ROWS[0] | {"guests": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_meal(ROWS[0] | {"kind": "unheard of"})

    def test_pick_day_between(self):
        first, last = date(2024, 5, 1), date(2024, 8, 24)
        found = lists.pick_day_between(self.guests, first, last)
        self.assertEqual([item.code for item in found], ["G0275", "G0561"])

    def test_mean_guests(self):
        self.assertEqual(lists.mean_guests(self.guests), 8.0)
        self.assertIsNone(lists.mean_guests([]))

    def test_at_least_guests(self):
        found = lists.at_least_guests(self.guests, 9)
        self.assertEqual([item.code for item in found], ["G0561", "G0701"])

    def test_search_dish(self):
        found = lists.search_dish(self.guests, "NEW")
        self.assertEqual([item.code for item in found], ["G0275"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.guests)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"tea": 1, "lunch": 2, "dinner": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.guests), [("lunch", 2), ("dinner", 1), ("tea", 1)])


if __name__ == "__main__":
    unittest.main()
