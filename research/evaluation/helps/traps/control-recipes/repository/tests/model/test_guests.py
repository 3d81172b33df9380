import unittest
from datetime import date

from pantry.kit.fields import BadField
from pantry.queries import guests as lists
from pantry.model.guests import GUESTS, changes_of_meal, describe_meal, format_meal, parse_meal

ROWS = [
    {
        "code": "G0213",
        "day": "2024-04-15",
        "guests": "7",
        "dish": "Old leek",
        "kind": "tea",
        "remark": "with sugar",
    },
    {
        "code": "G0622",
        "day": "2024-08-26",
        "guests": "1",
        "dish": "Yellow radish",
        "kind": "tea",
        "remark": "from the garden",
    },
    {
        "code": "G0730",
        "day": "2024-10-05",
        "guests": "7",
        "dish": "Sweet turnip 9",
        "kind": "picnic",
        "remark": "from the garden",
    },
    {
        "code": "G0999",
        "day": "2024-12-28",
        "guests": "9",
        "dish": "Salted apple",
        "kind": "lunch",
        "remark": "second shelf",
    },
]


class MealTest(unittest.TestCase):
    def setUp(self):
        self.guests = [parse_meal(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_meal(item) for item in self.guests], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(GUESTS.read()), 269)
        self.assertEqual(GUESTS.get("G0213"), self.guests[0])

    def test_it_is_described(self):
        wanted = [
            "code: G0213",
            "day: 15.04.2024",
            "guests: 7",
            "dish: Old leek",
            "kind: tea",
            "remark: with sugar",
        ]
        self.assertEqual(list(describe_meal(self.guests[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_meal(self.guests[0], self.guests[1])
        self.assertEqual([name for name, _, _ in found], ["code", "day", "guests", "dish", "remark"])
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
        first, last = date(2024, 8, 26), date(2024, 10, 5)
        found = lists.pick_day_between(self.guests, first, last)
        self.assertEqual([item.code for item in found], ["G0622", "G0730"])

    def test_mean_guests(self):
        self.assertEqual(lists.mean_guests(self.guests), 6.0)
        self.assertIsNone(lists.mean_guests([]))

    def test_at_least_guests(self):
        found = lists.at_least_guests(self.guests, 7)
        self.assertEqual([item.code for item in found], ["G0213", "G0730", "G0999"])

    def test_search_dish(self):
        found = lists.search_dish(self.guests, "YELLOW")
        self.assertEqual([item.code for item in found], ["G0622"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.guests)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"tea": 2, "picnic": 1, "lunch": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.guests), [("tea", 2), ("lunch", 1), ("picnic", 1)])


if __name__ == "__main__":
    unittest.main()
