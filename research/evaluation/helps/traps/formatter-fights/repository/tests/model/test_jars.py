import unittest
from datetime import date
from decimal import Decimal

from apiary.kit.fields import BadField
from apiary.queries import jars as lists
from apiary.model.jars import JARS, changes_of_jar_lot, describe_jar_lot, format_jar_lot, parse_jar_lot

ROWS = [
    {"code": "J0383", "filled": "2024-11-20", "best": "2024-12-03", "jars": "92", "size": "small", "price": "9.72"},
    {"code": "J0541", "filled": "2025-02-04", "best": "2025-02-20", "jars": "140", "size": "tin", "price": "4.09"},
    {"code": "J0586", "filled": "2025-02-22", "best": "2025-04-23", "jars": "39", "size": "small", "price": "9.74"},
    {"code": "J0615", "filled": "2025-03-10", "best": "2025-03-31", "jars": "31", "size": "small", "price": "8.23"},
]


class JarLotTest(unittest.TestCase):
    def setUp(self):
        self.jars = [parse_jar_lot(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_jar_lot(item) for item in self.jars], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(JARS.read()), 169)
        self.assertEqual(JARS.get("J0383"), self.jars[0])

    def test_it_is_described(self):
        wanted = [
            "code: J0383",
            "filled: 20.11.2024",
            "best: 03.12.2024",
            "jars: 92",
            "size: small",
            "price: 9.72",
        ]
        self.assertEqual(list(describe_jar_lot(self.jars[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_jar_lot(self.jars[0], self.jars[1])
        self.assertEqual([name for name, _, _ in found], ["code", "filled", "best", "jars", "size", "price"])
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
        first, last = date(2025, 2, 4), date(2025, 2, 22)
        found = lists.pick_filled_between(self.jars, first, last)
        self.assertEqual([item.code for item in found], ["J0541", "J0586"])

    def test_pick_best_between(self):
        first, last = date(2025, 2, 20), date(2025, 3, 31)
        found = lists.pick_best_between(self.jars, first, last)
        self.assertEqual([item.code for item in found], ["J0541", "J0615"])

    def test_mean_jars(self):
        self.assertEqual(lists.mean_jars(self.jars), 75.5)
        self.assertIsNone(lists.mean_jars([]))

    def test_at_least_jars(self):
        found = lists.at_least_jars(self.jars, 92)
        self.assertEqual([item.code for item in found], ["J0383", "J0541"])

    def test_group_by_size(self):
        groups = lists.group_by_size(self.jars)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"small": 3, "tin": 1})

    def test_count_sizes(self):
        self.assertEqual(lists.count_sizes(self.jars), [("small", 3), ("tin", 1)])

    def test_sum_of_price(self):
        self.assertEqual(lists.sum_of_price(self.jars), Decimal("31.78"))

    def test_price_of_each_size(self):
        wanted = [("small", Decimal("27.69")), ("tin", Decimal("4.09"))]
        self.assertEqual(lists.price_of_each_size(self.jars), wanted)

    def test_dearest_price(self):
        found = lists.dearest_price(self.jars, 2)
        self.assertEqual([item.code for item in found], ["J0586", "J0383"])


if __name__ == "__main__":
    unittest.main()
