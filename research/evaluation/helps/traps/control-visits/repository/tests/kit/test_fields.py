import unittest
from datetime import date
from decimal import Decimal

from office.kit import fields


class FieldsTest(unittest.TestCase):
    def test_values(self):
        row = {"a": " 12 ", "b": "2.50", "c": "2025-02-03", "d": "yes", "e": "K0012"}
        self.assertEqual(fields.read_count(row, "a"), 12)
        self.assertEqual(fields.read_amount(row, "b"), Decimal("2.50"))
        self.assertEqual(fields.read_day(row, "c"), date(2025, 2, 3))
        self.assertIs(fields.read_flag(row, "d"), True)
        self.assertEqual(fields.read_code(row, "e", "K"), "K0012")

    def test_what_is_wrong_is_named(self):
        cases = [
            (fields.read_count, "-1", "a: '-1' is no number"),
            (fields.read_amount, "1,5", "a: '1,5' is no amount"),
            (fields.read_day, "2025-13-01", "a: '2025-13-01' is no day"),
            (fields.read_words, "12", "a: '12' has no letters"),
        ]
        for read, text, message in cases:
            with self.subTest(text), self.assertRaises(fields.BadField) as caught:
                read({"a": text}, "a")
            self.assertEqual(str(caught.exception), message)

    def test_a_field_may_be_missing(self):
        with self.assertRaises(fields.BadField):
            fields.read_note({}, "a")
