import unittest
from datetime import date
from decimal import Decimal

from house.kit.fields import BadField
from house.queries import vouchers as lists
from house.model.vouchers import VOUCHERS, changes_of_voucher, describe_voucher, format_voucher, parse_voucher

ROWS = [
    {"code": "V0351", "sold": "2024-07-15", "ends": "2024-08-05", "value": "95.59", "kind": "shop", "used": "no"},
    {"code": "V0470", "sold": "2024-08-27", "ends": "2024-10-10", "value": "46.61", "kind": "any", "used": "no"},
    {"code": "V0825", "sold": "2025-01-02", "ends": "2025-01-20", "value": "38.73", "kind": "shop", "used": "no"},
    {"code": "V0890", "sold": "2025-01-23", "ends": "2025-03-07", "value": "32.24", "kind": "shop", "used": "yes"},
]


class VoucherTest(unittest.TestCase):
    def setUp(self):
        self.vouchers = [parse_voucher(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_voucher(item) for item in self.vouchers], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(VOUCHERS.read()), 247)
        self.assertEqual(VOUCHERS.get("V0351"), self.vouchers[0])

    def test_it_is_described(self):
        wanted = [
            "code: V0351",
            "sold: 15.07.2024",
            "ends: 05.08.2024",
            "value: 95.59",
            "kind: shop",
        ]
        self.assertEqual(list(describe_voucher(self.vouchers[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_voucher(self.vouchers[0], self.vouchers[1])
        self.assertEqual([name for name, _, _ in found], ["code", "sold", "ends", "value", "kind"])
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
        first, last = date(2024, 8, 27), date(2025, 1, 2)
        found = lists.pick_sold_between(self.vouchers, first, last)
        self.assertEqual([item.code for item in found], ["V0470", "V0825"])

    def test_pick_ends_between(self):
        first, last = date(2024, 10, 10), date(2025, 1, 20)
        found = lists.pick_ends_between(self.vouchers, first, last)
        self.assertEqual([item.code for item in found], ["V0470", "V0825"])

    def test_sum_of_value(self):
        self.assertEqual(lists.sum_of_value(self.vouchers), Decimal("213.17"))

    def test_value_of_each_kind(self):
        wanted = [("shop", Decimal("166.56")), ("any", Decimal("46.61"))]
        self.assertEqual(lists.value_of_each_kind(self.vouchers), wanted)

    def test_largest_value(self):
        found = lists.largest_value(self.vouchers, 2)
        self.assertEqual([item.code for item in found], ["V0351", "V0470"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.vouchers)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"shop": 3, "any": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.vouchers), [("shop", 3), ("any", 1)])

    def test_pick_used(self):
        found = lists.pick_used(self.vouchers)
        self.assertEqual([item.code for item in found], ["V0890"])


if __name__ == "__main__":
    unittest.main()
