import unittest
from datetime import date
from decimal import Decimal

from room.kit.fields import BadField
from room.lists import evenings as lists
from room.records.evenings import EVENINGS, changes_of_evening, describe_evening, format_evening, parse_evening

ROWS = [
    {
        "code": "E0015",
        "title": "Second journey evening",
        "held": "2024-03-21",
        "seats": "57",
        "guests": "0",
        "entry": "5.91",
        "kind": "games",
        "full": "no",
    },
    {
        "code": "E0085",
        "title": "Long window evening",
        "held": "2024-05-07",
        "seats": "51",
        "guests": "17",
        "entry": "9.54",
        "kind": "music",
        "full": "yes",
    },
    {
        "code": "E0279",
        "title": "Northern window evening",
        "held": "2024-07-30",
        "seats": "25",
        "guests": "29",
        "entry": "0.29",
        "kind": "games",
        "full": "yes",
    },
    {
        "code": "E0403",
        "title": "Lost table evening 9",
        "held": "2024-09-19",
        "seats": "28",
        "guests": "13",
        "entry": "2.12",
        "kind": "games",
        "full": "no",
    },
]


class EveningTest(unittest.TestCase):
    def setUp(self):
        self.evenings = [parse_evening(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_evening(item) for item in self.evenings], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(EVENINGS.read()), 151)
        self.assertEqual(EVENINGS.get("E0015"), self.evenings[0])

    def test_it_is_described(self):
        wanted = [
            "code: E0015",
            "title: Second journey evening",
            "held: 21.03.2024",
            "seats: 57",
            "guests: 0",
            "entry: 5.91",
            "kind: games",
        ]
        self.assertEqual(list(describe_evening(self.evenings[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_evening(self.evenings[0], self.evenings[1])
        wanted = ["code", "title", "held", "seats", "guests", "entry", "kind", "full"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_evening(self.evenings[0], self.evenings[0]), [])

    def test_held_is_checked(self):
        with self.assertRaises(BadField):
            parse_evening(ROWS[0] | {"held": "31.02.2025"})

    def test_seats_is_checked(self):
        with self.assertRaises(BadField):
            parse_evening(ROWS[0] | {"seats": "several"})

    def test_guests_is_checked(self):
        with self.assertRaises(BadField):
            parse_evening(ROWS[0] | {"guests": "several"})

    def test_entry_is_checked(self):
        with self.assertRaises(BadField):
            parse_evening(ROWS[0] | {"entry": "a lot"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_evening(ROWS[0] | {"kind": "unheard of"})

    def test_full_is_checked(self):
        with self.assertRaises(BadField):
            parse_evening(ROWS[0] | {"full": "perhaps"})

    def test_search_title(self):
        found = lists.search_title(self.evenings, "LONG")
        self.assertEqual([item.code for item in found], ["E0085"])

    def test_find_held_between(self):
        first, last = date(2024, 5, 7), date(2024, 7, 30)
        found = lists.find_held_between(self.evenings, first, last)
        self.assertEqual([item.code for item in found], ["E0085", "E0279"])

    def test_mean_seats(self):
        self.assertEqual(lists.mean_seats(self.evenings), 40.2)
        self.assertIsNone(lists.mean_seats([]))

    def test_at_least_seats(self):
        found = lists.at_least_seats(self.evenings, 51)
        self.assertEqual([item.code for item in found], ["E0015", "E0085"])

    def test_mean_guests(self):
        self.assertEqual(lists.mean_guests(self.evenings), 14.8)
        self.assertIsNone(lists.mean_guests([]))

    def test_at_least_guests(self):
        found = lists.at_least_guests(self.evenings, 17)
        self.assertEqual([item.code for item in found], ["E0085", "E0279"])

    def test_total_entry(self):
        self.assertEqual(lists.total_entry(self.evenings), Decimal("17.86"))

    def test_entry_of_each_kind(self):
        wanted = [("music", Decimal("9.54")), ("games", Decimal("8.32"))]
        self.assertEqual(lists.entry_of_each_kind(self.evenings), wanted)

    def test_largest_entry(self):
        found = lists.largest_entry(self.evenings, 2)
        self.assertEqual([item.code for item in found], ["E0085", "E0015"])

    def test_by_kind(self):
        groups = lists.by_kind(self.evenings)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"games": 3, "music": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.evenings), [("games", 3), ("music", 1)])

    def test_find_full(self):
        found = lists.find_full(self.evenings)
        self.assertEqual([item.code for item in found], ["E0085", "E0279"])


if __name__ == "__main__":
    unittest.main()
