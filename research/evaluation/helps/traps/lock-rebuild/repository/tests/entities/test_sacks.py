import unittest
from datetime import date

from depot.kit.fields import BadField
from depot.summaries import sacks as lists
from depot.entities.sacks import SACKS, format_sack, parse_sack

ROWS = [
    {"code": "S0226", "label": "Slow border", "bought": "2024-06-27", "size": "large", "trips": "163", "torn": "no"},
    {"code": "S0238", "label": "North border", "bought": "2024-07-06", "size": "cage", "trips": "749", "torn": "no"},
    {"code": "S0293", "label": "Blue station", "bought": "2024-08-07", "size": "cage", "trips": "89", "torn": "no"},
    {"code": "S0445", "label": "Quick border", "bought": "2024-10-17", "size": "cage", "trips": "516", "torn": "yes"},
]


class SackTest(unittest.TestCase):
    def setUp(self):
        self.sacks = [parse_sack(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_sack(item) for item in self.sacks], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(SACKS.read()), 173)
        self.assertEqual(SACKS.get("S0226"), self.sacks[0])

    def test_bought_is_checked(self):
        with self.assertRaises(BadField):
            parse_sack(ROWS[0] | {"bought": "31.02.2025"})

    def test_size_is_checked(self):
        with self.assertRaises(BadField):
            parse_sack(ROWS[0] | {"size": "unheard of"})

    def test_trips_is_checked(self):
        with self.assertRaises(BadField):
            parse_sack(ROWS[0] | {"trips": "several"})

    def test_torn_is_checked(self):
        with self.assertRaises(BadField):
            parse_sack(ROWS[0] | {"torn": "perhaps"})

    def test_search_label(self):
        self.assertEqual([item.code for item in lists.search_label(self.sacks, "NORTH")], ["S0238"])

    def test_select_bought_between(self):
        first, last = date(2024, 7, 6), date(2024, 8, 7)
        self.assertEqual([item.code for item in lists.select_bought_between(self.sacks, first, last)], ["S0238", "S0293"])

    def test_per_size(self):
        groups = lists.per_size(self.sacks)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"large": 1, "cage": 3})

    def test_count_sizes(self):
        self.assertEqual(lists.count_sizes(self.sacks), [("cage", 3), ("large", 1)])

    def test_mean_trips(self):
        self.assertEqual(lists.mean_trips(self.sacks), 379.2)
        self.assertIsNone(lists.mean_trips([]))

    def test_at_least_trips(self):
        self.assertEqual([item.code for item in lists.at_least_trips(self.sacks, 516)], ["S0238", "S0445"])

    def test_select_torn(self):
        self.assertEqual([item.code for item in lists.select_torn(self.sacks)], ["S0445"])


if __name__ == "__main__":
    unittest.main()
