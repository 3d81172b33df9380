import unittest
from datetime import date

from office.kit.fields import BadField
from office.queries import mails as lists
from office.model.mails import MAILS, changes_of_mail, describe_mail, format_mail, parse_mail

ROWS = [
    {
        "code": "M0527",
        "sent": "2025-05-01",
        "answered": "2025-05-06",
        "lines": "29",
        "kind": "error",
        "remark": "as in May",
    },
    {
        "code": "M0619",
        "sent": "2025-06-11",
        "answered": "2025-06-21",
        "lines": "6",
        "kind": "question",
        "remark": "",
    },
    {
        "code": "M0754",
        "sent": "2025-07-26",
        "answered": "2025-09-03",
        "lines": "18",
        "kind": "error",
        "remark": "asked again",
    },
    {
        "code": "M0806",
        "sent": "2025-08-20",
        "answered": "2025-09-27",
        "lines": "4",
        "kind": "question",
        "remark": "seen twice",
    },
]


class MailTest(unittest.TestCase):
    def setUp(self):
        self.mails = [parse_mail(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_mail(item) for item in self.mails], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(MAILS.read()), 205)
        self.assertEqual(MAILS.get("M0527"), self.mails[0])

    def test_it_is_described(self):
        wanted = [
            "code: M0527",
            "sent: 01.05.2025",
            "answered: 06.05.2025",
            "lines: 29",
            "kind: error",
            "remark: as in May",
        ]
        self.assertEqual(list(describe_mail(self.mails[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_mail(self.mails[0], self.mails[1])
        wanted = ["code", "sent", "answered", "lines", "kind", "remark"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_mail(self.mails[0], self.mails[0]), [])

    def test_sent_is_checked(self):
        with self.assertRaises(BadField):
            parse_mail(ROWS[0] | {"sent": "31.02.2025"})

    def test_answered_is_checked(self):
        with self.assertRaises(BadField):
            parse_mail(ROWS[0] | {"answered": "31.02.2025"})

    def test_lines_is_checked(self):
        with self.assertRaises(BadField):
            parse_mail(ROWS[0] | {"lines": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_mail(ROWS[0] | {"kind": "unheard of"})

    def test_pick_sent_between(self):
        first, last = date(2025, 6, 11), date(2025, 7, 26)
        found = lists.pick_sent_between(self.mails, first, last)
        self.assertEqual([item.code for item in found], ["M0619", "M0754"])

    def test_pick_answered_between(self):
        first, last = date(2025, 6, 21), date(2025, 9, 3)
        found = lists.pick_answered_between(self.mails, first, last)
        self.assertEqual([item.code for item in found], ["M0619", "M0754"])

    def test_mean_lines(self):
        self.assertEqual(lists.mean_lines(self.mails), 14.2)
        self.assertIsNone(lists.mean_lines([]))

    def test_at_least_lines(self):
        found = lists.at_least_lines(self.mails, 18)
        self.assertEqual([item.code for item in found], ["M0527", "M0754"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.mails)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"error": 2, "question": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.mails), [("error", 2), ("question", 2)])


if __name__ == "__main__":
    unittest.main()
