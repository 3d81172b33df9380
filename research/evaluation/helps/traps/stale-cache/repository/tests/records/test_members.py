import unittest
from datetime import date
from decimal import Decimal

from room.kit.fields import BadField
from room.lists import members as lists
from room.records.members import MEMBERS, changes_of_member, describe_member, format_member, parse_member

ROWS = [
    {
        "code": "M0186",
        "kind": "day",
        "since": "2025-01-01",
        "until": "2025-01-14",
        "fee": "15.41",
        "visits": "152",
        "card_lost": "no",
    },
    {
        "code": "M0281",
        "kind": "half",
        "since": "2025-01-29",
        "until": "2025-03-27",
        "fee": "1.71",
        "visits": "123",
        "card_lost": "no",
    },
    {
        "code": "M0582",
        "kind": "half",
        "since": "2025-06-04",
        "until": "2025-06-25",
        "fee": "4.40",
        "visits": "46",
        "card_lost": "no",
    },
    {
        "code": "M0645",
        "kind": "year",
        "since": "2025-07-05",
        "until": "2025-09-03",
        "fee": "7.07",
        "visits": "93",
        "card_lost": "yes",
    },
]


class MemberTest(unittest.TestCase):
    def setUp(self):
        self.members = [parse_member(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_member(item) for item in self.members], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(MEMBERS.read()), 179)
        self.assertEqual(MEMBERS.get("M0186"), self.members[0])

    def test_it_is_described(self):
        wanted = [
            "code: M0186",
            "kind: day",
            "since: 01.01.2025",
            "until: 14.01.2025",
            "fee: 15.41",
            "visits: 152",
        ]
        self.assertEqual(list(describe_member(self.members[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_member(self.members[0], self.members[1])
        self.assertEqual([name for name, _, _ in found], ["code", "kind", "since", "until", "fee", "visits"])
        self.assertEqual(changes_of_member(self.members[0], self.members[0]), [])

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_member(ROWS[0] | {"kind": "unheard of"})

    def test_since_is_checked(self):
        with self.assertRaises(BadField):
            parse_member(ROWS[0] | {"since": "31.02.2025"})

    def test_until_is_checked(self):
        with self.assertRaises(BadField):
            parse_member(ROWS[0] | {"until": "31.02.2025"})

    def test_fee_is_checked(self):
        with self.assertRaises(BadField):
            parse_member(ROWS[0] | {"fee": "a lot"})

    def test_visits_is_checked(self):
        with self.assertRaises(BadField):
            parse_member(ROWS[0] | {"visits": "several"})

    def test_card_lost_is_checked(self):
        with self.assertRaises(BadField):
            parse_member(ROWS[0] | {"card_lost": "perhaps"})

    def test_by_kind(self):
        groups = lists.by_kind(self.members)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"day": 1, "half": 2, "year": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.members), [("half", 2), ("day", 1), ("year", 1)])

    def test_find_since_between(self):
        first, last = date(2025, 1, 29), date(2025, 6, 4)
        found = lists.find_since_between(self.members, first, last)
        self.assertEqual([item.code for item in found], ["M0281", "M0582"])

    def test_find_until_between(self):
        first, last = date(2025, 3, 27), date(2025, 6, 25)
        found = lists.find_until_between(self.members, first, last)
        self.assertEqual([item.code for item in found], ["M0281", "M0582"])

    def test_total_fee(self):
        self.assertEqual(lists.total_fee(self.members), Decimal("28.59"))

    def test_fee_of_each_kind(self):
        wanted = [("day", Decimal("15.41")), ("year", Decimal("7.07")), ("half", Decimal("6.11"))]
        self.assertEqual(lists.fee_of_each_kind(self.members), wanted)

    def test_dearest_fee(self):
        found = lists.dearest_fee(self.members, 2)
        self.assertEqual([item.code for item in found], ["M0186", "M0645"])

    def test_mean_visits(self):
        self.assertEqual(lists.mean_visits(self.members), 103.5)
        self.assertIsNone(lists.mean_visits([]))

    def test_at_least_visits(self):
        found = lists.at_least_visits(self.members, 123)
        self.assertEqual([item.code for item in found], ["M0186", "M0281"])

    def test_find_card_lost(self):
        found = lists.find_card_lost(self.members)
        self.assertEqual([item.code for item in found], ["M0645"])


if __name__ == "__main__":
    unittest.main()
