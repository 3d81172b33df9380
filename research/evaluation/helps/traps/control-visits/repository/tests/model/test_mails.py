import unittest
from datetime import date

from office.kit.fields import BadField
from office.queries import mails as lists
from office.model.mails import MAILS, changes_of_mail, describe_mail, format_mail, parse_mail

ROWS = [
    {"code": "M0178", "sent": "2024-09-06", "answered": "2024-10-27", "lines": "31", "kind": "error", "remark": ""},
    {"code": "M0195", "sent": "2024-09-16", "answered": "2024-10-06", "lines": "17", "kind": "spam", "remark": ""},
    {
        "code": "M0226",
        "sent": "2024-09-28",
        "answered": "2024-10-16",
        "lines": "15",
        "kind": "question",
        "remark": "see the log",
    },
    {
        "code": "M0583",
        "sent": "2025-02-12",
        "answered": "2025-02-24",
        "lines": "45",
        "kind": "error",
        "remark": "as in May",
    },
]


class MailTest(unittest.TestCase):
    def setUp(self):
        self.mails = [parse_mail(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_mail(item) for item in self.mails], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(MAILS.read()), 176)
        self.assertEqual(MAILS.get("M0178"), self.mails[0])

    def test_it_is_described(self):
        wanted = [
            "code: M0178",
            "sent: 06.09.2024",
            "answered: 27.10.2024",
            "lines: 31",
            "kind: error",
        ]
        self.assertEqual(list(describe_mail(self.mails[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_mail(self.mails[0], self.mails[1])
        self.assertEqual([name for name, _, _ in found], ["code", "sent", "answered", "lines", "kind"])
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
        first, last = date(2024, 9, 16), date(2024, 9, 28)
        found = lists.pick_sent_between(self.mails, first, last)
        self.assertEqual([item.code for item in found], ["M0195", "M0226"])

    def test_pick_answered_between(self):
        first, last = date(2024, 10, 16), date(2024, 10, 27)
        found = lists.pick_answered_between(self.mails, first, last)
        self.assertEqual([item.code for item in found], ["M0178", "M0226"])

    def test_mean_lines(self):
        self.assertEqual(lists.mean_lines(self.mails), 27.0)
        self.assertIsNone(lists.mean_lines([]))

    def test_at_least_lines(self):
        found = lists.at_least_lines(self.mails, 31)
        self.assertEqual([item.code for item in found], ["M0178", "M0583"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.mails)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"error": 2, "spam": 1, "question": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.mails), [("error", 2), ("question", 1), ("spam", 1)])


if __name__ == "__main__":
    unittest.main()
