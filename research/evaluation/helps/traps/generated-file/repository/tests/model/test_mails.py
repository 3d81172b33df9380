import unittest
from datetime import date
from decimal import Decimal

from archive.kit.fields import BadField
from archive.queries import mails as lists
from archive.model.mails import MAILS, changes_of_mail, describe_mail, format_mail, parse_mail

ROWS = [
    {"code": "M0209", "sent": "2024-10-06", "kind": "notice", "pieces": "270", "bounced": "35", "cost": "3.42"},
    {"code": "M0367", "sent": "2025-01-04", "kind": "welcome", "pieces": "400", "bounced": "14", "cost": "2.27"},
    {"code": "M0410", "sent": "2025-01-20", "kind": "notice", "pieces": "421", "bounced": "38", "cost": "6.99"},
    {"code": "M0710", "sent": "2025-06-10", "kind": "notice", "pieces": "455", "bounced": "31", "cost": "1.63"},
]


class MailTest(unittest.TestCase):
    def setUp(self):
        self.mails = [parse_mail(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_mail(item) for item in self.mails], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(MAILS.read()), 199)
        self.assertEqual(MAILS.get("M0209"), self.mails[0])

    def test_it_is_described(self):
        wanted = [
            "code: M0209",
            "sent: 06.10.2024",
            "kind: notice",
            "pieces: 270",
            "bounced: 35",
            "cost: 3.42",
        ]
        self.assertEqual(list(describe_mail(self.mails[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_mail(self.mails[0], self.mails[1])
        self.assertEqual([name for name, _, _ in found], ["code", "sent", "kind", "pieces", "bounced", "cost"])
        self.assertEqual(changes_of_mail(self.mails[0], self.mails[0]), [])

    def test_sent_is_checked(self):
        with self.assertRaises(BadField):
            parse_mail(ROWS[0] | {"sent": "31.02.2025"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_mail(ROWS[0] | {"kind": "unheard of"})

    def test_pieces_is_checked(self):
        with self.assertRaises(BadField):
            parse_mail(ROWS[0] | {"pieces": "several"})

    def test_bounced_is_checked(self):
        with self.assertRaises(BadField):
            parse_mail(ROWS[0] | {"bounced": "several"})

    def test_cost_is_checked(self):
        with self.assertRaises(BadField):
            parse_mail(ROWS[0] | {"cost": "a lot"})

    def test_pick_sent_between(self):
        first, last = date(2025, 1, 4), date(2025, 1, 20)
        found = lists.pick_sent_between(self.mails, first, last)
        self.assertEqual([item.code for item in found], ["M0367", "M0410"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.mails)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"notice": 3, "welcome": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.mails), [("notice", 3), ("welcome", 1)])

    def test_mean_pieces(self):
        self.assertEqual(lists.mean_pieces(self.mails), 386.5)
        self.assertIsNone(lists.mean_pieces([]))

    def test_at_least_pieces(self):
        found = lists.at_least_pieces(self.mails, 421)
        self.assertEqual([item.code for item in found], ["M0410", "M0710"])

    def test_mean_bounced(self):
        self.assertEqual(lists.mean_bounced(self.mails), 29.5)
        self.assertIsNone(lists.mean_bounced([]))

    def test_at_least_bounced(self):
        found = lists.at_least_bounced(self.mails, 35)
        self.assertEqual([item.code for item in found], ["M0209", "M0410"])

    def test_sum_of_cost(self):
        self.assertEqual(lists.sum_of_cost(self.mails), Decimal("14.31"))

    def test_cost_of_each_kind(self):
        wanted = [("notice", Decimal("12.04")), ("welcome", Decimal("2.27"))]
        self.assertEqual(lists.cost_of_each_kind(self.mails), wanted)

    def test_dearest_cost(self):
        found = lists.dearest_cost(self.mails, 2)
        self.assertEqual([item.code for item in found], ["M0410", "M0209"])


if __name__ == "__main__":
    unittest.main()
