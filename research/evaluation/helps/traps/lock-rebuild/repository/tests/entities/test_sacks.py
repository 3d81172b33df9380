import unittest
from datetime import date

from depot.kit.fields import BadField
from depot.summaries import sacks as lists
from depot.entities.sacks import SACKS, changes_of_sack, describe_sack, format_sack, parse_sack

ROWS = [
    {
        "code": "S0117",
        "label": "Round field",
        "bought": "2024-11-02",
        "size": "large",
        "trips": "124",
        "torn": "no",
    },
    {
        "code": "S0391",
        "label": "First canal",
        "bought": "2025-02-06",
        "size": "large",
        "trips": "743",
        "torn": "no",
    },
    {"code": "S0538", "label": "Slow hill", "bought": "2025-04-04", "size": "small", "trips": "796", "torn": "no"},
    {
        "code": "S0598",
        "label": "North border",
        "bought": "2025-04-21",
        "size": "small",
        "trips": "348",
        "torn": "no",
    },
]


class SackTest(unittest.TestCase):
    def setUp(self):
        self.sacks = [parse_sack(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_sack(item) for item in self.sacks], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(SACKS.read()), 171)
        self.assertEqual(SACKS.get("S0117"), self.sacks[0])

    def test_it_is_described(self):
        wanted = [
            "code: S0117",
            "label: Round field",
            "bought: 02.11.2024",
            "size: large",
            "trips: 124",
        ]
        self.assertEqual(list(describe_sack(self.sacks[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_sack(self.sacks[0], self.sacks[1])
        self.assertEqual([name for name, _, _ in found], ["code", "label", "bought", "trips"])
        self.assertEqual(changes_of_sack(self.sacks[0], self.sacks[0]), [])

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
        found = lists.search_label(self.sacks, "FIRST")
        self.assertEqual([item.code for item in found], ["S0391"])

    def test_select_bought_between(self):
        first, last = date(2025, 2, 6), date(2025, 4, 4)
        found = lists.select_bought_between(self.sacks, first, last)
        self.assertEqual([item.code for item in found], ["S0391", "S0538"])

    def test_per_size(self):
        groups = lists.per_size(self.sacks)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"large": 2, "small": 2})

    def test_count_sizes(self):
        self.assertEqual(lists.count_sizes(self.sacks), [("large", 2), ("small", 2)])

    def test_mean_trips(self):
        self.assertEqual(lists.mean_trips(self.sacks), 502.8)
        self.assertIsNone(lists.mean_trips([]))

    def test_at_least_trips(self):
        found = lists.at_least_trips(self.sacks, 743)
        self.assertEqual([item.code for item in found], ["S0391", "S0538"])

    def test_select_torn(self):
        found = lists.select_torn(self.sacks)
        self.assertEqual([item.code for item in found], [])


if __name__ == "__main__":
    unittest.main()
