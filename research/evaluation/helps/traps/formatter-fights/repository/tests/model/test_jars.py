import unittest
from datetime import date
from decimal import Decimal

from apiary.kit.fields import BadField
from apiary.queries import jars as lists
from apiary.model.jars import JARS, changes_of_jar_lot, describe_jar_lot, format_jar_lot, parse_jar_lot

ROWS = [
    {"code": "J0354", "filled": "2024-11-02", "best": "2024-11-30", "jars": "184", "size": "tin", "price": "5.50"},
    {"code": "J0541", "filled": "2025-02-04", "best": "2025-02-20", "jars": "140", "size": "tin", "price": "4.09"},
    {
        "code": "J0622",
        "filled": "2025-03-12",
        "best": "2025-04-01",
        "jars": "167",
        "size": "small",
        "price": "8.57",
    },
    {
        "code": "J0638",
        "filled": "2025-03-22",
        "best": "2025-04-02",
        "jars": "153",
        "size": "large",
        "price": "10.52",
    },
]


class JarLotTest(unittest.TestCase):
    def setUp(self):
        self.jars = [parse_jar_lot(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_jar_lot(item) for item in self.jars], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(JARS.read()), 169)
        self.assertEqual(JARS.get("J0354"), self.jars[0])

    def test_it_is_described(self):
        wanted = [
            "code: J0354",
            "filled: 02.11.2024",
            "best: 30.11.2024",
            "jars: 184",
            "size: tin",
            "price: 5.50",
        ]
        self.assertEqual(list(describe_jar_lot(self.jars[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_jar_lot(self.jars[0], self.jars[1])
        self.assertEqual([name for name, _, _ in found], ["code", "filled", "best", "jars", "price"])
        self.assertEqual(changes_of_jar_lot(self.jars[0], self.jars[0]), [])

    def test_filled_is_checked(self):
        with self.assertRaises(BadField):
            parse_jar_lot(ROWS[0] | {"filled": "31.02.2025"})

    def test_best_is_checked(self):
        with self.assertRaises(BadField):
            parse_jar_lot(ROWS[0] | {"best": "31.02.2025"})

    def test_jars_is_checked(self):
        with self.assertRaises(BadField):
            parse_jar_lot(ROWS[0] | {"jars": "several"})

    def test_size_is_checked(self):
        with self.assertRaises(BadField):
            parse_jar_lot(ROWS[0] | {"size": "unheard of"})

    def test_price_is_checked(self):
        with self.assertRaises(BadField):
            parse_jar_lot(ROWS[0] | {"price": "a lot"})

    def test_pick_filled_between(self):
        first, last = date(2025, 2, 4), date(2025, 3, 12)
        found = lists.pick_filled_between(self.jars, first, last)
        self.assertEqual([item.code for item in found], ["J0541", "J0622"])

    def test_pick_best_between(self):
        first, last = date(2025, 2, 20), date(2025, 4, 1)
        found = lists.pick_best_between(self.jars, first, last)
        self.assertEqual([item.code for item in found], ["J0541", "J0622"])

    def test_mean_jars(self):
        self.assertEqual(lists.mean_jars(self.jars), 161.0)
        self.assertIsNone(lists.mean_jars([]))

    def test_at_least_jars(self):
        found = lists.at_least_jars(self.jars, 167)
        self.assertEqual([item.code for item in found], ["J0354", "J0622"])

    def test_group_by_size(self):
        groups = lists.group_by_size(self.jars)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"tin": 2, "small": 1, "large": 1})

    def test_count_sizes(self):
        self.assertEqual(lists.count_sizes(self.jars), [("tin", 2), ("large", 1), ("small", 1)])

    def test_sum_of_price(self):
        self.assertEqual(lists.sum_of_price(self.jars), Decimal("28.68"))

    def test_price_of_each_size(self):
        wanted = [("large", Decimal("10.52")), ("tin", Decimal("9.59")), ("small", Decimal("8.57"))]
        self.assertEqual(lists.price_of_each_size(self.jars), wanted)

    def test_dearest_price(self):
        found = lists.dearest_price(self.jars, 2)
        self.assertEqual([item.code for item in found], ["J0638", "J0622"])


if __name__ == "__main__":
    unittest.main()
