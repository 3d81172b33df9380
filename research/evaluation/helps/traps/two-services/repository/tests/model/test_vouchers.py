import unittest
from datetime import date
from decimal import Decimal

from house.kit.fields import BadField
from house.queries import vouchers as lists
from house.model.vouchers import VOUCHERS, changes_of_voucher, describe_voucher, format_voucher, parse_voucher

ROWS = [
    {"code": "V0009", "sold": "2024-02-21", "ends": "2024-02-29", "value": "66.33", "kind": "shop", "used": "yes"},
    {"code": "V0035", "sold": "2024-03-12", "ends": "2024-05-02", "value": "11.59", "kind": "shop", "used": "yes"},
    {"code": "V0170", "sold": "2024-05-18", "ends": "2024-07-17", "value": "97.34", "kind": "shop", "used": "yes"},
    {"code": "V0537", "sold": "2024-09-18", "ends": "2024-09-24", "value": "37.10", "kind": "shop", "used": "no"},
]


class VoucherTest(unittest.TestCase):
    def setUp(self):
        self.vouchers = [parse_voucher(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_voucher(item) for item in self.vouchers], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(VOUCHERS.read()), 247)
        self.assertEqual(VOUCHERS.get("V0009"), self.vouchers[0])

    def test_it_is_described(self):
        wanted = [
            "code: V0009",
            "sold: 21.02.2024",
            "ends: 29.02.2024",
            "value: 66.33",
            "kind: shop",
            "used",
        ]
        self.assertEqual(list(describe_voucher(self.vouchers[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_voucher(self.vouchers[0], self.vouchers[1])
        self.assertEqual([name for name, _, _ in found], ["code", "sold", "ends", "value"])
        self.assertEqual(changes_of_voucher(self.vouchers[0], self.vouchers[0]), [])

    def test_sold_is_checked(self):
        with self.assertRaises(BadField):
            parse_voucher(ROWS[0] | {"sold": "31.02.2025"})

    def test_ends_is_checked(self):
        with self.assertRaises(BadField):
            parse_voucher(ROWS[0] | {"ends": "31.02.2025"})

    def test_value_is_checked(self):
        with self.assertRaises(BadField):
            parse_voucher(ROWS[0] | {"value": "a lot"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_voucher(ROWS[0] | {"kind": "unheard of"})

    def test_used_is_checked(self):
        with self.assertRaises(BadField):
            parse_voucher(ROWS[0] | {"used": "perhaps"})

    def test_pick_sold_between(self):
        first, last = date(2024, 3, 12), date(2024, 5, 18)
        found = lists.pick_sold_between(self.vouchers, first, last)
        self.assertEqual([item.code for item in found], ["V0035", "V0170"])

    def test_pick_ends_between(self):
        first, last = date(2024, 5, 2), date(2024, 7, 17)
        found = lists.pick_ends_between(self.vouchers, first, last)
        self.assertEqual([item.code for item in found], ["V0035", "V0170"])

    def test_sum_of_value(self):
        self.assertEqual(lists.sum_of_value(self.vouchers), Decimal("212.36"))

    def test_value_of_each_kind(self):
        self.assertEqual(lists.value_of_each_kind(self.vouchers), [("shop", Decimal("212.36"))])

    def test_largest_value(self):
        found = lists.largest_value(self.vouchers, 2)
        self.assertEqual([item.code for item in found], ["V0170", "V0009"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.vouchers)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"shop": 4})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.vouchers), [("shop", 4)])

    def test_pick_used(self):
        found = lists.pick_used(self.vouchers)
        self.assertEqual([item.code for item in found], ["V0009", "V0035", "V0170"])


if __name__ == "__main__":
    unittest.main()
