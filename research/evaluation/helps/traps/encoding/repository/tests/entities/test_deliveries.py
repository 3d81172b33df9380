import unittest
from datetime import date
from decimal import Decimal

from shop.kit.fields import BadField
from shop.summaries import deliveries as lists
from shop.entities.deliveries import DELIVERIES, changes_of_delivery, describe_delivery, format_delivery, parse_delivery

ROWS = [
    {
        "code": "D0074",
        "supplier": "U0355",
        "came": "2024-09-03",
        "boxes": "13",
        "state": "refused",
        "net": "666.13",
        "remark": "paid at the door",
    },
    {
        "code": "D0295",
        "supplier": "U0197",
        "came": "2024-12-17",
        "boxes": "12",
        "state": "good",
        "net": "764.64",
        "remark": "",
    },
    {
        "code": "D0369",
        "supplier": "U0461",
        "came": "2025-01-16",
        "boxes": "36",
        "state": "refused",
        "net": "264.01",
        "remark": "",
    },
    {
        "code": "D0622",
        "supplier": "U0211",
        "came": "2025-05-12",
        "boxes": "21",
        "state": "refused",
        "net": "135.83",
        "remark": "paid at the door",
    },
]


class DeliveryTest(unittest.TestCase):
    def setUp(self):
        self.deliveries = [parse_delivery(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_delivery(item) for item in self.deliveries], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(DELIVERIES.read()), 157)
        self.assertEqual(DELIVERIES.get("D0074"), self.deliveries[0])

    def test_it_is_described(self):
        wanted = [
            "code: D0074",
            "supplier: U0355",
            "came: 03.09.2024",
            "boxes: 13",
            "state: refused",
            "net: 666.13",
            "remark: paid at the door",
        ]
        self.assertEqual(list(describe_delivery(self.deliveries[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_delivery(self.deliveries[0], self.deliveries[1])
        wanted = ["code", "supplier", "came", "boxes", "state", "net", "remark"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_delivery(self.deliveries[0], self.deliveries[0]), [])

    def test_came_is_checked(self):
        with self.assertRaises(BadField):
            parse_delivery(ROWS[0] | {"came": "31.02.2025"})

    def test_boxes_is_checked(self):
        with self.assertRaises(BadField):
            parse_delivery(ROWS[0] | {"boxes": "several"})

    def test_state_is_checked(self):
        with self.assertRaises(BadField):
            parse_delivery(ROWS[0] | {"state": "unheard of"})

    def test_net_is_checked(self):
        with self.assertRaises(BadField):
            parse_delivery(ROWS[0] | {"net": "a lot"})

    def test_per_supplier(self):
        groups = lists.per_supplier(self.deliveries)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"U0355": 1, "U0197": 1, "U0461": 1, "U0211": 1})

    def test_select_came_between(self):
        first, last = date(2024, 12, 17), date(2025, 1, 16)
        found = lists.select_came_between(self.deliveries, first, last)
        self.assertEqual([item.code for item in found], ["D0295", "D0369"])

    def test_mean_boxes(self):
        self.assertEqual(lists.mean_boxes(self.deliveries), 20.5)
        self.assertIsNone(lists.mean_boxes([]))

    def test_at_least_boxes(self):
        found = lists.at_least_boxes(self.deliveries, 21)
        self.assertEqual([item.code for item in found], ["D0369", "D0622"])

    def test_per_state(self):
        groups = lists.per_state(self.deliveries)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"refused": 3, "good": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.deliveries), [("refused", 3), ("good", 1)])

    def test_add_up_net(self):
        self.assertEqual(lists.add_up_net(self.deliveries), Decimal("1830.61"))

    def test_net_of_each_state(self):
        wanted = [("refused", Decimal("1065.97")), ("good", Decimal("764.64"))]
        self.assertEqual(lists.net_of_each_state(self.deliveries), wanted)

    def test_largest_net(self):
        found = lists.largest_net(self.deliveries, 2)
        self.assertEqual([item.code for item in found], ["D0295", "D0074"])


if __name__ == "__main__":
    unittest.main()
