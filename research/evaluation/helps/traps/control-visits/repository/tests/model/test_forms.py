import unittest
from datetime import date

from office.kit.fields import BadField
from office.queries import forms as lists
from office.model.forms import FORMS, changes_of_form, describe_form, format_form, parse_form

ROWS = [
    {"code": "F0029", "sent": "2024-09-05", "fields": "10", "kind": "question", "spam": "yes"},
    {"code": "F0278", "sent": "2025-01-06", "fields": "7", "kind": "sign_up", "spam": "yes"},
    {"code": "F0405", "sent": "2025-02-28", "fields": "11", "kind": "order", "spam": "no"},
    {"code": "F0762", "sent": "2025-08-06", "fields": "10", "kind": "order", "spam": "no"},
]


class FormTest(unittest.TestCase):
    def setUp(self):
        self.forms = [parse_form(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_form(item) for item in self.forms], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(FORMS.read()), 194)
        self.assertEqual(FORMS.get("F0029"), self.forms[0])

    def test_it_is_described(self):
        wanted = [
            "code: F0029",
            "sent: 05.09.2024",
            "fields: 10",
            "kind: question",
            "spam",
        ]
        self.assertEqual(list(describe_form(self.forms[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_form(self.forms[0], self.forms[1])
        self.assertEqual([name for name, _, _ in found], ["code", "sent", "fields", "kind"])
        self.assertEqual(changes_of_form(self.forms[0], self.forms[0]), [])

    def test_sent_is_checked(self):
        with self.assertRaises(BadField):
            parse_form(ROWS[0] | {"sent": "31.02.2025"})

    def test_fields_is_checked(self):
        with self.assertRaises(BadField):
            parse_form(ROWS[0] | {"fields": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_form(ROWS[0] | {"kind": "unheard of"})

    def test_spam_is_checked(self):
        with self.assertRaises(BadField):
            parse_form(ROWS[0] | {"spam": "perhaps"})

    def test_pick_sent_between(self):
        first, last = date(2025, 1, 6), date(2025, 2, 28)
        found = lists.pick_sent_between(self.forms, first, last)
        self.assertEqual([item.code for item in found], ["F0278", "F0405"])

    def test_mean_fields(self):
        self.assertEqual(lists.mean_fields(self.forms), 9.5)
        self.assertIsNone(lists.mean_fields([]))

    def test_at_least_fields(self):
        found = lists.at_least_fields(self.forms, 10)
        self.assertEqual([item.code for item in found], ["F0029", "F0405", "F0762"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.forms)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"question": 1, "sign_up": 1, "order": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.forms), [("order", 2), ("question", 1), ("sign_up", 1)])

    def test_pick_spam(self):
        found = lists.pick_spam(self.forms)
        self.assertEqual([item.code for item in found], ["F0029", "F0278"])


if __name__ == "__main__":
    unittest.main()
