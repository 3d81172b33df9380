import unittest
from datetime import date
from decimal import Decimal

from room.kit.fields import BadField
from room.lists import members as lists
from room.records.members import MEMBERS, format_member, parse_member

ROWS = [
    {"code": "M0030", "kind": "year", "since": "2024-06-17", "until": "2024-06-29", "fee": "19.03", "visits": "33", "card_lost": "no"},
    {"code": "M0035", "kind": "half", "since": "2024-06-17", "until": "2024-07-02", "fee": "12.67", "visits": "118", "card_lost": "no"},
    {"code": "M0327", "kind": "gift", "since": "2024-10-09", "until": "2024-10-16", "fee": "2.37", "visits": "70", "card_lost": "no"},
    {"code": "M0477", "kind": "half", "since": "2024-11-29", "until": "2024-12-28", "fee": "19.60", "visits": "32", "card_lost": "no"},
]


class MemberTest(unittest.TestCase):
    def setUp(self):
        self.members = [parse_member(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_member(item) for item in self.members], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(MEMBERS.read()), 130)
        self.assertEqual(MEMBERS.get("M0030"), self.members[0])

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
        self.assertEqual(sizes, {"year": 1, "half": 2, "gift": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.members), [("half", 2), ("gift", 1), ("year", 1)])

    def test_find_since_between(self):
        first, last = date(2024, 6, 17), date(2024, 10, 9)
        self.assertEqual([item.code for item in lists.find_since_between(self.members, first, last)], ["M0030", "M0035", "M0327"])

    def test_find_until_between(self):
        first, last = date(2024, 7, 2), date(2024, 10, 16)
        self.assertEqual([item.code for item in lists.find_until_between(self.members, first, last)], ["M0035", "M0327"])

    def test_total_fee(self):
        self.assertEqual(lists.total_fee(self.members), Decimal("53.67"))

    def test_fee_of_each_kind(self):
        self.assertEqual(lists.fee_of_each_kind(self.members), [("half", Decimal("32.27")), ("year", Decimal("19.03")), ("gift", Decimal("2.37"))])

    def test_dearest_fee(self):
        self.assertEqual([item.code for item in lists.dearest_fee(self.members, 2)], ["M0477", "M0030"])

    def test_mean_visits(self):
        self.assertEqual(lists.mean_visits(self.members), 63.2)
        self.assertIsNone(lists.mean_visits([]))

    def test_at_least_visits(self):
        self.assertEqual([item.code for item in lists.at_least_visits(self.members, 70)], ["M0035", "M0327"])

    def test_find_card_lost(self):
        self.assertEqual([item.code for item in lists.find_card_lost(self.members)], [])


if __name__ == "__main__":
    unittest.main()
