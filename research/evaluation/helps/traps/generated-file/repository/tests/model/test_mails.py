import unittest
from datetime import date
from decimal import Decimal

from archive.kit.fields import BadField
from archive.queries import mails as lists
from archive.model.mails import MAILS, changes_of_mail, describe_mail, format_mail, parse_mail

ROWS = [
    {"code": "M0061", "sent": "2024-06-11", "kind": "notice", "pieces": "725", "bounced": "26", "cost": "7.87"},
    {"code": "M0266", "sent": "2024-09-21", "kind": "notice", "pieces": "842", "bounced": "22", "cost": "2.27"},
    {"code": "M0667", "sent": "2025-04-02", "kind": "welcome", "pieces": "470", "bounced": "13", "cost": "6.71"},
    {"code": "M0731", "sent": "2025-04-26", "kind": "digest", "pieces": "406", "bounced": "28", "cost": "5.93"},
]


class MailTest(unittest.TestCase):
    def setUp(self):
        self.mails = [parse_mail(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_mail(item) for item in self.mails], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(MAILS.read()), 191)
        self.assertEqual(MAILS.get("M0061"), self.mails[0])

    def test_it_is_described(self):
        wanted = [
            "code: M0061",
            "sent: 11.06.2024",
            "kind: notice",
            "pieces: 725",
            "bounced: 26",
            "cost: 7.87",
        ]
        self.assertEqual(list(describe_mail(self.mails[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_mail(self.mails[0], self.mails[1])
        self.assertEqual([name for name, _, _ in found], ["code", "sent", "pieces", "bounced", "cost"])
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
        first, last = date(2024, 9, 21), date(2025, 4, 2)
        found = lists.pick_sent_between(self.mails, first, last)
        self.assertEqual([item.code for item in found], ["M0266", "M0667"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.mails)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"notice": 2, "welcome": 1, "digest": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.mails), [("notice", 2), ("digest", 1), ("welcome", 1)])

    def test_mean_pieces(self):
        self.assertEqual(lists.mean_pieces(self.mails), 610.8)
        self.assertIsNone(lists.mean_pieces([]))

    def test_at_least_pieces(self):
        found = lists.at_least_pieces(self.mails, 725)
        self.assertEqual([item.code for item in found], ["M0061", "M0266"])

    def test_mean_bounced(self):
        self.assertEqual(lists.mean_bounced(self.mails), 22.2)
        self.assertIsNone(lists.mean_bounced([]))

    def test_at_least_bounced(self):
        found = lists.at_least_bounced(self.mails, 26)
        self.assertEqual([item.code for item in found], ["M0061", "M0731"])

    def test_sum_of_cost(self):
        self.assertEqual(lists.sum_of_cost(self.mails), Decimal("22.78"))

    def test_cost_of_each_kind(self):
        wanted = [("notice", Decimal("10.14")), ("welcome", Decimal("6.71")), ("digest", Decimal("5.93"))]
        self.assertEqual(lists.cost_of_each_kind(self.mails), wanted)

    def test_dearest_cost(self):
        found = lists.dearest_cost(self.mails, 2)
        self.assertEqual([item.code for item in found], ["M0061", "M0667"])


if __name__ == "__main__":
    unittest.main()
