import unittest
from datetime import date
from decimal import Decimal

from sales.kit.fields import BadField
from sales.summaries import vouchers as lists
from sales.entities.vouchers import VOUCHERS, changes_of_voucher, describe_voucher, format_voucher, parse_voucher

ROWS = [
    {"code": "V0010", "sold": "2024-07-01", "ends": "2024-08-10", "worth": "55.12", "used": "yes", "kind": "paper"},
    {"code": "V0194", "sold": "2024-09-07", "ends": "2024-09-13", "worth": "39.37", "used": "yes", "kind": "paper"},
    {"code": "V0527", "sold": "2025-02-07", "ends": "2025-02-26", "worth": "23.21", "used": "yes", "kind": "paper"},
    {"code": "V0567", "sold": "2025-03-06", "ends": "2025-04-14", "worth": "10.58", "used": "no", "kind": "paper"},
]


class VoucherTest(unittest.TestCase):
    def setUp(self):
        self.vouchers = [parse_voucher(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_voucher(item) for item in self.vouchers], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(VOUCHERS.read()), 152)
        self.assertEqual(VOUCHERS.get("V0010"), self.vouchers[0])

    def test_it_is_described(self):
        wanted = [
            "code: V0010",
            "sold: 01.07.2024",
            "ends: 10.08.2024",
            "worth: 55.12",
            "used",
            "kind: paper",
        ]
        self.assertEqual(list(describe_voucher(self.vouchers[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_voucher(self.vouchers[0], self.vouchers[1])
        self.assertEqual([name for name, _, _ in found], ["code", "sold", "ends", "worth"])
        self.assertEqual(changes_of_voucher(self.vouchers[0], self.vouchers[0]), [])

    def test_sold_is_checked(self):
        with self.assertRaises(BadField):
            parse_voucher(ROWS[0] | {"sold": "31.02.2025"})

    def test_ends_is_checked(self):
        with self.assertRaises(BadField):
            parse_voucher(ROWS[0] | {"ends": "31.02.2025"})

    def test_worth_is_checked(self):
        with self.assertRaises(BadField):
            parse_voucher(ROWS[0] | {"worth": "a lot"})

    def test_used_is_checked(self):
        with self.assertRaises(BadField):
            parse_voucher(ROWS[0] | {"used": "perhaps"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_voucher(ROWS[0] | {"kind": "unheard of"})

    def test_select_sold_between(self):
        first, last = date(2024, 9, 7), date(2025, 2, 7)
        found = lists.select_sold_between(self.vouchers, first, last)
        self.assertEqual([item.code for item in found], ["V0194", "V0527"])

    def test_select_ends_between(self):
        first, last = date(2024, 9, 13), date(2025, 2, 26)
        found = lists.select_ends_between(self.vouchers, first, last)
        self.assertEqual([item.code for item in found], ["V0194", "V0527"])

    def test_add_up_worth(self):
        self.assertEqual(lists.add_up_worth(self.vouchers), Decimal("128.28"))

    def test_worth_of_each_kind(self):
        self.assertEqual(lists.worth_of_each_kind(self.vouchers), [("paper", Decimal("128.28"))])

    def test_largest_worth(self):
        found = lists.largest_worth(self.vouchers, 2)
        self.assertEqual([item.code for item in found], ["V0010", "V0194"])

    def test_select_used(self):
        found = lists.select_used(self.vouchers)
        self.assertEqual([item.code for item in found], ["V0010", "V0194", "V0527"])

    def test_per_kind(self):
        groups = lists.per_kind(self.vouchers)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"paper": 4})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.vouchers), [("paper", 4)])


if __name__ == "__main__":
    unittest.main()
